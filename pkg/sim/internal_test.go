package sim

import (
	"strings"
	"testing"
	"time"
)

// Tests of what has no exported name.

// A name that is learned later does not make another source.
func TestNamesOfSources(t *testing.T) {
	id := [16]byte{7}
	for _, tt := range []struct {
		a, b Source
		same bool
	}{
		{Source{ID: id}, Source{ID: id, Name: "/a"}, true},
		{Source{ID: id, Name: "/a"}, Source{Name: "/a"}, false},
		{Source{Name: "/a"}, Source{Name: "/a"}, true},
		{Source{Name: "/a"}, Source{Name: "/b"}, false},
	} {
		if got := tt.a.is(tt.b); got != tt.same {
			t.Errorf("%+v is %+v: %v", tt.a, tt.b, got)
		}
	}
}

// In lock-step a silence lasts for simulated time: a commander that thinks for long is
// still the commander, and one that lets the time-out pass on the way of another group's
// commands is not.
func TestCommandersInLockstep(t *testing.T) {
	o := FakeOptions()
	o.Lockstep = true
	s, _, c, a, b := Commanding(t, o)
	Periods(s, 1)
	c.NowValue += time.Hour
	if v := s.Post(b, PortForce, []float64{2, 2}); v != NotInCommand {
		t.Errorf("after an hour in which time stood: %v", v)
	}
	if g := s.Stats().Groups[0]; g.Commander != a.Name || s.Commander(PortForce) != a.Name {
		t.Errorf("%+v, %q", g, s.Commander(PortForce))
	}
	other := Source{Name: "/lab/wrench"}
	const limit = int(FakeHz / 8) // periods in the time-out
	for k := range limit {
		if v := s.Post(b, PortForce, []float64{2, 2}); v != NotInCommand {
			t.Fatalf("after %d periods: %v", k, v)
		}
		s.Post(other, PortWrench, make([]float64, 7))
		s.loop.period(1)
	}
	if v := s.Post(b, PortForce, []float64{2, 2}); v != Accepted {
		t.Errorf("after the time-out: %v", v)
	}
}

// In lock-step a command that the full queue refuses takes no group.
func TestOverflowTakesNoGroup(t *testing.T) {
	o := FakeOptions()
	o.Lockstep = true
	s, _, _ := NewFake(t, o)
	a, b := Source{Name: "/lab/a"}, Source{Name: "/lab/b"}
	for range queueSize {
		s.Post(a, PortWrench, make([]float64, 7))
	}
	if v := s.Post(b, PortForce, []float64{2, 2}); v != Overflow || s.Commander(PortForce) != "" {
		t.Errorf("%v, and %q commands", v, s.Commander(PortForce))
	}
	s.loop.period(1)
	if v := s.Post(a, PortForce, []float64{2, 2}); v != Accepted {
		t.Errorf("another source: %v", v)
	}
}

// The queue takes as many commands as it has places, whatever went through before, and
// gives them back in order.
func TestCommandQueueKeepsOrder(t *testing.T) {
	q := newCommandQueue(2)
	added, taken := 0, 0
	add := func() bool {
		ok := q.add(added%3, []float64{float64(added)})
		if ok {
			added++
		}
		return ok
	}
	take := func() {
		port, v, ok := q.peek()
		if !ok || port != taken%3 || len(v) != 1 || v[0] != float64(taken) {
			t.Fatalf("command %d: port %d, %v, %t", taken, port, v, ok)
		}
		q.drop()
		taken++
	}
	for range 3 * queueSize { // one at a time
		if !add() {
			t.Fatalf("command %d is refused by an empty queue", added)
		}
		take()
	}
	for range queueSize {
		if !add() {
			t.Fatalf("command %d is refused with %d waiting", added, added-taken)
		}
	}
	if add() {
		t.Error("a full queue takes a command")
	}
	if take(); !add() || add() {
		t.Error("a place that is free is not used once")
	}
	for taken < added {
		take()
	}
	if _, _, ok := q.peek(); ok || !q.empty() {
		t.Error("a queue that was emptied is not empty")
	}
	add()
	if q.clear(); !q.empty() {
		t.Error("a queue that was cleared is not empty")
	}
}

