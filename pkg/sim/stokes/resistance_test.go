package stokes_test

import (
	"math"
	"strings"
	"testing"

	"sinew/pkg/sim/spatial"
	"sinew/pkg/sim/stokes"
)

const roundoff6 = 1e-13 // of chains of 3×3 and 6×6 products with condition 10

// randResistance returns a resistance with coupling, well conditioned.
func randResistance(t *testing.T) stokes.Resistance {
	t.Helper()
	rnd := stokes.NewRand()
	var l stokes.Factor
	for _, m := range []*spatial.Mat3{&l.Trans, &l.Coupling, &l.Rot} {
		*m = spatial.Outer(stokes.RandVec(rnd), stokes.RandVec(rnd)).Add(spatial.Outer(stokes.RandVec(rnd), stokes.RandVec(rnd))).Scale(0.3)
	}
	a := l.Trans.Add(spatial.Identity3())
	d := l.Rot.Add(spatial.Identity3())
	return stokes.Resistance{ // [a 0; c d] [aᵀ cᵀ; 0 dᵀ]
		Trans:    stokes.Symmetric(a.MulT(a)),
		Coupling: a.MulT(l.Coupling),
		Rot:      stokes.Symmetric(l.Coupling.MulT(l.Coupling).Add(d.MulT(d))),
	}
}

func TestMobilityInvertsResistance(t *testing.T) {
	r := randResistance(t)
	m, err := r.Mobility()
	if err != nil {
		t.Fatal(err)
	}
	tw := spatial.Twist{Linear: spatial.Vec{X: 1, Y: -2, Z: 3}, Angular: spatial.Vec{X: 0.3, Y: 2, Z: -1}}
	got := m.Apply(r.Apply(tw))
	stokes.Near(t, "M R t", stokes.FlatV(got.Linear, got.Angular), stokes.FlatV(tw.Linear, tw.Angular), roundoff6)
}

func TestFactorIsTriangularRoot(t *testing.T) {
	r := randResistance(t)
	l, ok := r.Factor()
	if !ok {
		t.Fatal("not positive definite")
	}
	if l.Trans.XY != 0 || l.Trans.XZ != 0 || l.Trans.YZ != 0 || l.Rot.XY != 0 || l.Rot.XZ != 0 || l.Rot.YZ != 0 {
		t.Errorf("not lower triangular: %+v", l)
	}
	got := stokes.Resistance{
		Trans:    l.Trans.MulT(l.Trans),
		Coupling: l.Trans.MulT(l.Coupling),
		Rot:      l.Coupling.MulT(l.Coupling).Add(l.Rot.MulT(l.Rot)),
	}
	stokes.Near(t, "L Lᵀ", stokes.FlatR(got), stokes.FlatR(r), roundoff6)
}

// The power that a motion takes does not depend on the point that describes it,
// and the load moves as a wrench does.
func TestReferencePointMoves(t *testing.T) {
	r := randResistance(t)
	p := spatial.Vec{X: 0.4, Y: -0.7, Z: 1.1}
	moved := r.At(p)
	tw := spatial.Twist{Linear: spatial.Vec{X: 1, Y: -2, Z: 3}, Angular: spatial.Vec{X: 0.3, Y: 2, Z: -1}}
	at := spatial.Twist{Linear: tw.Linear.Add(tw.Angular.Cross(p)), Angular: tw.Angular}
	f, g := r.Apply(tw), moved.Apply(at)
	stokes.Near(t, "force", stokes.FlatV(g.Force), stokes.FlatV(f.Force), roundoff6)
	stokes.Near(t, "moment", stokes.FlatV(g.Moment), stokes.FlatV(f.Moment.Sub(p.Cross(f.Force))), roundoff6)
	stokes.Near(t, "back", stokes.FlatR(moved.At(p.Neg())), stokes.FlatR(r), roundoff6)
	m, _ := r.Mobility()
	want, _ := moved.Mobility()
	stokes.Near(t, "mobility there", stokes.FlatR(stokes.Resistance(m.At(p))), stokes.FlatR(stokes.Resistance(want)), roundoff6)
}

