package rtps

import (
	"fmt"
	"net/netip"
	"slices"
	"time"

	"sinew/pkg/ros/rtps/wire"
)

// remote describes another participant. This one describes itself in the same way,
// so that its own readers and writers match.
type remote struct {
	data            wire.ParticipantData
	discovery, user netip.AddrPort // addresses at which its built-in and other endpoints listen
	onHost          bool
	at              netip.Addr // whom it counts for: loopback for all of this host, else where it is heard from
	writers         map[wire.EntityID]*wire.EndpointData
	readers         map[wire.EntityID]*wire.EndpointData
	sources         []*writerProxy // its writers as the local readers see them

	before    netip.AddrPort // where it said it was before it moved, and when it did
	moved     time.Time
	contested time.Time // when another participant last claimed its GUID

	met    time.Time
	heard  time.Time
	lease  timer
	hello  timer
	hellos int // announcements still to be sent to it alone
	// It has said something to us alone, so it exists and has heard of us. Announcements do not
	// end that, because some vendors send them before they listen to endpoints.
	answered bool
	proven   bool // it has answered as an endpoint does
}

// heard renews the lease of a participant: whatever it sends shows that it lives.
func (e *engine) heard(p wire.Prefix) {
	if r := e.remotes[p]; r != nil {
		r.heard = e.now
	}
}

// leaseOf bounds what a participant asks for.
func leaseOf(d *wire.ParticipantData) time.Duration {
	return min(max(d.Lease, minLease), maxLeaseAccepted)
}

// contestTime is how soon a participant that moves back shows that there are two. Programs
// announce themselves every few seconds.
const contestTime = 10 * time.Second

// contests reports whether an announcement is of a second participant that has the GUID of
// r, as copies of virtual machines have: of two that claim to be at different places, the one
// that was there first stays. A participant that moves from network to network does not
// come back at once.
func (e *engine) contests(r *remote, d *wire.ParticipantData, discovery netip.AddrPort) bool {
	if slices.ContainsFunc(d.Metatraffic, func(l wire.Locator) bool { return slices.Contains(r.data.Metatraffic, l) }) {
		return false
	}
	switch {
	case !r.contested.IsZero() && e.now.Sub(r.contested) < contestTime:
		r.contested = e.now
		return true
	case discovery == r.before && e.now.Sub(r.moved) < contestTime:
		r.contested = e.now
		e.notifier.post(Event{Kind: Contested, Remote: Endpoint{GUID: d.GUID}, Name: d.Name,
			Reason: fmt.Sprintf("at %v and at %v", discovery, r.discovery)})
	}
	r.before, r.moved = r.discovery, e.now
	return false
}

// admit makes room for and adds a participant, which is heard from an address and has answered us
// already or not; nil when there is no room.
func (e *engine) admit(d *wire.ParticipantData, from netip.Addr, answers bool) *remote {
	at := e.hostAt(from)
	if len(e.remotes) > e.opts.Limits.Participants && !e.evict(at, answers) { // itself is not counted
		e.stats.add(refusedParticipants)
		return nil
	}
	r := &remote{
		data: *d, at: at, met: e.now, heard: e.now,
		writers: map[wire.EntityID]*wire.EndpointData{},
		readers: map[wire.EntityID]*wire.EndpointData{},
	}
	e.remotes[d.GUID.Prefix] = r
	return r
}

// graceOfUnproven is how long a participant that never answered keeps its place when others
// want it of which no more is known.
const graceOfUnproven = 5 * time.Second

// hostAt is what the participants that are heard from an address count for.
func (e *engine) hostAt(from netip.Addr) netip.Addr {
	if e.host.isOwn(from) {
		return loopback
	}
	return from
}

