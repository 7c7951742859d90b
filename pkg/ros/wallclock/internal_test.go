package wallclock

import (
	"testing"
	"time"
)

// Tests of what has no exported name.

// A loop that sleeps until its deadlines lets other goroutines run between them, where there is time,
// and neither in every period nor so rarely that the runtime would do it at a deadline.
func TestYieldsBetweenDeadlines(t *testing.T) {
	c := New()
	yields := func(period time.Duration, count int) (n int) {
		last := c.yielded.Load()
		for due := c.Now() + period; count > 0; due, count = max(due, c.Now())+period, count-1 {
			c.SleepUntil(due)
			if now := c.yielded.Load(); now != last {
				last, n = now, n+1
			}
		}
		return n
	}
	begun := c.Now()
	n := yields(time.Millisecond, 100)
	if most := int((c.Now()-begun)/yieldPeriod) + 1; n < 15 || n > most {
		t.Errorf("%d yields in 100 periods of 1 ms, want 15 to %d", n, most)
	}
	time.Sleep(2 * yieldPeriod)
	if n := yields(yieldSlack/2, 100); n != 0 {
		t.Errorf("%d yields where there was no time", n)
	}
}
