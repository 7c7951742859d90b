package main

import (
	"flag"
	"fmt"
	"net"
	"net/netip"
	"os"
	"time"

	"sinew/pkg/ros/rtps/wire"
)

// Bounds of what this program does to the machine it runs on.
const (
	maxSeconds = 60
	maxRate    = 100_000
	tick       = time.Millisecond
)

func main() {
	domain := flag.Int("domain", 0, "DDS domain of the target")
	id := flag.Int("id", 0, "participant identifier of the target, which decides about its ports")
	seconds := flag.Float64("seconds", 10, "how long, s")
	rate := flag.Int("rate", 20_000, "datagrams per second")
	port := flag.String("port", "all", "all, or one port of the target: multicast, discovery or data")
	topic := flag.String("topic", "rt/tendonsim/measured_cp", "DDS name of a topic of the target")
	typeName := flag.String("type", "geometry_msgs::msg::dds_::PoseStamped_", "DDS name of its type")
	kind := flag.String("kind", "all", "all, or one kind of datagrams: participants or fragments")
	flag.Parse()
	a := newAttacker(*topic, *typeName)
	var known bool
	if a.only, known = only[*kind]; !known {
		fmt.Fprintf(os.Stderr, "flood: kind %q: all, participants and fragments are possible\n", *kind)
		os.Exit(1)
	}
	sent, err := flood(*domain, *id, *port, *seconds, *rate, a)
	fmt.Printf("%d datagrams sent\n", sent)
	if err != nil {
		fmt.Fprintln(os.Stderr, "flood:", err)
		os.Exit(1)
	}
}

// flood sends a tick's share of the datagrams, then waits for the next tick.
func flood(domain, id int, port string, seconds float64, rate int, a *attacker) (sent int, err error) {
	switch {
	case domain < 0 || domain > wire.MaxDomain || id < 0 || id > wire.MaxParticipantID:
		return 0, fmt.Errorf("domain %d and participant %d: 0 to %d and 0 to %d are possible", domain, id, wire.MaxDomain, wire.MaxParticipantID)
	case !(seconds > 0 && seconds <= maxSeconds) || rate < 1 || rate > maxRate:
		return 0, fmt.Errorf("%g s at %d datagrams per second: above 0, at most %d s and %d are allowed", seconds, rate, maxSeconds, maxRate)
	}
	loopback := netip.AddrFrom4([4]byte{127, 0, 0, 1})
	c, err := net.ListenUDP("udp4", net.UDPAddrFromAddrPort(netip.AddrPortFrom(loopback, 0)))
	if err != nil {
		return 0, err
	}
	defer c.Close()
	a.address = c.LocalAddr().(*net.UDPAddr).AddrPort()
	discovery := netip.AddrPortFrom(loopback, wire.SPDPUnicastPort(domain, id))
	user := netip.AddrPortFrom(loopback, wire.UserUnicastPort(domain, id))
	switch port {
	case "all":
	case "discovery":
		user = discovery
	case "data":
		discovery = user
	case "multicast":
		discovery = netip.AddrPortFrom(netip.AddrFrom4(wire.SPDPGroup), wire.SPDPMulticastPort(domain))
		user = discovery
		if err := viaLoopback(c); err != nil {
			return 0, err
		}
	default:
		return 0, fmt.Errorf("port %q: all, multicast, discovery and data are possible", port)
	}
	start := time.Now()
	for end := int(seconds * float64(rate)); sent < end; time.Sleep(tick) {
		for due := min(end, int(time.Since(start).Seconds()*float64(rate))); sent < due; sent++ {
			datagram, data := a.next(sent)
			to := discovery
			if data {
				to = user
			}
			if _, err := c.WriteToUDPAddrPort(datagram, to); err != nil {
				return sent, err
			}
		}
	}
	return sent, nil
}
