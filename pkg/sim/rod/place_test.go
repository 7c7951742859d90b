package rod_test

import (
	"math"
	"testing"

	"sinew/pkg/sim/rod"
	"sinew/pkg/sim/spatial"
)

// flight is two nodes that move and turn.
type flight struct{ t float64 }

func (f flight) NodePose(i int) spatial.Pose {
	k := float64(i)
	return spatial.Exp(spatial.Twist{Linear: spatial.Vec{X: 0.3 * k, Y: f.t, Z: 1}, Angular: spatial.Vec{X: (0.4 + f.t) * k, Y: 0.5*k - 2*f.t, Z: 0.6*k + f.t}})
}

func (f flight) NodeTwist(i int) spatial.Twist {
	const h = 1e-5
	before, after := flight{f.t - h}.NodePose(i), flight{f.t + h}.NodePose(i)
	return spatial.Twist{Linear: after.P.Sub(before.P).Scale(0.5 / h), Angular: after.R.Mul(before.R.T()).Log().Scale(0.5 / h)}
}

// The twist of a cross-section between two nodes is the rate of its pose.
func TestPlaceTwistIsTheRateOfPose(t *testing.T) {
	const h = 1e-5
	for _, share := range []float64{0, 0.2, 0.5, 0.9, 1} {
		c := rod.Place{Share: share}
		before, after := c.Pose(flight{0.3 - h}), c.Pose(flight{0.3 + h})
		got := c.Twist(flight{0.3})
		linear, angular := after.P.Sub(before.P).Scale(0.5/h), after.R.Mul(before.R.T()).Log().Scale(0.5/h)
		if d := math.Max(got.Linear.Sub(linear).Norm(), got.Angular.Sub(angular).Norm()); d > 1e-5 {
			t.Errorf("share %g: %v, want %v and %v: off by %g", share, got, linear, angular, d)
		}
	}
}
