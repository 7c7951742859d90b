package rtps

import (
	"net/netip"
	"sync"
)

// link carries datagrams to other participants. It never blocks for long and
// has no errors to report: what is lost is sent again.
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

// release gives the packet back; nothing may refer to its bytes any more.
func (p *packet) release() {
	p.bytes = nil
	packets.Put(p)
}
