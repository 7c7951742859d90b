package stokes

import (
	"math"
	"testing"

	"sinew/pkg/sim/spatial"
)

type wallRow struct {
	H     float64 `json:"h_over_a"`
	Along float64 `json:"F_par"`
	Tr    float64 `json:"T_tr"`
	Rot   float64 `json:"T_rot"`
	Perp  float64 `json:"F_perp"`
	Spin  float64 `json:"T_z"`
}

// Errors of the formulas. The reference itself is uncertain by 1e-3 (along, turn)
// and 2e-2 (coupling) at h = 1.0453 a.
const (
	alongError  = 0.0055
	normalError = 0.0072
	turnError   = 0.0011
	coupleError = 0.011
	spinError   = 0.0003
)

func TestSphereNearWall(t *testing.T) {
	var g struct {
		Rows  []wallRow
		Exact []wallRow `json:"F_perp_exact"`
	}
	readJSON(t, "sphere_near_wall.json", &g)
	if len(g.Rows) != 5 || len(g.Exact) != 6 {
		t.Fatalf("%d and %d rows", len(g.Rows), len(g.Exact))
	}
	for _, row := range g.Rows {
		w := newNearWall(1 / row.H)
		close1(t, "along", w.along, row.Along, alongError)
		close1(t, "couple", w.couple, row.Tr, coupleError)
		close1(t, "turn", w.turn, row.Rot, turnError)
		close1(t, "normal", w.normal, row.Perp, normalError)
		close1(t, "spin", w.spin, row.Spin, spinError)
	}
	for _, row := range g.Exact {
		close1(t, "normal", newNearWall(1/row.H).normal, row.Perp, normalError)
	}
}

// Jeffery's series for rotation about the normal, summed here.
func TestSpinNearWall(t *testing.T) {
	for _, h := range []float64{1.0005, 1.003, 1.01, 1.05, 1.2, 1.5, 2, 4, 20} {
		al, sum := math.Acosh(h), 0.0
		for n := 1.0; ; n++ {
			term := math.Pow(math.Sinh(al)/math.Sinh(n*al), 3)
			sum += term
			if term < 1e-17 {
				break
			}
		}
		close1(t, "spin", newNearWall(1/h).spin, sum, spinError)
	}
	close1(t, "at contact, ζ(3)", newNearWall(1-1e-12).spin, 1.2020569031595942, spinError)
}

// The leading terms far away (Lorentz, Faxén, Maude) and near contact (Goldman, Cox
// and Brenner 1967), where the table ends.
func TestNearWallLimits(t *testing.T) {
	const e = 1e-3
	far := newNearWall(e)
	close1(t, "along", far.along-1, 9./16*e, 0.001)
	close1(t, "normal", far.normal-1, 9./8*e, 0.04) // 7/6 instead of 9/8
	close1(t, "turn", far.turn-1, 5./16*e*e*e, 0.01)
	close1(t, "spin", far.spin-1, 1./8*e*e*e, 0.01)
	close1(t, "couple", far.couple, -3./32*e*e*e*e, 0.01)
	close1(t, "couple", newNearWall(1e-5).couple, -3./32*1e-20, 0.01)
	const d = 1e-6
	ln := math.Log(d)
	close := newNearWall(1 / (1 + d))
	close1(t, "along", close.along, -8./15*ln+0.9588, 0.002)
	close1(t, "normal", close.normal, 1/d, 0.001)
	close1(t, "turn", close.turn, -0.4*ln+0.3817, 0.001)
	close1(t, "couple", close.couple, 0.1*ln+0.1895, 0.001)
	// no limit at all
	near(t, "no wall", flatR(newNearWall(0).resistance(spatial.Vec{Z: 1}, 1, 1)),
		flatR(Diagonal(spatial.Vec{X: 6, Y: 6, Z: 6}.Scale(math.Pi), spatial.Vec{X: 8, Y: 8, Z: 8}.Scale(math.Pi))), 1e-15)
}

