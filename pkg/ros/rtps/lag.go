package rtps

import (
	"fmt"
	"time"
)

// lag is the state by which a writer detects that a reliable reader does not keep up.
type lag struct {
	met   time.Time // time of its first acknowledgement; before, it may not have discovered the writer
	since time.Time // time of the first request for an acknowledgement since its last one
	asked int       // number of requests since then
	last  time.Time // when it was last found to lag
}

const (
	// lagSilence is how long a reader that has lost samples may leave requests for acknowledgements
	// unanswered, and how long a new one may lose samples.
	lagSilence = time.Second
	// lagAsked is the least number of unanswered requests: after this process was suspended,
	// answers may wait.
	lagAsked = 4
	// lagForgiven is how long a reader must have kept up before its lag is reported again.
	lagForgiven = time.Minute
)

// answered registers an acknowledgement of the reader.
func (p *readerProxy) answered() {
	if p.lag.met.IsZero() {
		p.lag.met = p.w.e.now
	}
	p.lag.since, p.lag.asked = time.Time{}, 0
}

// asked registers a request for an acknowledgement, and reports a lag if the reader has not
// answered for a time while samples that it may lack have left the history.
func (p *readerProxy) asked() {
	now := p.w.e.now
	if p.lag.since.IsZero() {
		p.lag.since = now
	}
	p.lag.asked++
	silent := now.Sub(p.lag.since)
	if !p.lag.met.IsZero() && silent >= lagSilence && p.lag.asked >= lagAsked && p.acked < p.w.history.first(0) {
		p.reportLag(fmt.Sprintf("it has acknowledged nothing for %v", lagSilence))
	}
}

// misses reports a lag if the reader requests samples that are no longer kept.
func (p *readerProxy) misses(lost int) {
	if lost > 0 && p.w.e.now.Sub(p.lag.met) >= lagSilence {
		p.reportLag(fmt.Sprintf("it asks for %d that are no longer kept: the history has %d", lost, p.w.history.Limit()))
	}
}

// reportLag posts the event that a reader does not get all samples, once until it has kept up for a
// time.
func (p *readerProxy) reportLag(why string) {
	e := p.w.e
	last := p.lag.last
	p.lag.last = e.now
	d := p.remote.readers[p.guid.Entity]
	if p.w.handle == nil || d == nil || !last.IsZero() && e.now.Sub(last) < lagForgiven {
		return
	}
	e.notifier.post(Event{Kind: Lagging, Local: p.w.data.GUID, Remote: endpointOf(p.remote, d), Reason: why})
}
