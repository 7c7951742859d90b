package rtps

import (
	"net/netip"
	"slices"
	"time"

	"sinew/pkg/ros/rtps/wire"
)

// announcer sends the announcements of this participant periodically (8.5.3).
type announcer struct {
	timer    timer
	sequence int64
	sent     int
}

// Announcements are frequent at first, so that two programs that start together discover each other
// soon; later the interval is a third of the lease, or announceSlow if that is shorter.
var announceFast = []time.Duration{50 * time.Millisecond, 100 * time.Millisecond, 200 * time.Millisecond, 300 * time.Millisecond, 500 * time.Millisecond, time.Second}

const (
	announceSlow = 3 * time.Second
	// A new participant gets announcements of its own until it answers: some vendors drop messages
	// while they set up their side.
	helloEvery = 60 * time.Millisecond
	helloTimes = 30
)

// announce sends the announcement to all addresses and sets the next time.
func (e *engine) announce() {
	if e.opts.Range == Off {
		return
	}
	e.joinGroups()
	e.spdp.sequence++
	for _, to := range e.wellKnown() {
		e.sendSPDP(to, wire.Prefix{}, false)
	}
	for _, r := range e.remotes {
		if r.data.GUID != e.guid {
			e.sendSPDP(r.discovery, r.data.GUID.Prefix, false)
		}
	}
	next := min(announceSlow, e.opts.Lease/3)
	if e.spdp.sent < len(announceFast) {
		next = min(next, announceFast[e.spdp.sent])
		e.spdp.sent++
	}
	e.after(next, &e.spdp.timer)
	e.multicastSPDP(false)
}

// wellKnown returns the discovery ports of this host and of the given peers.
func (e *engine) wellKnown() []netip.AddrPort {
	var all []netip.AddrPort
	ports := func(a netip.Addr) {
		for id := range wellKnownOthers {
			if !e.host.isOwn(a) || id != e.id {
				all = append(all, netip.AddrPortFrom(a, wire.SPDPUnicastPort(e.opts.Domain, id)))
			}
		}
	}
	ports(loopback)
	for _, p := range e.host.peers {
		p = netip.AddrPortFrom(p.Addr().Unmap(), p.Port())
		switch {
		case p.Port() != 0:
			all = append(all, p)
		case p.Addr() != loopback:
			ports(p.Addr())
		}
	}
	return all
}

// sendSPDP sends the announcement, or the good-bye, to one address, and to one participant only
// unless only is zero. It sends nothing to other machines while this one has no address that they
// could answer to: messages may arrive on an interface that has just returned before its address is
// known, and Cyclone keeps the first address that it receives.
func (e *engine) sendSPDP(to netip.AddrPort, only wire.Prefix, bye bool) {
	onHost := e.host.isOwn(to.Addr())
	if onHost || len(e.host.reach) > 0 {
		e.link.send(to, e.spdpMessage(onHost, only, bye))
	}
}

// multicastSPDP sends the announcement, or the good-bye, to the group.
func (e *engine) multicastSPDP(bye bool) {
	if e.opts.NoMulticast {
		return
	}
	to := netip.AddrPortFrom(group, wire.SPDPMulticastPort(e.opts.Domain))
	e.link.multicast(to, e.spdpMessage(true, wire.Prefix{}, bye), loopback)
	if e.opts.Range == Subnet {
		for _, a := range e.host.multicast {
			e.link.multicast(to, e.spdpMessage(false, wire.Prefix{}, bye), a)
		}
	}
}

// spdpMessage returns the announcement, or the good-bye; onHost means that only participants on
// this host get it.
func (e *engine) spdpMessage(onHost bool, only wire.Prefix, bye bool) []byte {
	var payload wire.Builder
	d := wire.Data{Reader: wire.SPDPReader, Writer: wire.SPDPWriter, Sequence: e.spdp.sequence}
	if bye {
		payload.ParticipantKey(e.guid)
		d.Key = true
		d.Inline = wire.Inline{Status: wire.StatusDisposed | wire.StatusUnregistered, KeyHash: wire.KeyHashOf(e.guid), HasKey: true}
	} else {
		self := e.describe(onHost)
		payload.Participant(&self)
	}
	d.Payload = payload.Bytes
	b := e.begin(only)
	b.InfoTimestamp(wire.TimeOf(e.now))
	b.Data(d)
	return b.Bytes
}

// describe returns the announcement of this participant. On this host the loopback
// address comes first; beyond, it would mean another machine and is left out.
func (e *engine) describe(onHost bool) wire.ParticipantData {
	d := wire.ParticipantData{
		GUID: e.guid, Version: wire.ThisVersion, Vendor: wire.VendorUnknown,
		Domain: uint32(e.opts.Domain), Name: e.opts.Name, UserData: e.opts.UserData, Lease: e.opts.Lease,
		Builtin: wire.HasSPDPWriter | wire.HasSPDPReader |
			wire.HasSEDPPubWriter | wire.HasSEDPPubReader | wire.HasSEDPSubWriter | wire.HasSEDPSubReader |
			wire.HasMessageReader,
	}
	at := e.host.reach
	if onHost || len(at) == 0 {
		at = append([]netip.Addr{loopback}, at...)
	}
	for _, a := range at {
		d.Metatraffic = append(d.Metatraffic, wire.LocatorOf(netip.AddrPortFrom(a, wire.SPDPUnicastPort(e.opts.Domain, e.id))))
		d.Default = append(d.Default, wire.LocatorOf(netip.AddrPortFrom(a, wire.UserUnicastPort(e.opts.Domain, e.id))))
	}
	return d
}

