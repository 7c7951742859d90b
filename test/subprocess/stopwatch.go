package subprocess

import (
	"sync/atomic"
	"time"
)

// tick is what a Stopwatch counts. A tick that takes longer than standstill is one.
const (
	tick       = time.Millisecond
	standstill = 10 * time.Millisecond
)

// Stopwatch measures time as a latency probe of this process gets it: it counts how often one
// wakes that asks for a processor each millisecond. A machine that is taken away, or shared
// with many others, wakes it late; what it takes from the probe no program could have used.
type Stopwatch struct {
	ticks atomic.Int64
	stood atomic.Int64 // ns
	stop  atomic.Bool
}

// NewStopwatch begins to count.
func NewStopwatch() *Stopwatch {
	w := &Stopwatch{}
	go func() {
		for last := time.Now(); !w.stop.Load(); {
			time.Sleep(tick)
			now := time.Now()
			if took := now.Sub(last); took > standstill {
				w.stood.Add(int64(took - tick))
			}
			last = now
			w.ticks.Add(1)
		}
	}()
	return w
}

// Read returns how long it has counted.
func (w *Stopwatch) Read() time.Duration { return time.Duration(w.ticks.Load()) * tick }

// Stood returns for how long the computer stood still meanwhile.
func (w *Stopwatch) Stood() time.Duration { return time.Duration(w.stood.Load()) }

// Stop ends it and returns how long it has counted.
func (w *Stopwatch) Stop() time.Duration {
	w.stop.Store(true)
	return w.Read()
}

// Within waits for done, and no longer than limit. It reports whether done is closed.
func (w *Stopwatch) Within(done <-chan struct{}, limit time.Duration) bool {
	for w.Read() < limit {
		select {
		case <-done:
			return true
		case <-time.After(tick):
		}
	}
	select {
	case <-done:
		return true
	default:
		return false
	}
}
