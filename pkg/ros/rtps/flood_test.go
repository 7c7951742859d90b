package rtps_test

import (
	"net"
	"net/netip"
	"sync"
	"testing"
	"time"

	"sinew/pkg/ros/rtps"
	"sinew/pkg/ros/rtps/wire"
)

// TestFlood sends junk and made-up participants to both ports of a reader's
// participant, as fast as one socket can: a reliable writer must get through.
func TestFlood(t *testing.T) {
	const n = 200
	a, b := rtps.Join(t, rtps.Options{}), rtps.Join(t, rtps.Options{})
	w := rtps.NewWriter(t, a, "x", rtps.Reliable)
	r, got := rtps.NewReader(t, b, "x", rtps.Reliable)
	rtps.MatchedInTest(t, w, 1, r)

	stop := make(chan struct{})
	var flooding sync.WaitGroup
	flooding.Go(func() { flood(t, b, stop) })
	defer flooding.Wait()
	defer close(stop)
	rtps.Eventually(t, "flood", func() bool { return b.Stats().Malformed > 100 })
	for i := range n {
		rtps.Write(t, w, rtps.Payload("%d", i))
		time.Sleep(time.Millisecond)
	}
	rtps.Eventually(t, "all samples", func() bool { return got.Len() == n })
	for i, s := range got.Samples() {
		if s.Sequence != int64(i+1) {
			t.Fatalf("sample %d has sequence number %d", i, s.Sequence)
		}
	}
}

func flood(t *testing.T, p *rtps.Participant, stop chan struct{}) {
	c, err := net.ListenUDP("udp4", net.UDPAddrFromAddrPort(netip.AddrPortFrom(rtps.Loopback, 0)))
	if err != nil {
		t.Error(err)
		return
	}
	defer c.Close()
	ports := []uint16{wire.SPDPUnicastPort(rtps.Domain, p.ID()), wire.UserUnicastPort(rtps.Domain, p.ID())}
	junk := make([]byte, 1000)
	copy(junk, "RTPS")
	junk[4] = 2
	for i := 0; ; i++ {
		select {
		case <-stop:
			return
		default:
		}
		junk[8], junk[9], junk[10] = byte(i), byte(i>>8), byte(i>>16) // somebody else each time
		junk[20], junk[21], junk[22] = wire.KindHeartbeat, 1, byte(i%64)
		_, _ = c.WriteToUDPAddrPort(junk, netip.AddrPortFrom(rtps.Loopback, ports[i%2]))
	}
}
