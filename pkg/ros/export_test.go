package ros

import (
	"reflect"
	"testing"
	"time"

	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
	"go.uber.org/zap/zaptest/observer"

	"sinew/msgs"
	"sinew/msgs/geometry_msgs"
	"sinew/msgs/rosgraph_msgs"
	"sinew/msgs/sensor_msgs"
	"sinew/msgs/sinew_msgs"
	"sinew/msgs/std_msgs"
	"sinew/msgs/tf2_msgs"
	"sinew/pkg/ros/wallclock"
	"sinew/pkg/sim"
	"sinew/pkg/sim/hil"
	"sinew/pkg/sim/spatial"
)

// Unexported names for the external tests.
const (
	MarkerPeriod = markerPeriod
	MaxTexts     = maxTexts
	RepeatPeriod = repeatPeriod
)

var (
	NewBridgeInTest = newBridge
	NewFrameTree    = newFrameTree
	Pose            = pose
)

// Verdicts counts what became of commands.
func Verdicts(b *Bridge) [sim.NumCommandStatuses]uint64 { return b.sim.Stats().Commands }

const JointTopic = "/lab/left/in_tension"

// Pulling is a command that is stamped so long before now.
func Pulling(b *Bridge, age time.Duration) *sensor_msgs.JointState {
	stamp := b.clock.Now() - age
	return &sensor_msgs.JointState{Header: std_msgs.Header{Stamp: msgs.At(stamp)}, Effort: []float64{1, 1}}
}

// Live runs a simulator of m in real time behind a bridge until the test ends.
func Live(t *testing.T, m *FakeModel, so sim.Options, o Options, transports ...Transport) *Bridge {
	t.Helper()
	s := NewSimulator(t, m, wallclock.New(), so)
	b, err := NewBridge(s, Names(), transports, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	Start(t, s)
	return b
}

// Patient is quick without a watchdog.
func Patient() sim.Options {
	o := Quick
	o.CommandTimeoutS = 0
	return o
}

func StampOf(m msgs.Message) (msgs.Time, bool) {
	if tf, ok := m.(*tf2_msgs.TFMessage); ok {
		return tf.Transforms[0].Header.Stamp, true
	}
	if c, ok := m.(*rosgraph_msgs.Clock); ok {
		return c.Clock, true
	}
	h := reflect.ValueOf(m).Elem().FieldByName("Header")
	if !h.IsValid() {
		return 0, false
	}
	return h.Interface().(std_msgs.Header).Stamp, true
}

const Noon = 1000 * time.Second

func At(frame string) std_msgs.Header { return std_msgs.Header{Stamp: msgs.At(Noon), FrameID: frame} }

func vec(x, y, z float64) geometry_msgs.Vector3 { return geometry_msgs.Vector3{X: x, Y: y, Z: z} }

var tipPose = geometry_msgs.Pose{
	Position:    geometry_msgs.Point{X: 0.25, Y: -0.5, Z: 2},
	Orientation: geometry_msgs.Quaternion{X: 0.5, Y: 0.5, Z: 0.5, W: 0.5},
}

var basePose = geometry_msgs.Pose{
	Position:    geometry_msgs.Point{X: 1, Y: 2, Z: 3},
	Orientation: geometry_msgs.Quaternion{Z: 1},
}

// EveryMessage is, for each kind, values and the message that they are, sent at
// noon by the port of that kind. The second is written down, not computed.
var EveryMessage = []struct {
	Kind    string
	values  []float64
	Message msgs.Message
}{
	{"tension", []float64{1, 2}, &sensor_msgs.JointState{Header: At(""), Name: two, Effort: []float64{1, 2}}},
	{"length", []float64{0.001, -0.002}, &sensor_msgs.JointState{Header: At(""), Name: two, Position: []float64{0.001, -0.002}}},
	{"pose", tipValues, &geometry_msgs.PoseStamped{Header: At("world"), Pose: tipPose}},
	{"twist", []float64{1, 2, 3, 4, 5, 6}, &geometry_msgs.TwistStamped{Header: At("world"),
		Twist: geometry_msgs.Twist{Linear: vec(1, 2, 3), Angular: vec(4, 5, 6)}}},
	{"wrench", []float64{1, 2, 3, 4, 5, 6, 1}, &geometry_msgs.WrenchStamped{Header: At("lab/left/tip"),
		Wrench: geometry_msgs.Wrench{Force: vec(1, 2, 3), Torque: vec(4, 5, 6)}}},
	{"joints", []float64{1, 2, 3, 4}, &sensor_msgs.JointState{Header: At(""), Name: two,
		Position: []float64{1, 2}, Effort: []float64{3, 4}}},
	{"poses", append(append([]float64{}, baseValues...), tipValues...), &geometry_msgs.PoseArray{Header: At("world"),
		Poses: []geometry_msgs.Pose{basePose, tipPose}}},
	{"field", []float64{0.01, -0.02, 0.03}, &sensor_msgs.MagneticField{Header: At("world"), MagneticField: vec(0.01, -0.02, 0.03)}},
	{"gradient", []float64{1, 2, 3, 4, 5, 6, 7, 8}, &sinew_msgs.FieldGradient{Header: At("world"),
		Field: vec(1, 2, 3), Gradient: [5]float64{4, 5, 6, 7, 8}}},
	{"rotating", []float64{0, 0, 1, 0.005, 10, 0.001}, &sinew_msgs.RotatingField{Header: At("world"),
		Axis: vec(0, 0, 1), Amplitude: 0.005, Frequency: 10, Offset: 0.001}},
	{"currents", []float64{1, -2, 3}, &sinew_msgs.CoilCurrents{Header: At(""), Currents: []float64{1, -2, 3}}},
}

func Observed() (*zap.Logger, *observer.ObservedLogs) {
	core, logs := observer.New(zapcore.DebugLevel)
	return zap.New(core), logs
}

// Beside compares the fake robot's pose and joints with hardware of 2 m length.
func Beside(t *msgs.Type) *Hardware {
	return &Hardware{
		Port: "out_pose", Joints: "out_joints", Type: t, Frame: sim.World, Place: spatial.Pose{R: spatial.Identity3()},
		MarkM: 0.1, Live: hil.LiveOptions{LengthM: 2, WindowS: 10, MaxGapS: 0.1},
	}
}

// PoseAt publishes a snapshot at noon + after with the robot's pose at x.
func PoseAt(b *Bridge, m *FakeModel, after time.Duration, x float64) {
	copy(m.value("in_pose"), []float64{x, 0, 0, 0, 0, 0, 1})
	b.publish(snapshot(b, m, Noon+after, after.Seconds()))
}

func HeaderAt(after time.Duration, frame string) std_msgs.Header {
	return std_msgs.Header{Stamp: msgs.At(Noon + after), FrameID: frame}
}
