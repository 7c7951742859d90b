package integrate_test

import (
	"errors"
	"math"
	"slices"
	"testing"

	"sinew/pkg/sim/integrate"
)

// swung returns angle and rate after one second, by the Runge-Kutta method.
func swung(angle, rate float64) (float64, float64) {
	const n = 10000
	const h = 1. / n
	f := func(a, r float64) float64 { return -integrate.BobG*math.Sin(a) - integrate.BobDrag/integrate.BobMass*r }
	for range n {
		k1 := f(angle, rate)
		k2 := f(angle+h/2*rate, rate+h/2*k1)
		k3 := f(angle+h/2*rate+h*h/4*k1, rate+h/2*k2)
		k4 := f(angle+h*rate+h*h/2*k2, rate+h*k3)
		angle, rate = angle+h*rate+h*h/6*(k1+k2+k3), rate+h/6*(k1+2*k2+2*k3+k4)
	}
	return angle, rate
}

// swing steps the pendulum for a second in n steps.
func swing(t *testing.T, s *integrate.Newmark[integrate.Pendulum], n int) integrate.Motion {
	t.Helper()
	x := integrate.Swinging(1, 0.5)
	for i := range n {
		if solve, err := s.Step(float64(i)/float64(n), 1/float64(n), &x); err != nil || solve.Iterations < 1 || solve.Iterations > 8 {
			t.Fatalf("step %d: %+v, %v", i, solve, err)
		}
	}
	return x
}

// Methods of the Newmark family are of second order, with the force of the rod; their constraints
// hold at their level.
func TestPendulumConverges(t *testing.T) {
	angle, rate := swung(1, 0.5)
	want := integrate.Swinging(angle, rate)
	pull := integrate.BobMass * (rate*rate + integrate.BobG*math.Cos(angle)) / 2
	for name, c := range map[string]struct {
		s    func() *integrate.Newmark[integrate.Pendulum]
		most float64 // error at 50 steps, m and m/s
	}{
		"alpha 0.8":   {func() *integrate.Newmark[integrate.Pendulum] { return integrate.Alpha(t, 0.8) }, 1e-2},
		"alpha 0":     {func() *integrate.Newmark[integrate.Pendulum] { return integrate.Alpha(t, 0) }, 4e-2},
		"trapezoidal": {func() *integrate.Newmark[integrate.Pendulum] { return integrate.NewTrapezoidal(integrate.Pendulum{}) }, 1e-2},
	} {
		var errs, forces []float64
		for _, n := range []int{50, 100, 200} {
			s := c.s()
			x := swing(t, s, n)
			errs = append(errs, max(x.P.Sub(want.P).Norm(), x.V.Linear.Sub(want.V.Linear).Norm()))
			forces = append(forces, math.Abs(s.Point().Lambda[0]-pull))
			e := new(integrate.Equations)
			at := s.Point()
			_ = integrate.Pendulum{}.Assemble(1, &at, nil, e)
			if level := map[integrate.Level]float64{integrate.PositionLevel: e.Phi[0], integrate.VelocityLevel: e.PhiRate[0]}[s.Level]; !(math.Abs(level) < 1e-9) {
				t.Errorf("%s: the constraint is violated by %g", name, level)
			}
			if r := math.Hypot(e.Residual[0], e.Residual[1]); !(r < 1e-6) {
				t.Errorf("%s: a residual of %g N", name, r)
			}
		}
		if rate := math.Log2(errs[1] / errs[2]); !(errs[0] < c.most) || !(math.Abs(rate-2) < 0.2) {
			t.Errorf("%s: errors %.2g, order %.2f", name, errs, rate)
		}
		if !(forces[2] < 0.02) || !(forces[2] < forces[0]/3) {
			t.Errorf("%s: the force of the rod is off by %.2g", name, forces)
		}
	}
}

// The coefficients are those of Chung and Hulbert.
func TestGeneralizedAlphaParams(t *testing.T) {
	for rho, want := range map[float64]integrate.NewmarkParams{
		0: {AlphaM: -1, AlphaF: 0, Beta: 1, Gamma: 1.5}, 1: {AlphaM: 0.5, AlphaF: 0.5, Beta: 0.25, Gamma: 0.5},
		0.5: {AlphaM: 0, AlphaF: 1. / 3, Beta: 4. / 9, Gamma: 5. / 6},
	} {
		k, err := integrate.GeneralizedAlphaParams(rho)
		if err != nil || math.Abs(k.AlphaM-want.AlphaM) > 1e-15 || math.Abs(k.AlphaF-want.AlphaF) > 1e-15 || math.Abs(k.Beta-want.Beta) > 1e-15 || math.Abs(k.Gamma-want.Gamma) > 1e-15 {
			t.Errorf("radius %g: %+v, %v; want %+v", rho, k, err, want)
		}
	}
	for _, rho := range []float64{-0.01, 1.01, math.NaN()} {
		if _, err := integrate.NewGeneralizedAlpha(integrate.Pendulum{}, rho); err == nil {
			t.Errorf("a spectral radius of %g is accepted", rho)
		}
	}
}

// A restored history continues alike, whatever the state that Restore overwrites, and a failed step
// keeps the motion.
func TestNewmarkSavesItsHistory(t *testing.T) {
	s := integrate.Alpha(t, 0.8)
	dirty := slices.Repeat([]float64{math.Pi}, s.StateLen())
	if s.Save(dirty); dirty[0] != 0 {
		t.Error("a method that has not begun says that it has")
	}
	x := swing(t, s, 20)
	s.Save(dirty)
	other := integrate.Alpha(t, 0.8)
	other.Restore(dirty, x)
	y := x
	for i := range 5 {
		for _, c := range []struct {
			s *integrate.Newmark[integrate.Pendulum]
			x *integrate.Motion
		}{{s, &x}, {other, &y}} {
			if _, err := c.s.Step(1+0.05*float64(i), 0.05, c.x); err != nil {
				t.Fatal(err)
			}
		}
		if x != y {
			t.Fatalf("step %d after Restore: %+v instead of %+v", i, y, x)
		}
	}
	before := x
	s.MaxIter = 1
	if _, err := s.Step(2, 0.05, &x); !errors.Is(err, integrate.ErrNotConverged) || x != before {
		t.Errorf("one iteration: %v at %+v", err, x)
	}
	bad := x
	bad.P.X = math.NaN()
	if _, err := integrate.Alpha(t, 0.8).Step(0, 0.05, &bad); err == nil {
		t.Error("NaN is stepped")
	}
}
