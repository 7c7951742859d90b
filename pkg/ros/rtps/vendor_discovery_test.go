package rtps_test

import (
	"testing"
	"time"

	"sinew/pkg/ros/rtps"
)

// TestVendorDiscovery starts both sides again and again, in either order: they
// must see each other soon every time.
func TestVendorDiscovery(t *testing.T) {
	for _, c := range []struct {
		name   string
		vendor rtps.VendorInTest
		config string
		o      rtps.Options
	}{
		{"Cyclone, multicast", rtps.Cyclone, rtps.CycloneMulticast, rtps.Options{}},
		{"Cyclone, unicast", rtps.Cyclone, rtps.CycloneUnicast, rtps.Options{NoMulticast: true}},
		{"Fast DDS, multicast", rtps.Fast, "", rtps.Options{}},
		{"Fast DDS, our unicast only", rtps.Fast, "", rtps.Options{NoMulticast: true}},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.vendor.Command(t)
			rtps.Soon(t, 2*time.Second, func(i int) time.Duration { return meetOnce(t, c.vendor, c.config, c.o, i%2 == 0) })
		})
	}
}

// meetOnce is how long it takes from the start of the later side until both
// have data of the other.
func meetOnce(t *testing.T, v rtps.VendorInTest, config string, o rtps.Options, weFirst bool) time.Duration {
	t.Helper()
	var them *rtps.Peer
	if !weFirst {
		them = rtps.StartPeer(t, v, config, "sub", "rt/meet", "rt1")
	}
	start := time.Now()
	us := rtps.Join(t, o)
	w := rtps.PeerWriter(t, us, "rt/meet", rtps.Latched)
	rtps.Write(t, w, rtps.Numbers(1, 1))
	if weFirst {
		them = rtps.StartPeer(t, v, config, "sub", "rt/meet", "rt1")
	}
	rtps.Eventually(t, "latched sample", func() bool { return them.Len() == 1 })
	took := time.Since(start)
	them.Stdin.Close()
	us.Close()
	return took
}
