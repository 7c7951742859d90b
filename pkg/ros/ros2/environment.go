package ros2

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"sinew/pkg/ros/rtps"
)

// maxDomain is the largest domain whose ports exist.
const maxDomain = 232

// Discovery configures which participants find each other.
type Discovery struct {
	Domain int // 0 to 232
	Range  rtps.Range
	// Peers are hosts beyond the range to look for participants on.
	Peers []Peer
	// Interfaces are names or IPv4 addresses of the network interfaces to use;
	// none means all. ChosenBy says where they were chosen.
	Interfaces []string
	ChosenBy   string
}

// String describes to users where the node is visible, and how to change that.
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

// LoopbackAlone reports whether the chosen interfaces keep the node to this host, although its
// range is wider.
func (d Discovery) LoopbackAlone() bool {
	return (d.Range == rtps.Subnet || d.Range == rtps.Host && len(d.Peers) > 0) && rtps.LoopbackInterfaces(d.Interfaces)
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
