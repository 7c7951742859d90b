package integrate_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/spatial"
)

// top is a body with its centre of mass off the reference point, with wind drag and a torsion
// spring.
type top struct {
	g    integrate.MassProperties
	drag float64 // N s/m and N m s; 0: loads do not depend on velocities
}

// newTop returns a top with principal moments about the given axes.
func newTop(moments spatial.Vec, axes spatial.Quat, mass, drag float64) *top {
	r := axes.Rot()
	j := r.Mul(spatial.Diag3(moments)).MulT(r)
	return &top{integrate.MassProperties{Mass: mass, Centre: spatial.Vec{X: 0.1, Y: -0.2, Z: 0.05}, Axes: axes, Moments: moments, Inertia: j, Inverse: j.Inv()}, drag}
}

func (p *top) MassProperties() integrate.MassProperties { return p.g }
func (p *top) VelocityIndependent() bool                { return p.drag == 0 }

func (p *top) Load(t float64, x integrate.Motion) spatial.Wrench {
	world := x.Q.Conj()
	f := world.Apply(spatial.Vec{X: 0.3, Z: -2 + math.Sin(3*t)}.AddScaled(-1.5, x.P))
	m := world.Apply(spatial.Vec{Y: 0.4}).Cross(spatial.Vec{Z: 1}).Add(spatial.Vec{X: 0.1 * math.Cos(2*t)})
	if p.drag > 0 {
		f, m = f.AddScaled(-p.drag, x.V.Linear), m.AddScaled(-p.drag, x.V.Angular)
	}
	return spatial.Wrench{Force: f, Moment: m}
}

// Acceleration follows from the equations of Newton and Euler about the centre: the reference for
// methods that do not use it.
func (p *top) Acceleration(t float64, x integrate.Motion) spatial.Twist {
	f, c, w := p.Load(t, x), p.g.Centre, x.V.Angular
	turn := p.g.Inverse.Apply(f.Moment.Sub(c.Cross(f.Force)).Sub(w.Cross(p.g.Inertia.Apply(w))))
	centre := x.V.Linear.Add(w.Cross(c))
	return spatial.Twist{Linear: f.Force.Scale(1 / p.g.Mass).Sub(w.Cross(centre)).Sub(turn.Cross(c)), Angular: turn}
}

func spinning() integrate.Motion {
	return integrate.Motion{
		Placement: integrate.Placement{Q: spatial.ExpQuat(spatial.Vec{X: 0.4, Y: -1, Z: 0.3}), P: spatial.Vec{X: 0.2, Y: 0.1}},
		V:         spatial.Twist{Linear: spatial.Vec{X: 0.5, Z: -0.3}, Angular: spatial.Vec{X: 1.2, Y: -0.8, Z: 2}},
	}
}

// after returns the motion after n steps in one second.
func after(t *testing.T, s integrate.Stepper, n int) integrate.Motion {
	t.Helper()
	x := spinning()
	h := 1 / float64(n)
	for i := range n {
		if _, err := s.Step(float64(i)*h, h, &x); err != nil {
			t.Fatal(err)
		}
	}
	return x
}

// apart returns the largest difference of two motions, in rad, m, m/s and rad/s alike.
func apart(a, b integrate.Motion) float64 {
	turn := a.Q.Conj().Mul(b.Q).Log()
	return max(turn.Norm(), a.P.Sub(b.P).Norm(), a.V.Linear.Sub(b.V.Linear).Norm(), a.V.Angular.Sub(b.V.Angular).Norm())
}

// Methods for loaded bodies converge with their order to the motion of Newton and Euler, for every
// order of the principal moments, with and without principal axes of their own.
func TestLoadedBodyConverges(t *testing.T) {
	tilted := spatial.ExpQuat(spatial.Vec{X: 0.5, Y: 0.2, Z: -0.7})
	for _, moments := range []spatial.Vec{
		{X: 0.5, Y: 0.7, Z: 1}, {X: 0.5, Y: 1, Z: 0.7}, {X: 0.7, Y: 0.5, Z: 1}, {X: 1, Y: 0.5, Z: 0.7}, {X: 0.7, Y: 1, Z: 0.5}, {X: 1, Y: 0.7, Z: 0.5},
		{X: 0.6, Y: 0.6, Z: 1}, {X: 1, Y: 0.6, Z: 0.6}, {X: 0.6, Y: 1, Z: 0.6}, {X: 0.8, Y: 0.8, Z: 0.8},
	} {
		for _, axes := range []spatial.Quat{spatial.IdentityQuat(), tilted} {
			for _, drag := range []float64{0, 0.3} {
				b := newTop(moments, axes, 1.5, drag)
				want := after(t, integrate.NewCG4(&integrate.CG4, b), 400)
				name := fmt.Sprintf("moments %v, axes %v, drag %g", moments, axes, drag)
				for method, c := range map[string]struct {
					s           integrate.Stepper
					order, most float64
				}{"splitting": {integrate.NewSplitting(b), 2, 2e-2}, "RKMK4": {integrate.NewRKMK4(b), 4, 1e-4}} {
					coarse, fine := apart(after(t, c.s, 20), want), apart(after(t, c.s, 40), want)
					if rate := math.Log2(coarse / fine); !(coarse < c.most) || !(math.Abs(rate-c.order) < 0.4) {
						t.Errorf("%s, %s: error %.2g at 20 steps, %.2g at 40, order %.2f", method, name, coarse, fine, rate)
					}
				}
			}
		}
	}
}

