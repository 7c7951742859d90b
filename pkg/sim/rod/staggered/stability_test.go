package staggered_test

import (
	"testing"

	"sinew/pkg/sim/rod"
	"sinew/pkg/sim/rod/staggered"
)

// The largest stable steps of PyElastica with four tendons and legacy damping, by bisection to 1.1
// %. There a step counted as stable without overflow within 0.2 s. Coarse rods saturate for that
// long in their fastest mode, so their true limit is lower.
func TestStepLimitMeetsPyElastica(t *testing.T) {
	const (
		nu     = 0.1
		within = 0.03
	)
	for _, c := range []struct {
		name     string
		p        rod.Params
		measured float64
		coarse   bool
	}{
		{"soft n=20", staggered.Silicone(20), 7.655578758150575e-05, true},
		{"soft n=50", staggered.Silicone(50), 3.531200339339103e-05, false},
		{"soft n=100", staggered.Silicone(100), 1.913995381185517e-05, false},
		{"soft n=200", staggered.Silicone(200), 9.569976905927584e-06, false},
		{"nitinol n=20", staggered.NitinolParams(20), 3.3648681939955637e-07, true},
	} {
		r, err := rod.New(c.p)
		if err != nil {
			t.Fatal(err)
		}
		limit := staggered.StepLimit(r, staggered.Damping{Legacy: nu}, 0)
		q := c.measured / limit
		t.Logf("%s: measured/predicted %.3f", c.name, q)
		if !(q > 1-within) || !c.coarse && !(q < 1+within) {
			t.Errorf("%s: limit %.4g s, PyElastica's %.4g s", c.name, limit, c.measured)
		}
	}
}
