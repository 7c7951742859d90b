package bounded

import (
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"
)

// TestRing compares with a slice.
func TestRing(t *testing.T) {
	const limit = 20
	r := NewRing[int](limit)
	var want []int
	for i := range 10_000 {
		switch k := rand.IntN(200); {
		case k == 0:
			r.Clear()
			want = nil
		case k < 90:
			v, ok := r.Take()
			if ok != (len(want) > 0) || ok && v != want[0] {
				t.Fatalf("took %d, %v from %v", v, ok, want)
			}
			want = want[min(1, len(want)):]
		default:
			if dropped := r.Put(i); dropped != (len(want) == limit) {
				t.Fatalf("dropped %v with %d items", dropped, len(want))
			}
			want = append(want[max(0, len(want)-limit+1):], i)
		}
		var got []int
		for i := range r.Len() {
			got = append(got, *r.At(i))
		}
		if !slices.Equal(got, want) || r.Full() != (len(want) == limit) || len(r.items) > limit {
			t.Fatalf("holds %v in %d places, want %v", got, len(r.items), want)
		}
	}
}

func TestRingReleases(t *testing.T) {
	r := NewRing[*int](3)
	r.Put(new(int))
	r.Take()
	if r.items[0] != nil {
		t.Error("an item that was taken is still referred to")
	}
}

func TestQueueDropsOldest(t *testing.T) {
	q := NewQueue[int](3)
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
	q := NewSizedQueue(10, 100, func(n int) int { return n })
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
	q := NewQueue[[2]int](senders * each)
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
	l := NewRateLimiter[string](time.Second, func() time.Duration { return now })
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

// What was held back is told once its period is over, although nothing follows.
func TestRateLimiterOverdue(t *testing.T) {
	var now time.Duration
	l := NewRateLimiter[string](time.Second, func() time.Duration { return now })
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
	q := NewQueue[[]byte](16)
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
	r := NewRing[int](limit)
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
	q := NewSizedQueue(10, 100, func(n int) int { return n })
	for _, c := range []struct{ size, dropped, left int }{{60, 0, 60}, {40, 0, 100}, {1, 1, 41}, {59, 0, 100}, {100, 3, 100}, {101, 1, 101}} {
		if n := q.Put(c.size); n != c.dropped || q.Size() != c.left {
			t.Errorf("an item of %d: %d dropped, %d bytes wait; want %d, %d", c.size, n, q.Size(), c.dropped, c.left)
		}
	}
}