func mustWalls(t testing.TB, p []Plane, c []Cylinder, roughness float64) *Walls {
	t.Helper()
	w, err := NewWalls(p, c, roughness)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

var floor = []Plane{{Normal: spatial.Vec{Z: 2}}}

// A sphere dragged along +x near the floor tends to roll with +ω_y; spun with +ω_y
// it goes along +x.
func TestSphereRollsAlongTheFloor(t *testing.T) {
	w := mustWalls(t, floor, nil, 0)
	m := w.Mobility(spatial.Vec{Z: 1.2}, 1, 1)
	if v := m.Apply(spatial.Wrench{Force: spatial.Vec{X: 1}}); v.Angular.Y <= 0 {
		t.Errorf("dragged along x it turns with %v", v.Angular)
	}
	v := m.Apply(spatial.Wrench{Moment: spatial.Vec{Y: 1}})
	// microrobot's free roller: 0.0339 at h = 1.2 a
	close1(t, "slip", v.Linear.X/v.Angular.Y, 0.0339, 0.01)
}

// The closed form of the mobility inverts the resistance, is symmetric and positive
// definite, and turns with the wall, at any height.
func TestWallMobility(t *testing.T) {
	rnd := newRand()
	const a, eta = 2.5, 0.7
	for _, gap := range []float64{1e-6, 1e-3, 0.04, 0.3, 1, 10, 1e6} {
		n := randVec(rnd).Unit()
		w := mustWalls(t, []Plane{{Point: randVec(rnd), Normal: n}}, nil, 0)
		x := w.planes[0].Point.AddScaled(a*(1+gap), n).Add(n.Perpendicular())
		r, m := w.Resistance(x, a, eta), w.Mobility(x, a, eta)
		if err := r.Check(); err != nil {
			t.Errorf("gap %g: %v", gap, err)
		}
		inverse, err := r.Mobility()
		if err != nil {
			t.Errorf("gap %g: %v", gap, err)
		}
		near(t, "mobility", flatR(Resistance(m)), flatR(Resistance(inverse)), 1e-9)
		near(t, "symmetric", flat(r.Trans), flat(r.Trans.T()), 1e-15)
		rot := randRot(rnd)
		turned := mustWalls(t, []Plane{{Point: rot.Apply(w.planes[0].Point), Normal: rot.Apply(n)}}, nil, 0)
		near(t, "frame indifference", flatR(turned.Resistance(rot.Apply(x), a, eta)), flatR(r.Rotated(rot)), 1e-7)
	}
}

// Between two planes, against Faxén's series for the midplane (Happel and Brenner,
// eq. 7-4.28).
func TestSphereBetweenPlanes(t *testing.T) {
	for _, h := range []float64{4, 6, 10} {
		w := mustWalls(t, []Plane{{Normal: spatial.Vec{Z: 1}}, {Point: spatial.Vec{Z: 2 * h}, Normal: spatial.Vec{Z: -1}}}, nil, 0)
		e := 1 / h
		faxen := 1 / (1 - 1.004*e + 0.418*e*e*e + 0.21*e*e*e*e - 0.169*e*e*e*e*e)
		x := spatial.Vec{X: 3, Z: h}
		close1(t, "along", w.Resistance(x, 1, 1).Trans.XX/(6*math.Pi), faxen, 0.02)
		m, err := w.Resistance(x, 1, 1).Mobility()
		if err != nil {
			t.Fatal(err)
		}
		near(t, "mobility", flatR(Resistance(w.Mobility(x, 1, 1))), flatR(Resistance(m)), 1e-12)
	}
}

func TestNoWalls(t *testing.T) {
	var w Walls
	r := w.Mobility(spatial.Vec{}, 2, 3)
	close1(t, "translation", r.Trans.XX, 1/(36*math.Pi), 1e-15)
	close1(t, "rotation", r.Rot.YY, 1/(192*math.Pi), 1e-15)
	if g := w.Gap(spatial.Vec{}, &spatial.Mat3{}); !math.IsInf(g, 1) {
		t.Errorf("gap %g", g)
	}
}

func BenchmarkWallMobility(b *testing.B) {
	w := mustWalls(b, floor, nil, 0)
	x := spatial.Vec{Z: 1.3}
	for b.Loop() {
		w.Mobility(x, 1, 1)
	}
}
