package rtps_test

import (
	"fmt"
	"net"
	"net/netip"
	"os"
	"os/exec"
	"strconv"
	"testing"
	"time"

	"sinew/pkg/ros/rtps"
	"sinew/pkg/ros/rtps/wire"
)

// Variables of the environment of the test program as the attacker: the interface to use, the address of the victims
// and the domain.
const (
	forgeFrom   = "RTPS_TEST_FORGE_FROM"
	forgeAt     = "RTPS_TEST_FORGE_AT"
	forgeDomain = "RTPS_TEST_FORGE_DOMAIN"
)

// forgeTime is how long the attacker sends.
const forgeTime = 4 * time.Second

// forgery discovers the participants at an address and says good-bye in their names, to each port that one of them may
// have. It prints how many it found.
func forgery() error {
	domain, err := strconv.Atoi(os.Getenv(forgeDomain))
	if err != nil {
		return err
	}
	victims, err := netip.ParseAddr(os.Getenv(forgeAt))
	if err != nil {
		return err
	}
	p, err := rtps.NewParticipant(rtps.Options{Domain: domain, Range: rtps.Subnet, Interfaces: []string{os.Getenv(forgeFrom)}})
	if err != nil {
		return err
	}
	defer p.Close()
	var found []rtps.Remote
	for end := time.Now().Add(20 * time.Second); len(found) < 2 && time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		found = p.Remotes()
	}
	c, err := net.ListenUDP("udp4", nil)
	if err != nil {
		return err
	}
	defer c.Close()
	for end := time.Now().Add(forgeTime); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		for _, r := range found {
			var key, b wire.Builder
			key.ParticipantKey(r.GUID)
			b.Header(wire.Header{Version: wire.ThisVersion, Prefix: r.GUID.Prefix})
			b.Data(wire.Data{
				Writer: wire.SPDPWriter, Sequence: 1 << 40, Key: true, Payload: key.Bytes,
				Inline: wire.Inline{Status: wire.StatusDisposed | wire.StatusUnregistered, KeyHash: wire.KeyHashOf(r.GUID), HasKey: true},
			})
			for id := range 4 {
				_, _ = c.WriteToUDPAddrPort(b.Bytes, netip.AddrPortFrom(victims, wire.SPDPUnicastPort(domain, id)))
			}
		}
	}
	fmt.Println(len(found))
	return nil
}

// TestForgedFromAnotherHost: while another host says good-bye in the names of both, a reader gets every sample of a
// writer on its host, over real sockets.
func TestForgedFromAnotherHost(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a quarter of a minute")
	}
	a, b := twoHosts(t)
	const count, period = 2000, 2 * time.Millisecond
	sub := rtps.StartPeerAt(t, a, rtps.Ours, "", "sub", "rt/forged", "rv1000")
	pub := rtps.StartPeerAt(t, a, rtps.Ours, "", "pub", "rt/forged", "rv1000", fmt.Sprint(count), fmt.Sprint(period.Microseconds()), fmt.Sprint(rtps.Length))
	sub.Matched(t)
	pub.Matched(t)
	attack := exec.Command("ip", "netns", "exec", b.Namespace, os.Args[0])
	attack.Env = append(os.Environ(), forgeFrom+"="+b.Name, forgeAt+"="+a.Address, forgeDomain+"="+fmt.Sprint(rtps.Domain))
	pub.Start(t)
	out, err := attack.CombinedOutput()
	if err != nil || string(out) != "2\n" {
		t.Fatalf("the attacker found %s participants, %v", out, err)
	}
	sub.Receives(t, count)
	for i, k := range sub.Numbers(t, rtps.Length) {
		if i != k {
			t.Fatalf("sample %d has number %d", i, k)
		}
	}
}
