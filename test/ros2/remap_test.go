package ros2_test

import (
	"maps"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"sinew/msgs"
	"sinew/msgs/rcl_interfaces"
	"sinew/msgs/std_srvs"
	"sinew/pkg/ros"
	"sinew/pkg/ros/ros2"
	"sinew/test/testbench"
)

// TestRemaps: services, those of parameters too, and the topics of all nodes have the names that
// rcl and roscpp would give them, on both networks, and no others.
func TestRemaps(t *testing.T) {
	n, domain := testbench.NewROS2Network(t)
	p := n.Start(testbench.BuildTendonsim(t), "run", "--ros", "both", "--master", "embedded", "--no-demo", "--ros-args",
		"-r", "tendonsim:__node:=left", "-r", "left:__ns:=/lab", "-r", "~/enable:=/switch", "-r", "~/get_parameters:=/all/get",
		"-r", "~/get_state:=state", "-r", "/rosout:=/log", "-r", "/parameter_events:=events", "-r", "~/operating_state:=~/mode",
		"-r", "right:~/disable:=/never", "-p", "left:rates.publish_hz:=120.0", "-p", "right:rates.publish_hz:=7.0")
	p.Expect("registered with the ROS master")

	peer, err := ros2.New(ros2.Options{Node: "/peer", Discovery: ros2.Discovery{Domain: domain}})
	if err != nil {
		t.Fatal(err)
	}
	defer peer.Close()
	client := func(name string, kind *msgs.Service) *ros2.Client {
		c, err := peer.NewClient(name, kind)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	clients := map[string]*ros2.Client{
		"/switch": client("/switch", std_srvs.Trigger), "/all/get": client("/all/get", rcl_interfaces.GetParameters),
		"/lab/left/disable": client("/lab/left/disable", std_srvs.Trigger), "/lab/left/set_parameters": client("/lab/left/set_parameters", rcl_interfaces.SetParameters),
	}
	gone := map[string]*ros2.Client{
		"/lab/left/enable": client("/lab/left/enable", std_srvs.Trigger), "/never": client("/never", std_srvs.Trigger),
		"/tendonsim/disable": client("/tendonsim/disable", std_srvs.Trigger), "/lab/left/get_parameters": client("/lab/left/get_parameters", rcl_interfaces.GetParameters),
	}
	var lines, events atomic.Int64
	for topic, heard := range map[ros.Topic]*atomic.Int64{
		{Name: "/log", Type: rcl_interfaces.LogType, Latched: true}:    &lines,
		{Name: "/lab/events", Type: rcl_interfaces.ParameterEventType}: &events,
	} {
		if err := peer.Subscribe(topic, func(got ros.Received) {
			e, isEvent := got.Message.(*rcl_interfaces.ParameterEvent)
			if !isEvent || e.Node == "/lab/left" {
				heard.Add(1)
			}
		}); err != nil {
			t.Fatal(err)
		}
	}
	for name, c := range clients {
		n.WaitFor(name, c.Ready)
	}
	u := &parameterClient{n: n, transport: peer, clients: map[string]*ros2.Client{"GetParameters": clients["/all/get"], "SetParameters": clients["/lab/left/set_parameters"]}}
	p.Expect("ENABLED") // before, parameters of the robot are refused
	if got := u.values("rates.publish_hz", "qos_overrides./lab/events.publisher.depth"); got[0].DoubleValue != 120 || got[1].IntegerValue != 1000 {
		t.Errorf("%+v, want 120 Hz and a depth of 1000", got)
	}
	if r := u.set(testbench.DoubleParameter("rates.publish_hz", 130)); !r[0].Successful {
		t.Errorf("%+v", r)
	}
	n.WaitFor("the log and the event", func() bool { return lines.Load() > 0 && events.Load() > 0 })
	time.Sleep(200 * time.Millisecond)
	for name, c := range gone {
		if c.Ready() {
			t.Errorf("there is a service %s on ROS 2", name)
		}
	}

	state, err := n.Client().SystemState(testbench.Deadline(t))
	if err != nil {
		t.Fatal(err)
	}
	services, topics := slices.Collect(maps.Keys(state.Services)), slices.Collect(maps.Keys(state.Publishers))
	for _, want := range []string{"/switch", "/lab/left/disable", "/lab/left/e_stop"} {
		if !slices.Contains(services, want) {
			t.Errorf("no service %s on ROS 1, but %q", want, services)
		}
	}
	for _, want := range []string{"/log", "/lab/left/mode", "/lab/left/measured_cp", "/tf"} {
		if !slices.Contains(topics, want) {
			t.Errorf("no topic %s on ROS 1, but %q", want, topics)
		}
	}
	for _, name := range slices.Concat(services, topics) {
		if strings.HasPrefix(name, "/tendonsim/") || slices.Contains([]string{"/lab/left/enable", "/never", "/lab/left/operating_state", "/lab/events"}, name) {
			t.Errorf("%s is there on ROS 1", name)
		}
	}
	n.ExpectParameter("/lab/left/rates/publish_hz", 130.0)
	testbench.Contains(t, "the node", p.Output(), "right:rates.publish_hz has no effect: this node is /lab/left")
	if code := p.End(time.Second); code != 0 {
		t.Errorf("ended with %d:\n%s", code, p.Output())
	}
}
