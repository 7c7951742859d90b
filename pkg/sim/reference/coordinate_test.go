package reference_test

import (
	"math"
	"testing"

	"sinew/pkg/sim/reference"
)

// A coordinate goes from command to command evenly, rests at the last, is no faster than its largest rate, and goes on from a saved
// state to the bit.
func TestCoordinateFollowsCommands(t *testing.T) {
	const dt, period = 1e-3, 1e-2
	c, now := reference.NewCoordinate(1, 0.5, period), 1.0
	rate := func(step int) float64 {
		next := c.Next(now, float64(step)*dt, dt)
		r := (next - now) / dt
		now = next
		return r
	}
	for step := range 200 {
		time := float64(step) * dt
		if step%20 == 0 && step < 100 { // 0.2 rad/s in commands of 50 Hz
			c.Command(1+0.2*(time+0.02), time)
		}
		switch r := rate(step); {
		case step < 10 && math.Abs(r-0.4) > 1e-9: // the first takes a control period
			t.Fatalf("step %d: %g rad/s, want 0.4", step, r)
		case step >= 20 && step < 100 && math.Abs(r-0.2) > 1e-9:
			t.Fatalf("step %d: %g rad/s, want 0.2", step, r)
		case step >= 100 && r != 0:
			t.Fatalf("step %d: %g rad/s after the arrival", step, r)
		}
	}
	c.Command(9, 0.2)
	if r := rate(200); math.Abs(r-0.5) > 1e-9 {
		t.Errorf("%g rad/s towards a far command, want the largest rate 0.5", r)
	}
	saved := make([]float64, reference.CoordinateLen)
	c.Save(saved)
	other := reference.NewCoordinate(0, 0.5, period)
	other.Restore(saved)
	if a, b := c.Next(now, 0.201, dt), other.Next(now, 0.201, dt); a != b {
		t.Errorf("restored it goes to %g instead of %g", b, a)
	}
}
