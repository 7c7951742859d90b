package continuum_test

import (
	"errors"
	"slices"
	"testing"

	"sinew/pkg/sim/continuum"
	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/spatial"
)

// equilibriumTolerance bounds how far two searches for the same equilibrium may
// end from one another, m: each is left 1e-10 EI/L² out of balance.
const equilibriumTolerance = 1e-9

// TestEquilibrateFromAnyShape moves one model from equilibrium to equilibrium and
// compares each with a model that starts there.
func TestEquilibrateFromAnyShape(t *testing.T) {
	for _, friction := range []float64{0, 0.2} {
		f := wire(20, 0.002, spatial.Vec{Z: -9.81}, 0, 90, 180, 270)
		for i := range f.Tendons {
			f.Tendons[i].Friction = friction
		}
		m, err := continuum.New(f)
		if err != nil {
			t.Fatal(err)
		}
		port := port(t, m, "servo_jf")
		for _, tensions := range [][]float64{{3, 0, 0, 0}, {0, 2, 1, 0}, {0, 0, 0, 0}, {0, 0, 0, 3}} {
			m.Command(port, tensions)
			if err := m.Equilibrate(); err != nil {
				t.Fatal(err)
			}
			for i := range f.Tendons {
				f.Tendons[i].Tension = tensions[i]
			}
			f.InitialState = robotfile.Equilibrium
			cold, err := continuum.New(f)
			if err != nil {
				t.Fatal(err)
			}
			if d := tipPose(m).P.Sub(tipPose(cold).P).Norm(); d > equilibriumTolerance {
				t.Errorf("friction %g, tensions %v: %g m from the equilibrium found from straight", friction, tensions, d)
			}
			if err := m.Step(1e-3); err != nil {
				t.Fatal(err)
			}
			if d := tipPose(m).P.Sub(tipPose(cold).P).Norm(); d > 1e-7 {
				t.Errorf("friction %g, tensions %v: moves by %g m in a step from rest", friction, tensions, d)
			}
		}
		m.Command(port, []float64{1e5, 0, 0, 0})
		before, after := make([]float64, m.StateLen()), make([]float64, m.StateLen())
		m.Save(before)
		if err := m.Equilibrate(); !errors.Is(err, continuum.ErrNoEquilibrium) {
			t.Errorf("tension that buckles the rod: %v", err)
		}
		if m.Save(after); !slices.Equal(before, after) {
			t.Error("an equilibrium that is not found changes the state")
		}
	}
}