// evict forgets one participant for a newcomer, which has answered us already or not: of the host
// that has the most of them, when the newcomer's host would still have fewer, else one that never
// answered, at once for a newcomer that has and else when it had its time. So neither a host that
// makes up participants nor a flood of them can shut real ones out, for as long as it lasts or for
// the length of their leases.
func (e *engine) evict(newcomer netip.Addr, answers bool) bool {
	hosts, most := map[netip.Addr]int{}, 0
	for _, r := range e.remotes {
		hosts[r.at]++
		most = max(most, hosts[r.at])
	}
	crowded := most > hosts[newcomer]+1
	var leaves *remote
	for _, r := range e.remotes {
		mayLeave := !r.proven && (answers && !r.answered || e.now.Sub(r.met) >= graceOfUnproven)
		if crowded {
			mayLeave = hosts[r.at] == most
		}
		if mayLeave && r.data.GUID != e.guid &&
			(leaves == nil || hosts[r.at] > hosts[leaves.at] || hosts[r.at] == hosts[leaves.at] && r.givesWay(leaves)) {
			leaves = r
		}
	}
	switch {
	case leaves == nil:
		return false
	case crowded:
		e.forget(leaves, "its host has more participants than others, and no room")
	default:
		e.forget(leaves, "no answer, and no room")
	}
	return true
}

// givesWay reports whether r leaves before another participant of as crowded a host: one
// that never answered before one that did, and the newer before the older.
func (r *remote) givesWay(before *remote) bool {
	if r.proven != before.proven {
		return before.proven
	}
	return r.met.After(before.met)
}

// relieve forgets the participant with the most endpoints of the host that has the most of
// them, when the host of r has fewer.
func (e *engine) relieve(r *remote) bool {
	hosts, most := map[netip.Addr]int{}, 0
	for _, o := range e.remotes {
		hosts[o.at] += o.endpoints()
		most = max(most, hosts[o.at])
	}
	if most <= hosts[r.at]+1 {
		return false
	}
	var leaves *remote
	for _, o := range e.remotes {
		if hosts[o.at] == most && o.data.GUID != e.guid && (leaves == nil || o.endpoints() > leaves.endpoints()) {
			leaves = o
		}
	}
	if leaves == nil {
		return false
	}
	e.forget(leaves, "its host has more endpoints than others, and no room")
	return true
}

// endpoints is how many a participant has announced.
func (r *remote) endpoints() int { return len(r.writers) + len(r.readers) }

// watch starts the lease of r.
func (e *engine) watch(r *remote) {
	r.lease.fire = func() {
		left := leaseOf(&r.data) - e.now.Sub(r.heard)
		if left <= 0 {
			e.forget(r, "lease expired")
			return
		}
		e.after(left, &r.lease)
	}
	e.after(leaseOf(&r.data), &r.lease)
}

// forget removes a participant and everything that hangs on it.
func (e *engine) forget(r *remote, reason string) {
	delete(e.remotes, r.data.GUID.Prefix) // first: nothing of it may match again
	for id := range r.writers {
		e.dropWriter(r, id)
	}
	for id := range r.readers {
		e.dropReader(r, id)
	}
	e.partSEDP(r)
	e.timers.clear(&r.lease)
	e.timers.clear(&r.hello)
	e.notifier.post(Event{Kind: ParticipantLost, Remote: Endpoint{GUID: r.data.GUID}, Name: r.data.Name, Reason: reason})
}

// choose picks the address to send to among the locators of a participant whose
// announcement came from the address from.
func (e *engine) choose(all []wire.Locator, from netip.Addr) (netip.AddrPort, bool) {
	var best netip.AddrPort
	rank := 0
	for _, l := range all {
		a, ok := l.AddrPort()
		if !ok || !e.inRange(a.Addr(), from) {
			continue
		}
		now := 1
		switch {
		case a.Addr().IsLoopback():
			now = 4 // shortest, and inRange has checked that it is this host
		case a.Addr() == from:
			now = 3
		case sameNet(a.Addr(), from):
			now = 2
		}
		if now > rank {
			best, rank = a, now
		}
	}
	return best, rank > 0
}

// inRange reports whether data may be sent to a on behalf of a participant that
// was heard from the address from.
func (e *engine) inRange(a, from netip.Addr) bool {
	switch {
	case a.IsMulticast(), a == netip.AddrFrom4([4]byte{255, 255, 255, 255}):
		return false
	case a.IsLoopback():
		return e.host.isOwn(from)
	case e.host.isOwn(a) || e.host.isPeer(a):
		return true
	}
	return e.opts.Range == Subnet && (len(e.opts.Interfaces) == 0 || e.host.isNear(a))
}

// sameNet guesses: the net masks of others are not known.
func sameNet(a, b netip.Addr) bool {
	p, err := a.Prefix(24)
	return err == nil && p.Contains(b)
}
