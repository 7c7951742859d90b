package sim

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
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
		{"PAUSED", false, true, [2]float64{2, 3}, reasonPaused},
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
			if got := s.Post(portForce, []float64{5, 5}); got != want {
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

func TestPauseKeepsTheNewestCommand(t *testing.T) {
	s, m := into(t, "PAUSED")
	s.Post(portLength, []float64{2, 2})
	s.Post(portForce, []float64{2.25, 3})
	periods(s, 10)
	ask(t, s, "resume")
	periods(s, 1)
	if m.u != [2]float64{2.25, 3} {
		t.Errorf("forces %v after resume", m.u)
	}
}

// A command that was on its way when the state changed has no effect later.
func TestDisableForgetsCommands(t *testing.T) {
	for _, lockstep := range []bool{false, true} {
		o := fakeOptions()
		o.Lockstep = lockstep
		s, m, _ := newFake(t, o)
		s.Post(portForce, []float64{9, 9})
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
	s.mailboxes[0].Put(portForce, []float64{9, 9})
	periods(s, 10)
	if m.u != [2]float64{1, 1} {
		t.Errorf("forces %v, want the safe ones", m.u)
	}
}

// Nobody is expected to command what is disabled.
func TestDisableDisarmsWatchdogs(t *testing.T) {
	s, _, _ := newFake(t, fakeOptions())
	s.Post(portForce, []float64{3, 3})
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

// An emergency stop hides no failure, and does not set time going again.
func TestEStopAfterFailure(t *testing.T) {
	s, m := into(t, "HALTED")
	ask(t, s, "e_stop")
	steps := m.steps
	periods(s, 10)
	shots := drain(s)
	if last := shots[len(shots)-1]; last.Reason != errFake.Error() || m.steps != steps {
		t.Errorf("reason %q, %v steps more", last.Reason, m.steps-steps)
	}
}

func TestStartDisabled(t *testing.T) {
	o := fakeOptions()
	o.Disabled = true
	s, m, _ := newFake(t, o)
	if s.Post(portForce, []float64{5, 5}) != NotEnabled {
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

func TestStepIsInterrupted(t *testing.T) {
	t.Run("e_stop", func(t *testing.T) {
		s, m := into(t, "PAUSED")
		c := call{Request{Verb: Step, Steps: 100}, make(chan Reply, 1)}
		s.handle(c)
		s.stepOnce()
		again := call{Request{Verb: Step, Steps: 1}, make(chan Reply, 1)}
		s.handle(again)
		if r := <-again.reply; r.OK || !strings.Contains(r.Message, "99 periods to go") {
			t.Errorf("a second step request: %+v", r)
		}
		stop := call{Request{Verb: EStop}, make(chan Reply, 1)}
		s.handle(stop)
		s.stepOnce()
		if r := <-c.reply; r.OK || !strings.Contains(r.Message, "1 periods simulated, then FAULT: emergency stop") || m.steps != 4 {
			t.Errorf("%+v after %v steps", r, m.steps)
		}
	})
	t.Run("failure", func(t *testing.T) {
		s, m := into(t, "PAUSED")
		m.failAt = 10
		if r := ask(t, s, "step 5"); r.OK || !strings.Contains(r.Message, "2 periods simulated, then FAULT: fake:") {
			t.Errorf("%+v", r)
		}
	})
	t.Run("too slow", func(t *testing.T) {
		s, m := into(t, "PAUSED")
		m.cost = func(float64) time.Duration { return stepTime / 8 }
		if r := ask(t, s, "step 5"); r.OK || !strings.Contains(r.Message, "3 periods simulated when the time") {
			t.Errorf("%+v", r)
		}
		if s.State() != Paused {
			t.Errorf("state %v", s.State())
		}
	})
}

func TestFailedStep(t *testing.T) {
	s, m, _ := newFake(t, fakeOptions())
	m.failAt = 11 // the third step of the third period
	periods(s, 10)
	shots := drain(s)
	last := shots[len(shots)-1]
	if last.State != Fault || last.Reason != errFake.Error() || last.Period != 2 || last.SimTime != 10/(4*fakeHz) {
		t.Errorf("%v %q in period %d at %v s", last.State, last.Reason, last.Period, last.SimTime)
	}
	if want := 2 * 10 / (4 * fakeHz); last.Values[portJoints][0] != want {
		t.Errorf("x = %v, want that of the last good step, %v", last.Values[portJoints][0], want)
	}
	m.failAt = 0
	ask(t, s, "enable")
	periods(s, 1)
	if m.steps != 14 {
		t.Errorf("%v steps after enable, want 14", m.steps)
	}
}

// A model that gives NaN, against its contract, is stopped before anybody sees.
func TestNotFiniteNeverLeaves(t *testing.T) {
	o := fakeOptions()
	o.PublishHz = fakeHz / 4
	s, m, _ := newFake(t, o)
	s.WantScene(true)
	m.brokenAt = 4*6 + 1 // the seventh period; snapshots are due every fourth
	periods(s, 20)
	shots := drain(s)
	for _, shot := range shots {
		if !shot.finite() {
			t.Fatalf("snapshot %d: %v", shot.Seq, shot.Values)
		}
	}
	last := shots[len(shots)-1]
	if last.State != Fault || !strings.Contains(last.Reason, "measured_js[1] = NaN") {
		t.Errorf("%v %q", last.State, last.Reason)
	}
	if last.Period != 4 || last.Values[portJoints][0] != 2*4/fakeHz {
		t.Errorf("period %d, values %v: want those of the last snapshot", last.Period, last.Values[portJoints])
	}
}

// A reset, too, is a state to return to.
func TestNotFiniteAfterReset(t *testing.T) {
	s, m, _ := newFake(t, fakeOptions())
	periods(s, 5)
	ask(t, s, "reset")
	m.brokenAt = 1
	drain(s)
	periods(s, 1)
	if last := drain(s)[0]; last.Period != 0 || last.State != Fault || m.x != [2]float64{} {
		t.Errorf("%v in period %d, positions %v", last.State, last.Period, m.x)
	}
}

func TestReset(t *testing.T) {
	for _, state := range []string{"ENABLED", "PAUSED", "DISABLED", "FAULT", "HALTED"} {
		s, m := into(t, state)
		s.Post(portForce, []float64{9, 9})
		if state != "PAUSED" {
			periods(s, 50)
			s.Post(portForce, []float64{8, 8}) // still waiting at the reset
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
				s.Post(portLength, []float64{2, 0})
			}
			periods(s, 1)
			history = append(history, fmt.Sprintf("%x %x %x", m.x, m.u, s.simTime()))
		}
		return history
	}
	s.Post(portForce, []float64{9, 0})
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
