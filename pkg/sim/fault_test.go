package sim_test

import (
	"testing"

	"sinew/pkg/sim"
)

// An emergency stop hides no failure, and does not set time going again.
func TestEStopAfterFailure(t *testing.T) {
	s, m := sim.Into(t, "HALTED")
	sim.Ask(t, s, "e_stop")
	steps := m.Steps
	sim.Periods(s, 10)
	shots := sim.Drain(s)
	if last := shots[len(shots)-1]; last.Reason != sim.ErrFake.Error() || m.Steps != steps {
		t.Errorf("reason %q, %v steps more", last.Reason, m.Steps-steps)
	}
}

func TestFailedStep(t *testing.T) {
	s, m, _ := sim.NewFake(t, sim.FakeOptions())
	m.FailAt = 11 // the third step of the third period
	sim.Periods(s, 10)
	shots := sim.Drain(s)
	last := shots[len(shots)-1]
	if last.State != sim.Fault || last.Reason != sim.ErrFake.Error() || last.Period != 2 || last.SimTime != 10/(4*sim.FakeHz) {
		t.Errorf("%v %q in period %d at %v s", last.State, last.Reason, last.Period, last.SimTime)
	}
	if want := 2 * 10 / (4 * sim.FakeHz); last.Values[sim.PortJoints][0] != want {
		t.Errorf("x = %v, want that of the last good step, %v", last.Values[sim.PortJoints][0], want)
	}
	m.FailAt = 0
	sim.Ask(t, s, "enable")
	sim.Periods(s, 1)
	if m.Steps != 14 {
		t.Errorf("%v steps after enable, want 14", m.Steps)
	}
}

// A reset, too, is a state to return to.
func TestNotFiniteAfterReset(t *testing.T) {
	s, m, _ := sim.NewFake(t, sim.FakeOptions())
	sim.Periods(s, 5)
	sim.Ask(t, s, "reset")
	m.BrokenAt = 1
	sim.Drain(s)
	sim.Periods(s, 1)
	if last := sim.Drain(s)[0]; last.Period != 0 || last.State != sim.Fault || m.X != [2]float64{} {
		t.Errorf("%v in period %d, positions %v", last.State, last.Period, m.X)
	}
}
