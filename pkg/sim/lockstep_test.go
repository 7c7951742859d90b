package sim

import (
	"fmt"
	"runtime"
	"slices"
	"testing"
)

// lockstepRun posts n commands to a running simulator and returns what came out
// in answer to each, bit by bit.
func lockstepRun(t *testing.T, n int) []string {
	o := FakeOptions()
	o.Lockstep = true
	o.PublishHz = FakeHz / 8 // of no account: every period gives a snapshot
	s, m, _ := NewFake(t, o)
	end := start(t, s)
	defer end()
	shot := s.NewSnapshot()
	next := func() string {
		for !s.Next(shot) {
			<-s.Ready()
		}
		return fmt.Sprintf("%d %x %x %x", shot.Period, shot.SimTime, shot.Values, shot.Gauges)
	}
	out := []string{next()} // the initial state
	for k := range n {
		v := []float64{float64(k%7) * 1.3, shot.Values[PortJoints][0] * 0.1} // a closed loop
		s.Post(Source{}, k/5%2, v)
		out = append(out, next())
	}
	end()
	if m.Steps != float64(4*n) || shot.Period != uint64(n) {
		t.Errorf("%d commands gave %v steps, %d periods", n, m.Steps, shot.Period)
	}
	return out
}

func TestLockstepIsRepeatable(t *testing.T) {
	const n = 200
	first := lockstepRun(t, n)
	if again := lockstepRun(t, n); !slices.Equal(first, again) {
		t.Error("two runs differ")
	}
	if len(first) != n+1 || first[1] == first[2] {
		t.Errorf("%d outputs: %v ...", len(first), first[:3])
	}
}

func TestLockstepKeepsOrder(t *testing.T) {
	o := FakeOptions()
	o.Lockstep = true
	s, m, _ := NewFake(t, o)
	m.Record = true
	for k := range queueSize {
		v := make([]float64, 7)
		v[0] = float64(k)
		if verdict := s.Post(Source{}, PortWrench, v); verdict != Accepted {
			t.Fatalf("command %d: %v", k, verdict)
		}
	}
	if verdict := s.Post(Source{}, PortWrench, make([]float64, 7)); verdict != Overflow {
		t.Errorf("one more: %v", verdict)
	}
	if got := s.Stats().Commands; got[Overflow] != 1 || got[Accepted] != queueSize {
		t.Errorf("counted %v", got)
	}
	end := start(t, s)
	for s.Stats().Periods < queueSize {
		<-s.Ready()
	}
	end()
	if m.Steps != 4*queueSize {
		t.Errorf("%v steps", m.Steps)
	}
	for k, c := range m.Commands {
		if c[1] != float64(k) {
			t.Fatalf("command %d has %v", k, c[1])
		}
	}
}

// A command that slipped in while the state changed makes no time pass either.
func TestLockstepDropsWhatSlippedIn(t *testing.T) {
	o := FakeOptions()
	o.Lockstep, o.Disabled = true, true
	s, m, _ := NewFake(t, o)
	s.intake.queue.add(PortForce, []float64{9, 9})
	end := start(t, s)
	for !s.intake.queue.empty() {
		runtime.Gosched()
	}
	if r := s.Do(Request{Verb: Enable}); !r.OK || m.Steps != 0 {
		t.Errorf("%+v, %v steps", r, m.Steps)
	}
	end()
}

// In lock-step commands grow old by the periods of other groups' commands.
func TestLockstepTimeout(t *testing.T) {
	o := FakeOptions()
	o.Lockstep = true
	s, m, _ := NewFake(t, o)
	s.Post(Source{}, PortWrench, []float64{1, 0, 0, 0, 0, 0, 0})
	s.loop.period(1)
	for range 40 { // 32 are the time-out
		s.Post(Source{}, PortForce, []float64{3, 3})
		s.loop.period(1)
	}
	st := s.Stats()
	if tendons, wrench := st.Groups[0], st.Groups[1]; tendons.Trips != 0 || tendons.Age != 0 || wrench.Trips != 1 || m.Wrench[0] != 0 {
		t.Errorf("%+v, wrench %v", st.Groups, m.Wrench)
	}
}

// A refused command makes no time pass.
func TestLockstepRefusals(t *testing.T) {
	o := FakeOptions()
	o.Lockstep = true
	s, m, _ := NewFake(t, o)
	end := start(t, s)
	s.Post(Source{}, PortForce, []float64{1})
	s.Do(Request{Verb: Disable})
	s.Post(Source{}, PortForce, []float64{1, 1})
	s.Do(Request{Verb: Enable})
	end()
	if got := s.Stats().Commands; m.Steps != 0 || got[WrongLength] != 1 || got[NotEnabled] != 1 {
		t.Errorf("%v steps, verdicts %v", m.Steps, got)
	}
}
