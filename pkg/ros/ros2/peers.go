package ros2

import (
	"errors"
	"fmt"
	"net/netip"
	"strconv"
	"strings"
)

// Peer is a host on which participants are discovered.
type Peer struct {
	Host string // name or IPv4 address
	Port uint16 // discovery port; 0 means the well-known ports
}

// maxStaticPeers is the maximum number of static peers.
const maxStaticPeers = 64

func parsePeers(text string) (all []Peer, err error) {
	var errs []error
	for _, item := range strings.Split(text, ";") {
		if item = strings.TrimSpace(item); item == "" {
			continue
		}
		p, err := parsePeer(item)
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: peer %.60q %w", peersVariable, item, err))
			continue
		}
		all = append(all, p)
	}
	if len(all) > maxStaticPeers {
		errs = append(errs, fmt.Errorf("%s has %d peers, at most %d are allowed", peersVariable, len(all), maxStaticPeers))
	}
	return all, errors.Join(errs...)
}

func parsePeer(item string) (Peer, error) {
	p := Peer{Host: item}
	if a, err := netip.ParseAddr(item); err == nil {
		return p, checkPeer(a)
	}
	if strings.HasPrefix(item, "[") {
		return p, errIPv6 // the brackets of its addresses
	}
	host, port, found := strings.Cut(item, ":")
	if found {
		n, err := strconv.ParseUint(port, 10, 16)
		if err != nil || n == 0 {
			return p, fmt.Errorf("has the port %.20q; give 1 to 65535", port)
		}
		p = Peer{host, uint16(n)}
	}
	if a, err := netip.ParseAddr(host); err == nil {
		return p, checkPeer(a)
	}
	if err := checkNumeric(host); err != nil {
		return p, err
	}
	if host == "" || len(host) > 253 {
		return p, fmt.Errorf("has a host name of %d bytes; 1 to 253 are allowed", len(host))
	}
	for _, c := range host {
		if !('a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '-' || c == '.' || c == '_') {
			return p, fmt.Errorf("contains %q; give an IPv4 address or a host name", c)
		}
	}
	return p, nil
}

var errIPv6 = errors.New("is an IPv6 address; only IPv4 is supported")

// checkNumeric returns an error for text that looks like an IPv4 address but is invalid.
func checkNumeric(text string) error {
	if strings.Contains(text, ".") && strings.Trim(text, "0123456789.") == "" {
		return errors.New("is no IPv4 address; allowed are four numbers from 0 to 255, as in 10.0.0.5")
	}
	return nil
}

func checkPeer(a netip.Addr) error {
	switch {
	case !a.Unmap().Is4():
		return errIPv6
	case a.Unmap().IsUnspecified() || a.Unmap().IsMulticast():
		return errors.New("is not the address of a host")
	}
	return nil
}
