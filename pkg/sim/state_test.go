package sim_test

import (
	"testing"

	"sinew/pkg/sim"
)

func TestTransitions(t *testing.T) {
	// HALTED is FAULT after a failed step.
	tests := []struct {
		from, request string
		ok            bool
		to            sim.OperatingState
	}{
		{"DISABLED", "enable", true, sim.Enabled},
		{"DISABLED", "disable", true, sim.Disabled},
		{"DISABLED", "pause", false, sim.Disabled},
		{"DISABLED", "resume", false, sim.Disabled},
		{"DISABLED", "e_stop", true, sim.Fault},
		{"DISABLED", "reset", true, sim.Disabled},
		{"DISABLED", "step 1", false, sim.Disabled},
		{"ENABLED", "enable", true, sim.Enabled},
		{"ENABLED", "disable", true, sim.Disabled},
		{"ENABLED", "pause", true, sim.Paused},
		{"ENABLED", "resume", true, sim.Enabled},
		{"ENABLED", "e_stop", true, sim.Fault},
		{"ENABLED", "reset", true, sim.Enabled},
		{"ENABLED", "step 1", false, sim.Enabled},
		{"PAUSED", "enable", false, sim.Paused},
		{"PAUSED", "disable", true, sim.Disabled},
		{"PAUSED", "pause", true, sim.Paused},
		{"PAUSED", "resume", true, sim.Enabled},
		{"PAUSED", "e_stop", true, sim.Fault},
		{"PAUSED", "reset", true, sim.Paused},
		{"PAUSED", "step 3", true, sim.Paused},
		{"FAULT", "enable", true, sim.Enabled},
		{"FAULT", "disable", false, sim.Fault},
		{"FAULT", "pause", false, sim.Fault},
		{"FAULT", "resume", false, sim.Fault},
		{"FAULT", "e_stop", true, sim.Fault},
		{"FAULT", "reset", true, sim.Fault},
		{"FAULT", "step 1", false, sim.Fault},
		{"HALTED", "enable", true, sim.Enabled},
		{"HALTED", "disable", false, sim.Fault},
		{"HALTED", "reset", true, sim.Fault},
		{"HALTED", "e_stop", true, sim.Fault},
	}
	for _, tt := range tests {
		t.Run(tt.from+" "+tt.request, func(t *testing.T) {
			s, _ := sim.Into(t, tt.from)
			sim.Drain(s)
			reply := sim.Ask(t, s, tt.request)
			if reply.OK != tt.ok || s.State() != tt.to || reply.Message == "" {
				t.Errorf("%+v, state %v; want OK %v, state %v", reply, s.State(), tt.ok, tt.to)
			}
			shots := sim.Drain(s)
			if len(shots) == 0 || shots[len(shots)-1].State != tt.to {
				t.Error("no snapshot shows the outcome at once")
			}
		})
	}
}

// What each state does with time, commands and actuation.
func TestStateSemantics(t *testing.T) {
	tests := []struct {
		state   string
		moves   bool
		accepts bool
		forces  [2]float64 // after a command of 5 N, then 100 periods
		reason  string
	}{
		{"ENABLED", true, true, [2]float64{1, 1}, ""}, // the command timed out
		{"DISABLED", true, false, [2]float64{1, 1}, sim.ReasonDisabled},
		{"PAUSED", false, false, [2]float64{2, 3}, sim.ReasonPaused},
		{"FAULT", true, false, [2]float64{1, 1}, sim.ReasonEStop},
		{"HALTED", false, false, [2]float64{2, 3}, sim.ErrFake.Error()},
	}
	for _, tt := range tests {
		t.Run(tt.state, func(t *testing.T) {
			s, m := sim.Into(t, tt.state)
			want := sim.NotEnabled
			if tt.accepts {
				want = sim.Accepted
			}
			if got := s.Post(sim.Source{}, sim.PortForce, []float64{5, 5}); got != want {
				t.Errorf("Post = %v, want %v", got, want)
			}
			before := m.Steps
			sim.Periods(s, 100)
			if (m.Steps > before) != tt.moves {
				t.Errorf("%v steps in 100 periods", m.Steps-before)
			}
			if m.U != tt.forces {
				t.Errorf("forces %v, want %v", m.U, tt.forces)
			}
			shots := sim.Drain(s)
			last := shots[len(shots)-1]
			if last.Reason != tt.reason || last.SimTime != m.Steps/(4*sim.FakeHz) {
				t.Errorf("reason %q at %v s, want %q at %v s", last.Reason, last.SimTime, tt.reason, m.Steps/(4*sim.FakeHz))
			}
		})
	}
}

