package rtps

import (
	"net/netip"
	"time"

	"sinew/pkg/ros/bounded"
	"sinew/pkg/ros/rtps/wire"
)

// readerProxy is a remote reader of a local writer (8.4.7).
type readerProxy struct {
	w        *localWriter
	remote   *remote
	guid     GUID
	to       func() netip.AddrPort
	reliable bool
	variant  int
	start    int64 // the first sequence number that it should get
	first    int64 // where heartbeats say that there is something for its participant
	acked    int64 // everything below has arrived
	count    uint32
	counted  bool
	lag      lag
	greeted  bool // was sent a heartbeat after it had shown that it knows the writer
	knows    bool // has had such a heartbeat: what is written from now on reaches it

	again []resend              // last repetitions, by sequence number modulo the length; nil before the first
	queue bounded.Ring[request] // what is still to be sent; the sample of the oldest is also the first to leave the history
	pacer timer                 // between bursts
}

// addressOf says where a remote endpoint listens now: its own locators, else
// the locators of its participant, which may change.
func (e *engine) addressOf(r *remote, d *wire.EndpointData) func() netip.AddrPort {
	if isBuiltin(d.GUID.Entity) {
		return func() netip.AddrPort { return r.discovery }
	}
	from := r.user.Addr()
	if r.onHost {
		from = loopback
	}
	if a, ok := e.choose(d.Unicast, from); ok {
		return func() netip.AddrPort { return a }
	}
	return func() netip.AddrPort { return r.user }
}

// ackNack handles what the reader says it has and misses (8.4.9).
func (p *readerProxy) ackNack(a *wire.AckNack) {
	if p.counted && int32(a.Count-p.count) <= 0 && a.Count != 0 {
		return // a copy, or overtaken by a later one
	}
	p.count, p.counted = a.Count, true
	p.remote.proven = true
	p.answered()
	w := p.w
	if !p.reliable || a.Missing.Base > w.last+1 {
		return
	}
	p.acked = max(p.acked, a.Missing.Base)
	// A reader that has just found the writer asks for a heartbeat; only behind that does
	// one on Cyclone DDS take samples.
	if a.Final || p.greeted {
		p.knows = true
	}
	gone, lost := gapBuilder{}, 0
	for n := range a.Missing.All {
		switch {
		case n > w.last || n < 1:
		case n < p.start || w.history.findFor(p.guid, n) == nil:
			gone.add(n)
			if n >= p.start && w.history.find(n) == nil {
				lost++
			}
		case p.underway(n):
			w.expectAck() // it may ask again then
		default:
			p.ask(request{sequence: n})
		}
	}
	p.misses(lost)
	p.sendGap(&gone)
	if p.busy() {
		p.send()
	} else if !a.Final {
		p.greeted = true
		p.heartbeat(p.knows)
	}
}

// resend is when a sample was last sent again.
type resend struct {
	sequence int64
	at       time.Time
}

// resendPause is the least time between two repetitions of one sample (the
// nackSuppressionDuration of 8.4.7.1): a reader that is behind asks for what
// waits in its socket already, and doing as it asks would keep it behind.
const resendPause = heartbeatFirst

// underway reports whether sample n was sent again a moment ago; else it notes
// that it is now.
func (p *readerProxy) underway(n int64) bool {
	if p.again == nil {
		p.again = make([]resend, wire.MaxSet)
	}
	r := &p.again[n%int64(len(p.again))]
	now := p.w.e.now
	if r.sequence == n && now.Sub(r.at) < resendPause {
		return true
	}
	*r = resend{n, now}
	return false
}

// nackFrag handles a request for fragments.
func (p *readerProxy) nackFrag(n *wire.NackFrag) {
	if !p.reliable || n.Sequence > p.w.last {
		return
	}
	p.remote.proven = true
	p.answered()
	if n.Sequence < p.start || p.w.history.findFor(p.guid, n.Sequence) == nil {
		p.sendGone(n.Sequence)
		return
	}
	p.ask(request{sequence: n.Sequence, some: true, parts: n.Missing})
	p.send()
}

// heartbeat tells the reader what there is for it.
func (p *readerProxy) heartbeat(final bool) {
	b := p.begin()
	p.appendHeartbeat(b, final)
	p.w.e.link.send(p.to(), b.Bytes)
}

func (p *readerProxy) begin() *wire.Builder { return p.w.e.begin(p.guid.Prefix) }

func (p *readerProxy) appendHeartbeat(b *wire.Builder, final bool) {
	w := p.w
	w.heartbeats++
	b.Heartbeat(wire.Heartbeat{
		Reader: p.guid.Entity, Writer: w.data.GUID.Entity, Count: w.heartbeats, Final: final,
		First: min(max(w.history.first(w.last+1), p.first), w.last+1), Last: w.last,
	})
}

// sendGap tells the reader not to wait for what is gone.
func (p *readerProxy) sendGap(gone *gapBuilder) {
	if !gone.some {
		return
	}
	b := p.begin()
	b.Gap(gone.message(p.guid.Entity, p.w.data.GUID.Entity))
	p.w.e.link.send(p.to(), b.Bytes)
}

// sendGone tells the reader not to wait for one sample.
func (p *readerProxy) sendGone(sequence int64) {
	gone := gapBuilder{}
	gone.add(sequence)
	p.sendGap(&gone)
}

// gapBuilder collects ascending sequence numbers into a Gap.
type gapBuilder struct {
	some  bool
	first int64
	more  wire.NumberSet
}

// add takes n; numbers beyond the span of one Gap are left for a later one.
func (g *gapBuilder) add(n int64) {
	switch {
	case !g.some:
		g.some, g.first, g.more.Base = true, n, n+1
	case g.more.Bits == 0 && n == g.more.Base:
		g.more.Base = n + 1
	default:
		g.more.Add(n)
	}
}

func (g *gapBuilder) message(reader, writer wire.EntityID) wire.Gap {
	return wire.Gap{Reader: reader, Writer: writer, First: g.first, More: g.more}
}
