package ros2

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"strconv"
	"strings"
	"time"

	"sinew/pkg/ros/rtps"
)

// maxDomain is the largest domain whose ports exist.
const maxDomain = 232

// Discovery says which participants find each other.
type Discovery struct {
	Domain int // 0 to 232
	Range  rtps.Range
	// Peers are hosts beyond the range to look for participants on.
	Peers []Peer
	// Interfaces are names or IPv4 addresses of the network interfaces to use;
	// none means all.
	Interfaces []string
}

// Peer is a host to look for participants on.
type Peer struct {
	Host string // name or IPv4 address
	Port uint16 // of discovery; 0 stands for the well-known ports
}

// String tells users where the node can be seen, and how to change it.
func (d Discovery) String() string {
	text := fmt.Sprintf("domain %d, ", d.Domain)
	switch {
	case d.Range == rtps.Subnet:
		text += "this subnet"
	case d.Range == rtps.Off:
		return text + "discovery off"
	case len(d.Peers) == 0:
		return text + "this host only (" + rangeVariable + "=SUBNET widens)"
	default:
		text += "this host"
	}
	if n := len(d.Peers); n > 0 {
		text += fmt.Sprintf(" and static peers (%d)", n)
	}
	return text
}

// Names of environment variables.
const (
	domainVariable    = "ROS_DOMAIN_ID"
	rangeVariable     = "ROS_AUTOMATIC_DISCOVERY_RANGE"
	localhostVariable = "ROS_LOCALHOST_ONLY"
	peersVariable     = "ROS_STATIC_PEERS"
)

// ParseEnvironment reads the variables of ROS 2 that concern discovery; lookup
// works like os.LookupEnv. All mistakes are reported at once.
//
//   - ROS_DOMAIN_ID: 0 to 232, by default 0.
//   - ROS_AUTOMATIC_DISCOVERY_RANGE: LOCALHOST, SUBNET or OFF. Not set, or
//     SYSTEM_DEFAULT, is LOCALHOST here, where ROS 2 itself has SUBNET: a
//     simulator should not be seen, or driven, by the whole building.
//   - ROS_STATIC_PEERS: addresses or host names separated by semicolons, each
//     with :PORT if it is not at the well-known ports. OFF ignores them.
//   - ROS_LOCALHOST_ONLY: 1 is LOCALHOST without static peers, whatever the
//     others say, as in ROS 2.
func ParseEnvironment(lookup func(string) (string, bool)) (Discovery, error) {
	value := func(key string) string {
		v, _ := lookup(key)
		return strings.TrimSpace(v)
	}
	var d Discovery
	var errs [4]error
	d.Domain, errs[0] = parseDomain(value(domainVariable))
	d.Range, errs[1] = parseRange(value(rangeVariable))
	d.Peers, errs[2] = parsePeers(value(peersVariable))
	only := value(localhostVariable)
	if only != "" && only != "0" && only != "1" {
		errs[3] = fmt.Errorf("%s is %.40q; give 0 or 1", localhostVariable, only)
	}
	if err := errors.Join(errs[:]...); err != nil {
		return d, err
	}
	if only == "1" {
		d.Range = rtps.Host
	}
	if only == "1" || d.Range == rtps.Off {
		d.Peers = nil
	}
	return d, nil
}

func parseDomain(text string) (int, error) {
	if text == "" {
		return 0, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 || n > maxDomain {
		return 0, fmt.Errorf("%s is %.40q; give a whole number from 0 to %d", domainVariable, text, maxDomain)
	}
	return n, nil
}

func parseRange(text string) (rtps.Range, error) {
	switch text {
	case "", "SYSTEM_DEFAULT", "LOCALHOST":
		return rtps.Host, nil
	case "SUBNET":
		return rtps.Subnet, nil
	case "OFF":
		return rtps.Off, nil
	}
	return rtps.Host, fmt.Errorf("%s is %.40q; give LOCALHOST, SUBNET, OFF or SYSTEM_DEFAULT", rangeVariable, text)
}

// maxStaticPeers is how many the participant takes.
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

func checkPeer(a netip.Addr) error {
	switch {
	case !a.Unmap().Is4():
		return errors.New("is an IPv6 address; only IPv4 is supported")
	case a.Unmap().IsUnspecified() || a.Unmap().IsMulticast():
		return errors.New("is not the address of a host")
	}
	return nil
}

// resolvePatience is how long the name service may take for all peers.
const resolvePatience = 2 * time.Second

// resolve looks up the names of peers.
func resolve(peers []Peer) (all []netip.AddrPort, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), resolvePatience)
	defer cancel()
	var errs []error
	for _, p := range peers {
		a, err := netip.ParseAddr(p.Host)
		if err != nil {
			var found []netip.Addr
			if found, err = net.DefaultResolver.LookupNetIP(ctx, "ip4", p.Host); err != nil {
				errs = append(errs, fmt.Errorf("static peer %s: %w", p.Host, err))
				continue
			}
			a = found[0]
		}
		all = append(all, netip.AddrPortFrom(a.Unmap(), p.Port))
	}
	return all, errors.Join(errs...)
}
