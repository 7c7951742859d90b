package rtps

import (
	"fmt"
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

// noRoom says why an endpoint with n matches gets no more, "" when it may. The
// work of every sample grows with them.
func (e *engine) noRoom(n int) string {
	if n < e.opts.Limits.Matches {
		return ""
	}
	e.stats.add(refusedEndpoints)
	return fmt.Sprintf("crowd: %d endpoints are matched already", n)
}

// crowd is what makes room in a full local endpoint: a match of the participant that has
// the most of them, when a newcomer's participant would still have fewer. One participant
// that announces endpoints without end must not shut out all others.
func crowd(matched []GUID, newcomer wire.Prefix) (leaves GUID, found bool) {
	count := map[wire.Prefix]int{}
	most := 0
	for _, g := range matched {
		count[g.Prefix]++
		if n := count[g.Prefix]; n > most { // the newest of those who have the most
			most, leaves = n, g
		}
	}
	return leaves, most > count[newcomer]+1
}

// makeRoomFor lets a remote reader take the place of one of a greedy participant in a
// full writer.
func (e *engine) makeRoomFor(l *localWriter, newcomer wire.Prefix) {
	if len(l.proxies) < e.opts.Limits.Matches {
		return
	}
	matched := make([]GUID, len(l.proxies))
	for i, p := range l.proxies {
		matched[i] = p.guid
	}
	g, found := crowd(matched, newcomer)
	if r := e.remotes[g.Prefix]; found && r != nil && r.readers[g.Entity] != nil && l.unmatch(g) {
		e.unmatched(&l.handle.matched, l.data.GUID, r, r.readers[g.Entity], len(l.proxies))
	}
}

// makeRoomIn lets a remote writer take the place of one of a greedy participant in a full
// reader.
func (e *engine) makeRoomIn(l *localReader, newcomer wire.Prefix) {
	if len(l.proxies) < e.opts.Limits.Matches {
		return
	}
	matched := make([]GUID, len(l.proxies))
	for i, p := range l.proxies {
		matched[i] = p.guid
	}
	g, found := crowd(matched, newcomer)
	if r := e.remotes[g.Prefix]; found && r != nil && r.writers[g.Entity] != nil && l.unmatch(g) {
		e.unmatched(&l.handle.matched, l.data.GUID, r, r.writers[g.Entity], len(l.proxies))
	}
}

// matchReader matches a local reader with a remote writer if they fit.
func (e *engine) matchReader(l *localReader, r *remote, w *wire.EndpointData) {
	if l.handle == nil || l.data.Topic != w.Topic || l.proxy(w.GUID) != nil {
		return
	}
	if accept := l.handle.accept; accept != nil && !accept(endpointOf(r, w)) {
		return
	}
	reason := incompatible(w, &l.data)
	if reason == "" {
		e.makeRoomIn(l, w.GUID.Prefix)
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

// matchWriter matches a local writer with a remote reader if they fit.
func (e *engine) matchWriter(l *localWriter, r *remote, d *wire.EndpointData) {
	if l.handle == nil || l.data.Topic != d.Topic || l.proxy(d.GUID) != nil {
		return
	}
	reason := incompatible(&l.data, d)
	if reason == "" {
		e.makeRoomFor(l, d.GUID.Prefix)
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

// dropWriter forgets a remote writer.
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

// unmatched counts and reports the end of a match. It reports whether the local
// endpoint, with so many matches left, has just got room for another.
func (e *engine) unmatched(matched *atomic.Int32, local GUID, r *remote, d *wire.EndpointData, left int) (room bool) {
	matched.Add(-1)
	e.notifier.post(Event{Kind: Unmatched, Local: local, Remote: endpointOf(r, d)})
	return left == e.opts.Limits.Matches-1
}

// admitWriters matches a local reader that has room again with all writers that
// fit.
func (e *engine) admitWriters(l *localReader) {
	for _, r := range e.remotes {
		for _, d := range r.writers {
			if len(l.proxies) < e.opts.Limits.Matches {
				e.matchReader(l, r, d)
			}
		}
	}
}

// admitReaders matches a local writer that has room again with all readers that
// fit.
func (e *engine) admitReaders(l *localWriter) {
	for _, r := range e.remotes {
		for _, d := range r.readers {
			if len(l.proxies) < e.opts.Limits.Matches {
				e.matchWriter(l, r, d)
			}
		}
	}
}

// dropReader forgets a remote reader.
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
