package ros2_test

import (
	"context"
	"strconv"
	"strings"
	"testing"
	"time"

	"sinew/msgs"
	lm "sinew/msgs/lifecycle_msgs"
	"sinew/msgs/rcl_interfaces"
	"sinew/msgs/sensor_msgs"
	si "sinew/msgs/simulation_interfaces"
	"sinew/msgs/std_msgs"
	tdi "sinew/msgs/type_description_interfaces"
	"sinew/pkg/ros"
	"sinew/pkg/ros/ros2"
	"sinew/test/peer/ddspeer"
	"sinew/test/testbench"
)

// TestROS2StandardServices: the lifecycle, simulation_interfaces and the type descriptions of
// the real program, over the network; quitting ends it well.
func TestROS2StandardServices(t *testing.T) {
	n, domain := testbench.NewROS2Network(t)
	p := n.Start(testbench.BuildTendonsim(t), "run", "--ros", "ros2", "--no-demo", "--disabled")
	p.Expect("DISABLED")
	environment := map[string]string{"ROS_AUTOMATIC_DISCOVERY_RANGE": "LOCALHOST", "ROS_DOMAIN_ID": strconv.Itoa(domain)}
	discovery, err := ros2.ParseEnvironment(func(key string) (string, bool) { v, ok := environment[key]; return v, ok })
	if err != nil {
		t.Fatal(err)
	}
	peer, err := ros2.New(ros2.Options{Node: "/peer", Discovery: discovery})
	if err != nil {
		t.Fatal(err)
	}
	defer peer.Close()
	call := func(name string, kind *msgs.Service, request msgs.Message) msgs.Message {
		t.Helper()
		c, err := peer.NewClient("/tendonsim/"+name, kind)
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), testbench.WaitLimit)
		defer cancel()
		n.WaitFor(name, c.Ready)
		reply, err := c.Call(ctx, request)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		return reply
	}
	events := make(chan string, 10)
	err = peer.Subscribe(ros.Topic{Name: "/tendonsim/transition_event", Type: lm.TransitionEventType}, func(got ros.Received) {
		events <- got.Message.(*lm.TransitionEvent).GoalState.Label
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		id    uint8
		goal  string
		state string
	}{{1, "inactive", "inactive"}, {3, "active", "active"}, {4, "inactive", "inactive"}, {3, "active", "active"}} {
		r := call("change_state", lm.ChangeState, &lm.ChangeStateRequest{Transition: lm.Transition{ID: c.id}}).(*lm.ChangeStateResponse)
		now := call("get_state", lm.GetState, &lm.GetStateRequest{}).(*lm.GetStateResponse).CurrentState.Label
		if !r.Success || now != c.state {
			t.Errorf("transition %d: %v, then %s", c.id, r.Success, now)
		}
		n.WaitFor("an event", func() bool { return len(events) > 0 })
		if goal := <-events; goal != c.goal {
			t.Errorf("transition %d leads to %s, as the event says; want %s", c.id, goal, c.goal)
		}
	}
	description := make(chan string, 10)
	err = peer.Subscribe(ros.Topic{Name: "/tendonsim/robot_description", Type: std_msgs.StringType, Latched: true}, func(got ros.Received) {
		description <- got.Message.(*std_msgs.String).Data
	})
	if err != nil {
		t.Fatal(err)
	}
	n.WaitFor("the description for who comes late", func() bool { return len(description) > 0 })
	testbench.Contains(t, "robot_description", <-description, `<link name="tendonsim/base"/>`, `<joint name="long_up" type="prismatic">`)
	for _, p := range []rcl_interfaces.Parameter{testbench.DoubleParameter("rates.publish_hz", 150), testbench.DoubleParameter("tendons.long_up.limits.max_tension_n", 5.5)} {
		call("set_parameters", rcl_interfaces.SetParameters, &rcl_interfaces.SetParametersRequest{Parameters: []rcl_interfaces.Parameter{p}})
	}
	n.WaitFor("the description with another limit", func() bool { return len(description) > 0 })
	testbench.Contains(t, "robot_description", <-description, `effort="5.5"`, `effort="8"`)
	set := func(state uint8) uint8 {
		return call("set_simulation_state", si.SetSimulationState, &si.SetSimulationStateRequest{State: si.SimulationState{State: state}}).(*si.SetSimulationStateResponse).Result.Result
	}
	if set(si.SimulationStateStateStopped) != si.ResultResultOk || set(si.SimulationStateStateStopped) != si.SetSimulationStateResponseAlreadyInTargetState {
		t.Error("stopping does not stop")
	}
	if r := call("step_simulation", si.StepSimulation, &si.StepSimulationRequest{Steps: 10}).(*si.StepSimulationResponse); r.Result.Result != si.ResultResultOk {
		t.Errorf("steps: %+v", r)
	}
	if r := call("get_entity_state", si.GetEntityState, &si.GetEntityStateRequest{Entity: "tendonsim"}).(*si.GetEntityStateResponse); r.Result.Result != si.ResultResultOk || r.State.Header.FrameID != "world" || r.State.Pose.Position.X < 0.2 {
		t.Errorf("entity: %+v", r)
	}
	q := &tdi.GetTypeDescriptionRequest{TypeName: sensor_msgs.JointStateType.ROS2Name, TypeHash: sensor_msgs.JointStateType.Hash}
	if r := call("get_type_description", tdi.GetTypeDescription, q).(*tdi.GetTypeDescriptionResponse); !r.Successful || len(r.TypeDescription.TypeDescription.Fields) != 5 {
		t.Errorf("description: %+v", r)
	}
	if set(si.SimulationStateStateQuitting) != si.ResultResultOk {
		t.Error("quitting is refused")
	}
	if code := p.Wait(testbench.WaitLimit); code != 0 {
		t.Errorf("ended with %d:\n%s", code, p.Output())
	}
}

