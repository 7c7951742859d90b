package mechanism_test

import (
	"math"
	"testing"

	"sinew/pkg/sim/mechanism"
	"sinew/pkg/sim/shape"
	"sinew/pkg/sim/spatial"
)

// TestFrictionOfAnImpact: a ball falls on a floor and moves along it. The impulse of friction is Coulomb's, or what makes the ball roll.
func TestFrictionOfAnImpact(t *testing.T) {
	const radius, fall, along, mass, duration, gravity = 0.02, 0.1, 0.5, 0.1, 0.4, 9.80665
	ground, err := shape.NewPlane(spatial.Vec{}, spatial.Vec{Z: 1})
	if err != nil {
		t.Fatal(err)
	}
	const inertia = 0.4 * mass * radius * radius
	for _, mu := range []float64{0.05, 0.3} {
		p := mechanism.Parameters{
			Bodies: []mechanism.Body{{
				Name: "ball", Mass: mass, Inertia: [6]float64{inertia, inertia, inertia}, Friction: mu,
				Pose:     &spatial.Pose{R: spatial.Identity3(), P: spatial.Vec{Z: radius + fall}},
				Velocity: &spatial.Twist{Linear: spatial.Vec{X: along}},
				Shapes:   []mechanism.Shape{{Shape: sphere(t, radius)}},
			}},
			Walls:   []mechanism.Wall{{Name: "floor", Shape: ground, Friction: mu}},
			Gravity: spatial.Vec{Z: -gravity},
		}
		landing := math.Sqrt(2 * fall / gravity)
		after, rolls := along-mu*gravity*landing, along*5/7
		left := duration - landing
		want := along*landing + rolls*left
		if after > rolls { // it slides on
			until := min((after-rolls)/(mu*gravity), left)
			want = along*landing + after*until - mu*gravity*until*until/2 + rolls*(left-until)
		}
		for _, h := range []float64{0.001, 0.0005, 0.0002, 0.0001} {
			w := mustWorld(t, p)
			march(t, w, h, 0, duration)
			x := w.BodyPose(0).P.X
			t.Logf("friction %g, step %g s: at %.6f m, want %.6f m", mu, h, x, want)
			if math.Abs(x-want) > 2.5e-4 {
				t.Errorf("friction %g, step %g s: the ball is at %.6f m, want %.6f m", mu, h, x, want)
			}
		}
	}
}
