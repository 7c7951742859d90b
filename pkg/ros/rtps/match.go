package rtps

import (
	"fmt"
	"net/netip"
	"sync/atomic"

	"sinew/pkg/ros/rtps/wire"
)

// matchRemote compares a new remote endpoint with the local ones.
func (e *engine) matchRemote(r *remote, d *wire.EndpointData, writer bool) {
	if writer {
		for _, l := range e.readers {
			e.matchReader(l, r, d)
		}
		return
	}
	for _, l := range e.writers {
		e.matchWriter(l, r, d)
	}
}

// noRoom returns the reason why an endpoint with n matches gets no more, "" if it may. The work for
// every sample grows with the matches.
func (e *engine) noRoom(n int) string {
	if n < e.opts.Limits.Matches {
		return ""
	}
	e.stats.add(refusedEndpoints)
	return fmt.Sprintf("limit: this endpoint already has %d matches, the most allowed; end unused publishers or subscribers of the topic", n)
}

// local is a writer or reader of this participant.
type local interface {
	id() GUID
	handleMatches() *atomic.Int32
	matches() []GUID // the remote endpoints that are matched, those of one participant in the order in which they came
	counterparts(r *remote) map[wire.EntityID]*wire.EndpointData
	unmatch(g GUID) bool
}

// makeRoom replaces a match of a full local endpoint by a newcomer if the host or participant of
// that match has more matches than its share.
func (e *engine) makeRoom(l local, newcomer *remote) {
	matched := l.matches()
	if len(matched) < e.opts.Limits.Matches {
		return
	}
	g, found := e.crowd(matched, newcomer)
	if !found {
		return
	}
	r := e.remotes[g.Prefix]
	if d := l.counterparts(r)[g.Entity]; d != nil && l.unmatch(g) {
		e.unmatched(l.handleMatches(), l.id(), r, d, len(matched)-1)
	}
}

// crowd returns the match that is replaced by a newcomer: one of the host with the most matches, if
// the newcomer's host would still have fewer, otherwise one of the newcomer's own host. Of that
// host it is one of the participant with the most matches, if the newcomer would still have fewer.
// Thus neither a participant that announces very many endpoints nor a host that invents
// participants can exclude all others.
func (e *engine) crowd(matched []GUID, newcomer *remote) (leaves GUID, found bool) {
	hosts, participants := map[netip.Addr]int{}, map[*remote]int{}
	most, crowded := 0, newcomer.at
	for _, g := range matched {
		r := e.remotes[g.Prefix]
		if r == nil {
			continue
		}
		participants[r]++
		hosts[r.at]++
		if n := hosts[r.at]; n > most {
			most, crowded = n, r.at
		}
	}
	if found = most > hosts[newcomer.at]+1; !found {
		crowded = newcomer.at
	}
	most = 0
	seen := map[*remote]int{}
	for _, g := range matched {
		r := e.remotes[g.Prefix]
		if r == nil || r.at != crowded {
			continue
		}
		seen[r]++
		if n := seen[r]; n >= most { // the newest match of those with the most
			most, leaves = n, g
		}
	}
	return leaves, found || most > participants[newcomer]+1
}

// matchReader matches a local reader with a remote writer if they are compatible.
func (e *engine) matchReader(l *localReader, r *remote, w *wire.EndpointData) {
	if l.handle == nil || l.data.Topic != w.Topic || l.proxy(w.GUID) != nil {
		return
	}
	if accept := l.handle.accept; accept != nil && !accept(endpointOf(r, w)) {
		return
	}
	reason := incompatible(w, &l.data)
	if reason == "" {
		e.makeRoom(l, r)
		reason = e.noRoom(len(l.proxies))
	}
	if reason != "" {
		e.notifier.post(Event{Kind: Incompatible, Local: l.data.GUID, Remote: endpointOf(r, w), Reason: reason})
		return
	}
	l.match(r, w)
	l.handle.matched.Add(1)
	e.notifier.post(Event{Kind: Matched, Local: l.data.GUID, Remote: endpointOf(r, w)})
}

// matchWriter matches a local writer with a remote reader if they are compatible.
func (e *engine) matchWriter(l *localWriter, r *remote, d *wire.EndpointData) {
	if l.handle == nil || l.data.Topic != d.Topic || l.proxy(d.GUID) != nil {
		return
	}
	reason := incompatible(&l.data, d)
	if reason == "" {
		e.makeRoom(l, r)
		reason = e.noRoom(len(l.proxies))
	}
	if reason != "" {
		e.notifier.post(Event{Kind: Incompatible, Local: l.data.GUID, Remote: endpointOf(r, d), Reason: reason})
		return
	}
	l.match(r, d)
	l.handle.matched.Add(1)
	e.notifier.post(Event{Kind: Matched, Local: l.data.GUID, Remote: endpointOf(r, d)})
}

// dropWriter removes a remote writer.
func (e *engine) dropWriter(r *remote, id wire.EntityID) {
	d := r.writers[id]
	delete(r.writers, id)
	e.endpoints--
	for _, l := range e.readers {
		if l.handle != nil && l.unmatch(d.GUID) && e.unmatched(&l.handle.matched, l.data.GUID, r, d, len(l.proxies)) {
			e.admitWriters(l)
		}
	}
}

// unmatched counts and reports the end of a match. It reports whether the local endpoint, with so
// many matches left, now has room for another.
func (e *engine) unmatched(matched *atomic.Int32, local GUID, r *remote, d *wire.EndpointData, left int) (room bool) {
	matched.Add(-1)
	e.notifier.post(Event{Kind: Unmatched, Local: local, Remote: endpointOf(r, d)})
	return left == e.opts.Limits.Matches-1
}

// admitWriters matches a local reader that has room again with all compatible writers.
func (e *engine) admitWriters(l *localReader) {
	for _, r := range e.remotes {
		for _, d := range r.writers {
			if len(l.proxies) < e.opts.Limits.Matches {
				e.matchReader(l, r, d)
			}
		}
	}
}

// admitReaders matches a local writer that has room again with all compatible readers.
func (e *engine) admitReaders(l *localWriter) {
	for _, r := range e.remotes {
		for _, d := range r.readers {
			if len(l.proxies) < e.opts.Limits.Matches {
				e.matchWriter(l, r, d)
			}
		}
	}
}

// dropReader removes a remote reader.
func (e *engine) dropReader(r *remote, id wire.EntityID) {
	d := r.readers[id]
	delete(r.readers, id)
	e.endpoints--
	for _, l := range e.writers {
		if l.handle != nil && l.unmatch(d.GUID) && e.unmatched(&l.handle.matched, l.data.GUID, r, d, len(l.proxies)) {
			e.admitReaders(l)
		}
	}
}
