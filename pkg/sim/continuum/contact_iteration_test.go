package continuum

import (
	"testing"
)

// TestRodsMeetWallsInFewIterations demands that steps in which a rod falls onto a wall along
// its length, and slides there, need few iterations and no division.
func TestRodsMeetWallsInFewIterations(t *testing.T) {
	const most = 6
	m := inVessel(t, ownFolder, []byte(nitinolCatheter))
	e := m.engine.(*implicit)
	contacts := 0
	for i := range 120 {
		if err := m.Step(1e-3); err != nil {
			t.Fatal(err)
		}
		if n := e.stepper.Report().Iterations; n > most {
			t.Errorf("step %d takes %d iterations, want at most %d", i, n, most)
		}
		contacts = max(contacts, e.contact.Summary().Count)
	}
	if e.tally.divided > 0 {
		t.Errorf("%d steps are divided", e.tally.divided)
	}
	if contacts < 15 || e.tally.repeats == 0 {
		t.Errorf("there are up to %d contacts and %d repeats: too few to prove anything", contacts, e.tally.repeats)
	}
}

// TestCorrectionOfFrictionIsThatOfNewton demands that a step whose friction was corrected with
// the last tangent end where Newton's method takes it.
func TestCorrectionOfFrictionIsThatOfNewton(t *testing.T) {
	const (
		apart = 2e-9 // m
		off   = 5e-3 // of the largest force
	)
	m := inVessel(t, ownFolder, []byte(nitinolCatheter))
	e := m.engine.(*implicit)
	before, after := make([]float64, m.StateLen()), make([]float64, m.StateLen())
	compared, otherwise := 0, 0
	for range 100 {
		m.Save(before)
		repeats := e.tally.repeats
		if err := m.Step(1e-3); err != nil {
			t.Fatal(err)
		}
		if e.tally.repeats == repeats {
			continue
		}
		m.Save(after)
		tip, force := e.NodePose(20).P, e.contact.Summary().Force
		if err := m.Restore(before); err != nil {
			t.Fatal(err)
		}
		e.options.regrip = 0
		if err := m.Step(1e-3); err != nil {
			t.Fatal(err)
		}
		e.options.regrip = regripTolerance
		if d := e.NodePose(20).P.Sub(tip).Norm(); d > apart {
			t.Errorf("the middle is %.3g m from where Newton's method takes it, allowed: %g m", d, apart)
		} else if d > 0 {
			otherwise++
		}
		if exact := e.contact.Summary().Force; force < (1-off)*exact || force > (1+off)*exact {
			t.Errorf("the largest force is %.6g N, by Newton's method %.6g N", force, exact)
		}
		if err := m.Restore(after); err != nil {
			t.Fatal(err)
		}
		compared++
	}
	if compared < 20 || otherwise < 20 {
		t.Errorf("%d steps were corrected, %d of them otherwise than by Newton's method: too few to prove anything", compared, otherwise)
	}
}
