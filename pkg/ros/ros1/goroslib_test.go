package ros1_test

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
	"sinew/pkg/ros/ros1"
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
	m := ros1.StartMaster(t)
	state := ros.Topic{Name: "/sim/measured_js", Type: sensor_msgs.JointStateType}
	command := ros.Topic{Name: "/sim/servo_jf", Type: sensor_msgs.JointStateType}
	var out ros.Publisher
	var node *ros1.Transport
	commands := &ros1.Collector[ros.Received]{}
	open := func() {
		node = m.Join("/sim")
		out = m.Advertise(node, state)
		if err := node.Subscribe(command, commands.Add); err != nil {
			t.Fatal(err)
		}
		err := node.Serve("/sim/enable", std_srvs.Trigger, ros.Deferred(func(msgs.Message) msgs.Message {
			return &std_srvs.TriggerResponse{Success: true, Message: "enabled"}
		}))
		if err != nil {
			t.Fatal(err)
		}
	}
	if nodeFirst {
		open()
		ros1.Eventually(t, "our subscription", func() bool { return m.Subscribes("/sim", command.Name) })
	}
	peer := m.Peer("controller")
	states := &ros1.Collector[*gsensor.JointState]{}
	in, err := goroslib.NewSubscriber(goroslib.SubscriberConf{Node: peer, Topic: state.Name, Callback: states.Add})
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

	ros1.Eventually(t, "a subscriber", out.HasSubscribers)
	const n = 100
	stamp := msgs.At(1700000000*time.Second + 5)
	for i := range n {
		m := &sensor_msgs.JointState{Name: []string{"up", "left"}, Position: []float64{float64(i), -1}}
		m.Header.Stamp, m.Header.FrameID = stamp, "base"
		out.Publish(ros.NewSample(m))
	}
	ros1.Eventually(t, "all joint states", func() bool { return len(states.All()) == n })
	for i, s := range states.All() {
		if s.Header.FrameId != "base" || s.Header.Stamp.UnixNano() != int64(stamp) || len(s.Name) != 2 || s.Name[1] != "left" || s.Position[0] != float64(i) {
			t.Fatalf("state %d is %+v", i, s)
		}
	}
	ros1.Eventually(t, "the latched command", func() bool { return len(commands.All()) == 1 })
	r := commands.All()[0]
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
		ros1.Eventually(t, "an answer", func() bool { return client.Call(&gsrvs.TriggerReq{}, &response) == nil })
		if !response.Success || response.Message != "enabled" {
			t.Errorf("got %+v", response)
		}
	}
}
