package magnetics_test

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"sinew/pkg/sim/magnetics"
	"sinew/pkg/sim/spatial"
)

// dipoles are the coils of the maps below, per ampere: 2 A m² at 0.1 m above and 1 A m² beside the workspace.
var dipoles = []magnetics.Dipole{
	{Position: spatial.Vec{Z: 0.1}, Moment: spatial.Vec{X: 0.5, Z: 2}},
	{Position: spatial.Vec{X: -0.12, Y: 0.02}, Moment: spatial.Vec{Y: 1}},
}

// mapPoints calls with each point of a grid of n points a side, 20 mm wide, whose spacings are not all alike, x
// the slowest.
func mapPoints(n [3]int, do func(p spatial.Vec)) {
	axis := func(i, n int) float64 {
		if n == 1 {
			return 0
		}
		t := 2*float64(i)/float64(n-1) - 1
		return 0.01 * (t + 0.05*math.Sin(math.Pi*t))
	}
	for i := range n[0] {
		for j := range n[1] {
			for k := range n[2] {
				do(spatial.Vec{X: axis(i, n[0]), Y: axis(j, n[1]), Z: axis(k, n[2])})
			}
		}
	}
}

// mapCSV writes the map of the dipoles.
func mapCSV(header string, length, field float64, sep string, n [3]int) string {
	var b strings.Builder
	fmt.Fprintln(&b, header)
	mapPoints(n, func(p spatial.Vec) {
		fmt.Fprint(&b, p.X/length, sep, p.Y/length, sep, p.Z/length)
		for i := range dipoles {
			v, _ := dipoles[i].At(p)
			fmt.Fprint(&b, sep, v.X/field, sep, v.Y/field, sep, v.Z/field)
		}
		fmt.Fprintln(&b)
	})
	return b.String()
}

