package ros2_test

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"sinew/msgs/sinew_msgs"
	"sinew/pkg/ros"
	"sinew/pkg/ros/ros2"
	"sinew/test/peer/ddspeer"
)

// callCounts are the numbers of calls that a peer reports.
type callCounts struct {
	calls, answered, foreign, wrong int
	p50, p99                        float64 // µs
}

// callCountsOf waits for the report of a peer.
func callCountsOf(t *testing.T, p *ddspeer.Peer) (got callCounts) {
	t.Helper()
	ros2.Eventually(t, "report of the peer", func() bool { return len(p.Lines("called ")) > 0 })
	line := p.Lines("called ")[0]
	if _, err := fmt.Sscanf(line, "called %d %d %d %d %g %g", &got.calls, &got.answered, &got.foreign, &got.wrong, &got.p50, &got.p99); err != nil {
		t.Fatalf("%q: %v", line, err)
	}
	return got
}

// TestServicesBesideCyclone: our service and our client beside those on Cyclone
// DDS. The replies are right, and the times are logged.
func TestServicesBesideCyclone(t *testing.T) {
	const n = 1000
	config := ddspeer.Multicast
	us, _ := ros2.Node(t, "/us")
	if err := us.Serve("/ours/step", sinew_msgs.Step, ros.Deferred(ros2.Echo)); err != nil {
		t.Fatal(err)
	}
	theirs := ddspeer.Services.Start(t, ros2.Domain, config)
	theirs.Tell("serve /theirs/step")
	ros2.Eventually(t, "their service", func() bool { return len(theirs.Lines("serving")) > 0 })
	for _, name := range []string{"/ours/step", "/theirs/step"} {
		peer := ddspeer.Services.Start(t, ros2.Domain, config)
		peer.Tell("steps %s %d", name, n)
		got := callCountsOf(t, peer)
		if got.calls != n || got.answered != n || got.foreign != 0 || got.wrong != 0 {
			t.Errorf("%s, called on Cyclone: %+v, want %d calls answered and none of others", name, got, n)
		}
		t.Logf("%s, called on Cyclone: p50 %.0f µs, p99 %.0f µs", name, got.p50, got.p99)
		c := client(t, us, name, sinew_msgs.Step)
		var took []float64
		for k := range uint64(n) {
			start := time.Now()
			ctx, cancel := context.WithTimeout(context.Background(), ros2.Patience)
			m, err := c.Call(ctx, &sinew_msgs.StepRequest{Steps: k})
			cancel()
			if err != nil || m.(*sinew_msgs.StepResponse).SimTime != float64(k) {
				t.Fatalf("%s, called by us: %+v, error %v, want %d", name, m, err, k)
			}
			took = append(took, float64(time.Since(start).Nanoseconds())/1e3)
		}
		slices.Sort(took)
		t.Logf("%s, called by us: p50 %.0f µs, p99 %.0f µs", name, took[n/2], took[n*99/100])
	}
}

// TestServicesOfManyClients has clients on Cyclone DDS and Fast DDS call at once.
func TestServicesOfManyClients(t *testing.T) {
	const n = 500
	us, _ := ros2.Node(t, "/us")
	if err := us.Serve("/crowd/step", sinew_msgs.Step, ros.Deferred(ros2.Echo)); err != nil {
		t.Fatal(err)
	}
	var peers []*ddspeer.Peer
	for i := range 4 {
		program := []ddspeer.Program{ddspeer.Services, ddspeer.FastServices}[i%2]
		peers = append(peers, program.Start(t, ros2.Domain, []string{ddspeer.Multicast, ddspeer.Unicast}[i/2]))
	}
	for _, p := range peers {
		p.Tell("steps /crowd/step %d", n)
	}
	for i, p := range peers {
		if got := callCountsOf(t, p); got.answered != n || got.foreign != 0 || got.wrong != 0 {
			t.Errorf("client %d: %+v, want %d calls answered and none of others", i, got, n)
		} else {
			t.Logf("client %d: p50 %.0f µs, p99 %.0f µs", i, got.p50, got.p99)
		}
	}
}

// TestServersInMappings: servers on RustDDS, in each of the three mappings, called by two
// of our clients at once, from the first call on. In the basic mapping they answer with
// the number of the call, as they cannot read the request; they read it with its halves
// exchanged.
func TestServersInMappings(t *testing.T) {
	const n = 300
	them := ddspeer.Rust.Start(t, ros2.Domain, "")
	for name, mapping := range map[string]ros2.Mapping{"enhanced": ros2.Enhanced, "cyclone": ros2.Cyclone, "basic": ros2.Basic} {
		them.Tell("serve %s /theirs/%s", name, name)
		var wait sync.WaitGroup
		for i := range uint64(2) {
			us, _ := ros2.Node(t, fmt.Sprint("/us", i))
			client, err := us.NewMappedClient("/theirs/"+name, sinew_msgs.Step, mapping)
			if err != nil {
				t.Fatal(err)
			}
			ros2.Eventually(t, "a server in mapping "+name, client.Ready)
			wait.Go(func() {
				for k := range uint64(n) {
					steps := 1000*i + k
					want := float64(steps)
					if mapping == ros2.Basic {
						want = float64((k + 1) << 32)
					}
					ctx, cancel := context.WithTimeout(context.Background(), ros2.Patience)
					m, err := client.Call(ctx, &sinew_msgs.StepRequest{Steps: steps})
					cancel()
					if err != nil || m.(*sinew_msgs.StepResponse).SimTime != want {
						t.Errorf("%s, client %d, call %d: %+v, error %v, want %g", name, i, k, m, err, want)
						return
					}
				}
			})
		}
		wait.Wait()
	}
	if bad := them.Lines("unreadable"); len(bad) > 0 {
		t.Errorf("%d requests like %q", len(bad), bad[0])
	}
}
