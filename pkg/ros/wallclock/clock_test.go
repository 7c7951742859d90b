package wallclock_test

import (
	"testing"
	"time"

	"sinew/pkg/ros/wallclock"
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
	now := wallclock.New().Now().Nanoseconds()
	if after := time.Now().UnixNano(); now < before || now > after {
		t.Errorf("Now() = %d ns, want between %d and %d", now, before, after)
	}
}

func TestNeverGoesBack(t *testing.T) {
	c := wallclock.New()
	for last, i := c.Now(), 0; i < 100_000; i++ {
		now := c.Now()
		if now < last {
			t.Fatalf("Now() went from %v back to %v", last, now)
		}
		last = now
	}
}

func TestSleepsToTheDeadline(t *testing.T) {
	c := wallclock.New()
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
	c := wallclock.New()
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
