package continuum_test

import (
	"testing"

	"sinew/pkg/sim/continuum/continuumtest"
)

// TestRodsMeetWallsInFewIterations demands that steps in which a rod falls onto a wall along
// its length, and slides there, need few iterations and no division.
func TestRodsMeetWallsInFewIterations(t *testing.T) {
	const most = 6
	m := inVessel(t, ownFolder, []byte(nitinolCatheter))
	e := continuumtest.Of(t, m)
	contacts := 0
	for i := range 120 {
		if err := m.Step(1e-3); err != nil {
			t.Fatal(err)
		}
		if n := e.Stepper.Report().Iterations; n > most {
			t.Errorf("step %d takes %d iterations, want at most %d", i, n, most)
		}
		contacts = max(contacts, e.Contact.Summary().Count)
	}
	if m.Report().Divided > 0 {
		t.Errorf("%d steps are divided", m.Report().Divided)
	}
	if contacts < 15 || e.Contact.FrictionUpdates() == 0 {
		t.Errorf("there are up to %d contacts and %d repeats: too few to prove anything", contacts, e.Contact.FrictionUpdates())
	}
}
