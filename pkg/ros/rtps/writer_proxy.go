package rtps

import (
	"net/netip"
	"slices"
	"time"

	"sinew/pkg/ros/rtps/wire"
)

// writerProxy is a remote writer of a local reader (8.4.10): the samples that have arrived and
// those that are missing.
type writerProxy struct {
	r         *localReader
	remote    *remote
	guid      GUID
	to        func() netip.AddrPort
	reliable  bool
	fromFirst bool // begin with the oldest sample that the writer offers, not the next
	closed    bool

	history int64     // the last sample from before the match that the reader needs; 0 without any
	met     time.Time // when it was matched
	synced  bool      // a heartbeat has announced the first sample (reliable only)
	next    int64     // everything before is delivered or dropped
	last    int64     // the highest that a heartbeat announced
	pending map[int64]sample
	latest  int64 // no pending sample is later
	gaps    intervals
	parts   map[int64]*assembly
	held    int // bytes in pending and parts

	count    uint32 // count of the last heartbeat
	counted  bool
	fragBeat uint32
	// runs of numbers too low for next, last, count and fragBeat
	lowNext, lowLast, lowCount, lowFragBeat lowRun
	delivered                               int64  // the last sample that was delivered
	acks                                    uint32 // count of the last acknowledgement
	nacks                                   uint32 // count of the last request for fragments
	timer                                   timer
	interval                                time.Duration
	asked                                   time.Time // time of the last request for something missing
	progress                                time.Time // arrival of the last fragment
}

// data handles a sample.
func (p *writerProxy) data(sequence int64, s sample) {
	switch {
	case p.reliable && !p.synced:
		p.hold(sequence, s)
		if len(p.pending) >= p.r.e.opts.Limits.BufferedCount {
			p.sync(slices.Min(keys(p.pending))) // no heartbeat will come
		}
	case sequence < p.next && (p.reliable || !p.lowNext.add(sequence, p.next, p.r.e.now)):
	case !p.reliable:
		p.next = sequence + 1
		p.dropParts()
		p.deliver(sequence, s)
	case sequence > p.next:
		p.hold(sequence, s)
	default:
		p.next++
		p.deliver(sequence, s)
		p.advance()
	}
}

func (p *writerProxy) deliver(sequence int64, s sample) {
	p.delivered = sequence
	p.r.deliver(p, sequence, s)
}

// hold keeps a sample until the preceding ones have arrived.
func (p *writerProxy) hold(sequence int64, s sample) {
	if _, ok := p.pending[sequence]; ok || p.gaps.has(sequence) {
		return
	}
	e := p.r.e
	if len(p.pending) >= e.opts.Limits.BufferedCount {
		e.stats.add(refusedBuffers)
		if sequence > p.latest {
			return
		}
		if p.latest = slices.Max(keys(p.pending)); sequence > p.latest {
			return
		}
		p.unhold(p.latest) // the earliest are needed first
	}
	if !e.takeBuffer(len(s.payload), &p.held) {
		return
	}
	if p.pending == nil {
		p.pending = map[int64]sample{}
	}
	p.pending[sequence] = s.own()
	p.latest = max(p.latest, sequence)
}

// unhold removes a sample from pending.
func (p *writerProxy) unhold(sequence int64) (sample, bool) {
	s, ok := p.pending[sequence]
	if ok {
		delete(p.pending, sequence)
		p.r.e.releaseBuffer(len(s.payload), &p.held)
	}
	return s, ok
}

// advance delivers the samples that are next in order.
func (p *writerProxy) advance() {
	for !p.closed {
		if s, ok := p.unhold(p.next); ok {
			p.next++
			p.deliver(p.next-1, s)
		} else if end := p.gaps.end(p.next); end > p.next {
			p.next = end
		} else {
			break
		}
	}
	p.gaps.below(p.next)
	p.dropParts()
}

// skip drops the missing samples before first: the writer no longer has them.
func (p *writerProxy) skip(first int64) {
	missing := first - p.next
	ready := []int64{}
	for n := range p.pending {
		if n < first {
			ready = append(ready, n)
		}
	}
	slices.Sort(ready)
	for _, n := range ready {
		if s, ok := p.unhold(n); ok {
			p.next = n + 1
			p.deliver(n, s)
		}
	}
	p.r.e.stats.addMany(lost, missing-int64(len(ready)))
	p.next = first
	p.advance()
}

// sync begins at sequence number first, or at a sample that has already arrived.
func (p *writerProxy) sync(first int64) {
	p.synced = true
	for n := range p.pending {
		first = min(first, n)
	}
	p.next = first
	p.advance()
}

// gap handles the announcement that samples will not arrive.
func (p *writerProxy) gap(g *wire.Gap) {
	if !p.reliable {
		return
	}
	p.gaps.add(g.First, g.More.Base)
	for n := range g.More.All {
		p.gaps.add(n, n+1)
	}
	if p.synced {
		p.advance()
	}
}

// heartbeat handles the announcement of the samples that the writer has.
func (p *writerProxy) heartbeat(h wire.Heartbeat) {
	if p.counted && int32(h.Count-p.count) <= 0 && !p.lowCount.add(int64(h.Count), int64(p.count), p.r.e.now) {
		return // a copy, or overtaken by a later one
	}
	p.lowCount.end()
	p.count, p.counted = h.Count, true
	p.r.e.answers(p.remote)
	if !p.reliable {
		return
	}
	switch {
	case !p.synced && p.fromFirst:
		if p.r.data.Durability >= wire.TransientLocal {
			p.history = h.Last
		}
		p.sync(h.First)
	case !p.synced:
		p.sync(h.Last + 1)
	case h.First > p.next:
		p.skip(h.First)
	}
	p.resync(h)
	p.last = max(p.last, h.Last)
	switch {
	case p.next <= p.last:
		p.nack()
	case !h.Final:
		p.ack(true)
	}
}

// resync returns to the numbers of the writer after wrong ones, which a heartbeat, a gap or data had
// that were not its own.
func (p *writerProxy) resync(h wire.Heartbeat) {
	now := p.r.e.now
	if h.Last >= p.last {
		p.lowLast.end()
	} else if p.lowLast.add(int64(h.Count), p.last, now) {
		p.last = h.Last
	}
	if h.Last+1 >= p.next {
		p.lowNext.end()
		return
	}
	if !p.lowNext.add(int64(h.Count), p.next, now) {
		return
	}
	p.lowNext.end()
	for n := range p.pending {
		if n > h.Last {
			p.unhold(n)
		}
	}
	for n := range p.parts {
		if n > h.Last {
			p.dropPart(n)
		}
	}
	p.gaps = intervals{}
	p.last = h.Last
	p.next = h.Last + 1
	if p.delivered < h.Last {
		p.next = max(h.First, p.delivered+1)
	}
	p.advance()
}

// dropParts drops incomplete samples that are no longer needed.
func (p *writerProxy) dropParts() {
	for n := range p.parts {
		if n < p.next {
			p.dropPart(n)
		}
	}
}

func (p *writerProxy) close() {
	p.closed = true
	p.r.e.releaseBuffer(p.held, &p.held)
	p.pending, p.parts = nil, nil
	p.r.e.timers.clear(&p.timer)
	if i := slices.Index(p.remote.sources, p); i >= 0 {
		p.remote.sources = slices.Delete(p.remote.sources, i, i+1)
	}
}

func keys[V any](m map[int64]V) []int64 {
	all := make([]int64, 0, len(m))
	for k := range m {
		all = append(all, k)
	}
	return all
}
