package bounded_test

import (
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"
	"weak"

	"sinew/pkg/ros/bounded"
)

// TestRing compares with a slice.
func TestRing(t *testing.T) {
	const limit = 20
	r := bounded.NewRing[int](limit)
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
		if !slices.Equal(got, want) || r.Full() != (len(want) == limit) {
			t.Fatalf("holds %v, want %v", got, want)
		}
	}
}

// TestRingReleases wants the ring to refer to no more items than it holds.
func TestRingReleases(t *testing.T) {
	const limit = 3
	r := bounded.NewRing[*[64]int](limit)
	var all []weak.Pointer[[64]int]
	for range 100 {
		x := new([64]int)
		all = append(all, weak.Make(x))
		r.Put(x)
	}
	alive := func() (n int) {
		runtime.GC()
		for _, p := range all {
			if p.Value() != nil {
				n++
			}
		}
		return n
	}
	for held := limit; held >= 0; held-- {
		if n := alive(); n != held || r.Len() != held {
			t.Errorf("%d items are referred to and %d held, want %d", n, r.Len(), held)
		}
		r.Take()
	}
	runtime.KeepAlive(r)
}
