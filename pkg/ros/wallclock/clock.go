package wallclock

import (
	"runtime"
	"sync/atomic"
	"time"

	"sinew/pkg/sim"
)

// Clock shows Unix time as it was when the clock was made, carried on by the
// monotonic clock. It follows the rate that NTP gives the monotonic clock, but no jump of
// the computer's clock, so that it never goes back and deadlines hold. Stamps follow those.
type Clock struct {
	start   time.Time
	yielded *atomic.Int64 // when SleepUntil last let other goroutines run, as Now counts it, ns
}

var _ sim.Clock = Clock{}

// New returns a clock that shows the present Unix time.
func New() Clock { return Clock{time.Now(), new(atomic.Int64)} }

// The Go runtime takes a goroutine off its thread that has run for 10 ms without a break, and counts
// sleeps in the kernel as running. For one that wakes up in time that break comes at its deadline, and
// looking for it keeps a thread of the runtime awake. So SleepUntil takes it every yieldPeriod, where
// there is yieldSlack before the deadline.
const (
	yieldPeriod = 5 * time.Millisecond
	yieldSlack  = 300 * time.Microsecond
)

// Now is the time since the Unix epoch.
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
