package rtps

import (
	"encoding/binary"
	"maps"
	"net"
	"net/netip"
	"slices"
)

var loopback = netip.AddrFrom4([4]byte{127, 0, 0, 1})

// maxReach bounds the addresses in an announcement.
const maxReach = 8

// host is the set of addresses of this machine, and the peers on other machines.
type host struct {
	own       map[netip.Addr]bool
	networks  []Interface      // those to use, loopback apart
	away      []Interface      // interfaces to use that have disappeared and may return before the next survey
	reach     []netip.Addr     // addresses that are announced: those of networks
	multicast []netip.Addr     // addresses of interfaces with multicast, loopback apart
	peers     []netip.AddrPort // as in Options
}

// Interface is one address of a network interface.
type Interface struct {
	Name    string
	Address netip.Prefix // IPv4
	index   int          // index of the interface; a network adapter that returns has a new one
}

// surveyHost lists the IPv4 addresses of the interfaces that only names, or all
// when it is empty.
func surveyHost(only []string) host {
	h := host{own: map[netip.Addr]bool{loopback: true}}
	all, err := net.Interfaces()
	if err != nil {
		return h // loopback alone is always valid
	}
	for _, i := range all {
		if i.Flags&net.FlagUp == 0 {
			continue
		}
		for _, p := range ipv4Of(i) {
			a := p.Addr()
			h.own[a] = true
			if a.IsLoopback() || !isChosen(only, i.Name, a) || len(h.reach) >= maxReach {
				continue
			}
			h.networks = append(h.networks, Interface{i.Name, p, i.Index})
			h.reach = append(h.reach, a)
			if i.Flags&net.FlagMulticast != 0 {
				h.multicast = append(h.multicast, a)
			}
		}
	}
	return h
}

func isChosen(only []string, name string, a netip.Addr) bool {
	return len(only) == 0 || slices.Contains(only, name) || slices.Contains(only, a.String())
}

// MissingInterfaces returns those of the wanted names and addresses that no network interface has,
// up or down, and all names and addresses that exist.
func MissingInterfaces(wanted []string) (missing, present []string) {
	all, err := net.Interfaces()
	if err != nil {
		return nil, nil
	}
	for _, i := range all {
		present = append(present, i.Name)
		for _, a := range ipv4Of(i) {
			present = append(present, a.Addr().String())
		}
	}
	for _, name := range wanted {
		if !slices.Contains(present, name) {
			missing = append(missing, name)
		}
	}
	return missing, present
}

// LoopbackInterfaces reports whether all of the names and addresses are those of loopback
// interfaces.
func LoopbackInterfaces(names []string) bool {
	all, err := net.Interfaces()
	if err != nil {
		return false
	}
	isLoopback := func(name string) bool {
		if a, err := netip.ParseAddr(name); err == nil {
			return a.IsLoopback()
		}
		return slices.ContainsFunc(all, func(i net.Interface) bool { return i.Name == name && i.Flags&net.FlagLoopback != 0 })
	}
	return len(names) > 0 && !slices.ContainsFunc(names, func(name string) bool { return !isLoopback(name) })
}

func ipv4Of(i net.Interface) (all []netip.Prefix) {
	addrs, err := i.Addrs()
	if err != nil {
		return nil
	}
	for _, a := range addrs {
		if n, ok := a.(*net.IPNet); ok {
			ip, ok := netip.AddrFromSlice(n.IP)
			if ones, bits := n.Mask.Size(); ok && ip.Unmap().Is4() && bits == 32 {
				all = append(all, netip.PrefixFrom(ip.Unmap(), ones))
			}
		}
	}
	return all
}

// isOwn reports whether a is an address of this machine.
func (h *host) isOwn(a netip.Addr) bool { return a.IsLoopback() || h.own[a] }

// isNear reports whether a is in a network of the interfaces to use.
func (h *host) isNear(a netip.Addr) bool {
	in := func(n Interface) bool { return n.Address.Masked().Contains(a) }
	return slices.ContainsFunc(h.networks, in) || slices.ContainsFunc(h.away, in)
}

// isBroadcast reports whether a addresses all hosts of a network of the interfaces to use.
func (h *host) isBroadcast(a netip.Addr) bool {
	return slices.ContainsFunc(h.networks, func(n Interface) bool {
		ones := n.Address.Bits()
		if !a.Is4() || ones >= 31 || !n.Address.Masked().Contains(a) {
			return false
		}
		b := a.As4()
		rest := uint32(1)<<(32-ones) - 1
		number := binary.BigEndian.Uint32(b[:]) & rest
		return number == 0 || number == rest
	})
}

// keepLost keeps the networks of before whose interfaces have disappeared.
func (h *host) keepLost(before *host) {
	for _, n := range slices.Concat(before.networks, before.away) {
		known := func(o Interface) bool { return o.Name == n.Name }
		if !slices.ContainsFunc(h.networks, known) && !slices.ContainsFunc(h.away, known) && len(h.away) < maxReach {
			h.away = append(h.away, n)
		}
	}
}

// isPeer reports whether a is the address of a given peer.
func (h *host) isPeer(a netip.Addr) bool {
	return slices.ContainsFunc(h.peers, func(p netip.AddrPort) bool { return p.Addr().Unmap() == a })
}

// same reports whether two surveys are equal.
func (h *host) same(o *host) bool {
	return slices.Equal(h.networks, o.networks) && slices.Equal(h.multicast, o.multicast) && maps.Equal(h.own, o.own)
}
