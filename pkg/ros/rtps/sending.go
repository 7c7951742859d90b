package rtps

import (
	"time"

	"sinew/pkg/ros/rtps/wire"
)

// Sending many or large samples is spread over time: a burst that overruns the socket buffer of the
// receiver would be lost and need retransmission.
const (
	// fragmentSize is the most payload in one datagram; more is fragmented.
	fragmentSize = 8192
	burstBytes   = 64 << 10
	burstEvery   = time.Millisecond
	overhead     = 128 // bytes per datagram beside its payload, about
	maxQueue     = 512 // requests beyond the depth of the history
)

// request is a sample, or some of its fragments, to be sent to a reader.
type request struct {
	sequence int64
	fragment uint32         // index of the next fragment, from 0
	some     bool           // only the fragments in parts
	parts    wire.NumberSet // fragment numbers, from 1
	again    bool           // it is a retransmission
}

func (p *readerProxy) busy() bool { return p.queue.Len() > 0 }

// ask queues what a reader requested, unless it is on its way already.
func (p *readerProxy) ask(r request) {
	for i := range p.queue.Len() {
		if q := p.queue.At(i); q.sequence == r.sequence && (!q.some || r.some) {
			return
		}
	}
	r.again = true
	p.queue.Put(r)
}

// offer sends a new change, at once if the queue is empty and the change fits one datagram.
func (p *readerProxy) offer(c *change) {
	if !c.isFor(p.guid) {
		if p.reliable {
			p.sendGone(c.sequence)
		}
		return
	}
	payload := c.payloadFor(p.variant)
	if p.busy() || len(payload) > fragmentSize {
		p.queue.Put(request{sequence: c.sequence})
		if p.pacer.place == 0 {
			p.send()
		}
		return
	}
	sendWhole([]*readerProxy{p}, c, payload)
}

// sendWhole sends a change in one datagram to a reader, or to siblings for which it is the same.
func sendWhole(all []*readerProxy, c *change, payload []byte) {
	first := all[0]
	b := first.begin()
	b.InfoTimestamp(c.stamp)
	d := first.submessage(c, payload)
	if len(all) > 1 {
		d.Reader = wire.EntityUnknown // all that are matched (8.3.7.2)
	}
	b.Data(d)
	for _, p := range all {
		if p.reliable {
			p.appendHeartbeat(b, true)
		}
	}
	first.w.e.link.send(first.to(), b.Bytes)
}

func (p *readerProxy) submessage(c *change, payload []byte) wire.Data {
	d := wire.Data{Reader: p.guid.Entity, Writer: p.w.data.GUID.Entity, Sequence: c.sequence, Payload: payload}
	d.Inline.Related = c.related
	if c.ended {
		d.Key = true
		d.Inline.Status = wire.StatusDisposed | wire.StatusUnregistered
		d.Inline.KeyHash, d.Inline.HasKey = wire.KeyHashOf(c.key), true
	}
	return d
}

// send sends the queue, one burst at a time.
func (p *readerProxy) send() {
	e := p.w.e
	if p.pacer.place > 0 {
		return // the last burst was too recent
	}
	for left := burstBytes; p.busy(); {
		if left <= 0 {
			e.after(burstEvery, &p.pacer)
			return
		}
		left -= p.sendNext(p.queue.At(0))
	}
	if p.reliable {
		p.heartbeat(false)
	}
}

// sendNext sends one datagram for r, the first request, and removes r from the queue when it is
// done. It returns the approximate number of bytes sent.
func (p *readerProxy) sendNext(r *request) int {
	c := p.w.history.findFor(p.guid, r.sequence)
	if c == nil { // replaced by a newer one meanwhile
		if p.reliable {
			p.sendGone(r.sequence)
		}
		p.queue.Take()
		return overhead
	}
	payload := c.payloadFor(p.variant)
	if r.again {
		p.w.e.stats.add(resent)
	}
	if len(payload) <= fragmentSize {
		sendWhole([]*readerProxy{p}, c, payload)
		p.queue.Take()
		return len(payload) + overhead
	}
	return p.sendFragment(r, c, payload)
}

// sendFragment sends the next wanted fragment of c.
func (p *readerProxy) sendFragment(r *request, c *change, payload []byte) int {
	count := uint32((len(payload) + fragmentSize - 1) / fragmentSize)
	wanted := func(i uint32) bool { return !r.some || r.parts.Has(int64(i)+1) }
	for r.fragment < count && !wanted(r.fragment) {
		r.fragment++
	}
	if r.fragment >= count {
		p.queue.Take()
		return 0
	}
	from := int(r.fragment) * fragmentSize
	part := payload[from:min(from+fragmentSize, len(payload))]
	b := p.begin()
	b.InfoTimestamp(c.stamp)
	b.DataFrag(wire.DataFrag{
		Data:  p.submessage(c, part),
		First: r.fragment + 1, Count: 1, Size: fragmentSize, Sample: uint32(len(payload)),
	})
	p.w.e.link.send(p.to(), b.Bytes)
	if r.fragment++; r.fragment >= count {
		p.queue.Take()
	}
	return len(part) + overhead
}
