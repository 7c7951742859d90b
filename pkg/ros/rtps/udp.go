package rtps

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"slices"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"sinew/pkg/ros/rtps/wire"
)

// link carries datagrams to other participants. It does not block for long and reports no errors:
// lost datagrams are retransmitted.
type link interface {
	send(to netip.AddrPort, b []byte)
	multicast(to netip.AddrPort, b []byte, from netip.Addr) // on the interface with address from
}

// smallPacket holds most datagrams; larger ones have a buffer of their own.
const smallPacket = 2048

// packet is a received datagram.
type packet struct {
	from  netip.AddrPort
	bytes []byte
	small [smallPacket]byte
}

var packets = sync.Pool{New: func() any { return new(packet) }}

func newPacket(from netip.AddrPort, b []byte) *packet {
	p := packets.Get().(*packet)
	p.from = from
	if len(b) <= smallPacket {
		p.bytes = p.small[:len(b)]
	} else {
		p.bytes = make([]byte, len(b))
	}
	copy(p.bytes, b)
	return p
}

// release returns the packet to its pool; its bytes must not be used afterwards.
func (p *packet) release() {
	p.bytes = nil
	packets.Put(p)
}

// Sizes of datagram queues, of the kernel and ours. The kernel may grant less; datagrams that do
// not fit are lost and retransmitted.
const (
	kernelBuffer  = 4 << 20 // bytes
	waitingPacket = 256
)

// udp is the link over UDP on IPv4: two sockets on the well-known ports of the
// participant, one on that of the multicast group, one per interface to send to
// the group.
type udp struct {
	id        int // participant identifier, which determines the ports
	discovery *net.UDPConn
	data      *net.UDPConn
	group     *net.UDPConn // nil without multicast
	out       map[netip.Addr]*net.UDPConn
	open      []*net.UDPConn // all of them

	packets chan *packet
	accepts func(netip.Addr) bool
	stats   *counters
	done    atomic.Bool
	quit    chan struct{}
	readers sync.WaitGroup
}

// openUDP takes the first free participant identifier from first on.
func openUDP(domain, first int, stats *counters, accepts func(netip.Addr) bool) (*udp, error) {
	u := &udp{
		out: map[netip.Addr]*net.UDPConn{}, packets: make(chan *packet, waitingPacket),
		accepts: accepts, stats: stats, quit: make(chan struct{}),
	}
	for u.id = first; u.id <= wire.MaxParticipantID; u.id++ {
		var err error
		if u.discovery, err = listen(wire.SPDPUnicastPort(domain, u.id), nil); err == nil {
			if u.data, err = listen(wire.UserUnicastPort(domain, u.id), nil); err == nil {
				u.open = append(u.open, u.discovery, u.data)
				return u, nil
			}
			u.discovery.Close()
		}
		if !errors.Is(err, syscall.EADDRINUSE) {
			return nil, fmt.Errorf("rtps: no UDP socket: %w", err)
		}
	}
	return nil, fmt.Errorf("rtps: domain %d: the ports of participants %d to %d are all in use", domain, first, wire.MaxParticipantID)
}

func listen(port uint16, control func(network, address string, c syscall.RawConn) error) (*net.UDPConn, error) {
	l := net.ListenConfig{Control: control}
	c, err := l.ListenPacket(context.Background(), "udp4", fmt.Sprintf("0.0.0.0:%d", port))
	if err != nil {
		return nil, err
	}
	conn := c.(*net.UDPConn)
	_ = conn.SetReadBuffer(kernelBuffer) // less is slower, not wrong
	// Datagrams that wait for the hardware address of a host that has just disappeared or appeared
	// would fill a buffer of the usual size and delay those for other hosts.
	_ = conn.SetWriteBuffer(kernelBuffer)
	return conn, nil
}

// join joins the discovery group on the interface with address a, for receiving and sending.
// Joining again is harmless.
func (u *udp) join(domain int, a netip.Addr) error {
	if u.group == nil {
		g, err := listen(wire.SPDPMulticastPort(domain), sharePort)
		if err != nil {
			return fmt.Errorf("rtps: discovery by multicast: %w", err)
		}
		u.group, u.open = g, append(u.open, g)
		u.read(g)
	}
	if err := joinGroup(u.group, a); err != nil {
		return fmt.Errorf("rtps: discovery by multicast on %v: %w", a, err)
	}
	if u.out[a] != nil {
		return nil
	}
	l := net.ListenConfig{Control: func(_, _ string, c syscall.RawConn) error { return sendFrom(c, a) }}
	c, err := l.ListenPacket(context.Background(), "udp4", netip.AddrPortFrom(a, 0).String())
	if err != nil {
		return fmt.Errorf("rtps: discovery by multicast on %v: %w", a, err)
	}
	u.out[a] = c.(*net.UDPConn)
	u.open = append(u.open, u.out[a])
	return nil
}

// part undoes join.
func (u *udp) part(a netip.Addr) {
	c := u.out[a]
	if c == nil {
		return
	}
	leaveGroup(u.group, a)
	delete(u.out, a)
	u.open = slices.DeleteFunc(u.open, func(x *net.UDPConn) bool { return x == c })
	c.Close()
}

// start begins to receive.
func (u *udp) start() {
	u.read(u.discovery)
	u.read(u.data)
}

func (u *udp) read(c *net.UDPConn) {
	u.readers.Add(1)
	go func() {
		defer u.readers.Done()
		buffer := make([]byte, 65536)
		for {
			n, from, err := c.ReadFromUDPAddrPort(buffer)
			if u.done.Load() {
				return
			}
			if err != nil {
				time.Sleep(10 * time.Millisecond) // a lasting error must not spin
				continue
			}
			from = netip.AddrPortFrom(from.Addr().Unmap(), from.Port())
			if !u.accepts(from.Addr()) {
				u.stats.add(foreign)
				continue
			}
			select {
			case u.packets <- newPacket(from, buffer[:n]):
			case <-u.quit:
				return
			}
		}
	}()
}

func (u *udp) send(to netip.AddrPort, b []byte) {
	u.stats.add(sent)
	_, _ = u.data.WriteToUDPAddrPort(b, to) // a missing route is a loss like any other
}

func (u *udp) multicast(to netip.AddrPort, b []byte, from netip.Addr) {
	if c := u.out[from]; c != nil {
		u.stats.add(sent)
		_, _ = c.WriteToUDPAddrPort(b, to)
	}
}

// close closes all sockets and waits for their goroutines.
func (u *udp) close() {
	u.done.Store(true)
	close(u.quit)
	for _, c := range u.open {
		c.Close()
	}
	u.readers.Wait()
}
