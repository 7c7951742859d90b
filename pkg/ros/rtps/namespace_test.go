package rtps_test

import (
	"fmt"
	"math/rand/v2"
	"os/exec"
	"strings"
	"testing"

	"sinew/pkg/ros/rtps"
)

// network is a name that no other network of this host has: made-up, at most
// eleven characters so that those of interfaces fit.
func network() string { return fmt.Sprintf("rtps%06d", rand.IntN(1e6)) }

// ip runs the tool of that name, which sets up networks.
func ip(args string) error {
	if out, err := exec.Command("ip", strings.Fields(args)...).CombinedOutput(); err != nil {
		return fmt.Errorf("ip %s: %w: %s", args, err, strings.TrimSpace(string(out)))
	}
	return nil
}

// newNamespace makes a network namespace with a loopback interface, where
// nothing else is. The test is skipped where that is not allowed.
func newNamespace(t *testing.T, name string) {
	t.Helper()
	if _, err := exec.LookPath("ip"); err != nil {
		t.Skip("ip is not installed: apt-get install iproute2")
	}
	if err := ip("netns add " + name); err != nil {
		t.Skipf("network namespaces need the rights of root: %v", err)
	}
	t.Cleanup(func() {
		if err := ip("netns del " + name); err != nil {
			t.Error(err)
		}
	})
	mustIP(t, "-n "+name+" link set lo up multicast on")
}

func mustIP(t *testing.T, args string) {
	t.Helper()
	if err := ip(args); err != nil {
		t.Fatal(err)
	}
}

// twoHosts are namespaces joined by a cable.
func twoHosts(t *testing.T) (a, b rtps.Place) {
	t.Helper()
	n := network()
	a = rtps.Place{Namespace: n + "a", Name: n + "va", Address: "10.213.7.1"}
	b = rtps.Place{Namespace: n + "b", Name: n + "vb", Address: "10.213.7.2"}
	newNamespace(t, a.Namespace)
	newNamespace(t, b.Namespace)
	mustIP(t, fmt.Sprintf("link add %s netns %s type veth peer name %s netns %s", a.Name, a.Namespace, b.Name, b.Namespace))
	for _, p := range []rtps.Place{a, b} {
		mustIP(t, fmt.Sprintf("-n %s addr add %s/24 dev %s", p.Namespace, p.Address, p.Name))
		mustIP(t, fmt.Sprintf("-n %s link set %s up", p.Namespace, p.Name))
	}
	for _, p := range []rtps.Place{a, b} { // a plugged-in cable takes a moment
		rtps.Eventually(t, "carrier", func() bool {
			out, err := exec.Command("ip", "-n", p.Namespace, "link", "show", p.Name).Output()
			return err == nil && strings.Contains(string(out), "LOWER_UP") && strings.Contains(string(out), "state UP")
		})
	}
	return a, b
}

// stream sends from one peer to the other, 100 samples, and checks them.
func stream(t *testing.T, from, to rtps.Place, writer, reader rtps.VendorInTest) {
	t.Helper()
	const n = 100
	sub := rtps.StartPeerAt(t, to, reader, rtps.CycloneMulticast, "sub", "rt/hosts", "rv100")
	pub := rtps.StartPeerAt(t, from, writer, rtps.CycloneMulticast, "pub", "rt/hosts", "rv100", fmt.Sprint(n), "1000", fmt.Sprint(rtps.Length))
	sub.Matched(t)
	pub.Matched(t)
	pub.Start(t)
	sub.Receives(t, n)
	for i, k := range sub.Numbers(t, rtps.Length) {
		if i != k {
			t.Fatalf("sample %d has number %d", i, k)
		}
	}
	sub.Leave(t)
	pub.Leave(t)
}

// TestNamespace has nothing but a loopback interface with multicast.
func TestNamespace(t *testing.T) {
	for _, v := range []rtps.VendorInTest{rtps.Cyclone, rtps.Fast} {
		t.Run(v.Name, func(t *testing.T) {
			in := rtps.Place{Namespace: network()}
			newNamespace(t, in.Namespace)
			stream(t, in, in, rtps.Ours, v)
			stream(t, in, in, v, rtps.Ours)
		})
	}
}

// TestTwoHosts finds and talks to others over a cable.
func TestTwoHosts(t *testing.T) {
	for _, v := range []rtps.VendorInTest{rtps.Cyclone, rtps.Fast, rtps.Ours} {
		t.Run(v.Name, func(t *testing.T) {
			a, b := twoHosts(t)
			stream(t, a, b, rtps.Ours, v)
			stream(t, a, b, v, rtps.Ours)
		})
	}
	t.Run("ours, given addresses", func(t *testing.T) {
		a, b := twoHosts(t)
		a.Peers = b.Address // one address suffices: the other answers
		b.Peers = "10.213.7.3"
		stream(t, a, b, rtps.Ours, rtps.Ours)
	})
}
