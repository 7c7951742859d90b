package rtps

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"slices"
)

var loopback = netip.AddrFrom4([4]byte{127, 0, 0, 1})

// host is the set of addresses of this machine.
type host struct {
	own       map[netip.Addr]bool
	reach     []netip.Addr // addresses at which others may reach us, loopback apart
	multicast []netip.Addr // addresses of interfaces with multicast, loopback apart
}

// surveyHost lists the IPv4 addresses of the interfaces that only names, or all
// when it is empty.
func surveyHost(only []string) host {
	h := host{own: map[netip.Addr]bool{loopback: true}}
	all, err := net.Interfaces()
	if err != nil {
		return h // loopback alone is always right
	}
	for _, i := range all {
		if i.Flags&net.FlagUp == 0 {
			continue
		}
		for _, a := range ipv4Of(i) {
			h.own[a] = true
			wanted := len(only) == 0 || slices.Contains(only, i.Name) || slices.Contains(only, a.String())
			if a.IsLoopback() || !wanted || len(h.reach) >= 8 {
				continue
			}
			h.reach = append(h.reach, a)
			if i.Flags&net.FlagMulticast != 0 {
				h.multicast = append(h.multicast, a)
			}
		}
	}
	return h
}

// checkInterfaces reports the names or addresses that no interface has.
func checkInterfaces(only []string) error {
	if len(only) == 0 {
		return nil
	}
	all, err := net.Interfaces()
	if err != nil {
		return fmt.Errorf("rtps: %w", err)
	}
	known := map[string]bool{}
	for _, i := range all {
		known[i.Name] = true
		for _, a := range ipv4Of(i) {
			known[a.String()] = true
		}
	}
	var errs []error
	for _, name := range only {
		if !known[name] {
			errs = append(errs, fmt.Errorf("rtps: no network interface has the name or IPv4 address %q", name))
		}
	}
	return errors.Join(errs...)
}

func ipv4Of(i net.Interface) (all []netip.Addr) {
	addrs, err := i.Addrs()
	if err != nil {
		return nil
	}
	for _, a := range addrs {
		if n, ok := a.(*net.IPNet); ok {
			if ip, ok := netip.AddrFromSlice(n.IP); ok && ip.Unmap().Is4() {
				all = append(all, ip.Unmap())
			}
		}
	}
	return all
}

// isOwn reports whether a is an address of this machine.
func (h *host) isOwn(a netip.Addr) bool { return a.IsLoopback() || h.own[a] }