// discovered handles a sample of the participant topic.
func (e *engine) discovered(m *interpreter, s *wire.Data) {
	if m.source == e.guid.Prefix || e.opts.Range == Off {
		if m.forged {
			e.reportForged(e.remotes[m.source], m.from)
		}
		return
	}
	if s.Inline.Ended() {
		if endedGUID(s.Inline, s.Payload).Prefix != m.source {
			return
		}
		r := e.remotes[m.source]
		if m.forged {
			r.leaving = m.from // if it has moved there; see move
			e.reportForged(r, m.from)
			return
		}
		e.departed.add(departure{m.source, e.hostAt(m.from), s.Sequence, e.now})
		if r != nil {
			e.removeRemote(r, "left")
		}
		return
	}
	d, err := wire.ParseParticipant(s.Payload)
	if err != nil || s.Key {
		e.stats.add(malformed)
		return
	}
	if d.GUID.Prefix != m.source || d.Domain != wire.NoDomain && int(d.Domain) != e.opts.Domain {
		return // forwarded by another participant, or of another domain whose ports coincide
	}
	if e.departed.overtook(m.source, e.hostAt(m.from), s.Sequence, e.now) {
		return
	}
	e.updateRemote(m, d)
}

// departures are the newest good-byes. Announcements arrive at two sockets, so that one may be read
// after the good-bye that was sent later. Without departures, the participant would then be present
// until the end of its lease.
type departures struct {
	newest [64]departure
	next   int
}

// departure is a good-bye.
type departure struct {
	source   wire.Prefix
	host     netip.Addr // as in remote.at: another host does not say good-bye for it
	sequence int64
	at       time.Time
}

// overtakenFor is how long after a good-bye an earlier announcement may be read.
const overtakenFor = 3 * time.Second

func (d *departures) add(bye departure) {
	d.newest[d.next] = bye
	d.next = (d.next + 1) % len(d.newest)
}

// overtook reports whether an announcement is older than a good-bye of its participant.
func (d *departures) overtook(source wire.Prefix, host netip.Addr, sequence int64, now time.Time) bool {
	return slices.ContainsFunc(d.newest[:], func(bye departure) bool {
		return bye.source == source && bye.host == host && sequence <= bye.sequence && now.Sub(bye.at) < overtakenFor
	})
}

// endedGUID returns the GUID of the disposed entity from the key hash, otherwise from the key.
func endedGUID(i wire.Inline, payload []byte) GUID {
	if i.HasKey {
		return i.GUID()
	}
	g, err := wire.ParseKey(payload)
	if err != nil {
		return GUID{}
	}
	return g
}

// updateRemote adds a participant or updates it by its announcement.
func (e *engine) updateRemote(m *interpreter, d wire.ParticipantData) {
	discovery, ok := e.choose(d.Metatraffic, m.from)
	user, ok2 := e.choose(d.Default, m.from)
	if !ok || !ok2 {
		e.stats.add(refusedParticipants)
		return
	}
	r := e.remotes[m.source]
	if r != nil && m.forged {
		if !e.moves(r, m.from) {
			return
		}
		if r.leaving == m.from {
			e.removeRemote(r, "moved to another address")
			r = nil
		}
	}
	isNew := r == nil
	if isNew {
		if r = e.admit(&d, m.from, m.direct); r == nil {
			e.challenge(m, &d, discovery)
			return
		}
	} else if e.contests(r, &d, discovery) {
		return
	}
	r.heard = e.now
	lease := leaseOf(&r.data)
	r.data, r.discovery, r.user, r.onHost, r.at = d, discovery, user, e.host.isOwn(m.from), e.hostAt(m.from)
	r.answered = r.answered || m.direct
	if !isNew {
		if leaseOf(&d) < lease {
			e.watch(r)
		}
		return
	}
	e.watch(r)
	e.announceTo(r)
	e.matchBuiltins(r)
	e.notifier.post(Event{Kind: ParticipantFound, Remote: Endpoint{GUID: d.GUID, UserData: d.UserData}, Name: d.Name})
}

// challenge sends one announcement to a participant for which there was no room. If that exists it
// answers to this participant only, and replaces one that has never answered (see evict). Nothing
// about it is stored meanwhile. A participant that has already sent a message to this one only gets
// none, because two full participants would answer each other without end; nor does an address that
// is neither the sender's nor of this host.
func (e *engine) challenge(m *interpreter, d *wire.ParticipantData, discovery netip.AddrPort) {
	if m.direct || discovery.Addr() != m.from && !e.host.isOwn(discovery.Addr()) {
		return
	}
	only := d.GUID.Prefix
	if d.Vendor == wire.VendorCyclone {
		only = wire.Prefix{} // it does not answer messages for it only
	}
	e.spdp.sequence++
	e.sendSPDP(discovery, only, false)
}

// announceTo sends announcements to a new participant until it answers.
func (e *engine) announceTo(r *remote) {
	r.hellos = helloTimes
	r.hello.fire = func() {
		if r.proven || r.hellos == 0 {
			return
		}
		r.hellos--
		e.spdp.sequence++
		e.sendSPDP(r.discovery, r.data.GUID.Prefix, false)
		e.after(helloEvery, &r.hello)
	}
	r.hello.fire()
}

// goodbye announces to all that this participant ends, including those that may have received an
// announcement without having been discovered. Nothing can be sent after it.
func (e *engine) goodbye() {
	e.left = true
	if e.opts.Range == Off {
		return
	}
	e.spdp.sequence++
	for _, to := range e.wellKnown() {
		e.sendSPDP(to, wire.Prefix{}, true)
	}
	for _, r := range e.remotes {
		if r.data.GUID != e.guid {
			e.sendSPDP(r.discovery, r.data.GUID.Prefix, true)
		}
	}
	e.multicastSPDP(true)
}
