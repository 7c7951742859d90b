package contact

import (
	"math/rand/v2"
	"testing"

	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/spatial"
)

// TestStickingRodMovesWithWalls moves a rod together with the walls that press it, as one rigid
// body: gaps and forces move along, and friction does not slip.
func TestStickingRodMovesWithWalls(t *testing.T) {
	for _, order := range []int{2, 4} {
		s, c := Pressed(t, order, 0.4, 1e-5, 0)
		s.Commit()
		c.Commit(s)
		still := func() {
			c.Begin(1e-3)
			s.Begin(integrate.NewBDF(1, 1e-3, 0), 0, make([]spatial.Wrench, 4))
			s.UpdateKinematics()
			c.UpdateKinematics(s)
			s.Commit()
			c.Commit(s)
		}
		still() // friction is then in the planes of the present normals
		motion := spatial.Pose{R: spatial.ExpRot(spatial.Vec{X: 0.01, Y: -0.02, Z: 0.03}), P: spatial.Vec{X: 0.001, Y: 2e-4, Z: -3e-4}}
		gaps, forces := make([]float64, len(c.wallContacts)), make([]spatial.Vec, len(c.wallContacts))
		stuck := 0
		for k := range c.wallContacts {
			gaps[k], forces[k] = c.wallContacts[k].prevGap, c.wallContacts[k].frictionForce
			if c.wallContacts[k].deflection != (spatial.Vec{}) {
				stuck++
			}
		}
		if stuck == 0 {
			t.Fatal("nothing sticks")
		}
		for w := range c.Walls {
			c.SetWallTarget(w, motion)
		}
		s.Target = motion.Mul(s.Base)
		still()
		for k := range c.wallContacts {
			if d := c.wallContacts[k].prevGap - gaps[k]; c.wallContacts[k].normalForce > 0 && (d > 1e-12 || d < -1e-12) {
				t.Errorf("order %d: the gap at contact point %d changes by %.3g m", order, k, d)
			}
			want := motion.R.Apply(forces[k])
			if d := c.wallContacts[k].frictionForce.Sub(want).Norm(); d > 1e-8*want.Norm()+1e-12 {
				t.Errorf("order %d: friction at contact point %d is %v N, want %v", order, k, c.wallContacts[k].frictionForce, want)
			}
		}
	}
}

// TestRevertRestoresWalls checks that a reverted step changes neither gaps nor culled patches.
func TestRevertRestoresWalls(t *testing.T) {
	s, c := Pressed(t, 2, 0.4, 1e-5, 0)
	s.Commit()
	c.Commit(s)
	random := rand.New(rand.NewPCG(7, 8))
	look := func() (all []float64) {
		c.UpdateKinematics(s)
		for k := range c.wallContacts {
			all = append(all, c.wallContacts[k].gap)
		}
		return all
	}
	want := look()
	for range 5 {
		c.SetWallTarget(0, spatial.Pose{R: spatial.Identity3(), P: randomVec(random, 0.5)})
		c.Begin(1e-3)
		s.Begin(integrate.NewBDF(1, 1e-3, 0), 0, make([]spatial.Wrench, 4))
		s.UpdateKinematics()
		c.UpdateKinematics(s)
		s.Revert()
		c.Revert()
		for k, x := range look() {
			if reach := c.Points[k].ActivationGap; (x < reach || want[k] < reach) && x != want[k] {
				t.Fatalf("the gap at contact point %d is %g, before %g", k, x, want[k])
			}
		}
	}
}

// TestMovedWallsAreFound checks that a wall far from the rod acts as soon as it has moved near it.
func TestMovedWallsAreFound(t *testing.T) {
	s, c := Pressed(t, 2, 0.4, 0, 0)
	step := func(displacement spatial.Vec) {
		c.SetWallTarget(0, spatial.Pose{R: spatial.Identity3(), P: displacement})
		c.Begin(1e-3)
		s.Begin(integrate.NewBDF(1, 1e-3, 0), 0, make([]spatial.Wrench, 4))
		s.UpdateKinematics()
		c.UpdateKinematics(s)
		s.Commit()
		c.Commit(s)
	}
	c.Commit(s)
	touching := c.WallWrench(0, spatial.Vec{}).Force.Norm()
	if touching == 0 {
		t.Fatal("the ball does not touch")
	}
	step(spatial.Vec{X: 1})
	step(spatial.Vec{X: 1}) // at rest until here
	for i := range c.patches {
		if c.patchWall(&c.patches[i]) == 0 && c.patches[i].near {
			t.Fatal("the ball is near, 1 m away")
		}
	}
	if f := c.WallWrench(0, spatial.Vec{}).Force.Norm(); f != 0 {
		t.Fatalf("the ball pushes by %g N, 1 m away", f)
	}
	step(spatial.Vec{})
	if f := c.WallWrench(0, spatial.Vec{}).Force.Norm(); f < 0.5*touching {
		t.Errorf("the ball pushes by %g N where it pushed by %g N", f, touching)
	}
}
