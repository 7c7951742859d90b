package sim

import (
	"strings"
	"sync"
	"testing"
	"time"
)

func TestDoBeforeRun(t *testing.T) {
	s, _, c := newFake(t, fakeOptions())
	before := c.now
	if r := s.Do(Request{Verb: Pause}); r.OK || r.Message != "the simulator is not running" {
		t.Errorf("%+v", r)
	}
	if waited := c.now - before; waited != time.Second {
		t.Errorf("gave up after %v", waited)
	}
}

func TestDo(t *testing.T) {
	for _, lockstep := range []bool{false, true} {
		o := fakeOptions()
		o.Lockstep = lockstep
		s, _, _ := newFake(t, o)
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
	s, _, _ := newFake(t, fakeOptions())
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
