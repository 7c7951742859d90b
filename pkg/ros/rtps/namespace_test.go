package rtps

import (
	"fmt"
	"math/rand/v2"
	"os/exec"
	"strings"
	"testing"
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
func twoHosts(t *testing.T) (a, b place) {
	t.Helper()
	n := network()
	a = place{namespace: n + "a", name: n + "va", address: "10.213.7.1"}
	b = place{namespace: n + "b", name: n + "vb", address: "10.213.7.2"}
	newNamespace(t, a.namespace)
	newNamespace(t, b.namespace)
	mustIP(t, fmt.Sprintf("link add %s netns %s type veth peer name %s netns %s", a.name, a.namespace, b.name, b.namespace))
	for _, p := range []place{a, b} {
		mustIP(t, fmt.Sprintf("-n %s addr add %s/24 dev %s", p.namespace, p.address, p.name))
		mustIP(t, fmt.Sprintf("-n %s link set %s up", p.namespace, p.name))
	}
	for _, p := range []place{a, b} { // a plugged-in cable takes a moment
		eventually(t, "carrier", func() bool {
			out, err := exec.Command("ip", "-n", p.namespace, "link", "show", p.name).Output()
			return err == nil && strings.Contains(string(out), "LOWER_UP") && strings.Contains(string(out), "state UP")
		})
	}
	return a, b
}

// stream sends from one peer to the other, 100 samples, and checks them.
func stream(t *testing.T, from, to place, writer, reader vendor) {
	t.Helper()
	const n = 100
	sub := startPeerAt(t, to, reader, cycloneMulticast, "sub", "rt/hosts", "rv100")
	pub := startPeerAt(t, from, writer, cycloneMulticast, "pub", "rt/hosts", "rv100", fmt.Sprint(n), "1000", fmt.Sprint(length))
	sub.matched(t)
	pub.matched(t)
	pub.start(t)
	sub.receives(t, n)
	for i, k := range sub.numbers(t, length) {
		if i != k {
			t.Fatalf("sample %d has number %d", i, k)
		}
	}
	sub.leave(t)
	pub.leave(t)
}

// TestNamespace has nothing but a loopback interface with multicast.
func TestNamespace(t *testing.T) {
	for _, v := range []vendor{cyclone, fast} {
		t.Run(v.name, func(t *testing.T) {
			in := place{namespace: network()}
			newNamespace(t, in.namespace)
			stream(t, in, in, ours, v)
			stream(t, in, in, v, ours)
		})
	}
}

// TestTwoHosts finds and talks to others over a cable.
func TestTwoHosts(t *testing.T) {
	for _, v := range []vendor{cyclone, fast, ours} {
		t.Run(v.name, func(t *testing.T) {
			a, b := twoHosts(t)
			stream(t, a, b, ours, v)
			stream(t, a, b, v, ours)
		})
	}
	t.Run("ours, given addresses", func(t *testing.T) {
		a, b := twoHosts(t)
		a.peers = b.address // one that is told suffices: the other answers
		b.peers = "10.213.7.3"
		stream(t, a, b, ours, ours)
	})
}
