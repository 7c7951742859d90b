package rtps

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"sinew/pkg/ros/rtps/wire"
)

const igmp = "Idx\tDevice    : Count Querier\tGroup    Users Timer\tReporter\n" +
	"1\tlo        :     2      V3\n\t\t\t\t0100FFEF     1 0:00000000\t\t0\n\t\t\t\t010000E0     1 0:00000000\t\t0\n" +
	"2\teth0      :     1      V3\n\t\t\t\t010000E0     1 0:00000000\t\t0\n" +
	"13\teth1      :     2      V3\n\t\t\t\t0100FFEF     1 0:00000000\t\t0\n"

// The kernel's list says on which interfaces the discovery group is not heard any more.
func TestLostMemberships(t *testing.T) {
	network := func(name, prefix string, index int) Interface {
		return Interface{name, netip.MustParsePrefix(prefix), index}
	}
	h := host{networks: []Interface{network("eth0", "10.0.0.1/24", 2), network("eth1", "10.0.1.1/24", 13), network("tun0", "10.0.2.1/24", 3), network("eth3", "10.0.3.1/24", 1300)}}
	h.multicast = []netip.Addr{netip.MustParseAddr("10.0.0.1"), netip.MustParseAddr("10.0.1.1"), netip.MustParseAddr("10.0.3.1")}
	if got := fmt.Sprint(lostMemberships(&h, []byte(igmp))); got != "[10.0.0.1 10.0.3.1]" {
		t.Errorf("lost %s", got)
	}
	if got := lostMemberships(&h, nil); got != nil {
		t.Errorf("lost %v on a system without such a list", got)
	}
}

func FuzzLostMemberships(f *testing.F) {
	f.Add(igmp)
	f.Add("1\n\t\n \n")
	h := host{networks: []Interface{{"a", netip.MustParsePrefix("10.0.0.1/24"), 2}}, multicast: []netip.Addr{netip.MustParseAddr("10.0.0.1")}}
	f.Fuzz(func(t *testing.T, list string) {
		if got := lostMemberships(&h, []byte(list)); len(got) > 1 || list == "" && got != nil {
			t.Errorf("lost %v", got)
		}
	})
}

// TestPeersReplaced: peers that are set are announced to, and in the range Host those of
// before are given up.
func TestPeersReplaced(t *testing.T) {
	p := withClock(t, Options{Peers: peersOf("10.0.0.7:0")})
	p.call(func() {
		for i, a := range []string{"10.0.0.7:7412", "127.0.0.1:7412"} {
			r := p.e.admit(&wire.ParticipantData{GUID: GUID{Prefix: wire.Prefix{byte(i + 2)}, Entity: wire.EntityParticipant}}, loopback, false)
			r.discovery = addrPort(a)
		}
	})
	if err := p.SetPeers(peersOf("10.0.0.8:0", "127.0.0.1:0")); err != nil {
		t.Fatal(err)
	}
	p.call(func() {
		left := p.e.others()
		if len(left) != 1 || left[0].discovery != addrPort("127.0.0.1:7412") {
			t.Errorf("%d participants are left", len(left))
		}
		all := p.e.wellKnown()
		if slices.Contains(all, addrPort("10.0.0.7:7410")) || !slices.Contains(all, addrPort("10.0.0.8:7410")) {
			t.Errorf("announced to %v", all)
		}
	})
	if own := p.own.Load(); own.isPeer(addrPort("10.0.0.7:0").Addr()) || !own.isPeer(addrPort("10.0.0.8:0").Addr()) {
		t.Errorf("datagrams are taken from %v", own.peers)
	}
	if err := p.SetPeers(peersOf("0.0.0.0:0")); err == nil || !strings.Contains(err.Error(), "is not an IPv4 address") {
		t.Errorf("error %v", err)
	}
}

