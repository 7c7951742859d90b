package integrate_test

import (
	"math"
	"testing"

	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/spatial"
)

// swirl is a nonlinear system on SO(3) × R³ in which rotation, translation and time are coupled: a
// body that rotates toward a rotating direction with anisotropic mobility and moves along its own
// axes.
type swirl struct{ rate float64 }

func (s swirl) Velocity(t float64, x integrate.Placement) (v, w spatial.Vec) {
	sin, cos := math.Sincos(s.rate * t)
	r := x.Q.Rot()
	b := r.ApplyT(spatial.Vec{X: cos, Y: sin + 0.3*x.P.X, Z: 0.4 - 0.2*x.P.Y})
	torque := spatial.Vec{X: 0.3, Y: 0.6, Z: 0.7}.Cross(b)
	w = spatial.Vec{X: 3, Y: 1, Z: 1.5}.Mul(torque)
	return r.Apply(w.Mul(spatial.Vec{X: 0.5, Y: -0.2, Z: 0.1}).Add(b.Scale(0.1))), w
}

// stepper is a method of this package.
type stepper func(s swirl, t, h float64, x integrate.Placement) integrate.Placement

var steppers = map[string]struct {
	step  stepper
	order float64
}{
	"LieEuler":    {integrate.LieEuler[swirl], 1},
	"LieMidpoint": {integrate.LieMidpoint[swirl], 2},
	"RKMK4":       {integrate.RKMK4[swirl], 4},
	"CG4": {func(s swirl, t, h float64, x integrate.Placement) integrate.Placement {
		return integrate.CrouchGrossman4(&integrate.CG4, s, t, h, x)
	}, 4},
}

func (f stepper) run(n int, duration float64) integrate.Placement {
	x := integrate.Placement{Q: spatial.IdentityQuat(), P: spatial.Vec{X: 0.1, Y: 0.2, Z: 0.3}}
	h := duration / float64(n)
	for i := 0; i < n; i++ {
		x = f(swirl{4}, float64(i)*h, h, x)
	}
	return x
}

// The error decreases by 2^order when the step is halved.
func TestOrderByHalving(t *testing.T) {
	const duration = 2.0
	reference := stepper(integrate.RKMK4[swirl]).run(1<<14, duration)
	if d := integrate.Distance(reference, steppers["CG4"].step.run(1<<14, duration)); d > 1e-12 {
		t.Fatalf("RKMK4 and CG4 converge to placements %.2g apart", d)
	}
	for name, m := range steppers {
		coarse := integrate.Distance(m.step.run(200, duration), reference)
		fine := integrate.Distance(m.step.run(400, duration), reference)
		order := math.Log2(coarse / fine)
		t.Logf("%s: %.3g → %.3g, order %.2f", name, coarse, fine, order)
		if math.Abs(order-m.order) > 0.15 {
			t.Errorf("%s: order %.2f, want %g", name, order, m.order)
		}
	}
}

// The rational coefficients have an error floor: halving a small step gains nothing, while the
// decimal ones gain four digits by then.
func TestRationalCoefficientsHaveAFloor(t *testing.T) {
	rational := stepper(func(s swirl, t, h float64, x integrate.Placement) integrate.Placement {
		return integrate.CrouchGrossman4(&integrate.CG4Rational, s, t, h, x)
	})
	reference := stepper(integrate.RKMK4[swirl]).run(1<<13, 2)
	a, b := integrate.Distance(rational.run(1000, 2), reference), integrate.Distance(rational.run(4000, 2), reference)
	if !(a > 1e-7 && b > 1e-7) {
		t.Errorf("errors %.2g and %.2g, want a floor above 1e-7", a, b)
	}
}

// A constant body twist about a fixed axis is a pure rotation, exact in one step
// of any length for every method.
type spin spatial.Vec

func (s spin) Velocity(float64, integrate.Placement) (v, w spatial.Vec) {
	return spatial.Vec{X: 1, Y: 2, Z: 3}, spatial.Vec(s)
}

func TestConstantVelocityIsExact(t *testing.T) {
	s := spin{X: 2, Y: -1, Z: 0.5}
	x := integrate.Placement{Q: spatial.ExpQuat(spatial.Vec{X: 0.3, Y: 0.1, Z: -0.2})}
	for _, h := range []float64{1e-4, 0.3, 1.1} {
		want := integrate.Placement{Q: x.Q.Mul(spatial.ExpQuat(spatial.Vec(s).Scale(h))), P: spatial.Vec{X: h, Y: 2 * h, Z: 3 * h}}
		for name, got := range map[string]integrate.Placement{
			"LieEuler":    integrate.LieEuler(s, 0, h, x),
			"LieMidpoint": integrate.LieMidpoint(s, 0, h, x),
			"RKMK4":       integrate.RKMK4(s, 0, h, x),
			"CG4":         integrate.CrouchGrossman4(&integrate.CG4, s, 0, h, x),
		} {
			if d := integrate.Distance(got, want); d > 2e-15 {
				t.Errorf("%s, h = %g: off by %.2g", name, h, d)
			}
		}
	}
}

func TestExpStep(t *testing.T) {
	dir := spatial.Vec{X: 0.6, Y: -0.64, Z: 0.48}
	for _, a := range []float64{0, 1e-200, 1e-9, 0.01, 0.0632, 0.0633, 0.3, 0.7, 0.999999, 1.000001, 3, 7} {
		got, want := integrate.ExpStep(dir.Scale(a)), spatial.ExpQuat(dir.Scale(a))
		d := math.Abs(got.W-want.W) + math.Abs(got.X-want.X) + math.Abs(got.Y-want.Y) + math.Abs(got.Z-want.Z)
		if !(d <= 4e-16) {
			t.Errorf("angle %g: %v, want %v", a, got, want)
		}
	}
}

func TestDexpInv(t *testing.T) {
	dir, w := spatial.Vec{X: 0.6, Y: -0.64, Z: 0.48}, spatial.Vec{X: 1, Y: 2, Z: -1}
	for _, a := range []float64{0, 1e-6, 0.1, 0.3, 0.4999, 0.5001, 2} {
		got, want := integrate.DexpInv(dir.Scale(a), w), spatial.RightJacobianInv(dir.Scale(a)).Apply(w)
		if d := got.Sub(want).Norm(); !(d <= 1e-14) {
			t.Errorf("angle %g: %v, want %v", a, got, want)
		}
	}
}

func TestStepsDoNotAllocate(t *testing.T) {
	x := integrate.Placement{Q: spatial.IdentityQuat()}
	for name, m := range steppers {
		if n := testing.AllocsPerRun(100, func() { x = m.step(swirl{4}, 0, 1e-3, x) }); n != 0 {
			t.Errorf("%s: %g allocations per step", name, n)
		}
	}
}

func BenchmarkKinematics(b *testing.B) {
	for name, m := range steppers {
		b.Run(name, func(b *testing.B) {
			x := integrate.Placement{Q: spatial.IdentityQuat()}
			b.ReportAllocs()
			for i := 0; i < b.N; i++ {
				x = m.step(swirl{4}, 0, 1e-3, x)
			}
		})
	}
}
