package stokes_test

import (
	"math"
	"math/big"
	"strconv"
	"strings"
	"testing"

	"sinew/pkg/sim/spatial"
	"sinew/pkg/sim/stokes"
)

// Printed to 15 digits: half a unit in the last place, and a few roundings of ours.
const printed15 = 6e-15

type spheroidRow struct {
	R, XA, YA, XC, YC, YH float64
	Axial                 *float64 `json:"N_axial"`
	Polar                 *float64 `json:"N_polar"`
}

func mustEllipsoid(t testing.TB, x, y, z float64) stokes.Shape {
	t.Helper()
	s, err := stokes.Ellipsoid(spatial.Vec{X: x, Y: y, Z: z})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestSpheroidsAgainstClosedForms(t *testing.T) {
	var g struct{ Prolate, Oblate []spheroidRow }
	stokes.ReadJSON(t, "ellipsoid_resistance.json", &g)
	if len(g.Prolate) != 7 || len(g.Oblate) != 4 {
		t.Fatalf("%d and %d rows", len(g.Prolate), len(g.Oblate))
	}
	for _, row := range g.Prolate {
		checkSpheroid(t, row, row.R, 1, *row.Axial)
	}
	for _, row := range g.Oblate {
		checkSpheroid(t, row, 1, row.R, *row.Polar)
	}
}

// checkSpheroid compares the spheroid of semi-axes pole, equator, equator with a
// row normalised by the larger.
func checkSpheroid(t *testing.T, row spheroidRow, pole, equator, demagnetization float64) {
	t.Helper()
	s := mustEllipsoid(t, pole, equator, equator)
	a := max(pole, equator)
	f, m := 6*math.Pi*a, 8*math.Pi*a*a*a
	r := s.Resistance
	stokes.Close1(t, "X^A", r.Trans.XX/f, row.XA, printed15)
	stokes.Close1(t, "Y^A", r.Trans.YY/f, row.YA, printed15)
	stokes.Close1(t, "Y^A", r.Trans.ZZ/f, row.YA, printed15)
	stokes.Close1(t, "X^C", r.Rot.XX/m, row.XC, printed15)
	stokes.Close1(t, "Y^C", r.Rot.YY/m, row.YC, printed15)
	stokes.Close1(t, "Y^C", r.Rot.ZZ/m, row.YC, printed15)
	// the moment about z in the strain Exy
	stokes.Close1(t, "Y^H", s.Strain.AngularShear.ZZ/m, row.YH, printed15)
	stokes.Close1(t, "Y^H", -s.Strain.AngularShear.YY/m, row.YH, printed15)
	n := stokes.Demagnetization(spatial.Vec{X: pole, Y: equator, Z: equator})
	stokes.Close1(t, "N", n.X, demagnetization, printed15)
	stokes.Close1(t, "sum of N", n.X+n.Y+n.Z, 1, printed15)
}

func TestTriaxialEllipsoid(t *testing.T) {
	var g struct {
		Triaxial []struct{ ABC, Rt, Rr, N []float64 }
	}
	stokes.ReadJSON(t, "ellipsoid_resistance.json", &g)
	for _, row := range g.Triaxial {
		s := mustEllipsoid(t, row.ABC[0], row.ABC[1], row.ABC[2])
		n := stokes.FlatV(stokes.Demagnetization(spatial.Vec{X: row.ABC[0], Y: row.ABC[1], Z: row.ABC[2]}))
		rt := []float64{s.Resistance.Trans.XX, s.Resistance.Trans.YY, s.Resistance.Trans.ZZ}
		rr := []float64{s.Resistance.Rot.XX, s.Resistance.Rot.YY, s.Resistance.Rot.ZZ}
		for i := range 3 {
			stokes.Close1(t, "translation", rt[i]/(6*math.Pi), row.Rt[i], printed15)
			stokes.Close1(t, "rotation", rr[i]/(8*math.Pi), row.Rr[i], printed15)
			stokes.Close1(t, "demagnetization", n[i], row.N[i], printed15)
		}
	}
}

// The same functions to 16 digits.
func TestSpheroidsToTheLastDigits(t *testing.T) {
	var g struct {
		Rows []struct {
			Ratio          string `json:"b_over_a"`
			C1, C2, XC, YC float64
		} `json:"oberbeck_table"`
	}
	stokes.ReadJSON(t, "mime.json", &g)
	if len(g.Rows) != 8 {
		t.Fatalf("%d rows", len(g.Rows))
	}
	for _, row := range g.Rows {
		b, err := strconv.ParseFloat(row.Ratio, 64)
		if err != nil {
			t.Fatal(err)
		}
		r := mustEllipsoid(t, 1, b, b).Resistance
		const roundoff = 1e-15
		stokes.Close1(t, "C1", r.Trans.XX/(6*math.Pi), row.C1, roundoff)
		stokes.Close1(t, "C2", r.Trans.YY/(6*math.Pi), row.C2, roundoff)
		stokes.Close1(t, "X^C", r.Rot.XX/(8*math.Pi), row.XC, roundoff)
		stokes.Close1(t, "Y^C", r.Rot.ZZ/(8*math.Pi), row.YC, roundoff)
	}
}

// Near the sphere, where closed forms cancel, the exact series in e² hold.
func TestNearlySphericalAgainstSeries(t *testing.T) {
	var g struct {
		Series map[string][]string `json:"small_eccentricity_series_in_e2"`
	}
	stokes.ReadJSON(t, "mime.json", &g)
	for _, e := range []float64{0, 1e-8, 1e-6, 1e-4, 1e-3, 0.01, 0.03} {
		sum := func(name string) float64 {
			v, z := 0.0, 1.0
			for _, c := range g.Series[name] {
				q, ok := new(big.Rat).SetString(c)
				if !ok {
					t.Fatalf("%s: %q is no rational", name, c)
				}
				f, _ := q.Float64()
				v += f * z
				z *= e * e
			}
			return v
		}
		r := mustEllipsoid(t, 1, math.Sqrt(1-e*e), math.Sqrt(1-e*e)).Resistance
		const roundoff = 1e-15
		stokes.Close1(t, "C1", r.Trans.XX/(6*math.Pi), sum("C1"), roundoff)
		stokes.Close1(t, "C2", r.Trans.YY/(6*math.Pi), sum("C2"), roundoff)
		stokes.Close1(t, "X^C", r.Rot.XX/(8*math.Pi), sum("XC"), roundoff)
		stokes.Close1(t, "Y^C", r.Rot.ZZ/(8*math.Pi), sum("YC"), roundoff)
	}
}

// Needle and disk: leading terms as in Happel and Brenner, chapter 5.
func TestExtremeEllipsoids(t *testing.T) {
	disk := mustEllipsoid(t, 1, 1, 1e-9).Resistance
	stokes.Close1(t, "disk broadside", disk.Trans.ZZ, 16, 1e-8)
	stokes.Close1(t, "disk edgewise", disk.Trans.XX, 32./3, 1e-8)
	stokes.Close1(t, "disk about a diameter", disk.Rot.XX, 32./3, 1e-8)
	stokes.Close1(t, "disk about its axis", disk.Rot.ZZ, 32./3, 1e-8)
	const r = 1e6
	needle := mustEllipsoid(t, r, 1, 1).Resistance
	ln := math.Log(2 * r)
	stokes.Close1(t, "needle along", needle.Trans.XX, 4*math.Pi*r/(ln-0.5), 1e-10)
	stokes.Close1(t, "needle across", needle.Trans.YY, 8*math.Pi*r/(ln+0.5), 1e-10)
	stokes.Close1(t, "needle about its axis", needle.Rot.XX, 16./3*math.Pi*r, 1e-10)
	stokes.Close1(t, "needle across", needle.Rot.YY, 8./3*math.Pi*r*r*r/(ln-0.5), 1e-10)
	// scale: the integrals have a range, sizes do not
	small := mustEllipsoid(t, 3e-60, 2e-60, 1e-60).Resistance
	large := mustEllipsoid(t, 3, 2, 1).Resistance
	stokes.Close1(t, "scale", small.Trans.YY/1e-60, large.Trans.YY, 1e-14)
}

func TestEllipsoidErrors(t *testing.T) {
	for _, c := range []struct {
		a    spatial.Vec
		want string
	}{
		{spatial.Vec{X: 1, Y: -2, Z: 1}, "semi-axis y is -2 m"},
		{spatial.Vec{X: 1, Y: 1}, "semi-axis z is 0 m"},
		{spatial.Vec{X: math.NaN(), Y: 1, Z: 1}, "semi-axis x is NaN m"},
		{spatial.Vec{X: 1, Y: 1, Z: math.Inf(1)}, "semi-axis z is +Inf m"},
	} {
		if _, err := stokes.Ellipsoid(c.a); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: got %v, want %q in it", c.a, err, c.want)
		}
	}
	if _, err := stokes.Sphere(0); err == nil || !strings.Contains(err.Error(), "radius is 0 m") {
		t.Errorf("got %v", err)
	}
}