// TestRoaming: an interface of a host that sends goes down, loses its address, gets another,
// is taken away and plugged in again, or comes late: the other side, on Cyclone or ours,
// hears the samples again, a new reader there too, and one on the same host loses none.
func TestRoaming(t *testing.T) {
	if testing.Short() {
		t.Skip("takes half a minute")
	}
	for _, v := range []vendor{ours, cyclone} {
		for _, c := range []struct {
			name    string
			away    time.Duration
			leave   []string // %[1]s is the namespace, %[2]s the interface, of the writer; %[3]s and %[4]s those of the reader
			restore []string
			other   bool // the interface of the reader returns as another: Cyclone itself then sends and hears nothing until it is started anew
		}{
			{"down", 2 * time.Second, []string{"-n %[1]s link set %[2]s down"}, []string{"-n %[1]s link set %[2]s up"}, false},
			{"address away", 2 * time.Second, []string{"-n %[1]s addr flush dev %[2]s"}, []string{"-n %[1]s addr add 10.213.7.1/24 dev %[2]s"}, false},
			{"address away for a moment", 0, []string{"-n %[1]s addr flush dev %[2]s"}, []string{"-n %[1]s addr add 10.213.7.1/24 dev %[2]s"}, false},
			{"another address", 0, []string{"-n %[1]s addr flush dev %[2]s"}, []string{"-n %[1]s addr add 10.213.7.9/24 dev %[2]s"}, false},
			{"gone beyond the leases", 25 * time.Second, []string{"-n %[1]s addr flush dev %[2]s"}, []string{"-n %[1]s addr add 10.213.7.1/24 dev %[2]s"}, false},
			{"plugged out and in", time.Second, []string{"-n %[1]s link del %[2]s"}, []string{
				"link add %[2]s netns %[1]s type veth peer name %[4]s netns %[3]s", "-n %[1]s addr add 10.213.7.1/24 dev %[2]s",
				"-n %[3]s addr add 10.213.7.2/24 dev %[4]s", "-n %[1]s link set %[2]s up", "-n %[3]s link set %[4]s up"}, true},
		} {
			t.Run(v.name+", "+c.name, func(t *testing.T) {
				t.Parallel()
				a, b := twoHosts(t)
				near := place{namespace: a.namespace}
				a.address = a.name // the interface, whatever its address
				sub := startPeerAt(t, b, v, cycloneMulticast, "sub", "rt/roaming", "rv1000")
				same := startPeerAt(t, near, ours, cycloneMulticast, "sub", "rt/roaming", "rv1000")
				const count = 20000
				pub := startPeerAt(t, a, ours, cycloneMulticast, "pub", "rt/roaming", "rv1000", fmt.Sprint(count), "5000", fmt.Sprint(length))
				sub.matched(t)
				same.matched(t)
				pub.start(t)
				eventually(t, "samples", func() bool { return sub.len() > 20 && same.len() > 20 })
				do := func(commands []string) {
					for _, args := range commands {
						mustIP(t, fmt.Sprintf(args, a.namespace, a.name, b.namespace, b.name))
					}
				}
				do(c.leave)
				time.Sleep(c.away)
				if before := sub.len(); c.away > 0 {
					time.Sleep(200 * time.Millisecond)
					if now := sub.len(); now > before {
						t.Errorf("%d samples arrive over an interface that is away", now-before)
					}
				}
				before := sub.len()
				do(c.restore)
				start := time.Now()
				if !c.other || v.name == ours.name {
					eventually(t, "samples again", func() bool { return sub.len() > before+20 })
				}
				again := time.Since(start).Round(10 * time.Millisecond)
				start = time.Now()
				late := startPeerAt(t, b, v, cycloneMulticast, "sub", "rt/roaming", "rv1000")
				eventually(t, "samples at a new reader", func() bool { return late.len() > 20 })
				t.Logf("%s, %s: samples again after %v, at a new reader after %v", v.name, c.name, again, time.Since(start).Round(10*time.Millisecond))
				all := same.numbers(t, length)
				for i, k := range all {
					if k != all[0]+i {
						t.Fatalf("the reader on the same host got %d after %d", k, all[i-1])
					}
				}
				pub.cmd.Process.Kill()
				sub.cmd.Process.Kill() // Cyclone waits long where its interface has gone
			})
		}
	}
}
