package rigid

import (
	"math"
	"testing"

	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/spatial"
)

// asymmetric is a body with a full inertia, its centre of mass away from the reference
// point.
func asymmetric() Params {
	p := Params{Mass: 2, Inertia: [6]float64{0.5, 0.7, 0.9, 0.05, -0.08, 0.1}}
	return p.Shifted(spatial.Vec{X: -0.2, Y: 0.1, Z: 0.3})
}

// tumble is a motion with everything in it.
func tumble() integrate.Motion {
	return integrate.Motion{
		Placement: integrate.Placement{Q: spatial.ExpQuat(spatial.Vec{X: 0.3, Y: -1.2, Z: 0.4}), P: spatial.Vec{X: 0.1, Y: 0.2, Z: -0.3}},
		V:         spatial.Twist{Linear: spatial.Vec{X: 0.5, Y: -0.2, Z: 0.1}, Angular: spatial.Vec{X: 2, Y: -3, Z: 1.5}},
	}
}

// driftSteps is how many steps the drift of energy and momentum is looked at over.
func driftSteps() int {
	if testing.Short() {
		return 10_000
	}
	return 1_000_000
}

// Without loads splitting keeps momentum and angular momentum in world axes to 1e-13, its
// energy error is bounded; those of CG4 and RKMK4 grow, but stay small.
func TestMomentumAndEnergyDrift(t *testing.T) {
	s := free(t, asymmetric(), 0)
	n := driftSteps()
	for _, c := range []struct {
		method               int
		momentum, spin, work float64
	}{
		{0, 1e-6, 1e-10, 1e-8}, {1, 1e-6, 1e-10, 1e-8}, {2, 1e-13, 1e-13, 2e-7},
	} {
		m := methods[c.method]
		x := tumble()
		spin, energy := s.Body.PivotMomentum(x), s.Body.KineticEnergy(x)
		p0, _ := s.Body.Momentum(x)
		step, bound := m.make(s), 0.0
		for i := range n {
			x = march(t, step, 0.002, 1, x)
			if i%97 == 0 {
				bound = math.Max(bound, math.Abs(s.Body.KineticEnergy(x)/energy-1))
			}
		}
		p, _ := s.Body.Momentum(x)
		dl := s.Body.PivotMomentum(x).Sub(spin).Norm() / spin.Norm()
		dp := p.Sub(p0).Norm() / p0.Norm()
		t.Logf("%s, %d steps: momentum %.2g, angular momentum %.2g, energy %.2g at the most", m.name, n, dp, dl, bound)
		near(t, m.name+" angular momentum", dl, 0, c.spin)
		near(t, m.name+" momentum", dp, 0, c.momentum)
		near(t, m.name+" energy", bound, 0, c.work)
	}
}

// The heavy top over as many steps: no method loses it, and the energy error of
// splitting does not grow.
func TestHeavyTopEnergy(t *testing.T) {
	s := top(t, spatial.Vec{})
	energy := func(x integrate.Motion) float64 {
		return s.Body.KineticEnergy(x) + 15*9.81*comPosition(s.Body, x).Z
	}
	n := driftSteps()
	for i, tolerance := range []float64{3e-8, 2e-8, 3e-9} {
		m := methods[i]
		x, e, worst := topMotion(spatial.Vec{}), energy(topMotion(spatial.Vec{})), 0.0
		step := m.make(s)
		for i := range n {
			x = march(t, step, 1e-4, 1, x)
			if i%97 == 0 {
				worst = math.Max(worst, math.Abs(energy(x)/e-1))
			}
		}
		pivot := x.P.Add(x.Q.Apply(s.Body.pivot)).Norm()
		t.Logf("%s, %d steps: energy %.2g at the most, pivot off by %.2g m", m.name, n, worst, pivot)
		near(t, m.name+" energy", worst, 0, tolerance)
		near(t, m.name+" pivot", pivot, 0, 1e-12)
	}
}

// The reference point is a matter of description: the body shifted by d, and its
// reference point placed and moved accordingly, moves as before, free and on a pivot.
func TestReferencePointIsFree(t *testing.T) {
	d := spatial.Vec{X: 0.4, Y: -0.3, Z: 0.2}
	for _, pivot := range []*spatial.Vec{nil, {X: 0.1, Y: -0.2, Z: 0.15}} {
		p := asymmetric()
		p.Pivot = pivot
		a, b := free(t, p, 9.81), free(t, p.Shifted(d), 9.81)
		start := a.Body.Hold(tumble(), spatial.Vec{X: 1, Y: 2, Z: 3})
		for i, m := range methods {
			x, y := start, shifted(start, d)
			x = march(t, m.make(a), 0.01, 100, x)
			y = march(t, m.make(b), 0.01, 100, y)
			near(t, m.name, off(shifted(x, d), y), 0, []float64{2e-6, 2e-6, 2e-11, 1e-1}[i])
		}
	}
}

