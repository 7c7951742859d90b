package contact_test

import (
	"testing"

	"sinew/pkg/sim/contact"
	"sinew/pkg/sim/shape"
	"sinew/pkg/sim/spatial"
)

// TestListedContactsAreTheWrenchOfTheirWall checks that the listed forces at their points sum to
// the wrench of each wall, with friction, for a ball, a capsule and a tube.
func TestListedContactsAreTheWrenchOfTheirWall(t *testing.T) {
	for _, taper := range []float64{0, 2e-4} {
		s, c := contact.PressedCone(t, 4, 0.4, 1e-5, 2e-5, taper)
		for round := range 2 {
			c.Commit(s)
			about := spatial.Vec{X: 0.01, Y: -0.02, Z: 0.03}
			rubbed := 0
			for w := range c.Walls {
				var sum spatial.Wrench
				for _, touch := range c.ListContacts(nil, 64) {
					if touch.Wall != w {
						continue
					}
					if touch.Friction.Norm() > 0 {
						rubbed++
					}
					f := touch.Normal.Scale(touch.Force).Add(touch.Friction)
					sum.Force, sum.Moment = sum.Force.Add(f), sum.Moment.Add(touch.Point.Sub(about).Cross(f))
				}
				want := c.WallWrench(w, about)
				if want.Force.Norm() == 0 {
					t.Fatalf("%s is not touched", c.Walls[w].Name)
				}
				if d := sum.Force.Sub(want.Force).Norm(); d > 1e-12*want.Force.Norm() {
					t.Errorf("%s: the listed forces are %v N, want %v", c.Walls[w].Name, sum.Force, want.Force)
				}
				if d := sum.Moment.Sub(want.Moment).Norm(); d > 1e-12*want.Moment.Norm() {
					t.Errorf("%s: the listed moments are %v N m, want %v", c.Walls[w].Name, sum.Moment, want.Moment)
				}
			}
			if rubbed == 0 {
				t.Error("no friction is listed")
			}
			if round == 0 { // the ball becomes a capsule
				ball := &c.Walls[0].Shape
				lo, hi := ball.Bounds()
				mid := lo.Add(hi).Scale(0.5)
				capsule, err := shape.NewCapsule(mid.Add(spatial.Vec{Y: -0.01}), mid.Add(spatial.Vec{Y: 0.01}), 0.5*(hi.X-lo.X))
				if err != nil {
					t.Fatal(err)
				}
				c.Walls[0].Shape = capsule
				c.CommitAtRest(s)
				c.Begin(1e-3)
				c.UpdateKinematics(s)
			}
		}
	}
}

// TestBaseCarriesItsShareOfFriction checks that the wrench on the base equals its part of the
// equations, with the moment of friction, which acts on the surface.
func TestBaseCarriesItsShareOfFriction(t *testing.T) {
	s, c := contact.Pressed(t, 4, 0.4, 1e-5, 2e-5)
	q := contact.Equations()
	c.Assemble(s, q)
	c.Commit(s)
	want, got := q.Wrench[0], c.BaseWrench(s)
	if want.Moment.Norm() == 0 {
		t.Fatal("nothing touches beside the base")
	}
	if d := got.Force.Sub(want.Force).Norm(); d > 1e-3*want.Force.Norm() {
		t.Errorf("force on the base %v N, want %v", got.Force, want.Force)
	}
	if d := got.Moment.Sub(want.Moment).Norm(); d > 1e-3*want.Moment.Norm() {
		t.Errorf("moment on the base %v N m, want %v", got.Moment, want.Moment)
	}
}
