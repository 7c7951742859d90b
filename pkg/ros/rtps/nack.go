package rtps

import (
	"time"

	"sinew/pkg/ros/rtps/wire"
)

// silentWriter is how long a writer may owe the first heartbeat before it is taken to have
// nothing to tell.
const silentWriter = time.Second

// Missing samples are asked for at once, then again while they do not come.
const (
	retryFirst = 20 * time.Millisecond
	retryLast  = time.Second
	// askAgain is the least time between two requests at the prompt of
	// heartbeats: what was asked for may be on its way.
	askAgain = 5 * time.Millisecond
)

// ack says that everything before next has arrived; without final the writer
// answers with a heartbeat.
func (p *writerProxy) ack(final bool) {
	p.sendAckNack(wire.NumberSet{Base: max(p.next, 1)}, final)
}

func (p *writerProxy) sendAckNack(missing wire.NumberSet, final bool) {
	e := p.r.e
	p.acks++
	b := e.begin(p.guid.Prefix)
	b.AckNack(wire.AckNack{Reader: p.r.data.GUID.Entity, Writer: p.guid.Entity, Missing: missing, Count: p.acks, Final: final})
	e.link.send(p.to(), b.Bytes)
}

// nack asks for what is missing, now or as soon as it may be asked for again.
func (p *writerProxy) nack() {
	e := p.r.e
	if wait := askAgain - e.now.Sub(p.asked); wait > 0 {
		if p.timer.place == 0 || p.timer.at.After(e.now.Add(wait)) {
			e.after(wait, &p.timer)
		}
		return
	}
	p.interval = retryFirst
	p.request()
}

// retry asks for a first heartbeat or for what is still missing.
func (p *writerProxy) retry() {
	switch {
	case !p.synced:
		p.sendAckNack(wire.NumberSet{Base: p.initialBase()}, false)
	case p.next <= p.last:
		p.request()
		return
	default:
		return
	}
	p.scheduleRetry()
}

// initialBase is the base of a request for a first heartbeat. The least that the
// specification allows is 1; Fast DDS answers that with its next periodic
// heartbeat, up to 3 s later, and 0 at once.
func (p *writerProxy) initialBase() int64 {
	if p.remote.data.Vendor == wire.VendorFastDDS {
		return 0
	}
	return 1
}

// scheduleRetry sets the timer, each time later.
func (p *writerProxy) scheduleRetry() {
	p.interval = min(max(2*p.interval, retryFirst), retryLast)
	p.r.e.after(p.interval, &p.timer)
}

// request asks for the samples up to last that are missing and for the missing
// fragments of those that have begun to come.
func (p *writerProxy) request() {
	missing := wire.NumberSet{Base: p.next}
	for n := p.next; n <= p.last && n < p.next+wire.MaxSet; n++ {
		if _, ok := p.pending[n]; !ok && p.parts[n] == nil && !p.gaps.has(n) {
			missing.Add(n)
		}
	}
	e := p.r.e
	p.asked = e.now
	p.sendAckNack(missing, true)
	// fragments may still be on their way
	if e.now.Sub(p.progress) >= askAgain {
		for n, a := range p.parts {
			if n <= p.last {
				p.requestParts(n, a)
			}
		}
	}
	p.scheduleRetry()
}

func (p *writerProxy) requestParts(sequence int64, a *assembly) {
	e := p.r.e
	p.nacks++
	b := e.begin(p.guid.Prefix)
	b.NackFrag(wire.NackFrag{
		Reader: p.r.data.GUID.Entity, Writer: p.guid.Entity,
		Sequence: sequence, Missing: a.missing(), Count: p.nacks,
	})
	e.link.send(p.to(), b.Bytes)
}

// heartbeatFrag handles what the writer says it has of a large sample.
func (p *writerProxy) heartbeatFrag(h wire.HeartbeatFrag) {
	if int32(h.Count-p.fragBeat) <= 0 || !p.reliable || !p.synced {
		return
	}
	p.fragBeat = h.Count
	a := p.parts[h.Sequence]
	e := p.r.e
	if a == nil || e.now.Sub(p.progress) < askAgain || e.now.Sub(p.asked) < askAgain {
		return
	}
	p.asked = e.now
	p.requestParts(h.Sequence, a)
}
