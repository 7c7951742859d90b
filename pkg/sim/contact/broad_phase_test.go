package contact

import (
	"math"
	"math/rand/v2"
	"testing"

	"sinew/pkg/sim/rod/strain"
	"sinew/pkg/sim/shape"
	"sinew/pkg/sim/spatial"
	"sinew/test/testsize"
)

// amongWalls is a bent rod near a ball, a capsule and a plane, and touches none of them.
func amongWalls(t *testing.T) (*strain.State, *Contacts) {
	t.Helper()
	r, s := bentRod(t, 4, 0.2)
	ball, err1 := shape.NewSphere(s.Pose[2].P.Add(spatial.Vec{X: 0.009}), 0.003)
	bar, err2 := shape.NewCapsule(s.Pose[3].P.Add(spatial.Vec{X: -0.03, Y: 0.012}), s.Pose[3].P.Add(spatial.Vec{X: 0.03, Y: 0.012}), 0.004)
	plane, err3 := shape.NewPlane(spatial.Vec{Z: -0.02}, spatial.Vec{Z: 1})
	tube, err4 := shape.NewTube([]spatial.Vec{{Z: -0.03}, {Z: 0.02}}, []float64{0.003}, false)
	for _, err := range []error{err1, err2, err3, err4} {
		if err != nil {
			t.Fatal(err)
		}
	}
	walls := []Wall{{"ball", ball, 0.4}, {"bar", bar, 0.3}, {"plane", plane, 0}, {"tube", tube, 0.1}}
	return s, New(r, Options{Walls: walls, Radius: func(float64) float64 { return testRadius }})
}

// TestCulledPatchesAreFar moves a rod and checks that each culled contact point is farther from its
// wall than alarmDistance, and that all others have the right gap.
func TestCulledPatchesAreFar(t *testing.T) {
	testsize.SkipInShort(t)
	s, c := amongWalls(t)
	c.Reset(s)
	random := rand.New(rand.NewPCG(1, 2))
	skipped, touching := 0, 0
	for trial := range 4000 {
		s.UpdateKinematics()
		eta := make([]spatial.Vec6, 3)
		size := 3e-3 * math.Pow(random.Float64(), 3)
		for i := range eta {
			eta[i] = spatial.Vec6Of(randomVec(random, size), randomVec(random, size/0.01))
		}
		s.MoveNodes(eta, 1)
		// return before the rod leaves the walls or stretches too far
		if tip := s.Pose[3].P; tip.Sub(spatial.Vec{Z: 0.03}).Norm() > 0.02 || stretched30(s) {
			s.Undo()
			continue
		}
		c.UpdateKinematics(s)
		for i := range c.patches {
			p := &c.patches[i]
			for k := p.first; k < p.last; k++ {
				point, hint := &c.Points[k], shape.Hint{}
				place, ok := c.shapeOf(point).At(point.position(s), &hint)
				gap := place.D - point.Radius
				if point.isExtended() {
					gap = nearestBySearch(s, c, k)
				}
				switch {
				case !p.near:
					skipped++
					if ok && gap < point.alarmDistance() {
						t.Fatalf("trial %d: contact point %d is %.3g m from %s, and not looked at", trial, k, gap, c.Walls[point.Wall].Name)
					}
				case point.rim != nil && math.IsInf(c.wallContacts[k].gap, 1): // it goes around the rim to where that has no wall
				case ok && gap < point.ActivationGap && gap > -point.Radius:
					touching++
					if math.Abs(c.wallContacts[k].gap-gap) > map[bool]float64{false: 1e-15, true: 1e-9}[point.isExtended()] {
						t.Fatalf("trial %d: contact point %d has the gap %g, not %g", trial, k, gap, c.wallContacts[k].gap)
					}
				}
			}
		}
		if trial%3 == 0 {
			c.Commit(s)
		}
	}
	if skipped < 10000 || touching < 100 {
		t.Errorf("%d contact points were skipped and %d touched: too few", skipped, touching)
	}
}

// stretched30 reports whether an element is more than 30 % longer than its 10 mm.
func stretched30(s *strain.State) bool {
	for e := range 3 {
		if s.Pose[e+1].P.Sub(s.Pose[e].P).Norm() > 0.013 {
			return true
		}
	}
	return false
}

// nearestBySearch returns the smallest gap in the interval of a contact point.
func nearestBySearch(s *strain.State, c *Contacts, k int) float64 {
	point, least := &c.Points[k], infinite
	from, to := hermiteNodeOf(s, point.Element), hermiteNodeOf(s, point.Element+1)
	gap := func(x float64) float64 {
		a, b := hermiteWeights(x, point.length)
		place, _ := c.shapeOf(point).At(interpolate(a, b, &from, &to), &shape.Hint{})
		return place.D - point.Radius + 0.5*c.wallContacts[k].addedCurvature*(x-point.share)*(x-point.share)
	}
	x, step := point.share, point.hi-point.lo
	for ; step > 1e-9; step *= 0.6 {
		for _, y := range []float64{x - step, x + step} {
			if y = max(point.lo, min(point.hi, y)); gap(y) < least {
				x, least = y, gap(y)
			}
		}
	}
	a, b := hermiteWeights(x, point.length)
	at := interpolate(a, b, &from, &to)
	if place, _ := c.shapeOf(point).At(at, &shape.Hint{}); point.rim != nil && point.rim.IsBehind(at, place.N) {
		return infinite
	}
	return least
}

// TestRestoreKeepsCulledPatches checks that a restored state has the same culled patches.
func TestRestoreKeepsCulledPatches(t *testing.T) {
	s, c := amongWalls(t)
	c.Reset(s)
	saved := make([]float64, c.StateLen())
	c.Save(saved)
	_, other := amongWalls(t)
	other.Restore(saved, s)
	near := 0
	for i := range c.patches {
		a, b := &c.patches[i], &other.patches[i]
		if *a != *b {
			t.Errorf("patch %d is restored as %+v, was %+v", i, b, a)
		}
		if a.near {
			near++
		}
	}
	if near == 0 || near == len(c.patches) {
		t.Errorf("%d of %d patches are near", near, len(c.patches))
	}
}

// TestClearanceAfterAQueryElsewhere checks that the known clearance of a contact point decreases by
// its displacement since the last query.
func TestClearanceAfterAQueryElsewhere(t *testing.T) {
	const clear, travelled = 0.05, 0.01
	s, c := amongWalls(t)
	c.Reset(s)
	p := &c.patches[0]
	p.near = true
	c.listNear()
	least := infinite
	for k := p.first; k < p.last; k++ {
		q := &c.wallContacts[k]
		q.noWall, q.gap, q.clearance, q.queryPoint = true, infinite, clear, c.prevPositions[k].Add(spatial.Vec{X: travelled})
		least = min(least, clear-travelled-c.Points[k].alarmDistance())
	}
	if c.cullFarPatches(); p.near || math.Abs(p.travelLimit-least) > 1e-12 {
		t.Errorf("the patch may go %g m before it is looked at, want %g", p.travelLimit, least)
	}
}
