package contact

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"sinew/pkg/sim/rod/strain"
	"sinew/pkg/sim/shape"
	"sinew/pkg/sim/spatial"
)

// overARim is a bent rod of which an element leans on the rim of a tube, within a step in which rod and tube move. bend is the
// mean strain of the bent rod, 1/m.
func overARim(t *testing.T, order int, mu, drift, taper float64) (*strain.State, *Contacts) {
	t.Helper()
	r, s := bentRod(t, order, 0.2)
	const lip, bore = 0.0015, 0.003
	radius := func(at float64) float64 { return testRadius + taper*(at/0.01-1.5) }
	from, to := hermiteNodeOf(s, 1), hermiteNodeOf(s, 2)
	a, b := hermiteWeights(0.4, 0.01)
	d1, d2 := hermiteSlopes(0.4, 0.01)
	along := interpolate(d1, d2, &from, &to).Unit()
	out := along.Add(along.Perpendicular().Scale(-0.4)).Unit() // of the tube
	n := along.AddScaled(-along.Dot(out), out).Unit()          // the rod leans outward
	normal := n.AddScaled(-n.Dot(along), along).Unit().Neg()
	ring := interpolate(a, b, &from, &to).AddScaled(-(lip + radius(0.014) - 2e-6), normal)
	end := ring.AddScaled(-(bore + lip), n)
	tube, err := shape.NewTube([]spatial.Vec{end.AddScaled(-0.02, out), end}, []float64{bore}, false)
	if err != nil {
		t.Fatal(err)
	}
	c := New(r, Options{Walls: []Wall{{"tube", tube, mu}}, Radius: radius, Taper: func(int) float64 { return taper }})
	c.Reset(s)
	c.SetWallTarget(0, spatial.Pose{R: spatial.ExpRot(spatial.Vec{X: 100 * drift, Z: -50 * drift}), P: spatial.Vec{Y: drift}})
	beginTurning(s, c, 1e-5)
	return s, c
}

// rimForce returns the normal force of the rims at the iterate, N, and whether the rod touches one between two nodes.
func rimForce(c *Contacts) (force float64, between bool) {
	for _, k := range c.rimPoints {
		s, p := &c.Points[k], &c.wallContacts[k]
		if f, _ := p.ForceAt(&s.NormalLaw, p.gap); f > 0 {
			force += f
			between = between || p.shareCompliance > 0
		}
	}
	return force, between
}

// TestForcesOfRimsAreDerivatives is TestForcesAreDerivatives for a rod that leans on a rim, also a
// tapered one, with friction that sticks and slips.
func TestForcesOfRimsAreDerivatives(t *testing.T) {
	for _, order := range []int{2, 4} {
		for _, taper := range []float64{0, 2e-4} {
			for _, drift := range []float64{2e-7, 2e-5} {
				s, c := overARim(t, order, 0.3, drift, taper)
				if force, between := rimForce(c); force == 0 || !between {
					t.Fatalf("the rim presses with %g N, between nodes: %v", force, between)
				}
				wantDerivatives(t, s, c)
			}
		}
	}
}

// TestClosestPointsOfRims compares gaps of rims with those of a search along the elements, for rods
// that lean on them at random places.
func TestClosestPointsOfRims(t *testing.T) {
	random, touching := rand.New(rand.NewPCG(7, 8)), 0
	s, c := overARim(t, 4, 0, 0, 0)
	for range 300 {
		eta := make([]spatial.Vec6, 3)
		for i := range eta {
			eta[i] = spatial.Vec6Of(randomVec(random, 3e-4), randomVec(random, 0.03))
		}
		s.MoveNodes(eta, 1)
		c.UpdateKinematics(s)
		for _, k := range c.rimPoints {
			if c.wallContacts[k].gap > c.Points[k].ActivationGap {
				continue
			}
			touching++
			if got, want := c.wallContacts[k].gap, nearestBySearch(s, c, k); math.Abs(got-want) > 1e-9 {
				t.Errorf("element %d has the gap %.6g m, want %.6g m", c.Points[k].Element, got, want)
			}
		}
		s.Undo()
	}
	if touching < 100 {
		t.Errorf("the rod touches rims %d times: too few", touching)
	}
}

// TestRimsAreRestored restores a rod that leans on a rim with friction: its contacts and the next
// step must be the same, to the bit.
func TestRimsAreRestored(t *testing.T) {
	s, c := overARim(t, 4, 0.3, 2e-7, 2e-4)
	c.Commit(s)
	saved := make([]float64, c.StateLen())
	c.Save(saved)
	_, other := overARim(t, 4, 0.3, 2e-7, 2e-4)
	other.Reset(s)
	other.Restore(saved, s)
	again := make([]float64, c.StateLen())
	if other.Save(again); !slices.Equal(saved, again) {
		t.Error("the restored state is another one")
	}
	if a, b := c.BaseWrench(s), other.BaseWrench(s); a != b {
		t.Errorf("wrench of the base %v, restored %v", a, b)
	}
	if a, b := c.TotalWrench(spatial.Vec{}), other.TotalWrench(spatial.Vec{}); a != b || a.Force.Norm() == 0 {
		t.Errorf("wrench of the walls %v, restored %v", a, b)
	}
	var forces [2]*strain.Equations
	for i, contacts := range []*Contacts{c, other} {
		contacts.Begin(1e-3)
		contacts.UpdateKinematics(s)
		forces[i] = Equations()
		contacts.Assemble(s, forces[i])
	}
	if !slices.Equal(forces[0].Wrench, forces[1].Wrench) {
		t.Errorf("wrenches of the next step %v, restored %v", forces[0].Wrench, forces[1].Wrench)
	}
}

// TestThickRodsHaveNoRims wants contact points of rims for those elements alone that are thinner than
// the opening: the rod becomes thicker towards its tip.
func TestThickRodsHaveNoRims(t *testing.T) {
	r, _ := bentRod(t, 2, 0)
	tube, err := shape.NewTube([]spatial.Vec{{Z: -0.01}, {Z: 0.05}}, []float64{0.0015}, false)
	if err != nil {
		t.Fatal(err)
	}
	c := New(r, Options{Walls: []Wall{{"tube", tube, 0}}, Taper: func(int) float64 { return 4e-4 },
		Radius: func(s float64) float64 { return 0.0006 + 0.04*s }})
	elements := map[int]int{}
	for _, k := range c.rimPoints {
		elements[c.Points[k].Element]++
	}
	if len(elements) != 2 || elements[0] != 2 || elements[1] != 2 {
		t.Errorf("contact points of rims by element: %v, want two of elements 0 and 1", elements)
	}
}
