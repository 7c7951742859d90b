package stokes

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"sinew/pkg/sim/spatial"
	"sinew/test/testsize"
)

// Tests of what has no exported name.

// Matrix returns the mobility matrix, both triangles.
func (c *Correlation) Matrix(x []spatial.Vec) *mat.SymDense {
	c.assemble(x)
	m := mat.NewSymDense(c.m.N, nil)
	for i := range c.m.N {
		for j := range i + 1 {
			m.SetSym(i, j, c.m.L[i*c.m.N+j])
		}
	}
	return m
}

// More spheres than a chunk of AddInteraction, some of them overlapping.
func TestLargeSwarm(t *testing.T) {
	s, x, loads := SwarmOf(t, 140, 4)
	got := make([]spatial.Twist, s.Len())
	s.Motions(got, x, loads)
	var want mat.VecDense
	want.MulVec(NewCorrelation(s).Matrix(x), mat.NewVecDense(len(loads)*6, FlatW(loads)))
	Near(t, "motions", FlatT(got), want.RawVector().Data, 1e-13)
	for i := range got {
		got[i] = s.Alone(i, loads[i])
	}
	const parts = 3
	for part := range parts {
		s.AddInteraction(got, x, loads, part, parts)
	}
	Near(t, "motions in parts", FlatT(got), want.RawVector().Data, 1e-13)
	overlaps := 0
	for i := range x {
		for j := range x[:i] {
			if x[i].Sub(x[j]).Norm() < s.radii[i]+s.radii[j] {
				overlaps++
			}
		}
	}
	if overlaps < 100 || overlaps > 5000 {
		t.Errorf("%d pairs overlap: the test has too few or too many", overlaps)
	}
}

// The gap in a vessel is that of the nearest of many points of the body's surface, and of
// two ends that touch both are found.
func TestGapInAVessel(t *testing.T) {
	testsize.SkipInShort(t)
	r := NewRand()
	for range 40 {
		axes := spatial.Vec{X: 0.1 + r.Float64(), Y: 0.1 + r.Float64(), Z: 0.1 + r.Float64()}
		rot := RandRot(r)
		hull := Hull{Ellipsoid: rot.Mul(spatial.Diag3(axes.Mul(axes))).MulT(rot)}
		axis := RandVec(r)
		w := MustWalls(t, nil, []Cylinder{{Axis: axis, Radius: 2}}, 0)
		x := RandVec(r).Scale(0.5)
		gap := math.Inf(1)
		for range 200_000 {
			u := RandVec(r).Unit()
			y := x.Add(rot.Apply(axes.Mul(u)))
			y = y.AddScaled(-y.Dot(axis.Unit()), axis.Unit())
			gap = min(gap, 2-y.Norm())
		}
		if g := w.Gap(x, &hull); g > gap+1e-12 || g < gap-5e-4 {
			t.Errorf("gap %g, of points %g", g, gap)
		}
	}
	across := MustWalls(t, nil, []Cylinder{{Axis: spatial.Vec{Z: 1}, Radius: 1}}, 0)
	hull := Hull{Ellipsoid: spatial.Diag3(spatial.Vec{X: 0.36, Y: 0.0025, Z: 0.0025})}
	var buffer [maxTouches]contact
	if points := across.points(&buffer, 0, spatial.Vec{Y: -0.79}, &hull); len(points) != 2 || math.Abs(points[0].gap-points[1].gap) > 1e-9 ||
		math.Abs(points[0].arm.X+points[1].arm.X) > 1e-6 || math.Abs(points[0].arm.X) < 0.5 {
		t.Errorf("%d ends: %+v", len(points), points)
	}
	wide := Hull{Ellipsoid: spatial.Diag3(spatial.Vec{X: 1.21, Y: 0.01, Z: 0.01})}
	if err := across.Check(spatial.Vec{}, &wide); err == nil {
		t.Error("a body wider than the vessel is none")
	}
}

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
	ReadJSON(t, "sphere_near_wall.json", &g)
	if len(g.Rows) != 5 || len(g.Exact) != 6 {
		t.Fatalf("%d and %d rows", len(g.Rows), len(g.Exact))
	}
	for _, row := range g.Rows {
		w := newNearWall(1 / row.H)
		Close1(t, "along", w.along, row.Along, alongError)
		Close1(t, "couple", w.couple, row.Tr, coupleError)
		Close1(t, "turn", w.turn, row.Rot, turnError)
		Close1(t, "normal", w.normal, row.Perp, normalError)
		Close1(t, "spin", w.spin, row.Spin, spinError)
	}
	for _, row := range g.Exact {
		Close1(t, "normal", newNearWall(1/row.H).normal, row.Perp, normalError)
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
		Close1(t, "spin", newNearWall(1/h).spin, sum, spinError)
	}
	Close1(t, "at contact, ζ(3)", newNearWall(1-1e-12).spin, 1.2020569031595942, spinError)
}

