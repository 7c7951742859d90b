package mechanism_test

import (
	"math"
	"testing"

	"sinew/pkg/sim/mechanism"
	"sinew/pkg/sim/mechanism/joint"
	"sinew/pkg/sim/spatial"
)

// TestDamperOfABall slows a spin down through many turns, where its rotation vector jumps twice in each.
func TestDamperOfABall(t *testing.T) {
	const damping, inertia = 0.01, 0.01
	for _, axis := range []spatial.Vec{{Z: 10}, {X: 6, Y: -8}} {
		b := mechanism.Body{Name: "b", Mass: 1, Inertia: [6]float64{inertia, inertia, inertia}, Velocity: &spatial.Twist{Angular: axis}}
		d := mechanism.Spring{Damping: damping}
		w := mustWorld(t, mechanism.Parameters{Bodies: []mechanism.Body{b}, Joints: []mechanism.Joint{{
			Name: "ball", Type: joint.Spherical, Child: mechanism.JointSide{Link: "b"}, Spring: []mechanism.Spring{d, d, d}}}})
		march(t, w, 0.001, 0, 2)
		want := axis.Scale(math.Exp(-2 * damping / inertia))
		if v := w.BodyVelocity(0).Angular; v.Sub(want).Norm() > 1e-4 {
			t.Errorf("after 2 s it spins with %.6g rad/s, want %.6g rad/s", v, want)
		}
		if v := (spatial.Vec{X: w.Rate(0, 0), Y: w.Rate(0, 1), Z: w.Rate(0, 2)}); v.Sub(want).Norm() > 1e-4 {
			t.Errorf("after 2 s the rates of its coordinates are %.6g rad/s, want %.6g rad/s", v, want)
		}
	}
}
