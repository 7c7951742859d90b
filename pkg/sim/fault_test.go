package sim

import (
	"strings"
	"testing"
	"time"
)

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

func TestStepIsInterrupted(t *testing.T) {
	t.Run("e_stop", func(t *testing.T) {
		s, m := into(t, "PAUSED")
		c := call{Request{Verb: Step, Steps: 100}, make(chan Reply, 1)}
		s.loop.handle(c)
		s.loop.stepOnce()
		again := call{Request{Verb: Step, Steps: 1}, make(chan Reply, 1)}
		s.loop.handle(again)
		if r := <-again.reply; r.OK || !strings.Contains(r.Message, "99 periods to go") {
			t.Errorf("a second step request: %+v", r)
		}
		stop := call{Request{Verb: EStop}, make(chan Reply, 1)}
		s.loop.handle(stop)
		s.loop.stepOnce()
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
	s.WantScene(fakeOptions().MarkerHz)
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

// The snapshot that tells of a failure does not wait for its turn, and bears the reason.
func TestFailureIsToldAtOnce(t *testing.T) {
	o := fakeOptions()
	o.PublishHz = fakeHz / 4
	s, m, _ := newFake(t, o)
	m.failAt = 4*5 + 2 // in the sixth period; snapshots are due every fourth
	m.brokenAt = 4*5 + 1
	periods(s, 6)
	shots := drain(s)
	if last := shots[len(shots)-1]; last.State != Fault || last.Reason != errFake.Error() || !last.finite() {
		t.Errorf("%v %q at %v s", last.State, last.Reason, last.SimTime)
	}
}

// held is a model that counts how often it was held.
type held struct {
	*fakeModel
	n int
}

func (h *held) Hold(float64) { h.n++ }

// Only the state before a failed step is held, and there actuation is safe at once; after
// a reset there is nothing to hold.
func TestEnableHoldsAfterFailure(t *testing.T) {
	for _, c := range []struct {
		first string
		want  int
	}{{"e_stop", 1}, {"reset", 0}} {
		m := &held{fakeModel: &fakeModel{u: [2]float64{2, 3}}}
		s, err := NewSimulator(m, &fakeClock{}, fakeOptions())
		if err != nil {
			t.Fatal(err)
		}
		m.fakeModel.clock = s.clock.(*fakeClock)
		ask(t, s, "e_stop")
		ask(t, s, "enable")
		if m.n != 0 {
			t.Errorf("held after an emergency stop")
		}
		m.failAt = m.steps + 2
		periods(s, 1)
		m.failAt = 0
		ask(t, s, c.first)
		ask(t, s, "enable")
		if m.n != c.want || (s.loop.inputs.Moving() == (c.want == 1)) {
			t.Errorf("%s, then enable: held %d times, want %d; moving: %v", c.first, m.n, c.want, s.loop.inputs.Moving())
		}
		ask(t, s, "disable")
		ask(t, s, "enable")
		if m.n != c.want {
			t.Errorf("%s: held again by a later enable", c.first)
		}
	}
}
