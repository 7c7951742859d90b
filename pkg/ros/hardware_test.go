package ros

import (
	"math"
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
	"sinew/pkg/sim/hil"
	"sinew/pkg/sim/spatial"
)

// beside compares the fake robot's pose and joints with hardware of 2 m length.
func beside(t *msgs.Type) *Hardware {
	return &Hardware{
		Port: "out_pose", Joints: "out_joints", Type: t, Frame: sim.World, Place: spatial.Pose{R: spatial.Identity3()},
		MarkM: 0.1, Live: hil.LiveOptions{LengthM: 2, WindowS: 10, MaxGapS: 0.1},
	}
}

// poseAt publishes a snapshot at noon + after with the robot's pose at x.
func poseAt(b *Bridge, m *fakeModel, after time.Duration, x float64) {
	copy(m.value("in_pose"), []float64{x, 0, 0, 0, 0, 0, 1})
	b.publish(snapshot(b, m, noon+after, after.Seconds()))
}

func headerAt(after time.Duration, frame string) std_msgs.Header {
	return std_msgs.Header{Stamp: msgs.At(noon + after), FrameID: frame}
}

func newestError(t *testing.T, net *memory) *sinew_msgs.HilError {
	t.Helper()
	got := net.topic(t, "/lab/left/hil_error").take()
	if len(got) != 1 {
		t.Fatalf("%d errors were published, want 1", len(got))
	}
	return got[0].(*sinew_msgs.HilError)
}

