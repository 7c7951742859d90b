package ros1

import (
	"context"
	"testing"
	"time"

	"github.com/bluenviron/goroslib/v2"
	gsrvs "github.com/bluenviron/goroslib/v2/pkg/msgs/std_srvs"

	"sinew/msgs"
	"sinew/msgs/std_srvs"
	"sinew/pkg/ros"
	"sinew/pkg/ros/masterclient"
)

// TestMasterRestart kills the master and starts an empty one while 1 kHz flows
// out and commands flow in: no connection breaks, nothing is lost, everything is
// registered again, and newcomers on both sides connect.
func TestMasterRestart(t *testing.T) {
	t.Parallel()
	m := startMaster(t)
	node := m.join("/sim")
	out := m.advertise(node, poseTopic("/sim/measured_cp"))
	in := m.command(node, "/sim/tensions")
	err := node.Serve("/sim/reset", std_srvs.Trigger, ros.AnyOrder(func(msgs.Message) msgs.Message {
		return &std_srvs.TriggerResponse{Success: true}
	}))
	if err != nil {
		t.Fatal(err)
	}
	seen := m.poses(m.peer("viewer"), "/sim/measured_cp")
	command := m.tensions(m.peer("actuator"), "/sim/tensions")
	eventually(t, "the first connections", func() bool { command(1); return out.Wanted() && len(in.all()) > 0 })

	newcomer := &collector[uint32]{}
	stop := stream(out, seen, newcomer)
	time.Sleep(50 * time.Millisecond)
	m.kill()
	sent := 0
	for range 20 { // the actuator goes on without a master
		sent++
		command(2)
		time.Sleep(2 * time.Millisecond)
	}
	m.start()
	eventually(t, "the node is registered again", func() bool { return m.lookup("/sim") != "" })
	for range 20 { // this actuator never registers again, and is heard all the same
		sent++
		command(2)
		time.Sleep(2 * time.Millisecond)
	}
	m.posesTo(newcomer, m.peer("newcomer"), "/sim/measured_cp")
	eventually(t, "a new subscriber", func() bool { return len(newcomer.all()) > 50 })
	second := m.tensions(m.peer("second_actuator"), "/sim/tensions")
	eventually(t, "a new publisher", func() bool {
		second(3)
		all := in.all()
		return all[len(all)-1] == 3
	})
	for range 20 {
		sent++
		command(2)
	}
	eventually(t, "all commands of the first actuator", func() bool {
		n := 0
		for _, v := range in.all() {
			if v == 2 {
				n++
			}
		}
		return n == sent
	})
	client, err := goroslib.NewServiceClient(goroslib.ServiceClientConf{Node: m.peer("client"), Name: "/sim/reset", Srv: &gsrvs.Trigger{}})
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	if err := client.Call(&gsrvs.TriggerReq{}, &gsrvs.TriggerRes{}); err != nil {
		t.Errorf("service after the restart: %v", err)
	}
	eventually(t, "the viewer has seen 200 poses", func() bool { return len(seen.all()) >= 200 })
	longest := stop()
	noGaps(t, "viewer", seen.all())
	noGaps(t, "newcomer", newcomer.all())
	t.Logf("viewer %d poses, newcomer %d, longest Publish %v", len(seen.all()), len(newcomer.all()), longest)
}

// TestKeptPublisherLeaves checks that a publisher that a restarted master does
// not know is let go once it has ended.
func TestKeptPublisherLeaves(t *testing.T) {
	t.Parallel()
	m := startMaster(t)
	node := m.join("/sim")
	in := m.command(node, "/sim/tensions")
	actuator := m.peer("actuator")
	command := m.tensions(actuator, "/sim/tensions")
	eventually(t, "a command", func() bool { command(1); return len(in.all()) > 0 })
	m.kill()
	m.start()
	eventually(t, "the node is registered again", func() bool { return m.lookup("/sim") != "" })
	if n := len(node.registrar.sources.all()["/sim/tensions"]); n != 1 {
		t.Fatalf("%d publishers after the restart, want the one that is kept", n)
	}
	actuator.Close()
	eventually(t, "it is let go", func() bool { return len(node.registrar.sources.all()["/sim/tensions"]) == 0 })
}

// TestKilled ends a node as rosnode kill does.
func TestKilled(t *testing.T) {
	t.Parallel()
	m := startMaster(t)
	node := m.join("/sim")
	m.advertise(node, poseTopic("/sim/measured_cp"))
	eventually(t, "the node is registered", func() bool { return m.lookup("/sim") != "" })
	if _, err := masterclient.Call(context.Background(), m.lookup("/sim"), "shutdown", "/rosnode", "user request"); err != nil {
		t.Error(err)
	}
	done(t, node)
}

// TestEvicted starts a second node of the same name, once with a master that
// tells the first, and once while it cannot be told.
func TestEvicted(t *testing.T) {
	t.Parallel()
	m := startMaster(t)
	first := m.join("/sim")
	m.advertise(first, poseTopic("/sim/measured_cp"))
	eventually(t, "the first is registered", func() bool { return m.lookup("/sim") != "" })
	uri := m.lookup("/sim")
	m.advertise(m.join("/sim"), poseTopic("/sim/measured_cp"))
	done(t, first)
	eventually(t, "the second is registered", func() bool { return m.lookup("/sim") != uri })

	silent := m.join("/other")
	m.advertise(silent, poseTopic("/other/measured_cp"))
	eventually(t, "it is registered", func() bool { return m.lookup("/other") != "" })
	silent.xmlrpc.Close() // nobody reaches it any more
	m.advertise(m.join("/other"), poseTopic("/other/measured_cp"))
	done(t, silent)
}

func done(t *testing.T, node *Transport) {
	t.Helper()
	select {
	case <-node.Done():
	case <-time.After(patience):
		t.Error("Done is not closed")
	}
}
