package sim

import (
	"strings"
	"sync"
	"testing"
	"time"
)

// Tests of what has no exported name.

func TestDo(t *testing.T) {
	for _, lockstep := range []bool{false, true} {
		o := FakeOptions()
		o.Lockstep = lockstep
		s, _, _ := NewFake(t, o)
		end := start(t, s)
		for _, tt := range []struct {
			request Request
			ok      bool
			message string
		}{
			{Request{Verb: Pause}, true, "PAUSED"},
			{Request{Verb: Pause}, true, "already PAUSED"},
			{Request{Verb: SaveState}, true, "state saved"},
			{Request{Verb: Step, Steps: 100}, true, "100 periods simulated"},
			{Request{Verb: Step}, false, "from 1 to"},
			{Request{Verb: Step, Steps: MaxSteps + 1}, false, "from 1 to"},
			{Request{Verb: RestoreState}, true, "state restored"},
			{Request{Verb: Resume}, true, "ENABLED"},
			{Request{Verb: EStop}, true, "FAULT"},
			{Request{Verb: Resume}, false, "only enable"},
			{Request{}, false, "unknown request"},
		} {
			r := s.Do(tt.request)
			if r.OK != tt.ok || !strings.Contains(r.Message, tt.message) {
				t.Errorf("lock-step %v, %v: %+v, want %q", lockstep, tt.request, r, tt.message)
			}
		}
		end()
	}
}

// Requests from many goroutines are all answered, also across the end of Run.
func TestDoConcurrently(t *testing.T) {
	s, _, _ := NewFake(t, FakeOptions())
	end := start(t, s)
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			for k := range 50 {
				r := s.Do(Request{Verb: []Verb{Pause, Resume, SaveState, Step}[(i+k)%4], Steps: 3})
				if r.Message == "" {
					t.Errorf("%+v", r)
				}
				if i == 0 && k == 25 {
					end()
				}
			}
		})
	}
	wg.Wait()
	end()
}

// An emergency stop overtakes all that waits, and a step at work ends at once.
func TestEStopWaitsForNothing(t *testing.T) {
	for _, lockstep := range []bool{false, true} {
		o := FakeOptions()
		o.Lockstep = lockstep
		s, m, _ := NewFake(t, o)
		// the fake clock stands, so that the loop turns as fast as it can
		late := 0 // steps begun while the stop waits
		m.Cost = func(float64) time.Duration {
			if s.requests.urgent.stops.pending() {
				late++
			}
			time.Sleep(100 * time.Microsecond)
			return time.Microsecond
		}
		end := start(t, s)
		s.Do(Request{Verb: Pause})
		const steps = maxStepTime * FakeHz // 6 s of work at least
		stepped := make(chan Reply, 1)
		go func() { stepped <- s.Do(Request{Verb: Step, Steps: steps}) }()
		for !s.loop.steps.active.Load() {
			time.Sleep(time.Millisecond)
		}
		for range 100 {
			go s.Do(Request{Verb: SaveState})
		}
		if r := s.Do(Request{Verb: EStop}); !r.OK || s.State() != Fault {
			t.Errorf("%+v, %v", r, s.State())
		}
		if r := <-stepped; r.OK || !strings.Contains(r.Message, "then FAULT: emergency stop") {
			t.Errorf("%+v", r)
		}
		end()
		if late > s.loop.time.perPeriod {
			t.Errorf("%d steps were begun before FAULT, which is more than the rest of a period of %d", late, s.loop.time.perPeriod)
		}
	}
}

// What was asked for before an emergency stop does not take that back, though the stop
// overtakes it; what is asked for after it does.
func TestEStopHoldsAgainstEarlierRequests(t *testing.T) {
	for verb, want := range map[Verb]string{
		Enable: "cancelled by a later e_stop", Reset: "cancelled by a later e_stop", SaveState: "state saved",
	} {
		s, _, _ := NewFake(t, FakeOptions())
		close(s.requests.started)
		replies := make(chan Reply, 1)
		ask := func(verb Verb) { go func() { replies <- s.Do(Request{Verb: verb}) }() }
		ask(verb)
		earlier := <-s.requests.queue
		go s.Do(Request{Verb: EStop})
		<-s.requests.urgent.stops.wake
		s.loop.serveUrgent()
		s.loop.handleQueued(earlier)
		if r := <-replies; !strings.Contains(r.Message, want) || s.State() != Fault || s.loop.state.reason != ReasonEStop {
			t.Errorf("%v, then e_stop: %+v, %v %q", verb, r, s.State(), s.loop.state.reason)
		}
		ask(Enable)
		s.loop.handleQueued(<-s.requests.queue)
		if r := <-replies; !r.OK || s.loop.state.current != Enabled {
			t.Errorf("enable after e_stop: %+v, %v", r, s.loop.state.current)
		}
	}
}