// mapTree is the same as JSON, with the axes alone or with a position for each point, or as a list of points.
func mapTree(t *testing.T, form string, n [3]int) string {
	t.Helper()
	tree := map[string]any{}
	list := func(key string, x ...float64) {
		old, _ := tree[key].([]float64)
		tree[key] = append(old, x...)
	}
	var points []any
	mapPoints(n, func(p spatial.Vec) {
		point := map[string]any{"x": p.X, "y": p.Y, "z": p.Z}
		if form == "positions" {
			list("x", p.X)
			list("y", p.Y)
			list("z", p.Z)
		}
		for i := range dipoles {
			v, _ := dipoles[i].At(p)
			for k, x := range []float64{v.X, v.Y, v.Z} {
				key := fmt.Sprintf("c%d_B%s", i+1, "xyz"[k:k+1])
				point[key] = x
				list(key, x)
			}
		}
		points = append(points, point)
	})
	if form == "points" {
		text, _ := json.Marshal(points)
		return string(text)
	}
	if form == "axes" {
		mapPoints([3]int{n[0], 1, 1}, func(p spatial.Vec) { list("x", p.X) })
		mapPoints([3]int{1, n[1], 1}, func(p spatial.Vec) { list("y", p.Y) })
		mapPoints([3]int{1, 1, n[2]}, func(p spatial.Vec) { list("z", p.Z) })
	}
	coils := map[string]any{}
	for i := range dipoles {
		c := map[string]any{}
		for _, k := range "xyz" {
			key := fmt.Sprintf("c%d_B%c", i+1, k)
			c[fmt.Sprintf("B%c", k)] = tree[key]
			delete(tree, key)
		}
		coils[fmt.Sprintf("c%d", i+1)] = c
	}
	grid := map[string]any{"x": tree["x"], "y": tree["y"], "z": tree["z"]}
	text, err := json.Marshal(map[string]any{"grid": grid, "coils": coils})
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestFieldMapFormats reads one map from files as programs write them.
func TestFieldMapFormats(t *testing.T) {
	n := [3]int{9, 8, 7}
	for name, text := range map[string]string{
		"csv":        mapCSV("x,y,z,c1_Bx,c1_By,c1_Bz,c2_Bx,c2_By,c2_Bz", 1, 1, ",", n),
		"mm, mT":     mapCSV("x_mm;y_mm;z_mm;c1.Bx [mT/A];c1.By [mT/A];c1.Bz [mT/A];Bx_c2 (mT);By_c2 (mT);Bz_c2 (mT)", 1e-3, 1e-3, ";", n),
		"COMSOL, mm": mapCSV("% Model: coils.mph\n% Length unit: mm\n% x y z c1.Bx (T) c1.By (T) c1.Bz (T) c2.Bx (T) c2.By (T) c2.Bz (T)", 1e-3, 1, "  ", n),
		"COMSOL":     mapCSV("% Model: coils.mph\n% x y z c1.Bx (T) c1.By (T) c1.Bz (T) c2.Bx (T) c2.By (T) c2.Bz (T)", 1, 1, "  ", n),
		"axes":       mapTree(t, "axes", n),
		"positions":  mapTree(t, "positions", n),
		"points":     mapTree(t, "points", n),
		"commas":     strings.ReplaceAll(mapCSV("x;y;z;c1_Bx;c1_By;c1_Bz;c2_Bx;c2_By;c2_Bz", 1, 1, ";", n), ".", ","),
		"axes, YAML": strings.NewReplacer(`"`, "", ":", ": ").Replace(mapTree(t, "axes", n)),
	} {
		c, err := magnetics.ParseCoils("map", []byte(text))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if fmt.Sprint(c.Names()) != "[c1 c2]" {
			t.Errorf("%s: coils %v", name, c.Names())
		}
		if c.Lower.Sub(spatial.Vec{X: -0.01, Y: -0.01, Z: -0.01}).Norm() > 1e-12 || c.Upper.Sub(spatial.Vec{X: 0.01, Y: 0.01, Z: 0.01}).Norm() > 1e-12 {
			t.Errorf("%s: workspace %v to %v", name, c.Lower, c.Upper)
		}
		mapPoints(n, func(p spatial.Vec) {
			for i := range dipoles {
				b, _ := c.PerAmpere(i, p)
				want, _ := dipoles[i].At(p)
				if b.Sub(want).Norm() > 1e-9*want.Norm() {
					t.Fatalf("%s: coil %d at %v: %v, want %v", name, i, p, b, want)
				}
			}
		})
	}
}

// TestFieldMapWithOtherColumns: derivatives, norms and uncertainties are no coils.
func TestFieldMapWithOtherColumns(t *testing.T) {
	for _, other := range []string{"dBx_dx,dBy_dx,dBz_dx", "Bx_std,By_std,Bz_std", "gradBxx,gradByy,gradBzz", "normB,B,T"} {
		c, err := magnetics.ParseCoils("map", []byte(mapCSV("x,y,z,c1_Bx,c1_By,c1_Bz,"+other, 1, 1, ",", [3]int{5, 5, 5})))
		if err != nil || fmt.Sprint(c.Names()) != "[c1]" {
			t.Errorf("%s: coils %v, error %v", other, c, err)
		}
	}
}

// TestFieldMapConverges: between the points the field is of third order, and the gradient, which is that of
// the interpolated field but for what no static field has, of second.
func TestFieldMapConverges(t *testing.T) {
	var fieldError, gradientError, inconsistent [2]float64
	for k, n := range []int{9, 17} {
		c, err := magnetics.ParseCoils("map", []byte(mapCSV("x,y,z,c1_Bx,c1_By,c1_Bz,c2_Bx,c2_By,c2_Bz", 1, 1, ",", [3]int{n, n, n})))
		if err != nil {
			t.Fatal(err)
		}
		for i := range 1000 {
			p := spatial.Vec{X: math.Sin(float64(i)), Y: math.Sin(1.7 * float64(i)), Z: math.Sin(2.3 * float64(i))}.Scale(0.008)
			b, g := c.At(p, []float64{1, -2})
			b1, g1 := dipoles[0].At(p)
			b2, g2 := dipoles[1].At(p)
			want, wantG := b1.AddScaled(-2, b2), g1.AddScaled(-2, g2)
			fieldError[k] = max(fieldError[k], b.Sub(want).Norm()/want.Norm())
			gradientError[k] = max(gradientError[k], g.AddScaled(-1, wantG).Norm()/wantG.Norm())
			slope := derivative(func(q spatial.Vec) spatial.Vec { b, _ := c.At(q, []float64{1, -2}); return b }, p, 1e-7)
			rest := slope.Sub(g.Mat())
			inconsistent[k] = max(inconsistent[k], math.Sqrt(rest.Mul(rest.T()).Trace())/g.Norm())
		}
	}
	t.Logf("field %.3g, gradient %.3g, curl and divergence %.3g", fieldError, gradientError, inconsistent)
	if !(fieldError[1] < 1e-4) || !(fieldError[0]/fieldError[1] > 6) {
		t.Errorf("errors of the field %v", fieldError)
	}
	if !(gradientError[1] < 2e-3) || !(gradientError[0]/gradientError[1] > 3) {
		t.Errorf("errors of the gradient %v", gradientError)
	}
	if !(inconsistent[1] < 2e-3) || !(inconsistent[0]/inconsistent[1] > 3) {
		t.Errorf("the gradient differs from that of the field by %v", inconsistent)
	}
}

// TestFieldMapOutside: beyond the grid the field goes on linearly from the border, without a jump, and is told to
// be outside of the workspace.
func TestFieldMapOutside(t *testing.T) {
	c, err := magnetics.ParseCoils("map", []byte(mapCSV("x,y,z,c1_Bx,c1_By,c1_Bz,c2_Bx,c2_By,c2_Bz", 1, 1, ",", [3]int{9, 9, 9})))
	if err != nil {
		t.Fatal(err)
	}
	currents := []float64{1, 3}
	border := spatial.Vec{X: 0.01, Y: 0.004, Z: -0.003}
	b0, g0 := c.At(border, currents)
	for _, away := range []float64{1e-9, 1e-3, 0.05} {
		p := border.Add(spatial.Vec{X: away})
		b, g := c.At(p, currents)
		magnetics.NearVec(t, "field", b, b0.Add(g0.Apply(spatial.Vec{X: away})), 1e-12)
		magnetics.NearMat(t, "gradient", g.Mat(), g0.Mat(), 1e-12)
		if got := c.Outside(p); math.Abs(got-away) > 1e-12 {
			t.Errorf("%g m outside, want %g", got, away)
		}
	}
}

// TestPlanarFieldMap: across a plane of points the gradient follows from that in it.
func TestPlanarFieldMap(t *testing.T) {
	for axis := range 3 {
		n := [3]int{21, 21, 21}
		n[axis] = 1
		c, err := magnetics.ParseCoils("map", []byte(mapCSV("x,y,z,c1_Bx,c1_By,c1_Bz,c2_Bx,c2_By,c2_Bz", 1, 1, ",", n)))
		if err != nil {
			t.Fatal(err)
		}
		p := [3]spatial.Vec{{Y: 0.003, Z: 0.002}, {X: 0.003, Z: 0.002}, {X: 0.003, Y: 0.002}}[axis]
		_, g := c.PerAmpere(0, p)
		_, want := dipoles[0].At(p)
		magnetics.NearMat(t, "gradient", g.Mat(), want.Mat(), 1e-3*want.Norm())
	}
}

// TestFieldMapOffset: columns named Offset are the field without current.
func TestFieldMapOffset(t *testing.T) {
	c, err := magnetics.ParseCoils("map", []byte(mapCSV("x,y,z,c1_Bx,c1_By,c1_Bz,Offset_Bx,Offset_By,Offset_Bz", 1, 1, ",", [3]int{5, 5, 5})))
	if err != nil {
		t.Fatal(err)
	}
	b, _ := c.At(spatial.Vec{}, []float64{0})
	want, _ := dipoles[1].At(spatial.Vec{})
	magnetics.NearVec(t, "offset", b, want, 1e-4*want.Norm())
	if len(c.Names()) != 1 {
		t.Errorf("coils %v", c.Names())
	}
}

// TestFieldMapSlopes: field, gradient and slope do not allocate, and the slope is the change of the gradient.
func TestFieldMapSlopes(t *testing.T) {
	c, err := magnetics.ParseCoils("map", []byte(mapCSV("x,y,z,c1_Bx,c1_By,c1_Bz,c2_Bx,c2_By,c2_Bz", 1, 1, ",", [3]int{33, 33, 33})))
	if err != nil {
		t.Fatal(err)
	}
	p, a, currents := spatial.Vec{X: 0.0011, Y: 0.0022, Z: -0.0033}, spatial.Vec{X: 1, Y: 2, Z: -1}, []float64{1, 0}
	want := dipoles[0].SlopeAlong(p, a)
	magnetics.NearMat(t, "slope", c.SlopeAlong(p, a, currents).Mat(), want.Mat(), 0.05*want.Norm())
	if n := testing.AllocsPerRun(100, func() { c.At(p, currents); c.SlopeAlong(p, a, currents) }); n != 0 {
		t.Errorf("%g allocations", n)
	}
}

// TestFieldMapMistakes demands place, value and cure.
func TestFieldMapMistakes(t *testing.T) {
	n := [3]int{4, 3, 3}
	good := mapCSV("x,y,z,c1_Bx,c1_By,c1_Bz,c2_Bx,c2_By,c2_Bz", 1, 1, ",", n)
	header := func(h string) string { _, rest, _ := strings.Cut(good, "\n"); return h + "\n" + rest }
	lines := strings.SplitAfter(good, "\n")
	for name, c := range map[string]struct {
		text  string
		words []string
	}{
		"no z":            {header("x,y,height,c1_Bx,c1_By,c1_Bz,c2_Bx,c2_By,c2_Bz"), []string{"columns are missing: z", "not known: height"}},
		"a component":     {header("x,y,z,c1_Bx,c1_By,c1_Bz,c2_Bx,c2_By,w"), []string{"Bz of coil c2"}},
		"no field":        {header("x,y,z,a,b,c,d,e,f"), []string{"Bx, By, Bz", "NAME_Bx"}},
		"twice":           {header("x,y,z,c1_Bx,c1_Bx,c1_Bz,c2_Bx,c2_By,c2_Bz"), []string{"same component of coil c1"}},
		"unit":            {header("x_ft [furlong],y,z,c1_Bx,c1_By,c1_Bz,c2_Bx,c2_By,c2_Bz"), []string{"columns are missing: x"}},
		"a current":       {header("x,y,z,c1_Bx,c1_By,c1_Bz,c2_Bx,c2_By,I_A"), []string{"column I_A is a current: fields are in T per A; divide them by it"}},
		"field unit":      {header("x,y,z,c1_Bx [kA],c1_By,c1_Bz,c2_Bx,c2_By,c2_Bz"), []string{"the unit of column c1_Bx [kA] is not known; allowed: T, mT, uT, G"}},
		"no names":        {strings.Join(lines[1:], ""), []string{":1: ", "no names of columns"}},
		"mm as m":         {mapCSV("x,y,z,c1_Bx,c1_By,c1_Bz,c2_Bx,c2_By,c2_Bz", 1e-4, 1, ",", n), []string{":2: x is -100 m", "in mm?", "x_mm"}},
		"cm as m":         {mapCSV("x,y,z,c1_Bx,c1_By,c1_Bz,c2_Bx,c2_By,c2_Bz", 1e-2, 1, ",", n), []string{":2: x spans 2 m, allowed: up to 1 m", "x_mm"}},
		"no map":          {"foo: 1\n", []string{"Coil_List is missing", "nor is it a map of fields"}},
		"empty":           {"", []string{"Coil_List is missing", "nor is it a map of fields"}},
		"uT as T":         {mapCSV("x,y,z,c1_Bx,c1_By,c1_Bz,c2_Bx,c2_By,c2_Bz", 1, 1e-6, ",", n), []string{"T/A, allowed: at most 1 T/A", "Bx_mT"}},
		"a point missing": {strings.Join(append(append([]string{}, lines[:7]...), lines[8:]...), ""), []string{"35 points are no full grid of 4 × 3 × 3", "is missing"}},
		"a point twice":   {good + lines[5], []string{":38: the point", "is there twice"}},
		"a word":          {strings.Replace(good, lines[3], "a"+lines[3], 1), []string{":4: ", "is not a number"}},
		"NaN":             {strings.Replace(good, lines[3], strings.Join(strings.Split(lines[3], ",")[:8], ",")+",NaN\n", 1), []string{":4: the field of c2", "must be finite"}},
		"a cell missing":  {strings.Replace(good, lines[3], strings.Join(strings.Split(lines[3], ",")[:8], ",")+"\n", 1), []string{":4: ", "8 cells under 9 names"}},
		"exchanged":       {header("x,y,z,c1_By,c1_Bz,c1_Bx,c2_Bx,c2_By,c2_Bz"), []string{"curl and divergence", "columns are exchanged: with 0.55 %"}},
		"two exchanged":   {header("x,y,z,c1_Bx,c1_By,c1_Bz,c2_By,c2_Bx,c2_Bz"), []string{"coil c2: ", "curl and divergence", "columns are exchanged: with ", "the one called By is Bx, the one called Bx is By"}},
		"at 5 A":          {"# measured at I = 5 A\n" + good, []string{"map.csv:1: ", `says "I = 5 A"`, "divide them by 5"}},
		"Maxwell, H":      {"Grid Output Min: [-1mm -1mm -1mm] Max: [1mm 1mm 1mm] Grid Size: [1mm 1mm 1mm]\nX, Y, Z, Vector data \"H_Vector\"\n-1e-3 -1e-3 -1e-3 1 0 0\n0 0 0 1 0 0\n\n", []string{"map.csv:2: ", "Ansys Maxwell", "export the vector B"}},
		"Opera, a unit":   {"2 2 2 1\n 1 X [INCH]\n 0\n1 2\n\n", []string{"map.csv:2: ", "Opera with the unit INCH", "MM, CM, M"}},
		"scattered":       {"x,y,z,Bx,By,Bz\n0,0,0,1e-3,0,0\n1e-3,2e-3,3e-3,1e-3,0,0\n2e-3,1e-3,5e-3,1e-3,0,0\n4e-3,7e-3,6e-3,1e-3,0,0\n", []string{"on no grid", "interpolate measurements onto a grid"}},
		"a line":          {"x,y,z,Bx,By,Bz\n0,0,0,1e-3,0,0\n1e-3,0,0,1e-3,0,0\n", []string{"grid has 2 × 1 × 1 points", "two axes"}},
		"JSON lengths":    {`{"x":[0,1],"y":[0,1],"z":[0,1],"coils":{"a":{"Bx":[1,2,3],"By":[1,2,3],"Bz":[1,2,3]}}}`, []string{"values"}},
		"JSON null":       {`{"x":[0,0.001],"y":[0,0.001],"z":[0],"Bx":[0.1,null,0.1,0.1],"By":[0,0,0,0],"Bz":[0,0,0,0]}`, []string{"value 2 of Bx", "must be finite"}},
	} {
		_, err := magnetics.ParseCoils("map.csv", []byte(c.text))
		refused(t, name, err, c.words...)
	}
}

// TestOtherModelsAreNamed: models of other laboratories are refused by their name, with what to do.
func TestOtherModelsAreNamed(t *testing.T) {
	for text, want := range map[string]string{
		"model: RBF\ncenters: [[0, 0, 0]]\nweights: [1]\n": "radial basis functions (RBF)",
		"rbf_centers: [[0, 0, 0]]\n":                       "radial basis functions (RBF)",
		`{"type": "saturation", "coils": [{"alpha": 1}]}`:  "saturation of cores",
		"Saturation_Coeffs: {a: 1}\nCoils: []\n":           "saturation of cores",
		"layers: [64, 64]\nactivation: relu\n":             "a neural network",
		"coils: [{turns: 100}]\nwindings: 3\n":             "Biot and Savart",
		"actuation_matrix: [[1, 0], [0, 1]]\n":             "constant actuation matrix",
		"MATLAB 5.0 MAT-file, Platform: GLNXA64":           "a file of MATLAB",
		"\x89HDF\r\n\x1a\n":                                "HDF5",
		"\x93NUMPY\x01\x00":                                "an array of NumPy",
		"PK\x03\x04\x14\x00":                               "a ZIP archive, as of NumPy",
	} {
		_, err := magnetics.ParseCoils("lab", []byte(text))
		refused(t, text, err, "lab: is ", want, "which is not read", "on a grid")
	}
	if _, err := magnetics.ParseCoils("mpem", []byte(calibration)); err != nil {
		t.Errorf("an MPEM calibration: %v", err)
	}
}

// TestSourceAtABody names the coil whose field is not finite at a place.
func TestSourceAtABody(t *testing.T) {
	c := coils(t)
	if name, found := c.InfiniteAt(spatial.Vec{Z: 0.05}); !found || name != "North" {
		t.Errorf("%q, %t; want North", name, found)
	}
	if name, found := c.InfiniteAt(spatial.Vec{}); found {
		t.Errorf("%q is infinite at the origin", name)
	}
}

func FuzzParseCoils(f *testing.F) {
	f.Add([]byte(mapCSV("x,y,z,c1_Bx,c1_By,c1_Bz,c2_Bx,c2_By,c2_Bz", 1, 1, ",", [3]int{2, 3, 2})))
	f.Add([]byte(`{"x":[0,0.001],"y":[0,0.001],"z":[0],"Bx":[0.1,0.1,0.1,0.1],"By":[0,0,0,0],"Bz":[0,0,0,0]}`))
	f.Add([]byte("coils: [{name: a, Bx: [1], x: [0]}]"))
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := magnetics.ParseCoils("fuzz", data)
		if err == nil {
			c.At(spatial.Vec{X: 1, Y: 2, Z: 3}, make([]float64, len(c.Names())))
		}
	})
}

