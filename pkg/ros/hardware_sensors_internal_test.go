package ros

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"sinew/msgs"
	"sinew/msgs/diagnostic_msgs"
	"sinew/msgs/geometry_msgs"
	"sinew/msgs/sensor_msgs"
	"sinew/msgs/sinew_msgs"
	"sinew/msgs/std_msgs"
	"sinew/pkg/sim"
)

// measuring is a bridge with sensors of hardware, and the time of its clock.
func measuring(t *testing.T, ports ...sim.Port) (*Memory, *hardwareSensors, *StillClock) {
	t.Helper()
	m, net := EveryKind(), NewMemory()
	for _, p := range ports {
		p.Name, p.Direction, p.Measured = "hardware/sensors/"+p.Name, sim.In, true
		m.Add(p, -1)
	}
	b, clock := Still(t, m, Options{}, net)
	return net, b.sensors, clock
}

func tracked(at time.Duration, frame string, x float64) msgs.Message {
	return &geometry_msgs.PoseStamped{Header: std_msgs.Header{Stamp: msgs.At(at), FrameID: frame}, Pose: geometry_msgs.Pose{Position: geometry_msgs.Point{X: x}, Orientation: geometry_msgs.Quaternion{W: 2}}}
}

var tracker = sim.Port{Name: "tracker", Kind: sim.Pose, Frames: []string{sim.World}, Samples: 3}

// Measurements go to their port as they arrive, the newest first, each as old as its stamp says.
func TestHardwareSensorsCountAtTheirStamps(t *testing.T) {
	net, sensors, clock := measuring(t, tracker)
	const topic = "/lab/left/hardware/sensors/tracker"
	now := time.Duration(clock.NowValue.Load())
	net.Arrive(t, topic, tracked(now-20*time.Millisecond, "world", 1))
	clock.NowValue.Add(int64(10 * time.Millisecond))
	net.Arrive(t, topic, tracked(now-40*time.Millisecond, "", 2)) // out of order
	net.Arrive(t, topic, tracked(0, "", 3))                       // from a terminal
	net.Arrive(t, topic, tracked(now, "", 4))
	want := []float64{4, 0.01, 4, 0, 0, 0, 0, 0, 1, 0, 3, 0, 0, 0, 0, 0, 1, 0.05, 2, 0, 0, 0, 0, 0, 1}
	if got := sensors.list[0].port; !slices.EqualFunc(got, want, func(a, b float64) bool { return math.Abs(a-b) < 1e-9 }) {
		t.Errorf("got  %v\nwant %v", got, want)
	}
	if st := sensors.status(); st.Level != diagnostic_msgs.DiagnosticStatusOk || st.Message != "all sensors measure" {
		t.Errorf("%+v", st)
	}
}

// What cannot be a measurement is refused and named, and so is silence.
func TestHardwareSensorsNameWhatIsWrong(t *testing.T) {
	net, sensors, clock := measuring(t, tracker)
	const topic = "/lab/left/hardware/sensors/tracker"
	now := time.Duration(clock.NowValue.Load())
	if st := sensors.status(); st.Message != "waiting for hardware/sensors/tracker" || st.Level != diagnostic_msgs.DiagnosticStatusOk {
		t.Errorf("%+v", st)
	}
	for _, c := range []struct {
		message msgs.Message
		want    string
	}{
		{tracked(now+time.Hour, "", 1), "hardware/sensors/tracker: measurements are refused: stamped 3600 s in the future; synchronise the clocks"},
		{tracked(now, "", math.NaN()), "value 0 is NaN"},
		{tracked(now, "elsewhere", 1), `header.frame_id is "elsewhere", want one of ["world"]`},
		{&geometry_msgs.PoseStamped{}, "is no orientation"},
	} {
		net.Arrive(t, topic, c.message)
		if st := sensors.status(); st.Level != diagnostic_msgs.DiagnosticStatusWarn || !strings.Contains(st.Message, c.want) {
			t.Errorf("%+v\nwant %s", st, c.want)
		}
	}
	if got := sensors.list[0].port; got[0] != 0 {
		t.Errorf("what was refused has gone to the port: %v", got)
	}
	net.Arrive(t, topic, tracked(now, "", 1))
	if st := sensors.status(); st.Level != diagnostic_msgs.DiagnosticStatusOk {
		t.Errorf("after a good one: %+v", st)
	}
	clock.NowValue.Add(int64(2 * time.Second))
	if st := sensors.status(); st.Level != diagnostic_msgs.DiagnosticStatusWarn || st.Message != "hardware/sensors/tracker: silent for 2.0 s" {
		t.Errorf("%+v", st)
	}
}

// Every kind of measurement has the message of its sensor, and has to be whole.
func TestHardwareSensorsOfAllKinds(t *testing.T) {
	net, sensors, _ := measuring(t,
		sim.Port{Name: "imu", Kind: sim.Imu, Frames: []string{"sensors/imu"}, Samples: 1},
		sim.Port{Name: "fibre", Kind: sim.Named, Labels: []string{"a", "b"}, Unit: "1/m", Samples: 1},
		sim.Port{Name: "motor", Kind: sim.JointState, Labels: []string{"a", "b"}, Parts: sim.Position, Unit: "m", Samples: 1})
	for _, c := range []struct {
		sensor  int
		topic   string
		message msgs.Message
		want    []float64
		why     string
	}{
		{0, "imu", &sensor_msgs.Imu{AngularVelocity: geometry_msgs.Vector3{X: 1, Y: 2, Z: 3}, LinearAcceleration: geometry_msgs.Vector3{X: 4, Y: 5, Z: 6}}, []float64{1, 2, 3, 4, 5, 6}, ""},
		{1, "fibre", &sinew_msgs.NamedValues{Names: []string{"b", "a"}, Unit: "1/m", Values: []float64{2, 1}}, []float64{1, 2}, ""},
		{1, "fibre", &sinew_msgs.NamedValues{Values: []float64{3, 4}}, []float64{3, 4}, ""},
		{1, "fibre", &sinew_msgs.NamedValues{Names: []string{"a", "a"}, Values: []float64{3, 4}}, nil, `"a" is unknown or named twice`},
		{1, "fibre", &sinew_msgs.NamedValues{Unit: "m", Values: []float64{3, 4}}, nil, `the unit is "m", want "1/m"`},
		{1, "fibre", &sinew_msgs.NamedValues{Values: []float64{3}}, nil, "values has 1 values, want 2"},
		{2, "motor", &sensor_msgs.JointState{Name: []string{"b", "c", "a"}, Position: []float64{5, 9, 6}}, []float64{6, 5}, ""},
		{2, "motor", &sensor_msgs.JointState{Name: []string{"b"}, Position: []float64{5}}, nil, "a is missing"},
	} {
		m := sensors.list[c.sensor]
		m.port[0], m.why = 0, ""
		net.Arrive(t, "/lab/left/hardware/sensors/"+c.topic, c.message)
		if c.want != nil && (m.port[0] == 0 || !slices.Equal(m.port[sim.SampleHead:], c.want)) || !strings.Contains(m.why, c.why) || c.why == "" && m.why != "" {
			t.Errorf("%+v: %v %q, want %v %q", c.message, m.port, m.why, c.want, c.why)
		}
	}
}
