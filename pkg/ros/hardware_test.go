package ros_test

import (
	"math"
	"strings"
	"testing"
	"time"

	"sinew/msgs"
	"sinew/msgs/geometry_msgs"
	"sinew/msgs/sinew_msgs"
	"sinew/msgs/std_msgs"
	"sinew/pkg/ros"
	"sinew/pkg/sim/spatial"
)

func newestError(t *testing.T, net *ros.Memory) *sinew_msgs.HilError {
	t.Helper()
	got := net.Topic(t, "/lab/left/hil_error").Take()
	if len(got) != 1 {
		t.Fatalf("%d errors were published, want 1", len(got))
	}
	return got[0].(*sinew_msgs.HilError)
}

// Half way between two snapshots the robot is half way between their poses.
func TestHardwareIsComparedAtItsStamp(t *testing.T) {
	m, net := ros.EveryKind(), ros.NewMemory()
	b, _ := ros.Still(t, m, ros.Options{Hardware: ros.Beside(geometry_msgs.PoseStampedType)}, net)
	ros.PoseAt(b, m, 0, 1)
	half := math.Sqrt(0.5) // a quarter turn about z
	net.Arrive(t, "/lab/left/hardware/measured_cp", &geometry_msgs.PoseStamped{
		Header: ros.HeaderAt(4*time.Millisecond, "world"),
		Pose:   geometry_msgs.Pose{Position: geometry_msgs.Point{X: 1.01, Y: 0.03}, Orientation: geometry_msgs.Quaternion{Z: half, W: half}},
	})
	if got := net.Topic(t, "/lab/left/hil_error").Take(); len(got) != 0 {
		t.Fatalf("%v was published before the simulation was there", got[0])
	}
	ros.PoseAt(b, m, 8*time.Millisecond, 1.02)
	e := newestError(t, net)
	if e.Header.Stamp != msgs.At(ros.Noon+4*time.Millisecond) || e.Header.FrameID != "world" {
		t.Errorf("header %v", e.Header)
	}
	for name, v := range map[string][2]float64{
		"x": {e.PositionError.X, 0}, "y": {e.PositionError.Y, -0.03}, "norm": {e.PositionErrorNorm, 0.03},
		"percent": {e.PercentOfLength, 1.5}, "rotation": {e.RotationError, math.Pi / 2}, "rmse": {e.Rmse, 0.03}, "max": {e.Max, 0.03},
	} {
		if math.Abs(v[0]-v[1]) > 1e-12 {
			t.Errorf("%s is %.15g, want %.15g", name, v[0], v[1])
		}
	}
	if e.Samples != 1 || !math.IsNaN(e.Latency) {
		t.Errorf("%d samples, latency %g; want 1 and, so early, NaN", e.Samples, e.Latency)
	}
}

func TestHardwareTypesAndFrames(t *testing.T) {
	for _, c := range []struct {
		name     string
		measured msgs.Message
		rotation bool
	}{
		{"point", &geometry_msgs.PointStamped{Header: ros.HeaderAt(0, "mocap"), Point: geometry_msgs.Point{Y: -3}}, false},
		{"transform", &geometry_msgs.TransformStamped{Header: ros.HeaderAt(0, "mocap"), Transform: geometry_msgs.Transform{
			Translation: geometry_msgs.Vector3{Y: -3}, Rotation: geometry_msgs.Quaternion{W: 2}}}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := ros.Beside(c.measured.Type())
			o.Frame = "mocap"
			o.Place = spatial.Pose{R: spatial.ExpRot(spatial.Vec{Z: math.Pi / 2}), P: spatial.Vec{X: -1}} // (0, −3, 0) there is (2, 0, 0) here
			m, net := ros.EveryKind(), ros.NewMemory()
			b, _ := ros.Still(t, m, ros.Options{Hardware: o}, net)
			net.Arrive(t, "/lab/left/hardware/measured_cp", c.measured)
			ros.PoseAt(b, m, 0, 2.5)
			e := newestError(t, net)
			if math.Abs(e.PositionError.X-0.5) > 1e-12 || math.Abs(e.PositionErrorNorm-0.5) > 1e-12 {
				t.Errorf("position error %v", e.PositionError)
			}
			if math.IsNaN(e.RotationError) == c.rotation || c.rotation && math.Abs(e.RotationError-math.Pi/2) > 1e-12 {
				t.Errorf("rotation error %g", e.RotationError)
			}
		})
	}
}

func TestHardwareOptionsRefused(t *testing.T) {
	for name, change := range map[string]func(*ros.Hardware){
		"no output \"nobody\"": func(h *ros.Hardware) { h.Port = "nobody" },
		"no output \"arms\"":   func(h *ros.Hardware) { h.Joints = "arms" },
		"cannot be of type":    func(h *ros.Hardware) { h.Type = std_msgs.BoolType },
		"window":               func(h *ros.Hardware) { h.Live.WindowS = -1 },
	} {
		h := ros.Beside(geometry_msgs.PoseStampedType)
		change(h)
		b, err := ros.NewBridgeInTest(ros.NewSimulator(t, ros.EveryKind(), new(ros.StillClock), ros.Quick), ros.Names(), []ros.Transport{ros.NewMemory()}, ros.Options{Hardware: h})
		if err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: error %v (bridge %v)", name, err, b != nil)
		}
	}
}