// What is sent to a simulation that stands still must not act on it later, when
// their callers may have left.
func TestPauseDropsCommands(t *testing.T) {
	for _, lockstep := range []bool{false, true} {
		o := sim.FakeOptions()
		o.Lockstep = lockstep
		s, m, _ := sim.NewFake(t, o)
		s.Post(sim.Source{}, sim.PortForce, []float64{9, 9}) // on its way when time stops
		sim.Ask(t, s, "pause")
		if verdict := s.Post(sim.Source{}, sim.PortForce, []float64{7, 7}); verdict != sim.NotEnabled {
			t.Errorf("while PAUSED: %v", verdict)
		}
		sim.Ask(t, s, "resume")
		sim.Periods(s, 100)
		if m.U != [2]float64{2, 3} || s.Stats().Groups[0].Armed {
			t.Errorf("lockstep %v: forces %v after resume", lockstep, m.U)
		}
	}
}

// A command that was on its way when the state changed has no effect later.
func TestDisableForgetsCommands(t *testing.T) {
	for _, lockstep := range []bool{false, true} {
		o := sim.FakeOptions()
		o.Lockstep = lockstep
		s, m, _ := sim.NewFake(t, o)
		s.Post(sim.Source{}, sim.PortForce, []float64{9, 9})
		sim.Ask(t, s, "disable")
		sim.Ask(t, s, "enable")
		sim.Periods(s, 10) // safe after 8, and no time-out yet
		if m.U != [2]float64{1, 1} {
			t.Errorf("lock-step %v: forces %v, want the safe ones", lockstep, m.U)
		}
	}
}

// Nobody is expected to command what is disabled.
func TestDisableDisarmsWatchdogs(t *testing.T) {
	s, _, _ := sim.NewFake(t, sim.FakeOptions())
	s.Post(sim.Source{}, sim.PortForce, []float64{3, 3})
	sim.Periods(s, 2)
	sim.Ask(t, s, "disable")
	if g := s.Stats().Groups[0]; g.Armed || g.TimedOut {
		t.Errorf("%+v", g)
	}
	sim.Periods(s, 100)
	if g := s.Stats().Groups[0]; g.Trips != 0 {
		t.Errorf("%+v", g)
	}
}

func TestStartDisabled(t *testing.T) {
	o := sim.FakeOptions()
	o.Disabled = true
	s, m, _ := sim.NewFake(t, o)
	if s.Post(sim.Source{}, sim.PortForce, []float64{5, 5}) != sim.NotEnabled {
		t.Error("a command was accepted")
	}
	sim.Periods(s, 100)
	if m.U != [2]float64{1, 1} || sim.Drain(s)[0].State != sim.Disabled {
		t.Errorf("forces %v", m.U)
	}
}

func TestStepOnlyAdvancesThatMuch(t *testing.T) {
	s, m := sim.Into(t, "PAUSED")
	reply := sim.Ask(t, s, "step 10")
	if !reply.OK || m.Steps != 40 || reply.SimTime != 10/sim.FakeHz {
		t.Errorf("%+v after %v steps", reply, m.Steps)
	}
	if m.X != [2]float64{2 * 10 / sim.FakeHz, 3 * 10 / sim.FakeHz} {
		t.Errorf("positions %v", m.X)
	}
	sim.Periods(s, 10)
	if m.Steps != 40 {
		t.Errorf("%v steps, 40 asked for", m.Steps)
	}
}

func TestReset(t *testing.T) {
	for _, state := range []string{"ENABLED", "PAUSED", "DISABLED", "FAULT", "HALTED"} {
		s, m := sim.Into(t, state)
		s.Post(sim.Source{}, sim.PortForce, []float64{9, 9})
		if state != "PAUSED" {
			sim.Periods(s, 50)
			s.Post(sim.Source{}, sim.PortForce, []float64{8, 8}) // still waiting at the reset
		}
		before := s.State()
		if r := sim.Ask(t, s, "reset"); !r.OK || r.SimTime != 0 {
			t.Errorf("%s: %+v", state, r)
		}
		if m.X != [2]float64{} || m.U != [2]float64{2, 3} || s.State() != before {
			t.Errorf("%s: positions %v, forces %v, state %v", state, m.X, m.U, s.State())
		}
		sim.Periods(s, 50)
		want := [2]float64{2, 3} // no commands, no time-out
		if state == "DISABLED" || state == "FAULT" {
			want = [2]float64{1, 1}
		}
		if m.U != want || s.Stats().Groups[0].Armed {
			t.Errorf("%s: forces %v a while after the reset, want %v", state, m.U, want)
		}
	}
}
