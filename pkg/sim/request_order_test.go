package sim

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// A flood of requests that stop the robot is one of each verb, done in one period, and one
// of requests that change nothing is refused in few.
func TestFloodOfRequests(t *testing.T) { synctest.Test(t, floodOfRequests) }

func floodOfRequests(t *testing.T) {
	s, _, _ := NewFake(t, FakeOptions())
	close(s.requests.started)
	const each = 500
	replies := make(chan Reply, 3*each)
	flood := func(v Verb) {
		for range each {
			wait := s.Ask(Request{Verb: v}) // what stops the robot waits from here on
			go func() { replies <- wait() }()
		}
	}
	answered := func(n int) {
		t.Helper()
		for range n {
			select {
			case <-replies:
			case <-time.After(time.Second): // all goroutines wait for something
				t.Fatal("some wait for another period")
			}
		}
	}
	flood(Pause)
	flood(Disable)
	if v := s.Post(Source{}, PortForce, []float64{2, 2}); v != NotEnabled || s.State() != Disabled {
		t.Errorf("%v in %v: commands are refused from the request on", v, s.State())
	}
	s.loop.serve()
	answered(2 * each)
	if s.loop.state.current != Disabled {
		t.Errorf("%v", s.loop.state.current)
	}
	flood(Resume)   // is refused
	synctest.Wait() // for all of them to wait
	Drain(s)
	for range (each + maxRefusals - 1) / maxRefusals {
		s.loop.serve()
		if n := len(Drain(s)); n > 1 {
			t.Fatalf("%d snapshots in one period", n)
		}
	}
	answered(each)
}

// The place of a request is taken when it arrives: what stops the robot later holds, what
// stopped it before does not, and what changes no state is done in any case.
func TestArrival(t *testing.T) {
	for _, c := range []struct {
		before, after, verb Verb
		want                string
	}{
		{0, EStop, Enable, "cancelled by a later e_stop"}, {0, EStop, RestoreState, "cancelled by a later e_stop"},
		{0, Disable, Enable, "cancelled by a later disable"}, {0, Pause, Resume, "cancelled by a later pause"}, {0, Pause, Step, "cancelled by a later pause"},
		{0, Pause, Reset, "back at the initial state"}, {0, EStop, SaveState, "state saved"},
		{EStop, 0, Enable, "ENABLED"}, {Disable, 0, Enable, "ENABLED"}, {Pause, 0, Resume, "ENABLED"},
	} {
		s, _, _ := NewFake(t, FakeOptions())
		end := start(t, s)
		var waits []func() Reply
		stop := func(v Verb) {
			if v != 0 {
				waits = append(waits, s.Ask(Request{Verb: v}))
			}
		}
		stop(c.before)
		at := s.Arrival()
		answer := s.Ask(Request{Verb: c.verb, Steps: 1})
		stop(c.after)
		if r := answer(); !strings.HasPrefix(r.Message, c.want) {
			t.Errorf("%v, %v, %v: %+v", c.before, c.verb, c.after, r)
		}
		if r := s.DoAt(at, Request{Verb: c.verb, Steps: 1}); c.after != 0 && !strings.HasPrefix(r.Message, c.want) {
			t.Errorf("%v, %v, %v by its arrival: %+v", c.before, c.verb, c.after, r)
		}
		for _, wait := range waits {
			wait()
		}
		end()
	}
}

// A pause that could not be done before its caller gave up is not done later.
func TestPauseBeforeRun(t *testing.T) {
	s, _, _ := NewFake(t, FakeOptions())
	s.Do(Request{Verb: Pause})
	if s.State() != Enabled {
		t.Errorf("%v", s.State())
	}
	end := start(t, s)
	for s.Stats().Periods == 0 {
		time.Sleep(time.Millisecond)
	}
	end()
	if s.loop.state.current != Enabled {
		t.Errorf("%v", s.loop.state.current)
	}
}

// A stop wakes a loop that waits for commands, and who shows the state.
func TestStopsWake(t *testing.T) {
	o := FakeOptions()
	o.Lockstep = true
	s, _, _ := NewFake(t, o)
	end := start(t, s)
	defer end()
	for s.Stats().Periods == 0 && len(s.snapshots.ready) == 0 {
		time.Sleep(time.Millisecond)
	}
	<-s.Ready()
	s.EStop()
	shot := s.NewSnapshot()
	for begun := time.Now(); shot.State != Fault; time.Sleep(time.Millisecond) {
		s.Next(shot)
		if time.Since(begun) > 5*time.Second {
			t.Fatal("the loop sleeps")
		}
	}
	s, _, _ = NewFake(t, FakeOptions()) // no loop runs
	if s.EStop(); len(s.Ready()) != 1 {
		t.Error("the stop is not reported")
	}
}

// What was commanded for a step that was ended is not for the next one.
func TestStepsDropCommands(t *testing.T) {
	s, m := Into(t, "PAUSED")
	s.loop.handle(call{Request{Verb: Step, Steps: 100}, make(chan Reply, 1)})
	s.loop.stepOnce()
	if v := s.Post(Source{}, PortForce, []float64{9, 9}); v != Accepted {
		t.Fatal(v)
	}
	s.loop.handle(call{Request{Verb: Pause}, make(chan Reply, 1)})
	s.loop.stepOnce()
	before := m.U
	Ask(t, s, "step 3")
	if m.U != before {
		t.Errorf("forces %v, before %v", m.U, before)
	}
}

// What the clock of a simulator asks for in its loop is done at once, without the loop.
func TestDoInLoop(t *testing.T) {
	s, _, _ := NewFake(t, FakeOptions())
	close(s.requests.started)
	Drain(s)
	for _, c := range []struct {
		verb Verb
		ok   bool
		want OperatingState
	}{
		{Pause, true, Paused}, {Resume, true, Enabled}, {EStop, true, Fault}, {Pause, false, Fault}, {Enable, true, Enabled},
		{Disable, true, Disabled}, {SaveState, true, Disabled}, {Reset, true, Disabled}, {TakeCommand, false, Disabled}, {Enable, true, Enabled},
	} {
		if r := s.DoInLoop(Request{Verb: c.verb}); r.OK != c.ok || s.State() != c.want || r.Message == "" {
			t.Errorf("%v: %+v in %v, want %v in %v", c.verb, r, s.State(), c.ok, c.want)
		}
	}
	if r := s.DoInLoop(Request{Verb: Step, Steps: 3}); r.OK || s.loop.steps.current != nil {
		t.Errorf("a step that takes periods: %+v", r)
	}
	if n := len(Drain(s)); n < 6 {
		t.Errorf("%d snapshots, want one of each change", n)
	}
}
