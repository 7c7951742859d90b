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
	topic := flag.String("topic", "rt/tendonsim/measured_cp", "DDS name of a topic of the target")
	typeName := flag.String("type", "geometry_msgs::msg::dds_::PoseStamped_", "DDS name of its type")
	flag.Parse()
	sent, err := flood(*domain, *id, *seconds, *rate, newAttacker(*topic, *typeName))
	fmt.Printf("%d datagrams sent\n", sent)
	if err != nil {
		fmt.Fprintln(os.Stderr, "flood:", err)
		os.Exit(1)
	}
}

// flood sends a tick's share of the datagrams, then waits for the next tick.
func flood(domain, id int, seconds float64, rate int, a *attacker) (sent int, err error) {
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
	ports := [...]netip.AddrPort{
		netip.AddrPortFrom(loopback, wire.SPDPUnicastPort(domain, id)),
		netip.AddrPortFrom(loopback, wire.UserUnicastPort(domain, id)),
	}
	start := time.Now()
	for end := int(seconds * float64(rate)); sent < end; time.Sleep(tick) {
		for due := min(end, int(time.Since(start).Seconds()*float64(rate))); sent < due; sent++ {
			datagram, data := a.next(sent)
			to := ports[0]
			if data {
				to = ports[1]
			}
			if _, err := c.WriteToUDPAddrPort(datagram, to); err != nil {
				return sent, err
			}
		}
	}
	return sent, nil
}
