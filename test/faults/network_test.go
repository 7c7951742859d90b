package faults_test

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// ownNetwork is the variable that says that this process is in a network of its own, where
// only it and what it starts are.
const ownNetwork = "SINEW_FAULTS_NETWORK"

// enterNetwork starts this test program again in a network of its own, where that is
// permitted: floods reach no other process, and an interface can be taken away.
func enterNetwork() {
	if os.Getenv(ownNetwork) != "" || os.Getuid() != 0 {
		return
	}
	const set = `ip link set lo up multicast on && exec "$@"`
	unshare, err := exec.LookPath("unshare")
	if err != nil || exec.Command(unshare, "-n", "sh", "-c", set, "sh", "true").Run() != nil {
		return
	}
	self, err := os.Executable()
	if err != nil {
		return
	}
	args := append([]string{unshare, "-n", "sh", "-c", set, "sh", self}, os.Args[1:]...)
	_ = unix.Exec(unshare, args, append(os.Environ(), ownNetwork+"=1", programsIn+"="+programs)) // or go on here
}

// networkFaults are those of the network itself.
func networkFaults() []fault {
	return []fault{{
		name: "network interface gone", network: "ROS 2", cause: "`ip link set down` on the interface to another host that subscribes to the poses, up again two seconds later",
		run: interfaceGone, alone: true, recovers: "the other host's poses are of less than 0.1 s ago", within: 3 * time.Second,
	}}
}

// ip runs the tool of that name, which sets up networks.
func (b *bench) ip(args string, values ...any) {
	b.t.Helper()
	if out, err := exec.Command("ip", strings.Fields(fmt.Sprintf(args, values...))...).CombinedOutput(); err != nil {
		b.t.Fatalf("ip %s: %v: %s", fmt.Sprintf(args, values...), err, out)
	}
}

// cable joins another host to this one and returns its name, and the interface here.
func (b *bench) cable() (host, here string) {
	b.t.Helper()
	if os.Getenv(ownNetwork) == "" {
		b.t.Skip("a network of one's own takes the rights of root, and ip (Debian: iproute2)")
	}
	host = fmt.Sprint("faults", os.Getpid())
	here = "cable0"
	b.ip("netns add %s", host)
	b.t.Cleanup(func() { b.ip("netns del %s", host) })
	b.ip("-n %s link set lo up multicast on", host)
	b.ip("link add %s type veth peer name cable1 netns %s", here, host)
	b.ip("addr add 10.213.9.1/24 dev %s", here)
	b.ip("link set %s up", here)
	b.ip("-n %s addr add 10.213.9.2/24 dev cable1", host)
	b.ip("-n %s link set cable1 up", host)
	return host, here
}

func interfaceGone(b *bench) {
	host, here := b.cable()
	b.env = append(b.env, "ROS_AUTOMATIC_DISCOVERY_RANGE=SUBNET")
	b.start(b.run()...)
	p := b.startPeer(subscriberSubnet, "ip", "netns", "exec", host)
	b.until("a pose at the other host", startTime, func() bool { return upToDate(b, p, 0) })
	b.begin(func() { b.ip("link set %s down", here) })
	time.Sleep(200 * time.Millisecond)
	from := len(p.Output())
	time.Sleep(1800 * time.Millisecond)
	if all := ages(p.Output()[from:]); len(all) > 0 {
		b.t.Errorf("poses arrive over an interface that is down: %v", all)
	}
	b.end(func() { b.ip("link set %s up", here) })
	b.recovers(func() bool { return upToDate(b, p, from) })
}
