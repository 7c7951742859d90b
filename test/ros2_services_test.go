package test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"sinew/test/ddspeer"
)

// servicesOfNode is how many services the peers call.
const servicesOfNode = 9

// reported waits until a peer has told of its calls, and returns what it said.
func (n *network) reported(p *ddspeer.Peer) string {
	n.t.Helper()
	n.waitFor("report of a client", func() bool { return len(p.Lines("called ")) > 0 })
	return p.Lines("called ")[0]
}

// TestServicesROS2 calls every service of the node 1000 times, from four clients
// at once: one on Cyclone DDS, three on RustDDS in the three mappings. Another is
// killed while its step of a minute runs. Everybody gets the replies to its own
// calls, and nothing waits for the step.
func TestServicesROS2(t *testing.T) {
	const each = 250
	n, domain := ros2Network(t)
	mappings := []string{"enhanced", "cyclone", "basic"}
	var rust []*ddspeer.Peer
	for range mappings {
		rust = append(rust, ddspeer.Rust.Start(t, domain, ""))
	}
	cyclone := ddspeer.Services.Start(t, domain, ddspeer.Multicast)
	dying := ddspeer.Services.Start(t, domain, ddspeer.Multicast)
	p := n.start(buildTendonsim(t), "run", "--ros", "ros2", "--config", absolute(t, testRobot))
	p.Expect("domain")
	for i, r := range rust {
		r.Tell("call %s /tendonsim %d", mappings[i], each)
	}
	cyclone.Tell("call /tendonsim %d", each)
	time.Sleep(time.Second)
	dying.Tell("hang /tendonsim")
	n.waitFor("a call that waits", func() bool { return len(dying.Lines("sent")) > 0 })
	dying.Kill()
	for i, r := range rust {
		got, want := n.reported(r), fmt.Sprintf("called %s %d %d 0 ", mappings[i], each*servicesOfNode, each*servicesOfNode)
		if !strings.HasPrefix(got, want) {
			t.Errorf("RustDDS: %q, want %q", got, want)
		}
		for _, bad := range [...]string{"unsound", "unreadable"} {
			if l := r.Lines(bad); len(l) > 0 {
				t.Errorf("%s: %d replies like %q", mappings[i], len(l), l[0])
			}
		}
		t.Log(got)
	}
	got, want := n.reported(cyclone), fmt.Sprintf("called %d %d 0 0 ", each*servicesOfNode, each*servicesOfNode)
	if !strings.HasPrefix(got, want) {
		t.Errorf("Cyclone DDS: %q, want %q", got, want)
	}
	t.Log(got)
}

// TestEmergencyStopPassesStepROS2: e_stop is answered at once while a step of a
// minute, of a client that is no more, is at work.
func TestEmergencyStopPassesStepROS2(t *testing.T) {
	n, domain := ros2Network(t)
	dying := ddspeer.Services.Start(t, domain, ddspeer.Multicast)
	other := ddspeer.Services.Start(t, domain, ddspeer.Multicast)
	p := n.start(buildTendonsim(t), "run", "--ros", "ros2", "--config", absolute(t, testRobot))
	p.Expect("domain")
	dying.Tell("hang /tendonsim")
	n.waitFor("a call that waits", func() bool { return len(dying.Lines("sent")) > 0 })
	dying.Kill()
	start := time.Now()
	other.Tell("once /tendonsim e_stop")
	got := n.reported(other)
	if took := time.Since(start); !strings.HasPrefix(got, "called 1 1 0 0 ") || took > 10*time.Second {
		t.Errorf("%q after %v, want one call answered long before the minute is over", got, took)
	}
	p.Expect("emergency stop")
}