func TestEllipsoidGeometry(t *testing.T) {
	s := mustEllipsoid(t, 3, 2, 1)
	stokes.Close1(t, "volume", s.Volume, 8*math.Pi, 1e-15)
	m := 7 * s.Volume
	j := s.Inertia(7)
	stokes.Near(t, "inertia", stokes.Flat(j), stokes.Flat(spatial.Diag3(spatial.Vec{X: m / 5 * 5, Y: m / 5 * 10, Z: m / 5 * 13})), 1e-15)
}

func TestMIMECases(t *testing.T) {
	const viscosity = 8.5e-4
	var g struct {
		Drag   []struct{ A, V, F float64 }     `json:"MIME-VER-001"`
		Torque []struct{ A, Omega, T float64 } `json:"MIME-VER-002"`
		Axes   struct {
			A, B, Mu, F float64
			Major       float64 `json:"V_major"`
			Minor       float64 `json:"V_minor"`
			Axial       float64 `json:"R_R_axial"`
			Transverse  float64 `json:"R_R_transverse"`
		} `json:"MIME-VER-004"`
		Settling struct{ A, Mu, F, V float64 } `json:"MIME-VER-005"`
	}
	stokes.ReadJSON(t, "mime.json", &g)
	if len(g.Drag) != 4 || len(g.Torque) != 3 {
		t.Fatalf("%d and %d cases", len(g.Drag), len(g.Torque))
	}
	const roundoff = 1e-14
	move := func(a float64, m spatial.Twist) spatial.Wrench {
		s, err := stokes.Sphere(a)
		if err != nil {
			t.Fatal(err)
		}
		r := s.Resistance.Scale(viscosity)
		return r.Apply(m)
	}
	for _, c := range g.Drag {
		f := move(c.A, spatial.Twist{Linear: spatial.Vec{Y: c.V}}).Force
		stokes.Close1(t, "VER-001", f.Y, c.F, roundoff)
		// VER-003: linear
		stokes.Close1(t, "VER-003", move(c.A, spatial.Twist{Linear: spatial.Vec{Y: 3 * c.V}}).Force.Y, 3*c.F, roundoff)
	}
	for _, c := range g.Torque {
		stokes.Close1(t, "VER-002", move(c.A, spatial.Twist{Angular: spatial.Vec{Z: c.Omega}}).Moment.Z, c.T, roundoff)
	}
	b := mustBody(t, mustEllipsoid(t, g.Axes.A, g.Axes.B, g.Axes.B), g.Axes.Mu)
	stokes.Close1(t, "VER-004 along", b.Mobility.Trans.XX*g.Axes.F, g.Axes.Major, roundoff)
	stokes.Close1(t, "VER-004 across", b.Mobility.Trans.YY*g.Axes.F, g.Axes.Minor, roundoff)
	stokes.Close1(t, "VER-004 spin", b.Resistance.Rot.XX, g.Axes.Axial, roundoff)
	stokes.Close1(t, "VER-004 tumble", b.Resistance.Rot.YY, g.Axes.Transverse, roundoff)
	s, _ := stokes.Sphere(g.Settling.A)
	ball := mustBody(t, s, g.Settling.Mu)
	v := ball.Mobility.Apply(spatial.Wrench{Force: spatial.Vec{X: g.Settling.F}}).Linear.X
	stokes.Close1(t, "VER-005", v, g.Settling.V, roundoff)
}

func mustBody(t testing.TB, s stokes.Shape, viscosity float64) *stokes.Body {
	t.Helper()
	b, err := stokes.NewBody(s, viscosity)
	if err != nil {
		t.Fatal(err)
	}
	return b
}
