package bounded

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// Tests of what has no exported name.

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
