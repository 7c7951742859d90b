package sim

import (
	"runtime"
	"sync"
	"testing"
)

func TestMailboxNewestWins(t *testing.T) {
	m := NewMailbox(3)
	if _, _, ok := m.Take(); ok {
		t.Fatal("a new mailbox is not empty")
	}
	m.Put(1, []float64{1, 2, 3})
	m.Put(2, []float64{4})
	if port, v, ok := m.Take(); !ok || port != 2 || len(v) != 1 || v[0] != 4 {
		t.Errorf("took %v for port %d, %v", v, port, ok)
	}
	if _, _, ok := m.Take(); ok {
		t.Error("took the same command twice")
	}
}

// Many writers, one reader: every command taken is whole and, for each writer,
// newer than the one before; the newest is never lost.
func TestMailboxConcurrently(t *testing.T) {
	const writers, each, width = 4, 5000, 5
	m := NewMailbox(width)
	var wg sync.WaitGroup
	for w := range writers {
		wg.Go(func() {
			v := make([]float64, width)
			for k := range each {
				for i := range v {
					v[i] = float64(k)
				}
				m.Put(w, v)
			}
		})
	}
	finished := make(chan struct{})
	go func() { wg.Wait(); close(finished) }()
	last := [writers]float64{-1, -1, -1, -1}
	check := func() bool {
		port, v, ok := m.Take()
		if !ok {
			return false
		}
		for _, x := range v {
			if x != v[0] {
				t.Fatalf("torn command %v", v)
			}
		}
		if v[0] <= last[port] {
			t.Fatalf("port %d: %v after %v", port, v[0], last[port])
		}
		last[port] = v[0]
		return true
	}
	for !closed(finished) {
		check()
		runtime.Gosched()
	}
	check()
	newest := false
	for _, k := range last {
		newest = newest || k == each-1
	}
	if !newest {
		t.Errorf("the last commands taken were %v, none the newest", last)
	}
}

// Posting from many goroutines while the loop runs: nothing is lost count of,
// and the last command is what the actuators end up with.
func TestPostConcurrently(t *testing.T) {
	const writers, each = 4, 500
	o := fakeOptions()
	o.CommandTimeoutS = 0
	s, m, c := newFake(t, o)
	c.slept = func(int) { runtime.Gosched() }
	end := start(t, s)
	var wg sync.WaitGroup
	for w := range writers {
		wg.Go(func() {
			for k := range each {
				s.Post(w%2, []float64{float64(k % 3), 1})
				s.Reject(Stale)
			}
		})
	}
	wg.Wait()
	s.Post(portForce, []float64{7, 20})
	settled := s.Stats().Periods + 2*fakeHz
	for s.Stats().Periods < settled {
		runtime.Gosched()
	}
	end()
	if m.u != [2]float64{7, 10} {
		t.Errorf("forces %v, want those of the last command", m.u)
	}
	v := s.Stats().Verdicts
	if v[Accepted] != writers*each || v[Clamped] != 1 || v[Stale] != writers*each {
		t.Errorf("verdicts %v", v)
	}
}