func TestCentersMakeCouplingSymmetric(t *testing.T) {
	r := randResistance(t)
	m, _ := r.Mobility()
	size := r.Coupling.Col1().Norm()
	if u := stokes.SkewPart(r.At(r.Center()).Coupling); u.Norm() > roundoff6*size {
		t.Errorf("coupling about the centre of resistance has the skew part %v", u)
	}
	if u := stokes.SkewPart(m.At(m.Center()).Coupling); u.Norm() > roundoff6*m.Coupling.Col1().Norm() {
		t.Errorf("coupling about the centre of mobility has the skew part %v", u)
	}
	// an ellipsoid seen from elsewhere: both are its centre
	e := mustEllipsoid(t, 3, 2, 1).Resistance
	p := spatial.Vec{X: 1, Y: 2, Z: -3}
	off := e.At(p)
	stokes.Near(t, "centre", stokes.FlatV(off.Center()), stokes.FlatV(p.Neg()), roundoff6)
	mo, _ := off.Mobility()
	stokes.Near(t, "centre of mobility", stokes.FlatV(mo.Center()), stokes.FlatV(p.Neg()), roundoff6)
}

func TestResistanceIsFrameIndifferent(t *testing.T) {
	r := randResistance(t)
	a := stokes.RandRot(stokes.NewRand())
	tw := spatial.Twist{Linear: spatial.Vec{X: 1, Y: -2, Z: 3}, Angular: spatial.Vec{X: 0.3, Y: 2, Z: -1}}
	turned := r.Rotated(a)
	f := r.Apply(tw)
	g := turned.Apply(spatial.Twist{Linear: a.Apply(tw.Linear), Angular: a.Apply(tw.Angular)})
	stokes.Near(t, "force", stokes.FlatV(g.Force, g.Moment), stokes.FlatV(a.Apply(f.Force), a.Apply(f.Moment)), roundoff6)
	stokes.Near(t, "centre", stokes.FlatV(turned.Center()), stokes.FlatV(a.Apply(r.Center())), 1e-12)
}

func TestSedimentingSpheroid(t *testing.T) {
	var g struct {
		Params struct {
			A, B, Eta float64
			F, Axis   [3]float64
		}
		V [3]float64
	}
	stokes.ReadJSON(t, "sedimenting_spheroid.json", &g)
	b := mustBody(t, mustEllipsoid(t, g.Params.A, g.Params.B, g.Params.B), g.Params.Eta)
	x := spatial.Vec{X: g.Params.Axis[0], Y: g.Params.Axis[1], Z: g.Params.Axis[2]}
	y := x.Perpendicular()
	rot := spatial.FromColumns(x, y, x.Cross(y))
	f := spatial.Vec{X: g.Params.F[0], Y: g.Params.F[1], Z: g.Params.F[2]}
	v := rot.Apply(b.Mobility.Apply(spatial.Wrench{Force: rot.ApplyT(f)}).Linear)
	stokes.Near(t, "velocity", stokes.FlatV(v), g.V[:], 1e-14)
	// the mobility in world axes says the same
	world := b.Mobility.Rotated(rot)
	stokes.Near(t, "velocity", stokes.FlatV(world.Trans.Apply(f)), g.V[:], 1e-14)
}

func TestTiltedSpheroidOfContract(t *testing.T) {
	var g struct {
		Case struct {
			V []float64 `json:"V_body_frame"`
		} `json:"tilted_ellipsoid_45deg_force_x_1pN_a150_b50"`
	}
	stokes.ReadJSON(t, "mime.json", &g)
	b := mustBody(t, mustEllipsoid(t, 150e-6, 50e-6, 50e-6), 8.5e-4)
	rot := spatial.ExpRot(spatial.Vec{Z: math.Pi / 4})
	v := rot.Apply(b.Mobility.Apply(spatial.Wrench{Force: rot.ApplyT(spatial.Vec{X: 1e-12})}).Linear)
	stokes.Near(t, "velocity", stokes.FlatV(v), g.Case.V, 1e-14)
}

