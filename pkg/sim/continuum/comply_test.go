package continuum_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"sinew/pkg/sim/continuum/force"
	"sinew/pkg/sim/spatial"
)

// Robots whose elements first give way, each by itself, come to the equilibria of those that begin
// with Newton's method, with fewer tangents, and as many of them come to one.
func TestComply(t *testing.T) {
	robots, found, both, other := uint64(200), [2]int{}, 0, 0
	if testing.Short() {
		robots = 40
	}
	var saved []float64 // share of the tangents
	for seed := range robots {
		f, in := randomRobot(rand.New(rand.NewPCG(seed, 41)))
		for k := range in.Setpoints {
			in.Setpoints[k].Mode = force.TensionControl
		}
		var tip [2]spatial.Vec
		var tangents [2]int
		for k := range tip {
			e := implicitOf(t, f)
			if k == 1 { // what is not free of stress begins with Newton's method
				e.System.Rod.Strain[0].Angular.Z += 1e-12
			}
			if e.Equilibrate(in) != nil {
				continue
			}
			found[k]++
			tip[k], tangents[k] = e.NodePose(f.Rod.Elements).P, e.Stepper.Report().Iterations-e.Stepper.Report().Chords
		}
		if tip[0] == (spatial.Vec{}) || tip[1] == (spatial.Vec{}) {
			continue
		}
		both++
		saved = append(saved, float64(tangents[1]-tangents[0])/float64(tangents[1]))
		if d := tip[0].Sub(tip[1]).Norm(); d > 1e-8 {
			other++
			t.Logf("robot %d: another equilibrium, %.3g m away", seed, d)
		}
	}
	slices.Sort(saved)
	t.Logf("%v equilibria found, %d of %d others, %.2g of the tangents saved in the median", found, other, both, saved[both/2])
	if found[0] < found[1] || other > both/100 || !(saved[both/2] > 0.33) {
		t.Errorf("%v equilibria found, %d of %d others, %.2g of the tangents saved in the median; want as many, none in a hundred, and a third", found, other, both, saved[both/2])
	}
}

// The nitinol robot under four tendons, whose straight shape has two directions in which it
// buckles, takes hardly a tangent: elements give way, and one confirms that the end is stable.
func TestComplyFromStraight(t *testing.T) {
	forOrders(t, func(t *testing.T, order int) {
		f := wire(20, 0.0005, sideways, 0, 90, 180, 270)
		f.Rod.Order = order
		e := implicitOf(t, f)
		equilibrate(t, e, pulling(2, 1, 0.5, 0.5))
		tangents := e.Stepper.Report().Iterations - e.Stepper.Report().Chords
		if tangents > 1 || e.Stepper.Report().Chords > 14 || e.Stepper.Report().Rejects > 0 || e.Stepper.Report().Negative != 0 {
			t.Errorf("%d tangents, %d chords, %d rejects, %d negative eigenvalues; want at most 1, 14, 0 and 0", tangents, e.Stepper.Report().Chords, e.Stepper.Report().Rejects, e.Stepper.Report().Negative)
		}
	})
}
