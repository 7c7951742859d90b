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
	at              netip.Addr // host that it is counted for: loopback for all of this host, otherwise its source address
	writers         map[wire.EntityID]*wire.EndpointData
	readers         map[wire.EntityID]*wire.EndpointData
	sources         []*writerProxy // its writers that are matched with local readers

	before    netip.AddrPort // its address before its last move, and the time of the move
	moved     time.Time
	contested time.Time // when another participant last claimed its GUID

	claimed time.Time  // when an announcement from another address claimed that it has moved
	probed  time.Time  // when it was asked whether it has
	leaving netip.Addr // address of a good-bye that is none of its own
	forged  time.Time  // when a forged datagram of it was reported

	met    time.Time
	heard  time.Time
	lease  timer
	hello  timer
	hellos int // announcements still to be sent to it alone
	// answered reports that it has sent a message to this participant only: it exists and has
	// discovered this one. Announcements do not count, because some vendors send them before they
	// receive messages for endpoints.
	answered bool
	proven   bool // one of its endpoints has answered
}

// leaseOf returns the announced lease within bounds.
func leaseOf(d *wire.ParticipantData) time.Duration {
	return min(max(d.Lease, minLease), maxLeaseAccepted)
}

// contestTime is the time within which a participant that returns to its former address shows that
// there are two with the same GUID. Programs announce themselves every few seconds.
const contestTime = 10 * time.Second

// contests reports whether an announcement is from a second participant with the GUID of r, as
// copies of virtual machines have: of two that announce different addresses, the first one stays. A
// participant that moves from network to network does not return at once.
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

// admit adds a participant that was received from an address and has, or has not, answered already;
// nil if there is no room.
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

// graceOfUnproven is how long a participant that has never answered keeps its place if others that
// have not answered either need it.
const graceOfUnproven = 5 * time.Second

// hostAt returns the host that participants from a source address are counted for.
func (e *engine) hostAt(from netip.Addr) netip.Addr {
	if e.host.isOwn(from) {
		return loopback
	}
	return from
}

// evict removes one participant for a newcomer, which has, or has not, answered already: one of the
// host with the most participants, if the newcomer's host would still have fewer; otherwise one
// that has never answered, at once for a newcomer that has and else after graceOfUnproven. Thus
// neither a host that invents participants nor a flood of them can exclude real ones.
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
			(leaves == nil || hosts[r.at] > hosts[leaves.at] || hosts[r.at] == hosts[leaves.at] && r.isEvictedBefore(leaves)) {
			leaves = r
		}
	}
	switch {
	case leaves == nil:
		return false
	case crowded:
		e.removeRemote(leaves, "its host has more participants than others, and no room")
	default:
		e.removeRemote(leaves, "no answer, and no room")
	}
	return true
}

// isEvictedBefore reports whether r is removed before another participant of a host with as many: one that
// never answered before one that did, and the newer before the older.
func (r *remote) isEvictedBefore(before *remote) bool {
	if r.proven != before.proven {
		return before.proven
	}
	return r.met.After(before.met)
}

// relieve removes the participant with the most endpoints from the host with the most endpoints, if
// the host of r has fewer.
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
	e.removeRemote(leaves, "its host has more endpoints than others, and no room")
	return true
}

// answers registers that one of the endpoints of r has answered, in a datagram from the address to
// which data for it is sent. An answer from another address does not show that the participant is there.
func (e *engine) answers(r *remote) {
	if r.proven || !r.onHost && e.source != r.discovery.Addr() && e.source != r.user.Addr() {
		return
	}
	r.proven = true
	for _, w := range e.writers {
		for _, p := range w.proxies {
			if p.remote != r {
				continue
			}
			w.expectAck()
			if p.busy() {
				p.send()
			}
		}
	}
}

// isSilent reports whether r has not answered for so long that samples are not sent to it: its
// address may have no participant, or another one. Heartbeats of discovery still are, which it would
// answer.
func (e *engine) isSilent(r *remote) bool {
	return !r.proven && e.now.Sub(r.met) >= graceOfUnproven
}

// endpoints returns the number of announced endpoints.
func (r *remote) endpoints() int { return len(r.writers) + len(r.readers) }

// watch starts the lease of r.
func (e *engine) watch(r *remote) {
	r.lease.fire = func() {
		left := leaseOf(&r.data) - e.now.Sub(r.heard)
		if left <= 0 {
			e.removeRemote(r, "lease expired")
			return
		}
		e.after(left, &r.lease)
	}
	e.after(leaseOf(&r.data), &r.lease)
}

// removeRemote removes a participant with its endpoints and matches.
func (e *engine) removeRemote(r *remote, reason string) {
	delete(e.remotes, r.data.GUID.Prefix) // first: none of its endpoints may be matched again
	for id := range r.writers {
		e.dropWriter(r, id)
	}
	for id := range r.readers {
		e.dropReader(r, id)
	}
	e.unmatchBuiltins(r)
	e.timers.clear(&r.lease)
	e.timers.clear(&r.hello)
	e.notifier.post(Event{Kind: ParticipantLost, Remote: Endpoint{GUID: r.data.GUID}, Name: r.data.Name, Reason: reason})
}

// choose selects the address to send to among the locators of a participant whose announcement came
// from the address from.
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

// inRange reports whether data may be sent to a for a participant that was received from the
// address from: its sender, a host in a network of this one, a peer, or this host for a participant
// on it. Other addresses may be those of hosts that have asked for nothing.
func (e *engine) inRange(a, from netip.Addr) bool {
	switch {
	case a.IsMulticast(), a == netip.AddrFrom4([4]byte{255, 255, 255, 255}), e.host.isBroadcast(a):
		return false
	case e.host.isOwn(a):
		return e.host.isOwn(from)
	case e.host.isPeer(a):
		return true
	case e.opts.Range != Subnet:
		return false
	}
	return e.host.isNear(a) || a == from && len(e.opts.Interfaces) == 0
}

// sameNet estimates whether two addresses are in one network: the net masks of other hosts are
// unknown.
func sameNet(a, b netip.Addr) bool {
	p, err := a.Prefix(24)
	return err == nil && p.Contains(b)
}
