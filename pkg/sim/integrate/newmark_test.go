package integrate

import (
	"errors"
	"math"
	"slices"
	"testing"
)

// pendulum is a mass of 2 kg on a rod of 1 m in the plane, with drag, in the coordinates x, y with
// the constraint x² + y² = 1.
type pendulum struct{}

const (
	bobMass = 2.
	bobDrag = 0.4 // N s/m
	bobG    = 9.81
)

func (pendulum) Size() (n, m int) { return 2, 1 }

func (pendulum) SetPoint(x Motion, p *Point) {
	p.Q[0], p.Q[1], p.V[0], p.V[1] = x.P.X, x.P.Y, x.V.Linear.X, x.V.Linear.Y
}

func (pendulum) MotionOf(p *Point) Motion {
	var x Motion
	x.Q.W = 1
	x.P.X, x.P.Y, x.V.Linear.X, x.V.Linear.Y = p.Q[0], p.Q[1], p.V[0], p.V[1]
	return x
}

func (pendulum) Advance(from, d *[MaxVelocities]float64, p *Point) {
	p.Q[0], p.Q[1] = from[0]+d[0], from[1]+d[1]
}

func (pendulum) Assemble(_ float64, p *Point, _ *[MaxVelocities]float64, e *Equations) error {
	*e = Equations{}
	gravity := [2]float64{0, -bobG}
	for i := range 2 {
		e.B[i], e.BT[i] = 2*p.Q[i], 2*p.Q[i]
		e.Residual[i] = bobMass*(p.A[i]-gravity[i]) + bobDrag*p.V[i] + 2*p.Q[i]*p.Lambda[0]
		k := i * (MaxVelocities + 1)
		e.M[k], e.C[k], e.K[k] = bobMass, bobDrag, 2*p.Lambda[0]
	}
	e.Phi[0] = p.Q[0]*p.Q[0] + p.Q[1]*p.Q[1] - 1
	e.PhiRate[0] = 2 * (p.Q[0]*p.V[0] + p.Q[1]*p.V[1])
	e.PhiCurve[0] = 2 * (p.V[0]*p.V[0] + p.V[1]*p.V[1])
	return nil
}

// swinging returns the motion of the pendulum at an angle from straight down (rad) with the given
// rate.
func swinging(angle, rate float64) Motion {
	sin, cos := math.Sincos(angle)
	var x Motion
	x.Q.W = 1
	x.P.X, x.P.Y = sin, -cos
	x.V.Linear.X, x.V.Linear.Y = rate*cos, rate*sin
	return x
}

