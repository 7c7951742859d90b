package faults

import (
	"sync"
	"time"
)

// sleeper measures what the computer takes from a program that does nothing but sleep, in
// the process of those who watch: nothing can be seen to recover meanwhile.
type sleeper struct {
	quit, ended chan struct{}

	mu     sync.Mutex
	stolen time.Duration
}

// A sleep of sleepTime that takes as long as noticed was held up by others.
const (
	sleepTime = 5 * time.Millisecond
	noticed   = 25 * time.Millisecond
)

func startSleeper() *sleeper {
	s := &sleeper{quit: make(chan struct{}), ended: make(chan struct{})}
	go func() {
		defer close(s.ended)
		for last := time.Now(); ; {
			select {
			case <-s.quit:
				return
			case <-time.After(sleepTime):
			}
			now := time.Now()
			if took := now.Sub(last); took > noticed {
				s.mu.Lock()
				s.stolen += took
				s.mu.Unlock()
			}
			last = now
		}
	}()
	return s
}

// sum is what was taken so far.
func (s *sleeper) sum() time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.stolen
}

func (s *sleeper) stop() { close(s.quit); <-s.ended }
