package continuum

import (
	"os"
	"strings"
	"testing"
)

// TestVesselDividesNoStep pushes a catheter of 100 elements into the vessel: where its tip snaps
// from wall to wall, increments by the tangent go through a wall with tens of stations at once.
func TestVesselDividesNoStep(t *testing.T) {
	if testing.Short() {
		t.Skip("takes two seconds")
	}
	if _, err := os.Stat(contractFolder); err != nil {
		t.Skip(err) // in our own vessel the tip meets the edge between the branches, where steps are divided
	}
	m := inVessel(t, contractFolder, []byte(strings.Replace(nitinolCatheter, "elements: 40", "elements: 100", 1)))
	e := m.engine.(*implicit)
	for range 2700 {
		if err := m.Step(1e-3); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%d steps, %d divided, %d iterations at most, %d repeats", e.stepper.Counters().Steps, e.stepper.Counters().Divided, e.stepper.Counters().MaxIterations, e.contact.FrictionUpdates())
	if e.stepper.Counters().Divided > 0 {
		t.Errorf("%d of %d steps are divided, want none", e.stepper.Counters().Divided, e.stepper.Counters().Steps)
	}
}
