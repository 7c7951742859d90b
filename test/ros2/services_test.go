package ros2_test

import (
	"context"
	"flag"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"sinew/msgs"
	"sinew/msgs/sinew_msgs"
	"sinew/msgs/std_srvs"
	"sinew/pkg/ros/ros2"
	"sinew/test/peer/ddspeer"
	"sinew/test/subprocess"
	"sinew/test/testbench"
)

// servicesOfNode is how many services the peers call.
const servicesOfNode = 9

// reported waits until a peer has told of its calls, and returns what it said.
func reported(n *testbench.Network, p *ddspeer.Peer) string {
	n.T.Helper()
	// a thousand calls of everything take their time on a busy machine
	for end := time.Now().Add(5 * time.Minute); len(p.Lines("called ")) == 0 && time.Now().Before(end); {
		time.Sleep(10 * time.Millisecond)
	}
	if len(p.Lines("called ")) == 0 {
		n.T.Fatal("a client does not report within 5 minutes")
	}
	return p.Lines("called ")[0]
}

// calls is how often every client calls every service of the node; the table of the
// latencies in docs/performance.md is with 1000.
var calls = flag.Int("calls", 250, "calls of every service by every client")

// TestServicesROS2 calls every service of the node from seven clients at once: on RustDDS in
// the three mappings, on Cyclone DDS, and our own in the three mappings. Another is killed
// while its step of a minute runs. Everybody gets the replies to its own calls, and nothing
// waits for the step. Beside them a client on Cyclone DDS calls a server on Cyclone DDS.
func TestServicesROS2(t *testing.T) {
	n, domain := testbench.NewROS2Network(t)
	mappings := []string{"enhanced", "cyclone", "basic"}
	var rust []*ddspeer.Peer
	for range mappings {
		rust = append(rust, ddspeer.Rust.Start(t, domain, ""))
	}
	start := func() *ddspeer.Peer { return ddspeer.Services.Start(t, domain, ddspeer.Multicast) }
	cyclone, dying, theirServer, theirClient := start(), start(), start(), start()
	p := n.Start(testbench.BuildTendonsim(t), "run", "--ros", "ros2", "--config", testbench.Absolute(t, testbench.TestRobot))
	p.Expect("domain")
	theirServer.Tell("serve /theirs/step")
	total := *calls * servicesOfNode
	for i, r := range rust {
		r.Tell("call %s /tendonsim %d", mappings[i], *calls)
	}
	cyclone.Tell("call /tendonsim %d", *calls)
	theirClient.Tell("steps /theirs/step %d", total)
	ours := make([]chan string, len(mappings))
	for i := range mappings {
		ours[i] = make(chan string, 1)
		call := ownCaller(n, domain, i)
		go func() { ours[i] <- call(*calls) }()
	}
	time.Sleep(time.Second)
	dying.Tell("hang /tendonsim")
	n.WaitFor("a call that waits", func() bool { return len(dying.Lines("sent")) > 0 })
	dying.Kill()
	table := []string{"client              calls answered foreign wrong p50 µs p99 µs"}
	check := func(client, got, want string) {
		t.Helper()
		if !strings.HasPrefix(got, want) {
			t.Errorf("%s: %q, want %q", client, got, want)
		}
		words := strings.Fields(got)
		if len(words) == 5 { // RustDDS counts what is wrong in lines of its own
			words = slices.Insert(words, 3, "0")
		}
		table = append(table, fmt.Sprintf("%-19s %s", client, strings.Join(words, " ")))
	}
	for i, r := range rust {
		got, _ := strings.CutPrefix(reported(n, r), "called "+mappings[i]+" ")
		check("RustDDS, "+mappings[i], got, fmt.Sprintf("%d %d 0 ", total, total))
		for _, bad := range [...]string{"unsound", "unreadable"} {
			if l := r.Lines(bad); len(l) > 0 {
				t.Errorf("%s: %d replies like %q", mappings[i], len(l), l[0])
			}
		}
	}
	want := fmt.Sprintf("%d %d 0 0 ", total, total)
	for _, c := range []struct {
		name string
		peer *ddspeer.Peer
	}{{"Cyclone DDS", cyclone}, {"Cyclone to Cyclone", theirClient}} {
		got, _ := strings.CutPrefix(reported(n, c.peer), "called ")
		check(c.name, got, want)
	}
	for i := range mappings {
		check("ours, "+mappings[i], <-ours[i], want)
	}
	t.Logf("%s\n", strings.Join(table, "\n"))
}

