package rtps

import "sinew/pkg/ros/rtps/wire"

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
		e.unmatched(&l.handle.matched, l.data.GUID, r.readers[g.Entity], len(l.proxies))
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
		e.unmatched(&l.handle.matched, l.data.GUID, r.writers[g.Entity], len(l.proxies))
	}
}
