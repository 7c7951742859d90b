package wallclock

import (
	"testing"
	"time"
)

// sleepSlack is how late a sleep may end on a busy test machine, the best of a few times. It
// is far above the expected 0.1 ms and far below the error of a wrong unit.
const sleepSlack = 500 * time.Millisecond

// best is the least of a few times: what the machine takes from one it does not take from all.
func best(once func() time.Duration) time.Duration {
	least := once()
	for i := 0; i < 20 && least > sleepSlack; i++ {
		least = min(least, once())
	}
	return least
}

func TestShowsUnixTime(t *testing.T) {
	before := time.Now().UnixNano()
	now := New().Now().Nanoseconds()
	if after := time.Now().UnixNano(); now < before || now > after {
		t.Errorf("Now() = %d ns, want between %d and %d", now, before, after)
	}
}

func TestNeverGoesBack(t *testing.T) {
	c := New()
	for last, i := c.Now(), 0; i < 100_000; i++ {
		now := c.Now()
		if now < last {
			t.Fatalf("Now() went from %v back to %v", last, now)
		}
		last = now
	}
}

func TestSleepsToTheDeadline(t *testing.T) {
	c := New()
	for _, d := range []time.Duration{time.Microsecond, 300 * time.Microsecond, 5 * time.Millisecond} {
		late := best(func() time.Duration {
			deadline := c.Now() + d
			c.SleepUntil(deadline)
			return c.Now() - deadline
		})
		if late < 0 || late > sleepSlack {
			t.Errorf("a sleep of %v ended %v after its deadline, want 0 to %v", d, late, sleepSlack)
		}
	}
}

func TestDoesNotSleepForThePast(t *testing.T) {
	c := New()
	took := best(func() time.Duration {
		start := time.Now()
		for range 1000 {
			c.SleepUntil(c.Now() - time.Hour)
			c.SleepUntil(0)
		}
		return time.Since(start)
	})
	if took > sleepSlack {
		t.Errorf("2000 sleeps until a past time took %v", took)
	}
}

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
