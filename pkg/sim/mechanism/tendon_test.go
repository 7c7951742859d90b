package mechanism_test

import (
	"math"
	"strings"
	"testing"

	"sinew/pkg/sim/mechanism"
	"sinew/pkg/sim/spatial"
)

// TestFingerBendsByItsTendons: three phalanges on sprung hinges with flexor and extensor.
func TestFingerBendsByItsTendons(t *testing.T) {
	c := golden(t, "finger_of_phalanges")
	w := mustWorld(t, c.Robot.parameters(10))
	if err := w.Equilibrate(); err != nil {
		t.Fatal(err)
	}
	var tolerance struct{ Any, Coordinate float64 }
	decode(t, c.Tolerance, &tolerance)
	position, force := equilibriumErrors(t, &c, w, tolerance.Coordinate)
	if position > 0.085*tolerance.Any || force > 10*tolerance.Any {
		t.Errorf("positions off by %.3g m, forces by %.3g of the largest", position, force)
	}
	if d := w.TendonLength(0); !(d < 0.12) {
		t.Errorf("the flexor has a length of %.3g m in the bent finger", d)
	}
	// at rest it stays
	q := w.Coordinates(2)[0]
	march(t, w, 0.001, 0, 0.05)
	if d := w.Coordinates(2)[0] - q; math.Abs(d) > 1e-9 {
		t.Errorf("the finger moves by %.3g rad", d)
	}
}

func TestRefusesTendons(t *testing.T) {
	hole := mechanism.Hole{Link: "bob", Position: spatial.Vec{Z: -0.1}}
	for _, c := range []struct {
		route []mechanism.Hole
		want  string
	}{
		{[]mechanism.Hole{hole}, "1 holes"},
		{[]mechanism.Hole{hole, {Link: "nobody"}}, `"nobody", which is no link`},
		{[]mechanism.Hole{hole, hole}, "holes 1 and 2 are 0 m apart"},
	} {
		p := pendulum(0.3)
		p.Tendons = []mechanism.Tendon{{Name: "cord", Route: c.route, Tension: 1}}
		if _, err := mechanism.New(p); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want one with %q", err, c.want)
		}
	}
}