// The leading terms far away (Lorentz, Faxén, Maude) and near contact (Goldman, Cox
// and Brenner 1967), where the table ends.
func TestNearWallLimits(t *testing.T) {
	const e = 1e-3
	far := newNearWall(e)
	Close1(t, "along", far.along-1, 9./16*e, 0.001)
	Close1(t, "normal", far.normal-1, 9./8*e, 0.04) // 7/6 instead of 9/8
	Close1(t, "turn", far.turn-1, 5./16*e*e*e, 0.01)
	Close1(t, "spin", far.spin-1, 1./8*e*e*e, 0.01)
	Close1(t, "couple", far.couple, -3./32*e*e*e*e, 0.01)
	Close1(t, "couple", newNearWall(1e-5).couple, -3./32*1e-20, 0.01)
	const d = 1e-6
	ln := math.Log(d)
	close := newNearWall(1 / (1 + d))
	Close1(t, "along", close.along, -8./15*ln+0.9588, 0.002)
	Close1(t, "normal", close.normal, 1/d, 0.001)
	Close1(t, "turn", close.turn, -0.4*ln+0.3817, 0.001)
	Close1(t, "couple", close.couple, 0.1*ln+0.1895, 0.001)
	// no limit at all
	Near(t, "no wall", FlatR(newNearWall(0).resistance(spatial.Vec{Z: 1}, 1, 1)),
		FlatR(Diagonal(spatial.Vec{X: 6, Y: 6, Z: 6}.Scale(math.Pi), spatial.Vec{X: 8, Y: 8, Z: 8}.Scale(math.Pi))), 1e-15)
}

// The closed form of the mobility inverts the resistance, is symmetric and positive
// definite, and turns with the wall, at any height.
func TestWallMobility(t *testing.T) {
	rnd := NewRand()
	const a, eta = 2.5, 0.7
	for _, gap := range []float64{1e-6, 1e-3, 0.04, 0.3, 1, 10, 1e6} {
		n := RandVec(rnd).Unit()
		w := MustWalls(t, []Plane{{Point: RandVec(rnd), Normal: n}}, nil, 0)
		x := w.planes[0].Point.AddScaled(a*(1+gap), n).Add(n.Perpendicular())
		r, m := w.Resistance(x, a, eta), w.Mobility(x, a, eta)
		if err := r.Check(); err != nil {
			t.Errorf("gap %g: %v", gap, err)
		}
		inverse, err := r.Mobility()
		if err != nil {
			t.Errorf("gap %g: %v", gap, err)
		}
		Near(t, "mobility", FlatR(Resistance(m)), FlatR(Resistance(inverse)), 1e-9)
		Near(t, "symmetric", Flat(r.Trans), Flat(r.Trans.T()), 1e-15)
		rot := RandRot(rnd)
		turned := MustWalls(t, []Plane{{Point: rot.Apply(w.planes[0].Point), Normal: rot.Apply(n)}}, nil, 0)
		Near(t, "frame indifference", FlatR(turned.Resistance(rot.Apply(x), a, eta)), FlatR(r.Rotated(rot)), 1e-7)
	}
}
