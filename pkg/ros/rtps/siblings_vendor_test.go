package rtps

import (
	"slices"
	"testing"
)

// TestVendorSiblings: a process has a reader that wants what was kept and one that does not. Cyclone DDS
// takes each heartbeat for all readers of its participant, so that one that tells the second reader where
// to begin must not take what was kept from the first.
func TestVendorSiblings(t *testing.T) {
	for _, qos := range []string{"rt2+rv1", "rt2+rv1<"} {
		for _, begun := range []bool{false, true} {
			t.Run(qos, func(t *testing.T) { kept(t, qos, begun) })
		}
	}
}

// kept writes five samples, of which the last two are kept, before or after the two readers are there.
func kept(t *testing.T, qos string, begun bool) {
	w := peerWriter(t, join(t, Options{}), "rt/siblings", QoS{Reliable: true, TransientLocal: true, Depth: 2})
	for i := range 5 {
		write(t, w, numbers(i, 1))
	}
	readers := 2
	if begun { // somebody who has both the kept samples and what comes
		_ = startPeer(t, cyclone, cycloneMulticast, "sub", "rt/siblings", "rv10")
		matched(t, w, 1)
		readers++
	}
	them := startPeer(t, cyclone, cycloneMulticast, "sub", "rt/siblings", qos)
	eventually(t, "both readers", func() bool { return w.Matched() == readers })
	eventually(t, "kept samples", func() bool { return them.len() >= 2 })
	write(t, w, numbers(5, 1))
	eventually(t, "a sample after them", func() bool { return them.len() == 3 })
	if got := them.numbers(t, 1); !slices.Equal(got, []int{3, 4, 5}) {
		t.Errorf("the reader that wants what was kept got %v", got)
	}
}
