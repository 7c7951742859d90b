package staggered_test

import (
	"testing"

	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/rod/staggered"
	"sinew/pkg/sim/spatial"
)

// Verlet is of second order in time: three steps against a fourth much smaller.
func TestVerletIsOfSecondOrderInTime(t *testing.T) {
	tip := func(steps int) spatial.Vec {
		x := staggered.Rod(t, staggered.SoftParams(5), staggered.Options{Scheme: staggered.Corrected, Gravity: spatial.Vec{Y: -9.80665}})
		for range steps {
			integrate.PositionVerlet(x, 0.5/float64(steps))
		}
		return x.Positions()[5]
	}
	exact := tip(64000)
	a, b, c := tip(1000).Sub(exact).Norm(), tip(2000).Sub(exact).Norm(), tip(4000).Sub(exact).Norm()
	t.Logf("errors %.3g %.3g %.3g", a, b, c)
	for _, r := range []float64{a / b, b / c} {
		if !(r > 3.7 && r < 4.3) {
			t.Errorf("halving the step divides the error by %.3f, want 4", r)
		}
	}
}
