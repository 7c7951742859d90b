package run

import (
	"testing"
	"time"
)

// Only a loop that uses its processor keeps it from others.
func TestHog(t *testing.T) {
	const look = 50 * time.Millisecond
	type found struct{ age, used, since, late time.Duration }
	again := func(n int, f func(k int) found) (all []found) {
		for k := range n {
			all = append(all, f(k))
		}
		return all
	}
	at := func(k int) time.Duration { return time.Duration(k+1) * look }
	stopped := func(length, used time.Duration) []found {
		return []found{{0, look / 2, look, 0}, {length + look/2, used, length + look, length}, {length + 3*look/2, look / 2, look, 0}, {0, 0, look, 0}}
	}
	for _, c := range []struct {
		name  string
		looks []found
		at    int // the look that finds a hog; -1: none
	}{
		{"a period that does not end", again(10, func(k int) found { return found{at(k), look, look, 0} }), 5},
		{"one behind the other, never between two", again(100, func(int) found { return found{look / 3, look, look, 0} }), 60},
		{"between two now and then", again(200, func(k int) found { return found{look / 3 * time.Duration(min(1, k%50)), look, look, 0} }), -1},
		{"half of the time, found at work by chance", again(100, func(int) found { return found{look / 3, look / 2, look, 0} }), -1},
		{"stopped in the middle of a period", stopped(2*time.Second, look/2), -1},
		{"stopped while it has much to do", append(again(20, func(int) found { return found{look / 3, look, look, 0} }), stopped(2*time.Second, look/2)[1:]...), -1},
		{"the computer stood still, which counts as used", stopped(10*time.Second, 10*time.Second), -1},
		{"the loop's processor stands still, the guard's does not", again(100, func(k int) found { return found{at(k), 0, look, 0} }), -1},
		{"a processor of which others take three quarters", again(20, func(k int) found { return found{at(k), look / 4, look, 0} }), -1},
		{"a period that does not end, on a computer that stands still most of the time", again(10, func(k int) found { return found{3 * at(k), look, 3 * look, 2 * look} }), 5},
		{"the same where standing still counts as used", again(10, func(k int) found { return found{3 * at(k), 3 * look, 3 * look, 2 * look} }), 5},
		{"stopped, then a period that does not end", append(stopped(2*time.Second, look/2)[:2],
			again(10, func(k int) found { return found{2*time.Second + at(k), look, look, 0} })...), 6},
	} {
		var h hog
		var thread time.Duration
		got := -1
		for k, f := range c.looks {
			thread += f.used
			if h.look(f.age, thread, f.since, f.late) {
				got = k
				break
			}
		}
		if got != c.at {
			t.Errorf("%s: found at look %d, want %d", c.name, got, c.at)
		}
	}
}

// A thread spins when it keeps its processor from one look to the next.
func TestSpin(t *testing.T) {
	const look = 10 * time.Millisecond
	for _, c := range []struct {
		name  string
		used  time.Duration
		turns int64
		want  bool
	}{
		{"all the time", look, 0, true}, {"pushed off once", look, 1, true}, {"counted at ticks", look - 2*time.Millisecond, 0, true},
		{"asleep", 0, 0, false}, {"works and sleeps", look * 9 / 10, 10, false}, {"half of the time", look / 2, 1, false},
	} {
		var s spin
		if s.look(time.Hour, 7, look) {
			t.Errorf("%s: the first look found something", c.name)
		}
		if got := s.look(time.Hour+c.used, 7+c.turns, look); got != c.want {
			t.Errorf("%s: spins: %t, want %t", c.name, got, c.want)
		}
		s.forget()
		if s.look(time.Hour+2*look, 7, look) {
			t.Errorf("%s: not forgotten", c.name)
		}
	}
}
