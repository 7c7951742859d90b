package integrate_test

import (
	"math"
	"testing"

	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/spatial"
)

// oscillate solves x″ = −ω² x, x(0) = 1, over one second with steps that alternate between h and
// ratio h, and returns the error at the end.
func oscillate(order, pairs int, ratio float64) float64 {
	const omega = 3
	h := 1 / (float64(pairs) * (1 + ratio))
	x, lastX := spatial.Vec{X: 1}, spatial.Vec{X: 1}
	v, lastV := spatial.Vec{}, spatial.Vec{}
	last := 0.0
	for i := range 2 * pairs {
		dt := h
		if i%2 == 1 {
			dt *= ratio
		}
		o := order
		if i == 0 {
			o = 1
		}
		b := integrate.NewBDF(o, dt, last)
		hat := b.Hat(x, lastX)
		tilde := hat.Add(b.VelocityTerm(v, lastV))
		// β (p − p̃) = −ω² p
		p := tilde.Scale(b.Beta / (b.Beta + omega*omega))
		lastX, x = x, p
		lastV, v = v, p.Sub(hat).Scale(b.Gamma)
		last = dt
	}
	return math.Abs(x.X - math.Cos(omega))
}

func TestOrderOfBDF(t *testing.T) {
	for _, c := range []struct {
		order int
		ratio float64
	}{{1, 1}, {2, 1}, {2, 0.5}, {2, 1.5}, {2, integrate.MaxBDF2Ratio}} {
		for _, n := range []int{200, 400} {
			got := math.Log2(oscillate(c.order, n, c.ratio) / oscillate(c.order, 2*n, c.ratio))
			if math.Abs(got-float64(c.order)) > 0.06 {
				t.Errorf("order %d, step ratio %g, %d pairs: observed order %.3f", c.order, c.ratio, n, got)
			}
		}
	}
}

func TestBDF2WithEqualStepsIsTheTextbookFormula(t *testing.T) {
	const h = 0.01
	b := integrate.NewBDF(2, h, h)
	p, q := spatial.Vec{X: 3}, spatial.Vec{X: 2}
	for _, c := range []struct {
		what      string
		got, want float64
	}{
		{"β", b.Beta, 9 / (4 * h * h)},
		{"γ", b.Gamma, 3 / (2 * h)},
		{"p̂", b.Hat(p, q).X, (4*3.0 - 2) / 3},
		{"D̂", b.HatStep(p).X, 1},
		{"p̃ − p̂", b.VelocityTerm(p, q).X, 2 * h / 9 * (4*3 - 2)},
	} {
		if math.Abs(c.got-c.want) > 1e-12*c.want {
			t.Errorf("%s = %v, want %v", c.what, c.got, c.want)
		}
	}
}
