package wallclock

import (
	"time"

	"sinew/pkg/sim"
)

// Clock shows Unix time as it was when the clock was made, carried on by the
// monotonic clock. It follows the rate that NTP gives the monotonic clock, but no jump of
// the computer's clock, so that it never goes back and deadlines hold. Stamps follow those.
type Clock struct{ start time.Time }

var _ sim.Clock = Clock{}

// New returns a clock that shows the present Unix time.
func New() Clock { return Clock{time.Now()} }

// Now is the time since the Unix epoch.
func (c Clock) Now() time.Duration {
	return time.Duration(c.start.UnixNano()) + time.Since(c.start)
}

// SleepUntil returns when Now has reached t. On Linux and the BSDs it is late by
// some 0.07 ms (median), by 0.5 ms elsewhere.
func (c Clock) SleepUntil(t time.Duration) {
	for {
		d := t - c.Now()
		if d <= 0 {
			return
		}
		sleep(d)
	}
}