// TestFieldMapsOfPrograms: maps of one coil as finite-element programs export them have the field of the map in columns.
func TestFieldMapsOfPrograms(t *testing.T) {
	n := [3]int{5, 5, 5}
	plain := mapCSV("x,y,z,a_Bx,a_By,a_Bz,b_Bx,b_By,b_Bz", 1, 1, ",", n)
	want, err := magnetics.ParseCoils("map", []byte(plain))
	if err != nil {
		t.Fatal(err)
	}
	p := spatial.Vec{X: 0.001, Y: -0.002, Z: 0.0015}
	field, _ := want.At(p, []float64{1, 0})
	for name, c := range map[string]struct {
		header        string
		length, tesla float64 // in a m and in a T
	}{
		"CST":           {"  x [mm]   y [mm]   z [mm]   Bx [Vs/m^2]   By [Vs/m^2]   Bz [Vs/m^2]\n-----------------------------\n", 1e3, 1},
		"Opera":         {"5 5 5 1\n 1 X [MM]\n 2 Y [MM]\n 3 Z [MM]\n 4 BX [GAUSS]\n 5 BY [GAUSS]\n 6 BZ [GAUSS]\n 0\n", 1e3, 1e4},
		"Maxwell":       {"Grid Output Min: [MINmm MINmm MINmm] Max: [9mm 9mm 9mm] Grid Size: [5mm 5mm 5mm]\nX, Y, Z, Vector data \"B_Vector\"\n", 1, 1},
		"Maxwell in mm": {"Grid Output Min: [MINmm MINmm MINmm] Max: [9mm 9mm 9mm] Grid Size: [5mm 5mm 5mm]\nX, Y, Z, Vector data \"<Bx,By,Bz>\"\n", 1e3, 1},
		"per ampere":    {"# at I = 5 A\nx (mm)   y (mm)   z (mm)   Bx (mT/A)   By (mT/A)   Bz (mT/A)\n", 1e3, 1e3},
	} {
		text := ""
		for i, line := range strings.Split(strings.TrimSpace(plain), "\n")[1:] {
			cells := strings.Split(line, ",")
			for k := range 6 {
				v, err := strconv.ParseFloat(cells[k], 64)
				if err != nil {
					t.Fatal(err)
				}
				if i == 0 && k == 0 {
					c.header = strings.ReplaceAll(c.header, "MIN", strconv.FormatFloat(1e3*v, 'g', -1, 64))
				}
				text += " " + strconv.FormatFloat(v*map[bool]float64{true: c.length, false: c.tesla}[k < 3], 'g', -1, 64)
			}
			text += "\n"
		}
		got, err := magnetics.ParseCoils("map", []byte(c.header+text))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		b, _ := got.At(p, []float64{1})
		magnetics.NearVec(t, name, b, field, 1e-9*field.Norm())
	}
}
