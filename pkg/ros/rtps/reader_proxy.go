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
	first    int64 // first sequence number for its participant, as announced by heartbeats
	acked    int64 // everything before is acknowledged
	count    uint32
	counted  bool
	lowCount lowRun // of acknowledgements with too low a count
	lag      lag
	greeted  bool // a heartbeat was sent after the reader had shown that it has matched the writer
	knows    bool // it has received such a heartbeat: samples written from now on reach it

	again []resend              // last retransmissions, by sequence number modulo the length; nil before the first
	queue bounded.Ring[request] // samples to send; the sample of the oldest request is also the first to leave the history
	pacer timer                 // between bursts
}

// addressOf returns a function for the present address of a remote endpoint: that of its own
// locators, otherwise of those of its participant, which may change.
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

// ackNack handles an acknowledgement with requests for missing samples (8.4.9).
func (p *readerProxy) ackNack(a *wire.AckNack) {
	if p.counted && int32(a.Count-p.count) <= 0 && a.Count != 0 && !p.lowCount.add(int64(a.Count), int64(p.count), p.w.e.now) {
		return // a copy, or overtaken by a later one
	}
	p.lowCount.end()
	p.count, p.counted = a.Count, true
	p.w.e.answers(p.remote)
	p.answered()
	w := p.w
	if !p.reliable || a.Missing.Base > w.last+1 {
		return
	}
	p.acked = max(p.acked, a.Missing.Base)
	// A reader that has just discovered the writer requests a heartbeat; only after that does a
	// reader on Cyclone DDS accept samples.
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
			w.expectAck() // it may request again then
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

// resend is the time of the last retransmission of a sample.
type resend struct {
	sequence int64
	at       time.Time
}

// resendPause is the least time between two retransmissions of one sample (the
// nackSuppressionDuration of 8.4.7.1): a reader that lags requests samples that already wait in its
// socket, and answering each request would keep it behind.
const resendPause = heartbeatFirst

// underway reports whether sample n was retransmitted less than resendPause ago; otherwise it
// registers a retransmission now.
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
	p.w.e.answers(p.remote)
	p.answered()
	if n.Sequence < p.start || p.w.history.findFor(p.guid, n.Sequence) == nil {
		p.sendGone(n.Sequence)
		return
	}
	p.ask(request{sequence: n.Sequence, some: true, parts: n.Missing})
	p.send()
}

// heartbeat announces to the reader the samples that it can get.
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

// sendGap announces to the reader the samples that are not available.
func (p *readerProxy) sendGap(gone *gapBuilder) {
	if !gone.some {
		return
	}
	b := p.begin()
	b.Gap(gone.message(p.guid.Entity, p.w.data.GUID.Entity))
	p.w.e.link.send(p.to(), b.Bytes)
}

// sendGone announces to the reader that one sample is not available.
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

// add adds n; numbers beyond the span of one Gap are left for a later one.
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
