package contact

import (
	"cmp"
	"math"
	"slices"
	"testing"

	"sinew/pkg/sim/shape"
	"sinew/pkg/sim/spatial"
)

// TestListedContactsAreTheWrenchOfTheirWall checks that the listed forces at their points sum to
// the wrench of each wall, with friction, for a ball, a capsule and a tube.
func TestListedContactsAreTheWrenchOfTheirWall(t *testing.T) {
	for _, taper := range []float64{0, 2e-4} {
		s, c := pressedCone(t, 4, 0.4, 1e-5, 2e-5, taper)
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

// TestShortListsHaveTheLargestForces checks that a list with too little room omits the contacts
// with the smallest forces, normal or friction.
func TestShortListsHaveTheLargestForces(t *testing.T) {
	s, c := pressedCone(t, 4, 0.4, 1e-5, 2e-5, 2e-4)
	c.Commit(s)
	byStrength := func(a, b Contact) int { return cmp.Compare(b.strength(), a.strength()) }
	all := c.ListContacts(nil, 64)
	slices.SortFunc(all, byStrength)
	apart := false // an entry of friction alone that is not the last one
	for _, touch := range all[:len(all)-1] {
		apart = apart || touch.Force == 0
	}
	if !apart {
		t.Fatalf("no friction apart from its normal force among %v", all)
	}
	for most := 1; most < len(all); most++ {
		list := c.ListContacts(nil, most)
		slices.SortFunc(list, byStrength)
		if !slices.Equal(list, all[:most]) {
			t.Errorf("of %d the list of %d is %v, want %v", len(all), most, list, all[:most])
		}
	}
}

// TestEachWallHasItsOwnFriction checks the friction limit of each contact point against the
// coefficient of its wall, at the start of a step and after UpdateFriction.
func TestEachWallHasItsOwnFriction(t *testing.T) {
	s, c := pressed(t, 4, 0.4, 1e-5, 2e-5)
	want := func(when string, force func(k int) float64) {
		t.Helper()
		seen := map[int]bool{}
		for k := range c.wallContacts {
			p, wall := &c.wallContacts[k], c.Points[k].Wall
			if p.friction.limit == 0 {
				continue
			}
			seen[wall] = true
			if f := c.Walls[wall].Friction * force(k); math.Abs(p.friction.limit-f) > 1e-12*f {
				t.Errorf("%s: friction on %s holds up to %g N, want %g", when, c.Walls[wall].Name, p.friction.limit, f)
			}
		}
		if len(seen) != 2 {
			t.Fatalf("%s: friction on walls %v, want both", when, seen)
		}
	}
	want("at the start", func(k int) float64 { return c.wallContacts[k].normalForce })
	for k := range c.wallContacts {
		c.wallContacts[k].friction.limit *= 0.5
	}
	if !c.UpdateFriction(s) {
		t.Fatal("nothing was corrected")
	}
	want("corrected", func(k int) float64 {
		f, _ := c.wallContacts[k].forceAt(&c.Points[k].NormalLaw, c.wallContacts[k].gap)
		return f
	})
}

// TestBaseCarriesItsShareOfFriction checks that the wrench on the base equals its part of the
// equations, with the moment of friction, which acts on the surface.
func TestBaseCarriesItsShareOfFriction(t *testing.T) {
	s, c := pressed(t, 4, 0.4, 1e-5, 2e-5)
	q := equations()
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
