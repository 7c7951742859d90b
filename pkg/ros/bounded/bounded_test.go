package bounded_test

import (
	"slices"
	"sync"
	"testing"
	"time"

	"sinew/pkg/ros/bounded"
)

func TestQueueDropsOldest(t *testing.T) {
	q := bounded.NewQueue[int](3)
	for i := range 3 {
		if n := q.Put(i); n != 0 {
			t.Errorf("%d dropped %d", i, n)
		}
	}
	for i := 3; i < 5; i++ {
		if n := q.Put(i); n != 1 {
			t.Errorf("%d dropped %d", i, n)
		}
	}
	q.Close()
	if n := q.Put(5); n != 0 {
		t.Errorf("a closed queue dropped %d", n)
	}
	var got []int
	for {
		v, ok := q.Take()
		if !ok {
			break
		}
		got = append(got, v)
	}
	if !slices.Equal(got, []int{2, 3, 4}) || q.Dropped() != 2 {
		t.Errorf("got %v, %d dropped; want the newest three, 2 dropped", got, q.Dropped())
	}
}

func TestQueueSizes(t *testing.T) {
	q := bounded.NewSizedQueue(10, 100, func(n int) int { return n })
	for range 3 {
		q.Put(40)
	}
	if q.Len() != 2 || q.Size() != 80 || q.Dropped() != 1 {
		t.Errorf("%d items of %d wait, %d dropped", q.Len(), q.Size(), q.Dropped())
	}
	if n := q.Put(1000); n != 2 || q.Len() != 1 || q.Size() != 1000 {
		t.Errorf("%d gave way to a large item, %d items of %d wait", n, q.Len(), q.Size())
	}
	q.Discard()
	if _, ok := q.Take(); ok || q.Size() != 0 || q.Dropped() != 3 {
		t.Errorf("after Discard: taken %v, %d wait, %d dropped", ok, q.Size(), q.Dropped())
	}
}

// TestQueueGoroutines: nothing is lost between several senders and a receiver, and
// what each sends keeps its order.
func TestQueueGoroutines(t *testing.T) {
	const senders, each = 4, 5000
	q := bounded.NewQueue[[2]int](senders * each)
	var all sync.WaitGroup
	for s := range senders {
		all.Go(func() {
			for i := range each {
				q.Put([2]int{s, i})
			}
		})
	}
	go func() { all.Wait(); q.Close() }()
	var next [senders]int
	for {
		v, ok := q.Take()
		if !ok {
			break
		}
		if v[1] != next[v[0]] {
			t.Fatalf("%d came from %d, want %d", v[1], v[0], next[v[0]])
		}
		next[v[0]]++
	}
	for s, n := range next {
		if n != each {
			t.Errorf("%d items came from %d, want %d", n, s, each)
		}
	}
}

func TestRateLimiter(t *testing.T) {
	var now time.Duration
	l := bounded.NewRateLimiter[string](time.Second, func() time.Duration { return now })
	for _, c := range []struct {
		at   time.Duration
		key  string
		held int
		ok   bool
	}{
		{0, "a", 0, true}, {0, "b", 0, true}, {0, "a", 0, false}, {999 * time.Millisecond, "a", 0, false},
		{time.Second, "a", 2, true}, {time.Second, "b", 0, true}, {1999 * time.Millisecond, "a", 0, false}, {2 * time.Second, "a", 1, true},
	} {
		now = c.at
		if held, ok := l.Pass(c.key); held != c.held || ok != c.ok {
			t.Errorf("%v %s: %d held, %v; want %d, %v", c.at, c.key, held, ok, c.held, c.ok)
		}
	}
}

// What was held back is logged once its period is over, although nothing follows.
func TestRateLimiterOverdue(t *testing.T) {
	var now time.Duration
	l := bounded.NewRateLimiter[string](time.Second, func() time.Duration { return now })
	overdue := func() (n int) {
		l.Overdue(func(key string, held int) {
			if key != "a" {
				t.Errorf("%s is overdue", key)
			}
			n += held
		})
		return n
	}
	for _, key := range []string{"a", "a", "a", "b"} {
		l.Pass(key)
	}
	now = time.Second - 1
	if n := overdue(); n != 0 {
		t.Errorf("%d overdue before the period is over", n)
	}
	now = time.Second
	if n := overdue(); n != 2 {
		t.Errorf("%d overdue, want 2", n)
	}
	if _, ok := l.Pass("a"); ok || overdue() != 0 {
		t.Error("what was overdue has passed: its period begins anew")
	}
}

func BenchmarkQueue(b *testing.B) {
	q := bounded.NewQueue[[]byte](16)
	m := make([]byte, 100)
	b.ReportAllocs()
	for b.Loop() {
		q.Put(m)
		q.Put(m)
		q.Take()
		q.Take()
	}
}

// TestRingDoesNotAllocate: a ring keeps its storage, full or not.
func TestRingDoesNotAllocate(t *testing.T) {
	const limit = 64
	r := bounded.NewRing[int](limit)
	for range limit {
		r.Put(0)
	}
	if n := testing.AllocsPerRun(100, func() { r.Put(1) }); n != 0 {
		t.Errorf("%g allocations per item of a full ring", n)
	}
	for range limit / 2 {
		r.Take()
	}
	if n := testing.AllocsPerRun(100, func() {
		r.Take()
		r.Put(1)
	}); n != 0 {
		t.Errorf("%g allocations per item of a ring with room", n)
	}
}

// TestQueueToTheByte: items wait whose sizes add up to the limit, and no more.
func TestQueueToTheByte(t *testing.T) {
	q := bounded.NewSizedQueue(10, 100, func(n int) int { return n })
	for _, c := range []struct{ size, dropped, left int }{{60, 0, 60}, {40, 0, 100}, {1, 1, 41}, {59, 0, 100}, {100, 3, 100}, {101, 1, 101}} {
		if n := q.Put(c.size); n != c.dropped || q.Size() != c.left {
			t.Errorf("an item of %d: %d dropped, %d bytes wait; want %d, %d", c.size, n, q.Size(), c.dropped, c.left)
		}
	}
}
