package rtps_test

import (
	"fmt"
	"testing"
	"time"

	"sinew/pkg/ros/rtps"
)

// TestRoaming: an interface of a host that sends goes down, loses its address, gets another,
// is taken away and plugged in again, or comes late: the other side, on Cyclone or ours,
// hears the samples again, a new reader there too, and one on the same host loses none.
func TestRoaming(t *testing.T) {
	if testing.Short() {
		t.Skip("takes half a minute")
	}
	for _, v := range []rtps.VendorInTest{rtps.Ours, rtps.Cyclone} {
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
			t.Run(v.Name+", "+c.name, func(t *testing.T) {
				t.Parallel()
				a, b := twoHosts(t)
				near := rtps.Place{Namespace: a.Namespace}
				a.Address = a.Name // the interface, whatever its address
				sub := rtps.StartPeerAt(t, b, v, rtps.CycloneMulticast, "sub", "rt/roaming", "rv1000")
				same := rtps.StartPeerAt(t, near, rtps.Ours, rtps.CycloneMulticast, "sub", "rt/roaming", "rv1000")
				const count = 20000
				pub := rtps.StartPeerAt(t, a, rtps.Ours, rtps.CycloneMulticast, "pub", "rt/roaming", "rv1000", fmt.Sprint(count), "5000", fmt.Sprint(rtps.Length))
				sub.Matched(t)
				same.Matched(t)
				pub.Start(t)
				rtps.Eventually(t, "samples", func() bool { return sub.Len() > 20 && same.Len() > 20 })
				do := func(commands []string) {
					for _, args := range commands {
						mustIP(t, fmt.Sprintf(args, a.Namespace, a.Name, b.Namespace, b.Name))
					}
				}
				do(c.leave)
				time.Sleep(c.away)
				if before := sub.Len(); c.away > 0 {
					time.Sleep(200 * time.Millisecond)
					if now := sub.Len(); now > before {
						t.Errorf("%d samples arrive over an interface that is away", now-before)
					}
				}
				before := sub.Len()
				do(c.restore)
				start := time.Now()
				if !c.other || v.Name == rtps.Ours.Name {
					rtps.Eventually(t, "samples again", func() bool { return sub.Len() > before+20 })
				}
				again := time.Since(start).Round(10 * time.Millisecond)
				start = time.Now()
				late := rtps.StartPeerAt(t, b, v, rtps.CycloneMulticast, "sub", "rt/roaming", "rv1000")
				rtps.Eventually(t, "samples at a new reader", func() bool { return late.Len() > 20 })
				t.Logf("%s, %s: samples again after %v, at a new reader after %v", v.Name, c.name, again, time.Since(start).Round(10*time.Millisecond))
				all := same.Numbers(t, rtps.Length)
				for i, k := range all {
					if k != all[0]+i {
						t.Fatalf("the reader on the same host got %d after %d", k, all[i-1])
					}
				}
				pub.Cmd.Process.Kill()
				sub.Cmd.Process.Kill() // Cyclone waits long where its interface has gone
			})
		}
	}
}