// TestTypeDescriptionParameter: start_type_description_service leaves the service out, as in
// other nodes, and is a parameter that can be read and not set.
func TestTypeDescriptionParameter(t *testing.T) {
	const name = "start_type_description_service"
	for _, on := range []bool{true, false} {
		n, domain := testbench.NewROS2Network(t)
		n.Start(testbench.BuildTendonsim(t), "run", "--ros", "ros2", "--no-demo", "--ros-args", "-p", name+":="+strconv.FormatBool(on))
		c := newParameterClient(n, domain)
		describe, err := c.transport.NewClient("/tendonsim/get_type_description", tdi.GetTypeDescription)
		if err != nil {
			t.Fatal(err)
		}
		if v := c.values(name)[0]; v.Kind != rcl_interfaces.KindBool || v.BoolValue != on {
			t.Errorf("%s: %+v", name, v)
		}
		value := rcl_interfaces.ParameterValue{Kind: rcl_interfaces.KindBool, BoolValue: !on}
		if r := c.set(rcl_interfaces.Parameter{Name: name, Value: value})[0]; r.Successful || !strings.Contains(r.Reason, "fixed while the node runs") {
			t.Errorf("set: %+v", r)
		}
		if on {
			n.WaitFor("the service", describe.Ready)
			continue
		}
		time.Sleep(time.Second) // the services of parameters have long been there
		if describe.Ready() {
			t.Error("there is the service that was left out")
		}
	}
}

// TestOperatingStateForLatecomers: a volatile subscription that comes late, which gets nothing
// that was published before, hears of the state although it does not change.
func TestOperatingStateForLatecomers(t *testing.T) {
	n, domain := testbench.NewROS2Network(t)
	p := n.Start(testbench.BuildTendonsim(t), "run", "--ros", "ros2", "--no-demo", "--disabled")
	p.Expect("DISABLED")
	them := ddspeer.Jazzy.Start(t, domain, ddspeer.Multicast)
	them.Tell("state rt/tendonsim/operating_state rv")
	n.WaitFor("the state, twice", func() bool { return len(them.Lines("state DISABLED")) >= 2 })
}