func TestStepIsInterrupted(t *testing.T) {
	t.Run("e_stop", func(t *testing.T) {
		s, m := Into(t, "PAUSED")
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
		if r := <-c.reply; r.OK || !strings.Contains(r.Message, "1 periods simulated, then FAULT: emergency stop") || m.Steps != 4 {
			t.Errorf("%+v after %v steps", r, m.Steps)
		}
	})
	t.Run("failure", func(t *testing.T) {
		s, m := Into(t, "PAUSED")
		m.FailAt = 10
		if r := Ask(t, s, "step 5"); r.OK || !strings.Contains(r.Message, "2 periods simulated, then FAULT: fake:") {
			t.Errorf("%+v", r)
		}
	})
	t.Run("too slow", func(t *testing.T) {
		s, m := Into(t, "PAUSED")
		m.Cost = func(float64) time.Duration { return stepTime / 8 }
		if r := Ask(t, s, "step 5"); r.OK || !strings.Contains(r.Message, "3 periods simulated when the time") {
			t.Errorf("%+v", r)
		}
		if s.State() != Paused {
			t.Errorf("state %v", s.State())
		}
	})
}

// A model that gives NaN, against its contract, is stopped before anybody sees.
func TestNotFiniteNeverLeaves(t *testing.T) {
	o := FakeOptions()
	o.PublishHz = FakeHz / 4
	s, m, _ := NewFake(t, o)
	s.WantScene(FakeOptions().MarkerHz)
	m.BrokenAt = 4*6 + 1 // the seventh period; snapshots are due every fourth
	Periods(s, 20)
	shots := Drain(s)
	for _, shot := range shots {
		if !shot.finite() {
			t.Fatalf("snapshot %d: %v", shot.Seq, shot.Values)
		}
	}
	last := shots[len(shots)-1]
	if last.State != Fault || !strings.Contains(last.Reason, "measured_js[1] = NaN") {
		t.Errorf("%v %q", last.State, last.Reason)
	}
	if last.Period != 4 || last.Values[PortJoints][0] != 2*4/FakeHz {
		t.Errorf("period %d, values %v: want those of the last snapshot", last.Period, last.Values[PortJoints])
	}
}

// The snapshot that tells of a failure does not wait for its turn, and bears the reason.
func TestFailureIsToldAtOnce(t *testing.T) {
	o := FakeOptions()
	o.PublishHz = FakeHz / 4
	s, m, _ := NewFake(t, o)
	m.FailAt = 4*5 + 2 // in the sixth period; snapshots are due every fourth
	m.BrokenAt = 4*5 + 1
	Periods(s, 6)
	shots := Drain(s)
	if last := shots[len(shots)-1]; last.State != Fault || last.Reason != ErrFake.Error() || !last.finite() {
		t.Errorf("%v %q at %v s", last.State, last.Reason, last.SimTime)
	}
}

// held is a model that counts how often it was held.
type held struct {
	*FakeModel
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
		m := &held{FakeModel: &FakeModel{U: [2]float64{2, 3}}}
		s, err := NewSimulator(m, &FakeClock{}, FakeOptions())
		if err != nil {
			t.Fatal(err)
		}
		m.FakeModel.clock = s.clock.(*FakeClock)
		Ask(t, s, "e_stop")
		Ask(t, s, "enable")
		if m.n != 0 {
			t.Errorf("held after an emergency stop")
		}
		m.FailAt = m.Steps + 2
		Periods(s, 1)
		m.FailAt = 0
		Ask(t, s, c.first)
		Ask(t, s, "enable")
		if m.n != c.want || (s.loop.inputs.Moving() == (c.want == 1)) {
			t.Errorf("%s, then enable: held %d times, want %d; moving: %v", c.first, m.n, c.want, s.loop.inputs.Moving())
		}
		Ask(t, s, "disable")
		Ask(t, s, "enable")
		if m.n != c.want {
			t.Errorf("%s: held again by a later enable", c.first)
		}
	}
}
