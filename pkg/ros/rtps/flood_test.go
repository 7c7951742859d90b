package rtps

import (
	"fmt"
	"net"
	"net/netip"
	"sync"
	"testing"
	"time"

	"sinew/pkg/ros/rtps/wire"
)

// TestFlood sends junk and made-up participants to both ports of a reader's
// participant, as fast as one socket can: a reliable writer must get through.
func TestFlood(t *testing.T) {
	const n = 200
	a, b := join(t, Options{}), join(t, Options{})
	w := newWriter(t, a, "x", reliable)
	r, got := newReader(t, b, "x", reliable)
	matched(t, w, 1, r)

	stop := make(chan struct{})
	var flooding sync.WaitGroup
	flooding.Go(func() { flood(t, b, stop) })
	defer flooding.Wait()
	defer close(stop)
	eventually(t, "flood", func() bool { return b.Stats().Malformed > 100 })
	for i := range n {
		write(t, w, payload("%d", i))
		time.Sleep(time.Millisecond)
	}
	eventually(t, "all samples", func() bool { return got.len() == n })
	for i, s := range got.samples() {
		if s.Sequence != int64(i+1) {
			t.Fatalf("sample %d has sequence number %d", i, s.Sequence)
		}
	}
}

// TestWriteNeverWaits holds the engine up: writers must not notice.
func TestWriteNeverWaits(t *testing.T) {
	a, b := join(t, Options{}), join(t, Options{})
	w := newWriter(t, a, "x", reliable)
	r, got := newReader(t, b, "x", reliable)
	matched(t, w, 1, r)
	held, hold := make(chan struct{}), make(chan struct{})
	go a.call(func() { close(held); <-hold })
	<-held
	n := 3 * reliable.Depth
	for i := range n {
		write(t, w, payload("%d", i)) // would never return
	}
	close(hold)
	eventually(t, "the newest samples", func() bool { return got.len() == reliable.Depth })
	if first := got.texts()[0]; first != fmt.Sprint(n-reliable.Depth) || a.Stats().Overrun != uint64(n-reliable.Depth) {
		t.Errorf("began with sample %s, %d were overrun", first, a.Stats().Overrun)
	}
}

func flood(t *testing.T, p *Participant, stop chan struct{}) {
	c, err := net.ListenUDP("udp4", net.UDPAddrFromAddrPort(netip.AddrPortFrom(loopback, 0)))
	if err != nil {
		t.Error(err)
		return
	}
	defer c.Close()
	ports := []uint16{wire.SPDPUnicastPort(testDomain, p.ID()), wire.UserUnicastPort(testDomain, p.ID())}
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
		_, _ = c.WriteToUDPAddrPort(junk, netip.AddrPortFrom(loopback, ports[i%2]))
	}
}
