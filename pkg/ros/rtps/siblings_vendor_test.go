package rtps_test

import (
	"slices"
	"testing"

	"sinew/pkg/ros/rtps"
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
	w := rtps.PeerWriter(t, rtps.Join(t, rtps.Options{}), "rt/siblings", rtps.QoS{Reliable: true, TransientLocal: true, Depth: 2})
	for i := range 5 {
		rtps.Write(t, w, rtps.Numbers(i, 1))
	}
	readers := 2
	if begun { // somebody who has both the kept samples and what comes
		_ = rtps.StartPeer(t, rtps.Cyclone, rtps.CycloneMulticast, "sub", "rt/siblings", "rv10")
		rtps.MatchedInTest(t, w, 1)
		readers++
	}
	them := rtps.StartPeer(t, rtps.Cyclone, rtps.CycloneMulticast, "sub", "rt/siblings", qos)
	rtps.Eventually(t, "both readers", func() bool { return w.Matched() == readers })
	rtps.Eventually(t, "kept samples", func() bool { return them.Len() >= 2 })
	rtps.Write(t, w, rtps.Numbers(5, 1))
	rtps.Eventually(t, "a sample after them", func() bool { return them.Len() == 3 })
	if got := them.Numbers(t, 1); !slices.Equal(got, []int{3, 4, 5}) {
		t.Errorf("the reader that wants what was kept got %v", got)
	}
}
