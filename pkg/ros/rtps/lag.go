package rtps

import (
	"fmt"
	"time"
)

// lag is what a writer knows of a reliable reader that does not keep up.
type lag struct {
	met   time.Time // when it first answered; before, it may not know of the writer yet
	since time.Time // when it was first asked what it has, since it last answered
	asked int       // how often, since then
	last  time.Time // when it last was found to lag
}

const (
	// lagSilence is how long a reader may be silent that is asked and that has lost samples,
	// and how long a new one may lose some.
	lagSilence = time.Second
	// lagAsked is how often it is asked at least: when this process has stood still, answers
	// may wait.
	lagAsked = 4
	// lagForgiven is how long a reader must have kept up before it is told of again.
	lagForgiven = time.Minute
)

// answered notes that the reader says what it has.
func (p *readerProxy) answered() {
	if p.lag.met.IsZero() {
		p.lag.met = p.w.e.now
	}
	p.lag.since, p.lag.asked = time.Time{}, 0
}

// asked notes that the reader is asked what it has, and tells when it has not answered for
// a time while samples that it may not have left the history.
func (p *readerProxy) asked() {
	now := p.w.e.now
	if p.lag.since.IsZero() {
		p.lag.since = now
	}
	p.lag.asked++
	silent := now.Sub(p.lag.since)
	if !p.lag.met.IsZero() && silent >= lagSilence && p.lag.asked >= lagAsked && p.acked < p.w.history.first(0) {
		p.lags(fmt.Sprintf("it has acknowledged nothing for %v", lagSilence))
	}
}

// misses tells when the reader asks for samples that are no longer kept.
func (p *readerProxy) misses(lost int) {
	if lost > 0 && p.w.e.now.Sub(p.lag.met) >= lagSilence {
		p.lags(fmt.Sprintf("it asks for %d that are no longer kept: the history has %d", lost, p.w.history.Limit()))
	}
}

// lags tells of a reader that does not get all samples, once until it has kept up for a time.
func (p *readerProxy) lags(why string) {
	e := p.w.e
	last := p.lag.last
	p.lag.last = e.now
	d := p.remote.readers[p.guid.Entity]
	if p.w.handle == nil || d == nil || !last.IsZero() && e.now.Sub(last) < lagForgiven {
		return
	}
	e.notifier.post(Event{Kind: Lagging, Local: p.w.data.GUID, Remote: endpointOf(p.remote, d), Reason: why})
}
