package wallclock_test

import (
	"testing"
	"time"

	"sinew/pkg/ros/wallclock"
)

// bench is a computer whose clock can be set.
type bench struct{ steady, unix time.Duration }

func (b *bench) pass(d time.Duration) { b.steady, b.unix = b.steady+d, b.unix+d }

func newBench(t *testing.T) (*bench, *wallclock.Stamps) {
	t.Helper()
	b := &bench{1000 * time.Second, 1000 * time.Second}
	return b, wallclock.NewStamps(func() wallclock.Reading { return wallclock.Reading{b.steady, b.unix, time.Microsecond} })
}

// run passes time in periods of a millisecond with a Look each second, and checks that no
// stamp repeats or goes back. It returns the corrections that were told.
func run(t *testing.T, b *bench, s *wallclock.Stamps, d time.Duration) (corrections []time.Duration) {
	t.Helper()
	last := s.At(b.steady)
	for i := range int(d / time.Millisecond) {
		b.pass(time.Millisecond)
		if i%1000 == 0 {
			if by := s.Look(); by != 0 {
				corrections = append(corrections, by)
			}
		}
		if now := s.At(b.steady); now <= last {
			t.Fatalf("stamp %v after %v", now, last)
		} else {
			last = now
		}
	}
	return corrections
}

// A correction forwards reaches the stamps within a second, and is logged once.
func TestStampsFollowForwards(t *testing.T) {
	b, s := newBench(t)
	const step = 50 * 365 * 24 * time.Hour // a boot in 1970
	b.unix += step
	if corrections := run(t, b, s, 10*time.Second); len(corrections) != 1 || corrections[0] != step {
		t.Errorf("told %v, want %v once", corrections, step)
	}
	if got := s.At(b.steady); got != b.unix || s.Ahead(b.steady) != 0 {
		t.Errorf("stamp %v, clock %v", got, b.unix)
	}
}

// A time that was read before the Look that found a correction forwards is not ahead.
func TestStampsOfJustBeforeALook(t *testing.T) {
	b, s := newBench(t)
	before := b.steady
	b.pass(time.Millisecond)
	b.unix += 2 * time.Hour
	s.Look()
	if ahead := s.Ahead(before); ahead != 0 {
		t.Errorf("%v ahead, want 0", ahead)
	}
}

// A correction backwards is worked off: stamps differ as time does, but for half a percent.
func TestStampsWorkOffBackwards(t *testing.T) {
	b, s := newBench(t)
	const step = 100 * time.Millisecond
	b.unix -= step
	if corrections := run(t, b, s, 10*time.Second); len(corrections) != 1 || corrections[0] != -step {
		t.Errorf("told %v, want %v once", corrections, -step)
	}
	if got, want := s.Ahead(b.steady), step-50*time.Millisecond; (got - want).Abs() > time.Millisecond {
		t.Errorf("%v ahead after 10 s, want %v", got, want)
	}
	run(t, b, s, 11*time.Second)
	if got := s.At(b.steady); got != b.unix || s.Ahead(b.steady) != 0 {
		t.Errorf("stamp %v, clock %v", got, b.unix)
	}
}

// One correction after another, also before the first is worked off.
func TestStampsOfClockSetBackAndForth(t *testing.T) {
	b, s := newBench(t)
	var sum int
	for i, step := range []time.Duration{-3, 2, -7200, 5, 7200, 4, -1} {
		b.unix += step * time.Second
		b.pass(137 * time.Millisecond * time.Duration(i))
		corrections := run(t, b, s, 5*time.Second)
		if len(corrections) != 1 || corrections[0] != step*time.Second {
			t.Errorf("step %d: told %v, want %v s", i, corrections, step)
		}
		sum += len(corrections)
		if s.At(b.steady) < b.unix {
			t.Errorf("step %d: stamp %v is behind the clock, %v", i, s.At(b.steady), b.unix)
		}
	}
	if sum != 7 {
		t.Errorf("%d corrections told", sum)
	}
}

// A clock that something slews is followed without a word.
func TestStampsFollowSlewing(t *testing.T) {
	b, s := newBench(t)
	for _, slew := range []time.Duration{2 * time.Millisecond, -2 * time.Millisecond} { // each second
		for range 30 {
			b.unix += slew
			if corrections := run(t, b, s, time.Second); len(corrections) != 0 {
				t.Fatalf("told %v", corrections)
			}
			if off := s.At(b.steady) - b.unix; off < 0 || off > 3*time.Millisecond {
				t.Fatalf("stamps are off by %v", off)
			}
		}
	}
}

// A comparison that was interrupted says nothing about the clocks.
func TestStampsIgnoreInterruptedReadings(t *testing.T) {
	took := time.Duration(0)
	unix := 1000 * time.Second
	s := wallclock.NewStamps(func() wallclock.Reading { return wallclock.Reading{1000 * time.Second, unix, took} })
	took, unix = 20*time.Millisecond, 1000*time.Second+20*time.Millisecond
	if by := s.Look(); by != 0 || s.At(0) != 0 {
		t.Errorf("by %v, stamps %v", by, s.At(0))
	}
}

// The real clocks of this computer agree.
func TestStampsOfThisComputer(t *testing.T) {
	c := wallclock.New()
	s := c.Stamps()
	for range 100 {
		if by := s.Look(); by != 0 {
			t.Errorf("corrected by %v", by)
		}
	}
	const slack = 100 * time.Millisecond
	before := time.Duration(time.Now().UnixNano())
	stamp := s.At(c.Now())
	if after := time.Duration(time.Now().UnixNano()); stamp < before-slack || stamp > after+slack {
		t.Errorf("the stamp %v is not from %v to %v", stamp, before, after)
	}
}