func TestGivenResistanceIsChecked(t *testing.T) {
	ok := stokes.Diagonal(spatial.Vec{X: 1, Y: 1, Z: 1}, spatial.Vec{X: 1, Y: 1, Z: 1})
	with := func(f func(*stokes.Resistance)) stokes.Resistance { r := ok; f(&r); return r }
	for _, c := range []struct {
		name string
		r    stokes.Resistance
		want string
	}{
		{"coupling too strong", with(func(r *stokes.Resistance) { r.Coupling.XX = 1.5 }), "smallest eigenvalue, of the matrix scaled to a unit diagonal, is -0.5;"},
		{"singular", with(func(r *stokes.Resistance) { r.Coupling.YZ = 1 }), "smallest eigenvalue"},
		{"negative", with(func(r *stokes.Resistance) { r.Rot.YY = -2 }), "diagonal entry Rot.YY is -2"},
		{"lopsided", with(func(r *stokes.Resistance) { r.Trans.XY = 0.1 }), "not symmetric: entry Trans.YX is 0 but Trans.XY is 0.1"},
		{"not a number", with(func(r *stokes.Resistance) { r.Coupling.ZX = math.NaN() }), "entry Coupling.ZX is NaN"},
		{"infinite", with(func(r *stokes.Resistance) { r.Trans.ZZ = math.Inf(1) }), "entry Trans.ZZ is +Inf"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, err := stokes.Given(c.r, 1e-3); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %q in it", err, c.want)
			}
			if _, err := c.r.Mobility(); err == nil {
				t.Error("it has a mobility all the same")
			}
		})
	}
	if _, err := stokes.Given(ok, 0); err == nil || !strings.Contains(err.Error(), "viscosity is 0 Pa s") {
		t.Errorf("viscosity 0: got %v", err)
	}
	// units do not matter: kg/s and kg m²/s are far apart for small bodies
	small := stokes.Diagonal(spatial.Vec{X: 1e-7, Y: 1e-7, Z: 1e-7}, spatial.Vec{X: 1e-18, Y: 1e-18, Z: 1e-18})
	s, err := stokes.Given(small, 1e-3)
	if err != nil {
		t.Fatal(err)
	}
	b := mustBody(t, s, 2e-3)
	stokes.Near(t, "twice the viscosity", stokes.FlatR(b.Resistance), stokes.FlatR(small.Scale(2)), 1e-15)
}

func TestDiagonalMobility(t *testing.T) {
	b := mustBody(t, mustEllipsoid(t, 3, 2, 1), 0.4)
	trans, rot, ok := b.Mobility.Diagonal()
	if !ok {
		t.Fatal("an ellipsoid's mobility is not diagonal")
	}
	l := spatial.Wrench{Force: spatial.Vec{X: 1, Y: 2, Z: 3}, Moment: spatial.Vec{X: -1, Y: 4, Z: 2}}
	want := b.Mobility.Apply(l)
	stokes.Near(t, "motion", stokes.FlatV(trans.Mul(l.Force), rot.Mul(l.Moment)), stokes.FlatV(want.Linear, want.Angular), 1e-15)
	off := b.Mobility.At(spatial.Vec{X: 1})
	if _, _, ok := off.Diagonal(); ok {
		t.Error("seen off its centre it still is")
	}
}

func TestBodyNeedsViscosity(t *testing.T) {
	if _, err := stokes.NewBody(mustEllipsoid(t, 1, 1, 1), 0); err == nil || !strings.Contains(err.Error(), "viscosity is 0 Pa s") || !strings.Contains(err.Error(), "needs drag") {
		t.Errorf("got %v", err)
	}
}
