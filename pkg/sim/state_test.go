package sim

import (
	"fmt"
	"slices"
	"testing"
)

// into brings a fresh simulator into a state.
func into(t *testing.T, state string) (*Simulator, *fakeModel) {
	s, m, _ := newFake(t, fakeOptions())
	switch state {
	case "DISABLED":
		ask(t, s, "disable")
	case "PAUSED":
		ask(t, s, "pause")
	case "FAULT":
		ask(t, s, "e_stop")
	case "HALTED":
		m.failAt = m.steps + 2
		periods(s, 1)
		m.failAt = 0
	}
	return s, m
}

func TestTransitions(t *testing.T) {
	// HALTED is FAULT after a failed step.
	tests := []struct {
		from, request string
		ok            bool
		to            OperatingState
	}{
		{"DISABLED", "enable", true, Enabled},
		{"DISABLED", "disable", true, Disabled},
		{"DISABLED", "pause", false, Disabled},
		{"DISABLED", "resume", false, Disabled},
		{"DISABLED", "e_stop", true, Fault},
		{"DISABLED", "reset", true, Disabled},
		{"DISABLED", "step 1", false, Disabled},
		{"ENABLED", "enable", true, Enabled},
		{"ENABLED", "disable", true, Disabled},
		{"ENABLED", "pause", true, Paused},
		{"ENABLED", "resume", true, Enabled},
		{"ENABLED", "e_stop", true, Fault},
		{"ENABLED", "reset", true, Enabled},
		{"ENABLED", "step 1", false, Enabled},
		{"PAUSED", "enable", false, Paused},
		{"PAUSED", "disable", true, Disabled},
		{"PAUSED", "pause", true, Paused},
		{"PAUSED", "resume", true, Enabled},
		{"PAUSED", "e_stop", true, Fault},
		{"PAUSED", "reset", true, Paused},
		{"PAUSED", "step 3", true, Paused},
		{"FAULT", "enable", true, Enabled},
		{"FAULT", "disable", false, Fault},
		{"FAULT", "pause", false, Fault},
		{"FAULT", "resume", false, Fault},
		{"FAULT", "e_stop", true, Fault},
		{"FAULT", "reset", true, Fault},
		{"FAULT", "step 1", false, Fault},
		{"HALTED", "enable", true, Enabled},
		{"HALTED", "disable", false, Fault},
		{"HALTED", "reset", true, Fault},
		{"HALTED", "e_stop", true, Fault},
	}
	for _, tt := range tests {
		t.Run(tt.from+" "+tt.request, func(t *testing.T) {
			s, _ := into(t, tt.from)
			drain(s)
			reply := ask(t, s, tt.request)
			if reply.OK != tt.ok || s.State() != tt.to || reply.Message == "" {
				t.Errorf("%+v, state %v; want OK %v, state %v", reply, s.State(), tt.ok, tt.to)
			}
			shots := drain(s)
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
		{"DISABLED", true, false, [2]float64{1, 1}, reasonDisabled},
		{"PAUSED", false, false, [2]float64{2, 3}, reasonPaused},
		{"FAULT", true, false, [2]float64{1, 1}, ReasonEStop},
		{"HALTED", false, false, [2]float64{2, 3}, errFake.Error()},
	}
	for _, tt := range tests {
		t.Run(tt.state, func(t *testing.T) {
			s, m := into(t, tt.state)
			want := NotEnabled
			if tt.accepts {
				want = Accepted
			}
			if got := s.Post(Source{}, portForce, []float64{5, 5}); got != want {
				t.Errorf("Post = %v, want %v", got, want)
			}
			before := m.steps
			periods(s, 100)
			if (m.steps > before) != tt.moves {
				t.Errorf("%v steps in 100 periods", m.steps-before)
			}
			if m.u != tt.forces {
				t.Errorf("forces %v, want %v", m.u, tt.forces)
			}
			shots := drain(s)
			last := shots[len(shots)-1]
			if last.Reason != tt.reason || last.SimTime != m.steps/(4*fakeHz) {
				t.Errorf("reason %q at %v s, want %q at %v s", last.Reason, last.SimTime, tt.reason, m.steps/(4*fakeHz))
			}
		})
	}
}

// What is sent to a simulation that stands still must not act on it later, when
// nobody may be there any more.
func TestPauseDropsCommands(t *testing.T) {
	for _, lockstep := range []bool{false, true} {
		o := fakeOptions()
		o.Lockstep = lockstep
		s, m, _ := newFake(t, o)
		s.Post(Source{}, portForce, []float64{9, 9}) // on its way when time stops
		ask(t, s, "pause")
		if verdict := s.Post(Source{}, portForce, []float64{7, 7}); verdict != NotEnabled {
			t.Errorf("while PAUSED: %v", verdict)
		}
		ask(t, s, "resume")
		periods(s, 100)
		if m.u != [2]float64{2, 3} || s.Stats().Groups[0].Armed {
			t.Errorf("lockstep %v: forces %v after resume", lockstep, m.u)
		}
	}
}

// Commands act while a step is at work, and what came too late for its last period
// is dropped with it.
func TestStepTakesCommands(t *testing.T) {
	for _, lockstep := range []bool{false, true} {
		o := fakeOptions()
		o.Lockstep = lockstep
		s, m, _ := newFake(t, o)
		ask(t, s, "pause")
		c := call{Request{Verb: Step, Steps: 2}, make(chan Reply, 1)}
		s.loop.handle(c)
		if verdict := s.Post(Source{}, portForce, []float64{2.25, 3}); verdict != Accepted {
			t.Fatal(verdict)
		}
		s.loop.stepOnce()
		if m.u != [2]float64{2.25, 3} {
			t.Errorf("lockstep %v: forces %v during the step", lockstep, m.u)
		}
		s.loop.stepOnce()
		s.Post(Source{}, portForce, []float64{9, 9})
		if verdict := s.Post(Source{}, portForce, []float64{9, 9}); verdict != NotEnabled {
			t.Errorf("after the step: %v", verdict)
		}
		ask(t, s, "step 3")
		if m.u[0] > 2.25 || m.steps != 20 {
			t.Errorf("forces %v after %v steps", m.u, m.steps)
		}
	}
}

// A command that was on its way when the state changed has no effect later.
func TestDisableForgetsCommands(t *testing.T) {
	for _, lockstep := range []bool{false, true} {
		o := fakeOptions()
		o.Lockstep = lockstep
		s, m, _ := newFake(t, o)
		s.Post(Source{}, portForce, []float64{9, 9})
		ask(t, s, "disable")
		ask(t, s, "enable")
		periods(s, 10) // safe after 8, and no time-out yet
		if m.u != [2]float64{1, 1} {
			t.Errorf("lock-step %v: forces %v, want the safe ones", lockstep, m.u)
		}
	}
}

// So has one that slipped in just after the change.
func TestDisabledIgnoresWhatSlippedIn(t *testing.T) {
	s, m := into(t, "DISABLED")
	s.intake.mailboxes[0].Put(portForce, []float64{9, 9})
	periods(s, 10)
	if m.u != [2]float64{1, 1} {
		t.Errorf("forces %v, want the safe ones", m.u)
	}
}

// Nobody is expected to command what is disabled.
func TestDisableDisarmsWatchdogs(t *testing.T) {
	s, _, _ := newFake(t, fakeOptions())
	s.Post(Source{}, portForce, []float64{3, 3})
	periods(s, 2)
	ask(t, s, "disable")
	if g := s.Stats().Groups[0]; g.Armed || g.TimedOut {
		t.Errorf("%+v", g)
	}
	periods(s, 100)
	if g := s.Stats().Groups[0]; g.Trips != 0 {
		t.Errorf("%+v", g)
	}
}

func TestStartDisabled(t *testing.T) {
	o := fakeOptions()
	o.Disabled = true
	s, m, _ := newFake(t, o)
	if s.Post(Source{}, portForce, []float64{5, 5}) != NotEnabled {
		t.Error("a command was accepted")
	}
	periods(s, 100)
	if m.u != [2]float64{1, 1} || drain(s)[0].State != Disabled {
		t.Errorf("forces %v", m.u)
	}
}

func TestStepOnlyAdvancesThatMuch(t *testing.T) {
	s, m := into(t, "PAUSED")
	reply := ask(t, s, "step 10")
	if !reply.OK || m.steps != 40 || reply.SimTime != 10/fakeHz {
		t.Errorf("%+v after %v steps", reply, m.steps)
	}
	if m.x != [2]float64{2 * 10 / fakeHz, 3 * 10 / fakeHz} {
		t.Errorf("positions %v", m.x)
	}
	periods(s, 10)
	if m.steps != 40 {
		t.Errorf("%v steps, 40 asked for", m.steps)
	}
}

func TestReset(t *testing.T) {
	for _, state := range []string{"ENABLED", "PAUSED", "DISABLED", "FAULT", "HALTED"} {
		s, m := into(t, state)
		s.Post(Source{}, portForce, []float64{9, 9})
		if state != "PAUSED" {
			periods(s, 50)
			s.Post(Source{}, portForce, []float64{8, 8}) // still waiting at the reset
		}
		before := s.State()
		if r := ask(t, s, "reset"); !r.OK || r.SimTime != 0 {
			t.Errorf("%s: %+v", state, r)
		}
		if m.x != [2]float64{} || m.u != [2]float64{2, 3} || s.State() != before {
			t.Errorf("%s: positions %v, forces %v, state %v", state, m.x, m.u, s.State())
		}
		periods(s, 50)
		want := [2]float64{2, 3} // nobody commands, nothing times out
		if state == "DISABLED" || state == "FAULT" {
			want = [2]float64{1, 1}
		}
		if m.u != want || s.Stats().Groups[0].Armed {
			t.Errorf("%s: forces %v a while after the reset, want %v", state, m.u, want)
		}
	}
}

func TestSaveAndRestore(t *testing.T) {
	s, m, _ := newFake(t, fakeOptions())
	if r := ask(t, s, "restore_state"); r.OK || r.Message != "no state was saved" {
		t.Errorf("%+v", r)
	}
	run := func() (history []string) {
		for k := range 60 { // past a time-out, in the middle of ramps
			if k == 3 {
				s.Post(Source{}, portLength, []float64{2, 0})
			}
			periods(s, 1)
			history = append(history, fmt.Sprintf("%x %x %x", m.x, m.u, s.loop.time.seconds()))
		}
		return history
	}
	s.Post(Source{}, portForce, []float64{9, 0})
	periods(s, 5)
	if r := ask(t, s, "save_state"); !r.OK || r.SimTime != 5/fakeHz {
		t.Errorf("%+v", r)
	}
	first := run()
	if r := ask(t, s, "restore_state"); !r.OK || r.SimTime != 5/fakeHz {
		t.Errorf("%+v", r)
	}
	if again := run(); !slices.Equal(first, again) {
		t.Error("the same commands after restore_state gave other bits")
	}
}