// shifted is the motion x of a reference point moved by d (body axes).
func shifted(x integrate.Motion, d spatial.Vec) integrate.Motion {
	x.P = x.P.Add(x.Q.Apply(d))
	x.V.Linear = x.V.Linear.Add(x.V.Angular.Cross(d))
	return x
}

// A free body with its centre of mass anywhere: that centre falls as a point does.
func TestCentreOfMassFalls(t *testing.T) {
	const g, h, n = 9.81, 0.005, 200
	s := free(t, asymmetric(), g)
	start := tumble()
	v := start.Q.Apply(start.V.Linear.Add(start.V.Angular.Cross(s.Body.com)))
	want := comPosition(s.Body, start).Add(v).Add(spatial.Vec{Z: -g / 2})
	for i, m := range methods[:3] {
		x := march(t, m.make(s), h, n, start)
		nearVec(t, m.name, comPosition(s.Body, x), want, []float64{1e-6, 1e-6, 1e-12}[i])
	}
}

// Newton and Euler in world axes are those in body axes.
func TestFramesAgree(t *testing.T) {
	b := mustBody(t, asymmetric())
	x := tumble()
	r := x.Q.Rot()
	f := spatial.Wrench{Force: spatial.Vec{X: 1, Y: -2, Z: 0.5}, Moment: spatial.Vec{X: 0.3, Y: 0.2, Z: -0.7}}
	in := func(v spatial.Vec) spatial.Vec { return r.Apply(v) }
	world := b.WorldAcceleration(&r, spatial.Twist{Linear: in(x.V.Linear), Angular: in(x.V.Angular)},
		spatial.Wrench{Force: in(f.Force), Moment: in(f.Moment)})
	// residual of Kynema's form at that acceleration
	s := b.at(&r)
	w, dw := spinOf(in(x.V.Angular)), spinOf(world.Angular)
	fi := s.inertialForce(world.Linear, &w, &dw)
	nearVec(t, "force", fi.Force, in(f.Force), 1e-13)
	nearVec(t, "moment", fi.Moment, in(f.Moment), 1e-13)
	// the rate of momentum about the world origin is the load's moment about it
	const h = 1e-5
	next := integrate.LieEulerMotion(constantTwistRate{b.Acceleration(x.V, f)}, 0, h, x)
	p0, l0 := b.Momentum(x)
	p1, l1 := b.Momentum(next)
	nearVec(t, "rate of momentum", p1.Sub(p0).Scale(1/h), in(f.Force), 1e-3)
	nearVec(t, "rate of angular momentum", l1.Sub(l0).Scale(1/h), in(f.Moment).Add(x.P.Cross(in(f.Force))), 1e-3)
}

type constantTwistRate struct{ a spatial.Twist }

func (c constantTwistRate) Acceleration(float64, integrate.Motion) spatial.Twist { return c.a }

// An impossible body is refused, and the message says what is wrong.
func TestNewBodyRefuses(t *testing.T) {
	nan := math.NaN()
	for name, p := range map[string]Params{
		"mass 0":           {Inertia: [6]float64{1, 1, 1}},
		"mass NaN":         {Mass: nan, Inertia: [6]float64{1, 1, 1}},
		"inertia NaN":      {Mass: 1, Inertia: [6]float64{1, nan, 1}},
		"centre infinite":  {Mass: 1, Inertia: [6]float64{1, 1, 1}, COM: spatial.Vec{X: math.Inf(1)}},
		"pivot NaN":        {Mass: 1, Inertia: [6]float64{1, 1, 1}, Pivot: &spatial.Vec{Y: nan}},
		"no inertia":       {Mass: 1},
		"triangle":         {Mass: 1, Inertia: [6]float64{1, 1, 2.1}},
		"about the centre": {Mass: 1, Inertia: [6]float64{1, 1, 1}, COM: spatial.Vec{X: 1.1}},
		"indefinite":       {Mass: 1, Inertia: [6]float64{1, 1, 1, 0, 0, 1.5}},
	} {
		if _, err := NewBody(p); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
