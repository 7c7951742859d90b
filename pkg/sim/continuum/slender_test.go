package continuum_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"sinew/pkg/sim/continuum"
	"sinew/pkg/sim/continuum/equations"
)

// slender draws a robot that is up to a hundred times as thin as others, and loaded by as little.
func slender(t *testing.T, seed uint64) *continuum.Model {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 43))
	f, in := randomRobot(r)
	thin := math.Pow(10, -2*r.Float64())
	light := thin * thin * thin * thin
	f.Rod.Radius *= thin
	f.Tip.Mass *= light
	for i := range f.Loads {
		l := &f.Loads[i]
		l.Force, l.Moment = l.Force.Scale(light), l.Moment.Scale(light)
	}
	for k := range in.Setpoints {
		in.Setpoints[k].Tension *= light
	}
	e := implicitOf(t, f)
	in.Tip.Force, in.Tip.Moment = in.Tip.Force.Scale(light), in.Tip.Moment.Scale(light)
	e.Command(in)
	return e.Model
}

// TestTangentOfSlenderRods takes derivatives of rods in motion whose iteration for what is out of balance ends at round-off,
// or slowly, and says so; where it does not end, that is the error.
func TestTangentOfSlenderRods(t *testing.T) {
	for _, c := range []struct {
		seed uint64
		want error
	}{{209, nil}, {217, nil}, {226, nil}, {243, nil}, {261, nil}, {477, nil}, {208, equations.ErrUnbalanced}, {246, equations.ErrUnbalanced}} {
		m := slender(t, c.seed)
		for range 20 {
			if m.Step(1e-4) != nil {
				break
			}
		}
		j, err := m.Tangent()
		if !errors.Is(err, c.want) {
			t.Errorf("robot %d: %v, want %v", c.seed, err, c.want)
		}
		if err == nil && !(j.Inexact > equations.SkewRoundoff && j.Inexact <= equations.MaxInexactness) {
			t.Errorf("robot %d: %g of the derivative changed in the last iteration", c.seed, j.Inexact)
		}
	}
}
