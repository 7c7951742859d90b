package ros2

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"sinew/pkg/ros/rtps"
)

// maxDomain is the largest domain whose ports exist.
const maxDomain = 232

// Discovery configures the discovery of other participants.
type Discovery struct {
	Domain int // 0 to 232
	Range  rtps.Range
	// Peers are further hosts, outside the range, on which participants are discovered.
	Peers []Peer
	// Interfaces are names or IPv4 addresses of the network interfaces to use; none means all.
	// ChosenBy names the setting that chose them.
	Interfaces []string
	ChosenBy   string
}

// String describes the hosts that see the node, and how to change that.
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
	if d.Range == rtps.Subnet && !d.LoopbackAlone() {
		text += ": every host there can command this node (" + rangeVariable + "=LOCALHOST keeps it on this host)"
	}
	return text
}

// LoopbackAlone reports whether the chosen interfaces restrict the node to this host, although its
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

// ParseEnvironment reads the environment variables of ROS 2 for discovery; lookup is like
// os.LookupEnv. The error lists all mistakes.
//
//   - ROS_DOMAIN_ID: 0 to 232, by default 0.
//   - ROS_AUTOMATIC_DISCOVERY_RANGE: LOCALHOST, SUBNET or OFF. If it is not set,
//     or SYSTEM_DEFAULT, the range is LOCALHOST, where ROS 2 itself has SUBNET: a
//     simulator should not be visible, or commanded, in the whole building.
//   - ROS_STATIC_PEERS: addresses or host names separated by semicolons, each
//     with :PORT if it does not use the well-known ports. With OFF it is ignored.
//   - ROS_LOCALHOST_ONLY: 1 is LOCALHOST without static peers, and overrides the
//     others, as in ROS 2.
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

// CheckMiddleware returns a warning if RMW_IMPLEMENTATION names a middleware that does not speak DDS:
// nodes that use it and this one do not discover each other. lookup is like os.LookupEnv.
func CheckMiddleware(lookup func(string) (string, bool)) (warning string) {
	rmw, _ := lookup(rmwVariable)
	rmw = strings.TrimSpace(rmw)
	isDDS := func(name string) bool { return strings.Contains(strings.ToLower(rmw), name) }
	if rmw == "" || slices.ContainsFunc([]string{"dds", "fastrtps", "connext"}, isDDS) {
		return ""
	}
	return fmt.Sprintf("%s is %.40q, and this program speaks DDS: nodes with that middleware and this one do not discover each other; "+
		"start them with %s=rmw_fastrtps_cpp or rmw_cyclonedds_cpp, or run a bridge (for Zenoh, zenoh-bridge-ros2dds)", rmwVariable, rmw, rmwVariable)
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
