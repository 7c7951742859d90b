package rtps

import (
	"fmt"
	"net/netip"
	"slices"
	"time"

	"sinew/pkg/ros/rtps/wire"
)

// isFrom reports whether an address is one of those from which a participant sends: of a participant
// on this host any of this host; of others the one that its announcement came from and those that
// it announced. RTPS has no authentication, but the source address of a datagram on another network
// cannot be chosen, nor can it be one of this host.
func (e *engine) isFrom(r *remote, from netip.Addr) bool {
	if r.onHost {
		return e.host.isOwn(from)
	}
	announced := func(l wire.Locator) bool {
		a, ok := l.AddrPort()
		return ok && a.Addr() == from
	}
	return from == r.at || slices.ContainsFunc(r.data.Metatraffic, announced) || slices.ContainsFunc(r.data.Default, announced)
}

// Times of a claim that a participant has moved, by an announcement from an address that is none of
// its own.
const (
	// claimTime is how long a participant has to show that it has not.
	claimTime = time.Second
	// probeEvery is the least time between two probes.
	probeEvery = 200 * time.Millisecond
	// forgedEvery is the least time between two reports of forged datagrams of one participant.
	forgedEvery = time.Minute
)

// moves decides about an announcement of a known participant from an address that is none of its
// own. A participant on this host does not move. Any other is asked at its present address whether
// it is there (a heartbeat that requires an answer), and moves if no answer has come within
// claimTime.
func (e *engine) moves(r *remote, from netip.Addr) bool {
	switch {
	case r.onHost:
		e.reportForged(r, from)
		return false
	case r.claimed.IsZero() || e.now.Sub(r.claimed) >= contestTime:
		r.claimed = e.now
	case r.heard.After(r.claimed):
		r.claimed = e.now
		e.reportForged(r, from)
	case e.now.Sub(r.claimed) >= claimTime:
		r.claimed = time.Time{}
		return true
	}
	if e.now.Sub(r.probed) >= probeEvery {
		r.probed = e.now
		e.probe(r)
	}
	return false
}

// probe sends heartbeats that the built-in readers of a participant answer.
func (e *engine) probe(r *remote) {
	for _, w := range e.sedp {
		for _, p := range w.proxies {
			if p.remote == r {
				p.heartbeat(false)
			}
		}
	}
}

// reportForged counts a datagram of a participant that came from an address that is none of its own,
// and reports it at most every forgedEvery.
func (e *engine) reportForged(r *remote, from netip.Addr) {
	e.stats.add(forged)
	if !r.forged.IsZero() && e.now.Sub(r.forged) < forgedEvery {
		return
	}
	r.forged = e.now
	at := "on this host"
	if !r.onHost {
		at = "at " + r.at.String()
	}
	e.notifier.post(Event{
		Kind: Forged, Remote: Endpoint{GUID: r.data.GUID}, Name: r.data.Name,
		Reason: fmt.Sprintf("datagrams from %v claim to be of this participant, which is %s and has announced no such address", from, at),
	})
}

// resyncRun and resyncTime are how many numbers that are too low, each above the one before, and
// over which time, show that an earlier one was wrong. Without that, one datagram with a count or
// sequence number that is far too high would mute its writer until the numbers reach it.
const (
	resyncRun  = 3
	resyncTime = time.Second
)

// lowRun is a run of ascending numbers below what was expected. The zero value has none.
type lowRun struct {
	limit, last int64
	n           int
	since       time.Time
}

// add adds a number that is below limit and reports whether the run is long enough, by number and
// by time. A run ends when the limit changes.
func (r *lowRun) add(number, limit int64, now time.Time) bool {
	switch {
	case r.n == 0 || limit != r.limit:
		*r = lowRun{limit: limit, since: now}
	case number <= r.last:
		return false // a copy
	}
	r.last = number
	r.n++
	return r.n >= resyncRun && now.Sub(r.since) >= resyncTime
}

// end ends the run.
func (r *lowRun) end() { *r = lowRun{} }
