package rtps

import (
	"testing"
	"time"
)

// TestVendorDiscovery starts both sides again and again, in either order: they
// must see each other soon every time.
func TestVendorDiscovery(t *testing.T) {
	for _, c := range []struct {
		name   string
		vendor vendor
		config string
		o      Options
	}{
		{"Cyclone, multicast", cyclone, cycloneMulticast, Options{}},
		{"Cyclone, unicast", cyclone, cycloneUnicast, Options{NoMulticast: true}},
		{"Fast DDS, multicast", fast, "", Options{}},
		{"Fast DDS, our unicast only", fast, "", Options{NoMulticast: true}},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.vendor.command(t)
			soon(t, 2*time.Second, func(i int) time.Duration { return meetOnce(t, c.vendor, c.config, c.o, i%2 == 0) })
		})
	}
}

// meetOnce is how long it takes from the start of the later side until both
// have data of the other.
func meetOnce(t *testing.T, v vendor, config string, o Options, weFirst bool) time.Duration {
	t.Helper()
	var them *peer
	if !weFirst {
		them = startPeer(t, v, config, "sub", "rt/meet", "rt1")
	}
	start := time.Now()
	us := join(t, o)
	w := peerWriter(t, us, "rt/meet", latched)
	write(t, w, numbers(1, 1))
	if weFirst {
		them = startPeer(t, v, config, "sub", "rt/meet", "rt1")
	}
	eventually(t, "latched sample", func() bool { return them.len() == 1 })
	took := time.Since(start)
	them.stdin.Close()
	us.Close()
	return took
}
