package rtps

import (
	"bytes"
	"fmt"
	"net/netip"
	"os"
	"slices"
	"strings"
	"time"
)

// lookEvery is the interval between surveys of the network interfaces. Changes take effect within
// that time.
const lookEvery = time.Second

// followInterfaces surveys the network interfaces until the participant is closed. It has a goroutine of
// its own, since listing hundreds of interfaces takes milliseconds.
func (p *Participant) followInterfaces() {
	ticker := time.NewTicker(lookEvery)
	defer ticker.Stop()
	last := *p.own.Load()
	var lastLost []netip.Addr
	for {
		select {
		case <-p.closing:
			return
		case <-ticker.C:
		}
		h := surveyHost(p.e.opts.Interfaces)
		var lost []netip.Addr
		if p.e.inGroup() {
			igmp, _ := os.ReadFile("/proc/net/igmp")
			lost = lostMemberships(&h, igmp)
		}
		changed := !h.same(&last)
		if !changed && len(lost) == 0 {
			lastLost = nil
			continue
		}
		announce := changed || !slices.Equal(lost, lastLost)
		last, lastLost = h, lost
		_ = p.call(func() { p.e.hostChanged(h, lost, announce) })
	}
}

// lostMemberships returns the addresses of the interfaces that, according to /proc/net/igmp of
// Linux, are not in the discovery group. The kernel ends the membership of an interface that loses
// its last address, without a notification when the address returns.
func lostMemberships(h *host, igmp []byte) (lost []netip.Addr) {
	if len(igmp) == 0 {
		return nil
	}
	g := group.As4()
	id := fmt.Sprintf("%02X%02X%02X%02X", g[3], g[2], g[1], g[0])
	members := map[string]bool{} // by index
	index := ""
	for line := range bytes.Lines(igmp) {
		fields := strings.Fields(string(line))
		switch {
		case len(fields) == 0:
		case line[0] != '\t' && line[0] != ' ':
			index = fields[0]
		case fields[0] == id:
			members[index] = true
		}
	}
	for _, n := range h.networks {
		if a := n.Address.Addr(); slices.Contains(h.multicast, a) && !members[fmt.Sprint(n.index)] {
			lost = append(lost, a)
		}
	}
	return lost
}

// inGroup reports whether this participant uses the discovery group on network interfaces.
func (e *engine) inGroup() bool { return e.opts.Range == Subnet && !e.opts.NoMulticast }

// joinGroups joins the discovery group on the interfaces in range. An interface without multicast
// is left out: the well-known ports remain.
func (e *engine) joinGroups() {
	if e.opts.NoMulticast || e.opts.Range == Off {
		return
	}
	_ = e.join(loopback)
	if e.opts.Range == Subnet {
		for _, a := range e.host.multicast {
			_ = e.join(a)
		}
	}
}

// hostChanged applies a new survey of this host. The group is joined again on interfaces that have
// changed or lost it, except loopback.
func (e *engine) hostChanged(h host, lost []netip.Addr, announce bool) {
	h.peers = e.host.peers
	h.keepLost(&e.host)
	for _, n := range e.host.networks {
		if !slices.Contains(h.networks, n) {
			e.part(n.Address.Addr())
		}
	}
	for _, a := range lost {
		e.part(a)
	}
	e.host = h
	e.survey(&h)
	e.move()
	e.joinGroups()
	if announce {
		e.announceAnew()
	}
}

// move sends a good-bye to participants on other hosts when an announced address has been replaced
// by another, and removes them: some vendors keep the first address of a participant until they
// lose it. All participants discover each other again at once.
func (e *engine) move() {
	isGone := func(a netip.Addr) bool { return !slices.Contains(e.host.reach, a) }
	isNew := func(a netip.Addr) bool { return !slices.Contains(e.announced, a) }
	if !slices.ContainsFunc(e.host.reach, isNew) {
		return // an address that has disappeared may return
	}
	gone := slices.ContainsFunc(e.announced, isGone)
	e.announced = slices.Clone(e.host.reach)
	if !gone || e.opts.Range == Off {
		return
	}
	e.spdp.sequence++
	for _, r := range e.others() {
		if !r.onHost {
			e.link.send(r.discovery, e.spdpMessage(false, r.data.GUID.Prefix, true))
			e.removeRemote(r, "this host has another address")
		}
	}
}

// others lists the other participants.
func (e *engine) others() (all []*remote) {
	for _, r := range e.remotes {
		if r.data.GUID != e.guid {
			all = append(all, r)
		}
	}
	return all
}

// announceAnew sends announcements as often as at the start.
func (e *engine) announceAnew() {
	e.spdp.sent = 0
	e.announce()
}

// Interfaces lists the addresses of the network interfaces in use now, except loopback. In the
// range Host they are used for Peers only.
func (p *Participant) Interfaces() []Interface { return slices.Clone(p.own.Load().networks) }

// SetPeers replaces Options.Peers. In the range Host it removes participants on hosts that are no
// longer peers.
func (p *Participant) SetPeers(peers []netip.AddrPort) error {
	if err := checkPeers(peers); err != nil {
		return err
	}
	peers = slices.Clone(peers)
	return p.call(func() {
		e := p.e
		h := e.host
		h.peers = peers
		e.host = h
		e.survey(&h)
		for _, r := range e.others() {
			if a := r.discovery.Addr(); e.opts.Range == Host && !h.isOwn(a) && !h.isPeer(a) {
				e.removeRemote(r, "its host is no peer any more")
			}
		}
		e.announceAnew()
	})
}