// swung returns angle and rate after one second, by the Runge-Kutta method.
func swung(angle, rate float64) (float64, float64) {
	const n = 10000
	const h = 1. / n
	f := func(a, r float64) float64 { return -bobG*math.Sin(a) - bobDrag/bobMass*r }
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
func swing(t *testing.T, s *Newmark[pendulum], n int) Motion {
	t.Helper()
	x := swinging(1, 0.5)
	for i := range n {
		if solve, err := s.Step(float64(i)/float64(n), 1/float64(n), &x); err != nil || solve.Iterations < 1 || solve.Iterations > 8 {
			t.Fatalf("step %d: %+v, %v", i, solve, err)
		}
	}
	return x
}

func alpha(t *testing.T, rho float64) *Newmark[pendulum] {
	t.Helper()
	s, err := NewGeneralizedAlpha(pendulum{}, rho)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Methods of the Newmark family are of second order, with the force of the rod; their constraints
// hold at their level.
func TestPendulumConverges(t *testing.T) {
	angle, rate := swung(1, 0.5)
	want := swinging(angle, rate)
	pull := bobMass * (rate*rate + bobG*math.Cos(angle)) / 2
	for name, c := range map[string]struct {
		s    func() *Newmark[pendulum]
		most float64 // error at 50 steps, m and m/s
	}{
		"alpha 0.8":   {func() *Newmark[pendulum] { return alpha(t, 0.8) }, 1e-2},
		"alpha 0":     {func() *Newmark[pendulum] { return alpha(t, 0) }, 4e-2},
		"trapezoidal": {func() *Newmark[pendulum] { return NewTrapezoidal(pendulum{}) }, 1e-2},
	} {
		var errs, forces []float64
		for _, n := range []int{50, 100, 200} {
			s := c.s()
			x := swing(t, s, n)
			errs = append(errs, max(x.P.Sub(want.P).Norm(), x.V.Linear.Sub(want.V.Linear).Norm()))
			forces = append(forces, math.Abs(s.Point().Lambda[0]-pull))
			e := new(Equations)
			at := s.Point()
			_ = pendulum{}.Assemble(1, &at, nil, e)
			if level := map[Level]float64{PositionLevel: e.Phi[0], VelocityLevel: e.PhiRate[0]}[s.Level]; !(math.Abs(level) < 1e-9) {
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

// The initial accelerations are those of the equations of motion, zero, or those with the drag at
// the end of the step.
func TestStartOfNewmark(t *testing.T) {
	// at rest but for a velocity along x: ẍ = −drag v/m
	const h, v = 0.1, 0.5
	for _, c := range []struct {
		start Start
		want  float64 // m/s²
	}{{ConsistentStart, -bobDrag * v / bobMass}, {ZeroStart, 0}, {DampedStart, -bobDrag * v / (bobMass + h*bobDrag)}} {
		s := alpha(t, 0.8)
		s.Start = c.start
		if err := s.begin(0, h, swinging(0, v)); err != nil {
			t.Fatal(err)
		}
		if p := s.Point(); !(math.Abs(p.A[0]-c.want) < 1e-12) {
			t.Errorf("start %d: %g m/s², want %g", c.start, p.A[0], c.want)
		}
	}
	s := alpha(t, 0.8)
	if err := s.Begin(0, swinging(0, v)); err != nil {
		t.Fatal(err)
	}
	if p, want := s.Point(), bobMass*(v*v+bobG)/2; !(math.Abs(p.Lambda[0]-want) < 1e-12) || !(math.Abs(p.A[1]-v*v) < 1e-12) {
		t.Errorf("the rod pulls with %g, upward acceleration %g; want %g and %g", p.Lambda[0], p.A[1], want, v*v)
	}
}

// The coefficients are those of Chung and Hulbert.
func TestGeneralizedAlphaParams(t *testing.T) {
	for rho, want := range map[float64]NewmarkParams{
		0: {AlphaM: -1, AlphaF: 0, Beta: 1, Gamma: 1.5}, 1: {AlphaM: 0.5, AlphaF: 0.5, Beta: 0.25, Gamma: 0.5},
		0.5: {AlphaM: 0, AlphaF: 1. / 3, Beta: 4. / 9, Gamma: 5. / 6},
	} {
		k, err := GeneralizedAlphaParams(rho)
		if err != nil || math.Abs(k.AlphaM-want.AlphaM) > 1e-15 || math.Abs(k.AlphaF-want.AlphaF) > 1e-15 || math.Abs(k.Beta-want.Beta) > 1e-15 || math.Abs(k.Gamma-want.Gamma) > 1e-15 {
			t.Errorf("radius %g: %+v, %v; want %+v", rho, k, err, want)
		}
	}
	for _, rho := range []float64{-0.01, 1.01, math.NaN()} {
		if _, err := NewGeneralizedAlpha(pendulum{}, rho); err == nil {
			t.Errorf("a spectral radius of %g is accepted", rho)
		}
	}
}

// A restored history continues alike, whatever the state that Restore overwrites, and a failed step
// keeps the motion.
func TestNewmarkSavesItsHistory(t *testing.T) {
	s := alpha(t, 0.8)
	dirty := slices.Repeat([]float64{math.Pi}, s.StateLen())
	if s.Save(dirty); dirty[0] != 0 {
		t.Error("a method that has not begun says that it has")
	}
	x := swing(t, s, 20)
	s.Save(dirty)
	other := alpha(t, 0.8)
	other.Restore(dirty, x)
	y := x
	for i := range 5 {
		for _, c := range []struct {
			s *Newmark[pendulum]
			x *Motion
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
	if _, err := s.Step(2, 0.05, &x); !errors.Is(err, ErrNotConverged) || x != before {
		t.Errorf("one iteration: %v at %+v", err, x)
	}
	bad := x
	bad.P.X = math.NaN()
	if _, err := alpha(t, 0.8).Step(0, 0.05, &bad); err == nil {
		t.Error("NaN is stepped")
	}
}
