package force_test

import (
	"errors"
	"testing"

	"sinew/pkg/sim/continuum/force"
	"sinew/pkg/sim/spatial"
)

// TestShortSpringsAreRefused measures a spring that is shorter than a thousandth of its rest length: it is refused where the iteration has
// converged, and does not explain why one has not.
func TestShortSpringsAreRefused(t *testing.T) {
	_, state := newRod(t, 2)
	tip := state.Pose[2].P
	for _, c := range []struct {
		length  float64
		refused bool
	}{{0.9e-4, true}, {1.1e-4, false}} {
		s := force.NewSprings([]force.Spring{
			{Name: "long", Node: 1, Anchor: spatial.Vec{X: 1}, Stiffness: 1},
			{Name: "short", Node: 2, Anchor: tip.Add(spatial.Vec{X: c.length}), Stiffness: 1, RestLength: 0.1},
		})
		s.UpdateKinematics(state)
		if err := s.Check(state, 0.5, false); err != nil {
			t.Errorf("%g m long, not converged: %v", c.length, err)
		}
		err := s.Check(state, 0.5, true)
		e, ok := errors.AsType[*force.SpringError](err)
		switch {
		case !c.refused && err != nil:
			t.Errorf("%g m long: %v", c.length, err)
		case c.refused && (!ok || e.Spring != "short" || e.Time != 0.5 || e.Least != 1e-4):
			t.Errorf("%g m long: error %v, want one of the spring short, allowed: at least 1e-4 m", c.length, err)
		}
	}
}