// Without loads the momentum in the world is constant, the energy error is bounded, and a body with
// two equal moments moves exactly.
func TestSplittingOfAFreeBody(t *testing.T) {
	for _, moments := range []spatial.Vec{{X: 0.5, Y: 0.7, Z: 1}, {X: 1, Y: 0.7, Z: 0.5}, {X: 0.6, Y: 0.6, Z: 1}, {X: 0.6, Y: 1, Z: 0.6}, {X: 1, Y: 0.6, Z: 0.6}} {
		b := free{newTop(moments, spatial.IdentityQuat(), 2, 0)}
		s, x := integrate.NewSplitting(b), spinning()
		l := x.Q.Apply(b.g.Inertia.Apply(x.V.Angular))
		energy := func() float64 { return 0.5 * x.V.Angular.Dot(b.g.Inertia.Apply(x.V.Angular)) }
		e, one := energy(), spinning()
		for i := range 1000 {
			if _, err := s.Step(0.05*float64(i), 0.05, &x); err != nil {
				t.Fatal(err)
			}
			if d := x.Q.Apply(b.g.Inertia.Apply(x.V.Angular)).Sub(l).Norm(); !(d < 1e-12) || !(math.Abs(energy()/e-1) < 2e-3) {
				t.Fatalf("moments %v: after %d steps the momentum is off by %g, the energy by %g", moments, i+1, d, energy()/e-1)
			}
		}
		if _, err := integrate.NewSplitting(b).Step(0, 50, &one); err != nil {
			t.Fatal(err)
		}
		if equal := moments.X == moments.Y || moments.Y == moments.Z || moments.X == moments.Z; equal && !(apart(one, x) < 1e-9) {
			t.Errorf("moments %v: a thousand steps and one differ by %g", moments, apart(one, x))
		}
	}
}

// free is a top without loads.
type free struct{ *top }

func (free) Load(float64, integrate.Motion) spatial.Wrench { return spatial.Wrench{} }

// The saved history is all that the next steps depend on, whatever the state that Restore
// overwrites. A motion from elsewhere restarts the method.
func TestSplittingSavesItsHistory(t *testing.T) {
	b := newTop(spatial.Vec{X: 0.5, Y: 0.7, Z: 1}, spatial.ExpQuat(spatial.Vec{X: 0.5}), 1.5, 0.3)
	s := integrate.NewSplitting(b)
	dirty := slices.Repeat([]float64{math.Pi}, s.StateLen())
	fresh := slices.Clone(dirty)
	s.Save(fresh)
	if fresh[0] != 0 {
		t.Error("a method that has not begun says that it has")
	}
	x := after(t, s, 10)
	s.Save(dirty)
	other := integrate.NewSplitting(b)
	other.Restore(dirty, x)
	y := x
	for i := range 5 {
		for _, c := range []struct {
			s *integrate.Splitting[*top]
			x *integrate.Motion
		}{{s, &x}, {other, &y}} {
			if _, err := c.s.Step(1+0.1*float64(i), 0.1, c.x); err != nil {
				t.Fatal(err)
			}
		}
		if x != y {
			t.Fatalf("step %d after Restore: %+v instead of %+v", i, y, x)
		}
	}
	z := spinning()
	again := spinning()
	if _, err := s.Step(0, 0.1, &z); err != nil {
		t.Fatal(err)
	}
	if _, err := integrate.NewSplitting(b).Step(0, 0.1, &again); err != nil || z != again {
		t.Errorf("from another motion %+v instead of %+v, %v", z, again, err)
	}
	bad := spinning()
	bad.P.X = math.Inf(1)
	for name, s := range map[string]integrate.Stepper{"splitting": s, "RKMK4": integrate.NewRKMK4(b)} {
		x := bad
		if _, err := s.Step(0, 0.1, &x); err != integrate.ErrNonFinite || x != bad {
			t.Errorf("%s from infinity: %v at %+v", name, err, x)
		}
	}
}

// A fixed centre stays, and the body rotates about it.
func TestFixedCentreStays(t *testing.T) {
	b := newTop(spatial.Vec{X: 0.5, Y: 0.7, Z: 1}, spatial.IdentityQuat(), 0, 0.3)
	for name, s := range map[string]integrate.Stepper{"splitting": integrate.NewSplitting(b), "RKMK4": integrate.NewRKMK4(b)} {
		begin := spinning()
		begin.V.Linear = b.g.Centre.Cross(begin.V.Angular)
		x := begin
		for i := range 50 {
			if _, err := s.Step(0.02*float64(i), 0.02, &x); err != nil {
				t.Fatal(err)
			}
		}
		c, c0 := x.P.Add(x.Q.Apply(b.g.Centre)), begin.P.Add(begin.Q.Apply(b.g.Centre))
		v := x.V.Linear.Add(x.V.Angular.Cross(b.g.Centre))
		if !(c.Sub(c0).Norm() < 1e-13) || !(v.Norm() < 1e-13) || apart(x, begin) < 0.1 {
			t.Errorf("%s: the centre moved by %v m, with %v m/s", name, c.Sub(c0), v)
		}
	}
}
