package ros1_test

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
	"sinew/pkg/ros/ros1"
)

// TestMasterRestart kills the master and starts an empty one while 1 kHz flows
// out and commands flow in: no connection breaks, nothing is lost, everything is
// registered again, and newcomers on both sides connect.
func TestMasterRestart(t *testing.T) {
	t.Parallel()
	m := ros1.StartMaster(t)
	node := m.Join("/sim")
	out := m.Advertise(node, ros1.PoseTopic("/sim/measured_cp"))
	in := m.Command(node, "/sim/tensions")
	err := node.Serve("/sim/reset", std_srvs.Trigger, ros.Deferred(func(msgs.Message) msgs.Message {
		return &std_srvs.TriggerResponse{Success: true}
	}))
	if err != nil {
		t.Fatal(err)
	}
	seen := m.Poses(m.Peer("viewer"), "/sim/measured_cp")
	command := m.Tensions(m.Peer("actuator"), "/sim/tensions")
	ros1.Eventually(t, "the first connections", func() bool { command(1); return out.HasSubscribers() && len(in.All()) > 0 })

	newcomer := &ros1.Collector[uint32]{}
	stop := ros1.Stream(out, seen, newcomer)
	time.Sleep(50 * time.Millisecond)
	m.Kill()
	sent := 0
	for range 20 { // the actuator works without a master
		sent++
		command(2)
		time.Sleep(2 * time.Millisecond)
	}
	m.Start()
	ros1.Eventually(t, "the node is registered again", func() bool { return m.Lookup("/sim") != "" })
	for range 20 { // this actuator never registers again, and is heard all the same
		sent++
		command(2)
		time.Sleep(2 * time.Millisecond)
	}
	m.PosesTo(newcomer, m.Peer("newcomer"), "/sim/measured_cp")
	ros1.Eventually(t, "a new subscriber", func() bool { return len(newcomer.All()) > 50 })
	second := m.Tensions(m.Peer("second_actuator"), "/sim/tensions")
	ros1.Eventually(t, "a new publisher", func() bool {
		second(3)
		all := in.All()
		return all[len(all)-1] == 3
	})
	for range 20 {
		sent++
		command(2)
	}
	ros1.Eventually(t, "all commands of the first actuator", func() bool {
		n := 0
		for _, v := range in.All() {
			if v == 2 {
				n++
			}
		}
		return n == sent
	})
	client, err := goroslib.NewServiceClient(goroslib.ServiceClientConf{Node: m.Peer("client"), Name: "/sim/reset", Srv: &gsrvs.Trigger{}})
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	if err := client.Call(&gsrvs.TriggerReq{}, &gsrvs.TriggerRes{}); err != nil {
		t.Errorf("service after the restart: %v", err)
	}
	ros1.Eventually(t, "the viewer has seen 200 poses", func() bool { return len(seen.All()) >= 200 })
	longest := stop()
	ros1.NoGaps(t, "viewer", seen.All())
	ros1.NoGaps(t, "newcomer", newcomer.All())
	t.Logf("viewer %d poses, newcomer %d, longest Publish %v", len(seen.All()), len(newcomer.All()), longest)
}

// TestKilled ends a node as rosnode kill does.
func TestKilled(t *testing.T) {
	t.Parallel()
	m := ros1.StartMaster(t)
	node := m.Join("/sim")
	m.Advertise(node, ros1.PoseTopic("/sim/measured_cp"))
	ros1.Eventually(t, "the node is registered", func() bool { return m.Lookup("/sim") != "" })
	if _, err := masterclient.Call(context.Background(), m.Lookup("/sim"), "shutdown", "/rosnode", "user request"); err != nil {
		t.Error(err)
	}
	ros1.Done(t, node)
}
