package ros1

import (
	"testing"
	"time"

	"github.com/bluenviron/goroslib/v2"
	gsensor "github.com/bluenviron/goroslib/v2/pkg/msgs/sensor_msgs"
	gsrvs "github.com/bluenviron/goroslib/v2/pkg/msgs/std_srvs"

	"sinew/msgs"
	"sinew/msgs/sensor_msgs"
	"sinew/msgs/std_srvs"
	"sinew/pkg/ros"
)

// TestGoroslibNode works with goroslib's own node, on our master, as a controller
// does: it reads joint states, latches commands and calls a service, and it meets
// our node whichever of them is there first.
func TestGoroslibNode(t *testing.T) {
	t.Parallel()
	for name, nodeFirst := range map[string]bool{"ours first": true, "goroslib first": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			testGoroslibNode(t, nodeFirst)
		})
	}
}

func testGoroslibNode(t *testing.T, nodeFirst bool) {
	m := startMaster(t)
	state := ros.Topic{Name: "/sim/measured_js", Type: sensor_msgs.JointStateType}
	command := ros.Topic{Name: "/sim/servo_jf", Type: sensor_msgs.JointStateType}
	var out ros.Publisher
	var node *Transport
	commands := &collector[ros.Received]{}
	open := func() {
		node = m.join("/sim")
		out = m.advertise(node, state)
		if err := node.Subscribe(command, commands.add); err != nil {
			t.Fatal(err)
		}
		err := node.Serve("/sim/enable", std_srvs.Trigger, ros.AnyOrder(func(msgs.Message) msgs.Message {
			return &std_srvs.TriggerResponse{Success: true, Message: "enabled"}
		}))
		if err != nil {
			t.Fatal(err)
		}
	}
	if nodeFirst {
		open()
		eventually(t, "our node is registered", func() bool { return m.lookup("/sim") != "" })
	}
	peer := m.peer("controller")
	states := &collector[*gsensor.JointState]{}
	in, err := goroslib.NewSubscriber(goroslib.SubscriberConf{Node: peer, Topic: state.Name, Callback: states.add})
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	p, err := goroslib.NewPublisher(goroslib.PublisherConf{Node: peer, Topic: command.Name, Msg: &gsensor.JointState{}, Latch: true})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	p.Write(&gsensor.JointState{Name: []string{"up"}, Effort: []float64{1.5}})
	if !nodeFirst {
		open()
	}

	eventually(t, "a subscriber", out.Wanted)
	const n = 100
	stamp := msgs.At(1700000000*time.Second + 5)
	for i := range n {
		m := &sensor_msgs.JointState{Name: []string{"up", "left"}, Position: []float64{float64(i), -1}}
		m.Header.Stamp, m.Header.FrameID = stamp, "base"
		out.Publish(ros.NewSample(m))
	}
	eventually(t, "all joint states", func() bool { return len(states.all()) == n })
	for i, s := range states.all() {
		if s.Header.FrameId != "base" || s.Header.Stamp.UnixNano() != int64(stamp) || len(s.Name) != 2 || s.Name[1] != "left" || s.Position[0] != float64(i) {
			t.Fatalf("state %d is %+v", i, s)
		}
	}
	eventually(t, "the latched command", func() bool { return len(commands.all()) == 1 })
	r := commands.all()[0]
	if c := r.Message.(*sensor_msgs.JointState); len(c.Effort) != 1 || c.Effort[0] != 1.5 || c.Name[0] != "up" || r.Sender.Node != "/controller" {
		t.Errorf("got command %+v of %v", c, r.Sender)
	}
	if r.Latched == nodeFirst {
		t.Errorf("latched: %v, with our node first: %v", r.Latched, nodeFirst)
	}

	client, err := goroslib.NewServiceClient(goroslib.ServiceClientConf{Node: peer, Name: "/sim/enable", Srv: &gsrvs.Trigger{}})
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	for range 2 {
		var response gsrvs.TriggerRes
		eventually(t, "an answer", func() bool { return client.Call(&gsrvs.TriggerReq{}, &response) == nil })
		if !response.Success || response.Message != "enabled" {
			t.Errorf("got %+v", response)
		}
	}
}
