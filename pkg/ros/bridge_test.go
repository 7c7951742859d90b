package ros_test

import (
	"reflect"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"sinew/msgs"
	"sinew/msgs/diagnostic_msgs"
	"sinew/msgs/geometry_msgs"
	"sinew/msgs/rosgraph_msgs"
	"sinew/msgs/sensor_msgs"
	"sinew/msgs/sinew_msgs"
	"sinew/msgs/std_msgs"
	"sinew/msgs/tf2_msgs"
	"sinew/msgs/visualization_msgs"
	"sinew/pkg/ros"
	"sinew/pkg/ros/wallclock"
	"sinew/pkg/sim"
	"sinew/pkg/sim/spatial"
)

// content is a message without the sequence number and stamp of its header.
func content(m msgs.Message) msgs.Message {
	switch m := m.(type) {
	case *sensor_msgs.JointState:
		c := *m
		c.Header = ros.At(m.Header.FrameID)
		return &c
	case *geometry_msgs.WrenchStamped:
		c := *m
		c.Header = ros.At(m.Header.FrameID)
		return &c
	case *sinew_msgs.CoilCurrents:
		c := *m
		c.Header = ros.At(m.Header.FrameID)
		return &c
	}
	return m
}

func TestCommandsReachTheModelAndComeBack(t *testing.T) {
	net := ros.NewMemory()
	ros.Live(t, ros.EveryKind(), ros.Patient(), ros.Options{}, net)
	for _, c := range ros.EveryMessage {
		switch c.Kind {
		case "tension", "wrench", "currents":
		default:
			continue // codecs are tested elsewhere; three show the way
		}
		net.Arrive(t, "/lab/left/in_"+c.Kind, c.Message)
		out := net.Topic(t, "/lab/left/out_"+c.Kind)
		ros.Eventually(t, c.Kind+" comes back", func() bool {
			got := out.Take()
			return len(got) > 0 && reflect.DeepEqual(content(got[len(got)-1]), c.Message)
		})
	}
}

// A recording hears what arrives on every topic, good or bad.
func TestReceivedHearsEveryMessage(t *testing.T) {
	net := ros.NewMemory()
	heard := map[string]*ros.Sample{}
	ros.Live(t, ros.EveryKind(), ros.Patient(), ros.Options{Received: func(topic ros.Topic, s *ros.Sample) { heard[topic.Name] = s }}, net)
	for _, sent := range []struct {
		topic   string
		message msgs.Message
	}{
		{"/tensions", &std_msgs.Float64MultiArray{Data: []float64{1, 2}}},
		{"/lab/left/in_tension", &sensor_msgs.JointState{Name: []string{"nobody"}, Effort: []float64{1}}},
		{"/lab/left/state_command", &std_msgs.String{Data: "pause"}},
	} {
		net.Arrive(t, sent.topic, sent.message)
		if s := heard[sent.topic]; s == nil || s.Message() != sent.message {
			t.Errorf("%s: heard %v, want the message that arrived", sent.topic, s)
		}
	}
}

// A remapped second name takes bare numbers; a subset by name leaves the rest.
func TestPlainCommandsAndSubsets(t *testing.T) {
	net := ros.NewMemory()
	ros.Live(t, ros.EveryKind(), ros.Patient(), ros.Options{}, net)
	out := net.Topic(t, "/lab/left/out_tension")
	shows := func(want ...float64) func() bool {
		return func() bool {
			got := out.Take()
			return len(got) > 0 && reflect.DeepEqual(got[len(got)-1].(*sensor_msgs.JointState).Effort, want)
		}
	}
	net.Arrive(t, "/tensions", &std_msgs.Float64MultiArray{Data: []float64{3, 4}})
	ros.Eventually(t, "the remapped array arrives", shows(3, 4))
	net.Arrive(t, "/lab/left/in_tension", &sensor_msgs.JointState{Name: []string{"right"}, Effort: []float64{5}})
	ros.Eventually(t, "the subset arrives", shows(3, 5))
}

