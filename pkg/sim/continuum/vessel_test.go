package continuum_test

import (
	"os"
	"strings"
	"testing"

	"sinew/pkg/sim/continuum/continuumtest"
)

// TestVesselDividesNoStep pushes a catheter of 100 elements into the vessel: where its tip snaps
// from wall to wall, increments by the tangent go through a wall with tens of stations at once.
func TestVesselDividesNoStep(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("takes two seconds")
	}
	if _, err := os.Stat(contractFolder); err != nil {
		t.Skip(err) // in our own vessel the tip meets the edge between the branches, where steps are divided
	}
	m := inVessel(t, contractFolder, []byte(strings.Replace(nitinolCatheter, "elements: 40", "elements: 100", 1)))
	e := continuumtest.Of(t, m)
	for range 2700 {
		if err := m.Step(1e-3); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%d steps, %d divided, %d iterations at most, %d repeats", e.Stepper.Counters().Steps, e.Stepper.Counters().Divided, e.Stepper.Counters().MaxIterations, e.Contact.FrictionUpdates())
	if e.Stepper.Counters().Divided > 0 {
		t.Errorf("%d of %d steps are divided, want none", e.Stepper.Counters().Divided, e.Stepper.Counters().Steps)
	}
}
