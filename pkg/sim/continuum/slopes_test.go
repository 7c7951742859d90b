package continuum_test

import (
	"slices"
	"testing"

	"sinew/pkg/sim/continuum/continuumtest"
)

// Slopes of elements that nothing damps follow from the strains: asking for what depends on them
// changes nothing, and saving them is no use.
func TestSlopesOfUndampedRodsAreNoState(t *testing.T) {
	f := wire(20, 0.0005, sideways, 0, 90, 180, 270)
	f.Rod.Order = 2
	length := implicitOf(t, f).StateLen()
	f.Rod.Order = 4
	silent, asked := implicitOf(t, f), implicitOf(t, f)
	a, b := make([]float64, silent.StateLen()), make([]float64, asked.StateLen())
	if rates := 6 * len(silent.System.State.Pose); len(a) != length+rates {
		t.Errorf("a state of %d values, with order 2 %d, and %d are rates of tangents", len(a), length, rates)
	}
	in := pulling(0, 0, 0, 0)
	most := 0.0
	for k := range 100 {
		sweep(in, float64(k)*1e-3)
		for _, e := range []*continuumtest.Robot{silent, asked} {
			if err := e.Step(1e-3, in); err != nil {
				t.Fatal(err)
			}
		}
		most = max(most, asked.System.State.MaxStrain())
		asked.Energy()
		asked.BaseWrench(in)
	}
	silent.Save(a)
	asked.Save(b)
	if !slices.Equal(a, b) {
		t.Error("asking for strains and energy has changed the state")
	}
	silent.Restore(b)
	_, elastic := asked.Energy()
	if _, after := silent.Energy(); after != elastic || silent.System.State.MaxStrain() != asked.System.State.MaxStrain() || most == 0 {
		t.Errorf("elastic energy %g after a restore, %g before, strain up to %g", after, elastic, most)
	}
}
