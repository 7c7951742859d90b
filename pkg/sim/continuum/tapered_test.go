package continuum_test

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"testing"

	"gonum.org/v1/gonum/mat"

	"sinew/pkg/sim/continuum/continuumtest"
	"sinew/pkg/sim/continuum/equations"
	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/spatial"
)

// taperedCase is a case of testdata/tapered_rod.json, which says of its own where it is from.
type taperedCase struct {
	Name     string
	Robot    map[string]any
	Expected struct {
		TipM       []float64 `json:"tip_m"`
		TipD1      []float64 `json:"tip_d1"`
		TipD3      []float64 `json:"tip_d3"`
		BaseForce  []float64 `json:"base_force_n"`
		BaseMoment []float64 `json:"base_moment_nm"`
		RootForce  []float64 `json:"root_force_n"`
		RootMoment []float64 `json:"root_moment_nm"`
		Stations   []struct {
			S float64   `json:"s_m"`
			P []float64 `json:"p_m"`
		}
	}
	Mass        float64   `json:"mass_kg"`
	Rest        []float64 `json:"rest_tip_m"`
	Frequencies []float64 `json:"natural_frequencies_hz"`
	Tolerance   struct{ N20, N40, N80 float64 }
}

func taperedCases(t *testing.T) []taperedCase {
	t.Helper()
	var g struct{ Cases []taperedCase }
	b, err := os.ReadFile("testdata/tapered_rod.json")
	if err == nil {
		err = json.Unmarshal(b, &g)
	}
	if err != nil || len(g.Cases) != 8 {
		t.Fatalf("%d cases, %v", len(g.Cases), err)
	}
	return g.Cases
}

