package scheduling

import (
	"testing"
	"time"
)

// Tests of what has no exported name.

// Only a loop that uses its processor starves others.
func TestStarvationDetector(t *testing.T) {
	const interval = 50 * time.Millisecond
	type found struct{ age, used, since, late time.Duration }
	again := func(n int, f func(k int) found) (all []found) {
		for k := range n {
			all = append(all, f(k))
		}
		return all
	}
	at := func(k int) time.Duration { return time.Duration(k+1) * interval }
	stopped := func(length, used time.Duration) []found {
		return []found{{0, interval / 2, interval, 0}, {length + interval/2, used, length + interval, length}, {length + 3*interval/2, interval / 2, interval, 0}, {0, 0, interval, 0}}
	}
	for _, c := range []struct {
		name    string
		samples []found
		at      int // the sample that finds starvation; -1: none
	}{
		{"a period that does not end", again(10, func(k int) found { return found{at(k), interval, interval, 0} }), 5},
		{"one behind the other, never between two", again(100, func(int) found { return found{interval / 3, interval, interval, 0} }), 60},
		{"between two now and then", again(200, func(k int) found { return found{interval / 3 * time.Duration(min(1, k%50)), interval, interval, 0} }), -1},
		{"half of the time, found at work by chance", again(100, func(int) found { return found{interval / 3, interval / 2, interval, 0} }), -1},
		{"stopped in the middle of a period", stopped(2*time.Second, interval/2), -1},
		{"stopped while it has much to do", append(again(20, func(int) found { return found{interval / 3, interval, interval, 0} }), stopped(2*time.Second, interval/2)[1:]...), -1},
		{"the computer stood still, which counts as used", stopped(10*time.Second, 10*time.Second), -1},
		{"the loop's processor stands still, the guard's does not", again(100, func(k int) found { return found{at(k), 0, interval, 0} }), -1},
		{"a processor of which others take three quarters", again(20, func(k int) found { return found{at(k), interval / 4, interval, 0} }), -1},
		{"a period that does not end, on a computer that stands still most of the time", again(10, func(k int) found { return found{3 * at(k), interval, 3 * interval, 2 * interval} }), 5},
		{"the same where standing still counts as used", again(10, func(k int) found { return found{3 * at(k), 3 * interval, 3 * interval, 2 * interval} }), 5},
		{"stopped, then a period that does not end", append(stopped(2*time.Second, interval/2)[:2],
			again(10, func(k int) found { return found{2*time.Second + at(k), interval, interval, 0} })...), 6},
	} {
		var d starvationDetector
		var thread time.Duration
		got := -1
		for k, f := range c.samples {
			thread += f.used
			if d.sample(f.age, thread, f.since, f.late) {
				got = k
				break
			}
		}
		if got != c.at {
			t.Errorf("%s: found at sample %d, want %d", c.name, got, c.at)
		}
	}
}

// A thread spins when it keeps its processor from one sample to the next.
func TestSpinDetector(t *testing.T) {
	const interval = 10 * time.Millisecond
	for _, c := range []struct {
		name     string
		used     time.Duration
		switches int64
		want     bool
	}{
		{"all the time", interval, 0, true}, {"pushed off once", interval, 1, true}, {"counted at ticks", interval - 2*time.Millisecond, 0, true},
		{"asleep", 0, 0, false}, {"works and sleeps", interval * 9 / 10, 10, false}, {"half of the time", interval / 2, 1, false},
	} {
		var d spinDetector
		if d.sample(time.Hour, 7, interval) {
			t.Errorf("%s: the first sample found something", c.name)
		}
		if got := d.sample(time.Hour+c.used, 7+c.switches, interval); got != c.want {
			t.Errorf("%s: spins: %t, want %t", c.name, got, c.want)
		}
		d.reset()
		if d.sample(time.Hour+2*interval, 7, interval) {
			t.Errorf("%s: not reset", c.name)
		}
	}
}