// ownCaller makes our client of every service of the node, in the mapping of a number, and
// returns what calls all of them, so many times. That says what a peer says of its calls.
func ownCaller(n *testbench.Network, domain, mapping int) func(count int) string {
	n.T.Helper()
	tr, err := ros2.New(ros2.Options{Node: fmt.Sprint("/own", mapping), Discovery: ros2.Discovery{Domain: domain}})
	if err != nil {
		n.T.Fatal(err)
	}
	n.T.Cleanup(func() { tr.Close() })
	type service struct {
		client  *ros2.Client
		request msgs.Message
	}
	var all []service
	open := func(name string, kind *msgs.Service, request msgs.Message) {
		c, err := tr.NewMappedClient("/tendonsim/"+name, kind, []ros2.Mapping{ros2.Enhanced, ros2.Cyclone, ros2.Basic}[mapping])
		if err != nil {
			n.T.Fatal(err)
		}
		all = append(all, service{c, request})
	}
	open("pause", std_srvs.SetBool, &std_srvs.SetBoolRequest{Data: true})
	open("step", sinew_msgs.Step, &sinew_msgs.StepRequest{Steps: 1})
	for _, name := range []string{"enable", "save_state", "restore_state", "take_command", "disable", "e_stop", "reset"} {
		open(name, std_srvs.Trigger, &std_srvs.TriggerRequest{})
	}
	for _, s := range all {
		n.WaitFor("a server", s.client.Ready)
	}
	return func(count int) string {
		var micros []float64
		wrong := 0
		for range count {
			for _, s := range all {
				ctx, cancel := context.WithTimeout(context.Background(), testbench.WaitLimit)
				start := time.Now()
				reply, err := s.client.Call(ctx, s.request)
				cancel()
				if err != nil {
					continue
				}
				micros = append(micros, float64(time.Since(start).Nanoseconds())/1e3)
				if !hasMessage(reply) {
					wrong++
				}
			}
		}
		slices.Sort(micros)
		k := len(micros)
		if k == 0 {
			return "no call was answered"
		}
		return fmt.Sprintf("%d %d 0 %d %.1f %.1f", count*len(all), k, wrong, micros[k/2], micros[k*99/100])
	}
}

// hasMessage reports whether a reply has a message.
func hasMessage(reply msgs.Message) bool {
	switch m := reply.(type) {
	case *std_srvs.TriggerResponse:
		return m.Message != ""
	case *std_srvs.SetBoolResponse:
		return m.Message != ""
	case *sinew_msgs.StepResponse:
		return m.Message != "" && m.SimTime >= 0
	}
	return false
}

// TestEmergencyStopPassesStepROS2: e_stop is answered at once while a step of a
// minute, of a client that is no more, is at work.
func TestEmergencyStopPassesStepROS2(t *testing.T) {
	n, domain := testbench.NewROS2Network(t)
	dying := ddspeer.Services.Start(t, domain, ddspeer.Multicast)
	other := ddspeer.Services.Start(t, domain, ddspeer.Multicast)
	p := n.Start(testbench.BuildTendonsim(t), "run", "--ros", "ros2", "--config", testbench.Absolute(t, testbench.TestRobot))
	p.Expect("domain")
	dying.Tell("hang /tendonsim")
	n.WaitFor("a call that waits", func() bool { return len(dying.Lines("sent")) > 0 })
	dying.Kill()
	w := subprocess.NewStopwatch()
	other.Tell("once /tendonsim e_stop")
	got := reported(n, other)
	if took := w.Stop(); !strings.HasPrefix(got, "called 1 1 0 0 ") || took > 10*time.Second {
		t.Errorf("%q after %v, want one call answered long before the minute is over", got, took)
	}
	p.Expect("emergency stop")
}