// What is asked for after a stop is done after it, also where the loop hears of it first.
func TestEnableAfterEStop(t *testing.T) {
	s, _, _ := NewFake(t, FakeOptions())
	close(s.requests.started)
	s.EStop()
	replies := make(chan Reply, 1)
	go func() { replies <- s.Do(Request{Verb: Enable}) }()
	s.loop.handleQueued(<-s.requests.queue)
	s.loop.serve()
	if r := <-replies; r.Message != "ENABLED" || s.State() != Enabled {
		t.Errorf("%+v, then %v", r, s.State())
	}
}

// From the request on nothing is accepted, even while the loop is in a long step.
func TestEStopRefusesAtOnce(t *testing.T) {
	s, _, _ := NewFake(t, FakeOptions())
	end := start(t, s)
	end() // the loop has ended: the request stays
	s.requests.urgent.stops.ask()
	if v := s.Post(Source{}, PortForce, []float64{2, 2}); v != NotEnabled || s.State() != Fault {
		t.Errorf("%v in %v", v, s.State())
	}
}

// Any request but another step, and saving, ends a step at work.
func TestRequestsEndSteps(t *testing.T) {
	for text, want := range map[string]string{
		"pause": "then pause", "resume": "then resume", "disable": "then disable", "reset": "then reset",
	} {
		s, m := Into(t, "PAUSED")
		c := call{Request{Verb: Step, Steps: 100}, make(chan Reply, 1)}
		s.loop.handle(c)
		s.loop.stepOnce()
		s.loop.handle(call{Request{Verb: SaveState}, make(chan Reply, 1)})
		s.loop.stepOnce()
		r, _ := ParseRequest(text)
		s.loop.handle(call{r, make(chan Reply, 1)})
		s.loop.stepOnce()
		if r := <-c.reply; r.OK || !strings.Contains(r.Message, "2 periods simulated") || !strings.Contains(r.Message, want) {
			t.Errorf("%s: %+v after %v steps", text, r, m.Steps)
		}
		if s.loop.steps.current != nil || s.loop.steps.active.Load() {
			t.Errorf("%s: the step is still at work", text)
		}
	}
}

// However many emergency stops wait, they are one: all are answered in one period, and
// none is left to act on what is enabled later.
func TestEStopsAreOne(t *testing.T) {
	s, _, _ := NewFake(t, FakeOptions())
	close(s.requests.started)
	const stops = 1000
	replies := make(chan Reply, stops)
	for range stops {
		wait := s.Ask(Request{Verb: EStop}) // waits from here on
		go func() { replies <- wait() }()
	}
	s.loop.serve()
	for range stops {
		select {
		case r := <-replies:
			if !r.OK || r.Message != "FAULT" {
				t.Fatalf("%+v", r)
			}
		case <-time.After(5 * time.Second):
			t.Fatal("some emergency stops wait for another period")
		}
	}
	go s.Do(Request{Verb: Enable})
	s.loop.handleQueued(<-s.requests.queue)
	for range 10 {
		s.loop.serve()
	}
	if s.State() != Enabled {
		t.Errorf("%v: a stop from before has acted", s.State())
	}
	s.EStop()
	if s.State() != Fault || s.loop.state.current != Enabled {
		t.Errorf("%v, the loop %v: a stop shows before the loop has done it", s.State(), s.loop.state.current)
	}
	s.loop.serve()
	if s.loop.state.current != Fault {
		t.Errorf("%v", s.loop.state.current)
	}
}

// Who keeps on stopping keeps no other request waiting.
func TestRequestsBesideEStops(t *testing.T) {
	s, _, _ := NewFake(t, FakeOptions())
	close(s.requests.started)
	replies := make(chan Reply, 1)
	go func() { replies <- s.Do(Request{Verb: SaveState}) }()
	for len(replies) == 0 {
		s.EStop()
		s.loop.serve()
		time.Sleep(time.Millisecond)
		if t.Context().Err() != nil || s.requests.urgent.stops.asked.Load() > 5000 {
			t.Fatal("save_state waits for the end of the stops")
		}
	}
}

// A stop from before the first period is not lost.
func TestEStopBeforeRun(t *testing.T) {
	s, _, _ := NewFake(t, FakeOptions())
	if r := s.Do(Request{Verb: EStop}); r.OK || !strings.Contains(r.Message, "begin in FAULT") {
		t.Errorf("%+v", r)
	}
	end := start(t, s)
	for s.Stats().Periods == 0 {
		time.Sleep(time.Millisecond)
	}
	end()
	if s.loop.state.current != Fault {
		t.Errorf("%v", s.loop.state.current)
	}
}