// What is applied of a command is published before anybody commands it, and follows a command; that of tendons and outputs has no topic
// of its own.
func TestSetpoints(t *testing.T) {
	m, net := ros.EveryKind(), ros.NewMemory()
	m.Put("in_pose", 0.25, -0.5, 2, 0.5, 0.5, 0.5, 0.5)
	ros.Live(t, m, ros.Patient(), ros.Options{}, net)
	out := net.Topic(t, "/lab/left/setpoint/in_pose")
	shows := func(want geometry_msgs.Point) func() bool {
		return func() bool {
			got := out.Take()
			if len(got) == 0 {
				return false
			}
			p := got[len(got)-1].(*geometry_msgs.PoseStamped)
			return p.Pose.Position == want && p.Header.FrameID == "world"
		}
	}
	ros.Eventually(t, "the pose of the start is published", shows(geometry_msgs.Point{X: 0.25, Y: -0.5, Z: 2}))
	net.Arrive(t, "/lab/left/in_pose", &geometry_msgs.PoseStamped{Pose: geometry_msgs.Pose{Position: geometry_msgs.Point{X: 1}, Orientation: geometry_msgs.Quaternion{W: 1}}})
	ros.Eventually(t, "the commanded pose is published", shows(geometry_msgs.Point{X: 1}))
	if net.Topics["/lab/left/setpoint/in_tension"] != nil || net.Topics["/lab/left/setpoint/out_pose"] != nil {
		t.Error("tendons or an output have a setpoint topic")
	}
	currents := net.Topic(t, "/lab/left/setpoint/in_currents")
	net.Arrive(t, "/lab/left/in_currents", &sinew_msgs.CoilCurrents{Currents: []float64{1, -2, 3}})
	ros.Eventually(t, "the commanded currents are published", func() bool {
		got := currents.Take()
		return len(got) > 0 && slices.Equal(got[len(got)-1].(*sinew_msgs.CoilCurrents).Currents, []float64{1, -2, 3})
	})
}

func TestTopicsAreOpenedAsTheyAreDocumented(t *testing.T) {
	net := ros.NewMemory()
	ros.Still(t, ros.EveryKind(), ros.Options{SimTime: true}, net)
	for _, want := range []ros.Topic{
		{Name: "/tf", Type: tf2_msgs.TFMessageType},
		{Name: "/clock", Type: rosgraph_msgs.ClockType, Lossy: true},
		{Name: "/diagnostics", Type: diagnostic_msgs.DiagnosticArrayType},
		{Name: "/lab/left/markers", Type: visualization_msgs.MarkerArrayType},
		{Name: "/lab/left/operating_state", Type: sinew_msgs.OperatingStateType, Latched: true},
		{Name: "/lab/left/sim_stats", Type: sinew_msgs.SimStatsType},
		{Name: "/lab/left/out_pose", Type: geometry_msgs.PoseStampedType, Lossy: true},
		{Name: "/lab/left/tip_frame", Type: geometry_msgs.PoseStampedType, Lossy: true},
	} {
		if got := net.Topic(t, want.Name).Topic; got != want {
			t.Errorf("%s is opened as %+v, want %+v", want.Name, got, want)
		}
	}
	if net.Topics["/lab/left/base_frame"] != nil {
		t.Error("a silent port has a topic")
	}
	net = ros.NewMemory()
	ros.Still(t, ros.EveryKind(), ros.Options{}, net)
	if net.Topics["/clock"] != nil {
		t.Error("/clock is open without simulation time")
	}
}

func TestScenesAreDrawnOnlyForViewers(t *testing.T) {
	m, net := ros.EveryKind(), ros.NewMemory()
	var drawn atomic.Int64
	m.DrawValue = func(s *sim.Scene) {
		*s = sim.Scene{Arrows: []sim.Arrow{{Name: "field", To: spatial.Vec{X: 1}, Radius: 0.05}}}
		drawn.Add(1)
	}
	s := ros.NewSimulator(t, m, wallclock.New(), ros.Quick)
	b, err := ros.NewBridge(s, ros.Names(), []ros.Transport{net}, ros.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	markers, poses := net.Topic(t, "/lab/left/markers"), net.Topic(t, "/lab/left/out_pose")
	markers.Unwanted.Store(true)
	before := drawn.Load()
	ros.Start(t, s)
	ros.Eventually(t, "50 poses", func() bool { return len(poses.Take()) > 0 && s.Stats().Periods > 50 })
	if n := drawn.Load(); n != before || len(markers.Take()) != 0 {
		t.Errorf("%d scenes were drawn without a subscriber", n-before)
	}
	markers.Unwanted.Store(false)
	var got []msgs.Message
	ros.Eventually(t, "three scenes", func() bool { got = append(got, markers.Take()...); return len(got) >= 3 })
	first := got[0].(*visualization_msgs.MarkerArray).Markers[0].Header.Stamp
	last := got[2].(*visualization_msgs.MarkerArray).Markers[0].Header.Stamp
	if span, least := time.Duration(last-first), 2*ros.MarkerPeriod*8/10; span < least {
		t.Errorf("three scenes within %v, want at least %v", span, least)
	}
}
