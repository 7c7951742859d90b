package rtps

import (
	"time"

	"sinew/pkg/ros/rtps/wire"
)

// silentWriter is how long a reader waits for the first heartbeat of a writer before it assumes
// that the writer has no samples.
const silentWriter = time.Second

// Missing samples are requested at once, and again until they arrive.
const (
	retryFirst = 20 * time.Millisecond
	retryLast  = time.Second
	// askAgain is the least time between two requests that heartbeats trigger: the requested
	// samples may be on their way.
	askAgain = 5 * time.Millisecond
)

// ack acknowledges everything before next; without final it requests a heartbeat.
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

// nack requests what is missing, at once or as soon as askAgain has passed.
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

// retry requests a first heartbeat or what is still missing.
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

// initialBase returns the base of a request for a first heartbeat. The least value that the
// specification allows is 1. Fast DDS answers 1 with its next periodic heartbeat, up to 3 s later,
// and 0 at once.
func (p *writerProxy) initialBase() int64 {
	if p.remote.data.Vendor == wire.VendorFastDDS {
		return 0
	}
	return 1
}

// scheduleRetry sets the timer, with a longer delay each time.
func (p *writerProxy) scheduleRetry() {
	p.interval = min(max(2*p.interval, retryFirst), retryLast)
	p.r.e.after(p.interval, &p.timer)
}

// request requests the missing samples up to last, and the missing fragments of those that have
// partly arrived.
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

// heartbeatFrag handles the announcement of available fragments of a large sample.
func (p *writerProxy) heartbeatFrag(h wire.HeartbeatFrag) {
	if !p.reliable || !p.synced || int32(h.Count-p.fragBeat) <= 0 && !p.lowFragBeat.add(int64(h.Count), int64(p.fragBeat), p.r.e.now) {
		return
	}
	p.lowFragBeat.end()
	p.fragBeat = h.Count
	a := p.parts[h.Sequence]
	e := p.r.e
	if a == nil || e.now.Sub(p.progress) < askAgain || e.now.Sub(p.asked) < askAgain {
		return
	}
	p.asked = e.now
	p.requestParts(h.Sequence, a)
}
