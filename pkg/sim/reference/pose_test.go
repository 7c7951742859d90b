package reference_test

import (
	"testing"

	"sinew/pkg/sim/reference"
	"sinew/pkg/sim/spatial"
)

// TestWaitingIsNoLastingExcuse: what could not move for a second is behind for that reason, until it has caught up
// with commands that never let it arrive. What they ask for too fast after that, or while it catches up, is told.
func TestWaitingIsNoLastingExcuse(t *testing.T) {
	const dt, every = 1e-3, 10
	for _, c := range []struct {
		name     string
		v        func(t float64) float64 // commanded speed (m/s, and in turns as many radians per s), the pose stays from 0.5 s to 1.5 s
		from, to float64                 // limited after from, s, and before to
	}{
		{"as fast as it can all the time", func(float64) float64 { return 1.99 }, 9, 9},
		{"slow", func(float64) float64 { return 0.5 }, 9, 9},
		{"too fast after it has caught up", func(t float64) float64 {
			if t < 4 {
				return 0.5
			}
			return 2.5
		}, 4, 4.05},
		{"too fast while it catches up", func(t float64) float64 {
			if t < 1.6 {
				return 1
			}
			return 2.5
		}, 1.6, 1.7},
	} {
		for _, turns := range []bool{false, true} {
			at := func(way float64) spatial.Pose {
				if turns {
					return spatial.Pose{R: spatial.ExpRot(spatial.Vec{Z: way * reference.MaxTurn / reference.MaxSpeed})}
				}
				return spatial.Pose{R: spatial.Identity3(), P: spatial.Vec{X: way}}
			}
			b, way := reference.NewPose(at(0), dt), 0.0
			g, limited := at(0), 99.0
			for i := range 6000 {
				now := float64(i) * dt
				if way += c.v(now) * dt; i%every == 0 {
					b.Command(reference.PoseValues(at(way)), now)
				}
				if now > 0.5 && now < 1.5 && !turns || now > 0.5 && now < 0.6 { // a turn by more than pi would be another way
					b.Wait(g, dt)
				} else {
					g = b.Next(g, now, dt)
					b.Arrive(g, now+dt)
				}
				if limited == 99 && b.IsLimited(g, now+dt) {
					limited = now
				}
			}
			if limited < c.from || limited > c.to && c.from != 9 || c.from == 9 && limited != 99 {
				t.Errorf("%s, turns %v: told at %g s, want between %g and %g (99 and 9: never)", c.name, turns, limited, c.from, c.to)
			}
		}
	}
}