// file is the robot of a case. Of a magnet at its tip it has the force and moment that the
// magnet has in the expected shape, in which both robots are in the same equilibrium.
func (c *taperedCase) file(t *testing.T, n, order int) *robotfile.Continuum {
	t.Helper()
	text, err := json.Marshal(c.Robot)
	if err != nil {
		t.Fatal(err)
	}
	var robot map[string]any
	if err := json.Unmarshal(text, &robot); err != nil {
		t.Fatal(err)
	}
	if _, ok := robot["magnets"]; ok {
		robot["loads"] = []any{c.magnet(t)}
		delete(robot, "magnets")
		delete(robot, "field")
	}
	rod := robot["rod"].(map[string]any)
	rod["elements"], rod["element_order"] = n, order
	if text, err = json.Marshal(robot); err != nil {
		t.Fatal(err)
	}
	f, err := robotfile.Parse[robotfile.Continuum](c.Name, text)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// magnet is the load of the magnet at the tip: G m and m × B(p), world axes.
func (c *taperedCase) magnet(t *testing.T) map[string]any {
	t.Helper()
	field := c.Robot["field"].(map[string]any)
	list := func(x any) (v []float64) {
		for _, e := range x.([]any) {
			v = append(v, e.(float64))
		}
		return v
	}
	vec := func(x []float64) spatial.Vec { return spatial.Vec{X: x[0], Y: x[1], Z: x[2]} }
	b, g := vec(list(field["uniform_t"])), list(field["gradient_t_per_m"])
	grad := spatial.Mat3{XX: g[0], XY: g[1], XZ: g[2], YX: g[1], YY: g[3], YZ: g[4], ZX: g[2], ZY: g[4], ZZ: -g[0] - g[3]}
	d1, d3 := vec(c.Expected.TipD1), vec(c.Expected.TipD3)
	m := vec(list(c.Robot["magnets"].([]any)[0].(map[string]any)["moment_a_m2"]))
	m = spatial.FromColumns(d1, d3.Cross(d1), d3).Apply(m)
	return map[string]any{
		"at_m": 0.1, "frame": "world", "force_n": numbers(grad.Apply(m)),
		"moment_nm": numbers(m.Cross(b.Add(grad.Apply(vec(c.Expected.TipM))))),
	}
}

// Tips, stations and reactions of rods of sections are those of the continuous rod, within
// the tolerances of the file, with elements of both orders; those of order 4 are far closer.
func TestTaperedRods(t *testing.T) {
	const length = 0.1
	for _, c := range taperedCases(t) {
		for _, order := range orders() {
			var misses []float64
			for i, n := range []int{20, 40, 80} {
				tolerance := []float64{c.Tolerance.N20, c.Tolerance.N40, c.Tolerance.N80}[i]
				f := c.file(t, n, order)
				e := implicitOf(t, f)
				if err := e.Model.Equilibrate(); err != nil {
					t.Fatal(err)
				}
				g := e.NodePose(e.System.Rod.Elements)
				misses = append(misses, distance(numbers(g.P), c.Expected.TipM)/length)
				what := fmt.Sprintf("%s, order %d, %d elements: ", c.Name, order, n)
				if miss := misses[i]; !(miss <= tolerance) {
					t.Errorf("%stip %.3g L off, tolerance %g", what, miss, tolerance)
				}
				// directors turn by what the tip moves over the part that bends
				for name, d := range map[string]float64{"d1": distance(numbers(g.R.Col1()), c.Expected.TipD1), "d3": distance(numbers(g.R.Col3()), c.Expected.TipD3)} {
					if !(d <= 4*tolerance) {
						t.Errorf("%s%s of the tip %.3g off, tolerance %g", what, name, d, 4*tolerance)
					}
				}
				for _, s := range c.Expected.Stations {
					if d := distance(numbers(e.NodePose(e.System.Rod.NearestNode(s.S)).P), s.P) / length; !(d <= tolerance) {
						t.Errorf("%sstation at %g m %.3g L off, tolerance %g", what, s.S, d, tolerance)
					}
				}
				w := e.System.State.BaseReaction()
				force, moment := c.Expected.BaseForce, c.Expected.BaseMoment
				if force == nil {
					force, moment = scaled(c.Expected.RootForce, -1), scaled(c.Expected.RootMoment, -1)
				}
				turn := e.System.Rod.Base.R
				size := math.Max(distance(force, nothing), distance(moment, nothing)/length)
				if d := distance(numbers(turn.Apply(w.Force)), force); !(d <= (tolerance+1e-9)*size) {
					t.Errorf("%sbase force %.3g N off, tolerance %.3g", what, d, tolerance*size)
				}
				if d := distance(numbers(turn.Apply(w.Moment)), moment) / length; !(d <= tolerance*size) {
					t.Errorf("%sbase moment over the length %.3g N off, tolerance %.3g", what, d, tolerance*size)
				}
			}
			t.Logf("%s, order %d: tip %.2g, %.2g, %.2g L off, order %.2f", c.Name, order, misses[0], misses[1], misses[2], math.Log2(misses[1]/misses[2]))
			// what is left of second order is that of shear under thrust
			if order == 4 && (!(misses[1] < 2e-6) || misses[1] > 7e-7 && !(math.Log2(misses[0]/misses[1]) > 3.3)) {
				t.Errorf("%s: tip %.3g and %.3g L off with 20 and 40 elements of order 4", c.Name, misses[0], misses[1])
			}
		}
	}
}

var nothing = []float64{0, 0, 0}

func distance(a, b []float64) float64 {
	return math.Hypot(math.Hypot(a[0]-b[0], a[1]-b[1]), a[2]-b[2])
}

func scaled(v []float64, s float64) []float64 { return []float64{s * v[0], s * v[1], s * v[2]} }

// Rest shapes, masses and the frequencies of bending of rods of sections.
func TestTaperedRodsAtRestAndInMotion(t *testing.T) {
	for _, c := range taperedCases(t) {
		for _, order := range orders() {
			f := c.file(t, 20, order)
			f.Gravity = spatial.Vec{}
			e := implicitOf(t, f)
			if c.Rest != nil {
				within(t, c.Name+": rest", tip(e), c.Rest, 1e-9)
			}
			if c.Mass > 0 {
				sum := 0.0
				for _, m := range e.System.Rod.NodeMasses() {
					sum += m
				}
				within(t, c.Name+": mass", []float64{sum}, []float64{c.Mass}, 1e-9)
			}
			for i, got := range frequencies(t, e, 2*len(c.Frequencies)) {
				want, tolerance := c.Frequencies[i/2], []float64{1e-2, 3e-2, 3e-2}[i/2]
				if order == 4 {
					tolerance /= 100
				}
				if !(math.Abs(got/want-1) < tolerance) {
					t.Errorf("%s, order %d: mode %d at %.8g Hz, want %.8g", c.Name, order, i/2+1, got, want)
				}
			}
		}
	}
}

// frequencies returns the lowest natural frequencies of the robot in its present shape
// without loads, Hz: of every bending mode two, in two planes.
func frequencies(t *testing.T, e *continuumtest.Robot, count int) (hz []float64) {
	t.Helper()
	if count == 0 {
		return nil
	}
	e.System.State.BeginStatic()
	e.System.UpdateKinematics()
	tangent := e.System.FullTangent(equations.FrictionlessScope)
	// a step of this length makes stiffness and inertia alike; the tangent of a step from rest has both
	const dt = 1e-3
	e.System.State.BeginPseudoTransient(dt, make([]spatial.Wrench, len(e.System.State.Pose)))
	e.System.UpdateKinematics()
	of := e.System.FullTangent(equations.FrictionlessScope)
	n := 6 * e.System.Rod.Elements
	mass, stiffness := mat.NewSymDense(n, nil), mat.NewSymDense(n, nil)
	for i := range n {
		for j := range i + 1 {
			mass.SetSym(i, j, (of[n*i+j]-tangent[n*i+j])*dt*dt)
			stiffness.SetSym(i, j, tangent[n*i+j])
		}
	}
	var root mat.Cholesky
	if !root.Factorize(mass) {
		t.Fatal("the inertia is not positive definite")
	}
	var inverse, flexible mat.Dense // L⁻¹ K L⁻ᵀ has the eigenvalues
	var l mat.TriDense
	root.LTo(&l)
	if err := inverse.Inverse(&l); err != nil {
		t.Fatal(err)
	}
	flexible.Product(&inverse, stiffness, inverse.T())
	k := mat.NewSymDense(n, nil)
	for i := range n {
		for j := range i + 1 {
			k.SetSym(i, j, flexible.At(i, j))
		}
	}
	var eigen mat.EigenSym
	if !eigen.Factorize(k, false) {
		t.Fatal("no eigenvalues")
	}
	for _, w2 := range eigen.Values(nil)[:count] {
		hz = append(hz, math.Sqrt(w2)/(2*math.Pi))
	}
	return hz
}
