package wallclock

import (
	"runtime"
	"sync/atomic"
	"time"

	"sinew/pkg/sim"
)

// Clock is Unix time at the creation of the clock plus the monotonic clock. It has the rate to
// which NTP adjusts the monotonic clock, but no jump of the computer's clock, so that it never goes
// back and deadlines hold. Stamps follow the jumps.
type Clock struct {
	start   time.Time
	yielded *atomic.Int64 // when SleepUntil last yielded to other goroutines, in the time of Now, ns
}

var _ sim.Clock = Clock{}

// New returns a clock that begins at the present Unix time.
func New() Clock { return Clock{time.Now(), new(atomic.Int64)} }

// The Go runtime preempts a goroutine that has run for 10 ms without a break, and counts sleeps in
// the kernel as running. Without SleepUntil, that preemption would occur at the deadline, and its
// monitoring would keep a thread of the runtime awake. Therefore SleepUntil yields every
// yieldPeriod if there is yieldSlack before the deadline.
const (
	yieldPeriod = 5 * time.Millisecond
	yieldSlack  = 300 * time.Microsecond
)

// Now returns the time since the Unix epoch.
func (c Clock) Now() time.Duration {
	return time.Duration(c.start.UnixNano()) + time.Since(c.start)
}

// SleepUntil returns when Now has reached t. On Linux and the BSDs it is late by
// some 0.07 ms (median), by 0.5 ms elsewhere.
func (c Clock) SleepUntil(t time.Duration) {
	for {
		now := c.Now()
		d := t - now
		if d <= 0 {
			return
		}
		if d > yieldSlack && now-time.Duration(c.yielded.Load()) >= yieldPeriod {
			c.yielded.Store(int64(now))
			runtime.Gosched()
			continue
		}
		sleep(d)
	}
}