// Half way between two snapshots the robot is half way between their poses.
func TestHardwareIsComparedAtItsStamp(t *testing.T) {
	m, net := everyKind(), newMemory()
	b, _ := still(t, m, Options{Hardware: beside(geometry_msgs.PoseStampedType)}, net)
	poseAt(b, m, 0, 1)
	half := math.Sqrt(0.5) // a quarter turn about z
	net.arrive(t, "/lab/left/hardware/measured_cp", &geometry_msgs.PoseStamped{
		Header: headerAt(4*time.Millisecond, "world"),
		Pose:   geometry_msgs.Pose{Position: geometry_msgs.Point{X: 1.01, Y: 0.03}, Orientation: geometry_msgs.Quaternion{Z: half, W: half}},
	})
	if got := net.topic(t, "/lab/left/hil_error").take(); len(got) != 0 {
		t.Fatalf("%v was published before the simulation was there", got[0])
	}
	poseAt(b, m, 8*time.Millisecond, 1.02)
	e := newestError(t, net)
	if e.Header.Stamp != msgs.At(noon+4*time.Millisecond) || e.Header.FrameID != "world" {
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
		{"point", &geometry_msgs.PointStamped{Header: headerAt(0, "mocap"), Point: geometry_msgs.Point{Y: -3}}, false},
		{"transform", &geometry_msgs.TransformStamped{Header: headerAt(0, "mocap"), Transform: geometry_msgs.Transform{
			Translation: geometry_msgs.Vector3{Y: -3}, Rotation: geometry_msgs.Quaternion{W: 2}}}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := beside(c.measured.Type())
			o.Frame = "mocap"
			o.Place = spatial.Pose{R: spatial.ExpRot(spatial.Vec{Z: math.Pi / 2}), P: spatial.Vec{X: -1}} // (0, −3, 0) there is (2, 0, 0) here
			m, net := everyKind(), newMemory()
			b, _ := still(t, m, Options{Hardware: o}, net)
			net.arrive(t, "/lab/left/hardware/measured_cp", c.measured)
			poseAt(b, m, 0, 2.5)
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

// What the hardware says may be wrong; the robot goes on, and diagnostics tell.
func TestHardwareStatus(t *testing.T) {
	m, net := everyKind(), newMemory()
	b, clock := still(t, m, Options{Hardware: beside(geometry_msgs.PoseStampedType)}, net)
	clock.now.Store(int64(noon))
	statusNow := func() diagnostic_msgs.DiagnosticStatus { return b.hardware.status("left", clock.Now()) }
	expect := func(level byte, part string) {
		t.Helper()
		if s := statusNow(); s.Level != level || !strings.Contains(s.Message, part) {
			t.Errorf("level %d %q, want %d and %q", s.Level, s.Message, level, part)
		}
	}
	pose := func(after time.Duration, frame string, x, w float64) {
		net.arrive(t, "/lab/left/hardware/measured_cp", &geometry_msgs.PoseStamped{
			Header: headerAt(after, frame), Pose: geometry_msgs.Pose{Position: geometry_msgs.Point{X: x}, Orientation: geometry_msgs.Quaternion{W: w}},
		})
	}
	expect(diagnostic_msgs.DiagnosticStatusOk, "waiting")
	pose(0, "camera", 0, 1)
	pose(0, "world", 0, 0)
	pose(0, "world", math.NaN(), 1)
	if s := statusNow(); keyValue(s, "refused") != "3" {
		t.Errorf("refused: %s, want 3", keyValue(s, "refused"))
	}
	pose(time.Hour, "world", 0, 1)
	expect(diagnostic_msgs.DiagnosticStatusWarn, "3600.0 s ahead")
	pose(0, "world", 0, 1) // its clock was set back
	expect(diagnostic_msgs.DiagnosticStatusWarn, "nothing could be compared")
	poseAt(b, m, 0, 0.25)
	expect(diagnostic_msgs.DiagnosticStatusOk, "rms 0.25 m over 1 samples")
	clock.now.Store(int64(noon + 5*time.Second))
	expect(diagnostic_msgs.DiagnosticStatusWarn, "nothing from the hardware for 5.0 s")

	var scene sim.Scene
	scene.Scale = 10
	b.hardware.draw(&scene)
	if len(scene.Spheres) != 1 || len(scene.Polylines) != 1 || len(scene.Arrows) != 1 || scene.Polylines[0].Points[1].X != 2.5 {
		t.Errorf("drawn: %+v", scene)
	}
}

func TestHardwareJoints(t *testing.T) {
	m, net := everyKind(), newMemory()
	b, clock := still(t, m, Options{Hardware: beside(geometry_msgs.PoseStampedType)}, net)
	copy(m.value("in_joints"), []float64{1, 2, 30, 40}) // positions, efforts
	b.publish(snapshot(b, m, noon, 0))
	for _, e := range []float64{33, 27} {
		net.arrive(t, "/lab/left/hardware/measured_js", &sensor_msgs.JointState{Name: []string{"right", "left"}, Position: []float64{2, 1.5}, Effort: []float64{40, e}})
	}
	net.arrive(t, "/lab/left/hardware/measured_js", &sensor_msgs.JointState{Name: []string{"nobody"}, Position: []float64{2}})
	net.arrive(t, "/lab/left/hardware/measured_js", &sensor_msgs.JointState{Position: []float64{2}})
	net.arrive(t, "/lab/left/hardware/measured_js", &sensor_msgs.JointState{Position: []float64{2, math.NaN()}})
	s := b.hardware.status("left", clock.Now())
	for key, want := range map[string]string{
		"position_rms/left": "0.5", "position_rms/right": "0", "effort_rms/left": "3", "effort_rms/right": "0", "measured_js": "2", "refused": "3",
	} {
		if got := keyValue(s, key); got != want {
			t.Errorf("%s is %q, want %q", key, got, want)
		}
	}
	if again := b.hardware.status("left", clock.Now()); keyValue(again, "measured_js") != "" {
		t.Error("a report repeats what the last one had")
	}
}

func keyValue(s diagnostic_msgs.DiagnosticStatus, key string) string {
	for _, v := range s.Values {
		if v.Key == key {
			return v.Value
		}
	}
	return ""
}

func TestHardwareOptionsRefused(t *testing.T) {
	for name, change := range map[string]func(*Hardware){
		"no output \"nobody\"": func(h *Hardware) { h.Port = "nobody" },
		"no output \"arms\"":   func(h *Hardware) { h.Joints = "arms" },
		"cannot be of type":    func(h *Hardware) { h.Type = std_msgs.BoolType },
		"window":               func(h *Hardware) { h.Live.WindowS = -1 },
	} {
		h := beside(geometry_msgs.PoseStampedType)
		change(h)
		b, err := newBridge(newSimulator(t, everyKind(), new(stillClock), quick), testNames(), []Transport{newMemory()}, Options{Hardware: h})
		if err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: error %v (bridge %v)", name, err, b != nil)
		}
	}
}
