package staggered_test

import (
	"testing"

	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/rod/staggered"
	"sinew/pkg/sim/spatial"
)

// A rod of one element comes to rest, and its base carries load and moment.
func TestOneElement(t *testing.T) {
	d := staggered.Damping{Drag: 2, KelvinVoigt: 0.02}
	x := staggered.Rod(t, staggered.SoftParams(1), staggered.Options{Scheme: staggered.Corrected, Damping: d})
	l := &loaded{State: x, force: spatial.Vec{X: 0.01}, ramp: 0.1}
	dt := 0.8 * staggered.StepLimit(x.Rod, d, 0)
	l.run(t, int(40/dt), dt, func(int) {})
	p := x.NodePose(1).P
	r := x.BaseReaction()
	want := x.Base.P.Sub(p).Cross(l.force)
	if !(p.X > 0) || r.Force.Add(l.force).Norm() > 1e-9 || r.Moment.Sub(want).Norm() > 1e-9 {
		t.Errorf("end at %v, base reaction %v, want moment %v", p, r, want)
	}
}

// Reading a state between steps changes no bit of the results.
func TestReadingChangesNothing(t *testing.T) {
	run := func(look bool) []float64 {
		x := staggered.Rod(t, staggered.SoftParams(5), staggered.Options{Scheme: staggered.Corrected, Gravity: spatial.Vec{Y: -9}})
		for i := range 300 {
			integrate.PositionVerlet(x, 1e-3*(1+0.1*float64(i%3)))
			if look && i%7 == 0 {
				x.NodePose(5)
				x.Energy()
			}
		}
		s := make([]float64, x.StateLen())
		x.Save(s)
		return s
	}
	a, b := run(false), run(true)
	for i := range a {
		if a[i] != b[i] {
			t.Fatalf("value %d is %.17g and, looked at on the way, %.17g", i, a[i], b[i])
		}
	}
}
