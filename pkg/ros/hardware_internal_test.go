package ros

import (
	"math"
	"strings"
	"testing"
	"time"

	"go.uber.org/zap"
	"go.uber.org/zap/zaptest/observer"

	"sinew/msgs"
	"sinew/msgs/diagnostic_msgs"
	"sinew/msgs/geometry_msgs"
	"sinew/msgs/sensor_msgs"
	"sinew/msgs/sinew_msgs"
	"sinew/pkg/ros/wallclock"
	"sinew/pkg/sim"
	"sinew/pkg/sim/spatial"
)

// Tests of what has no exported name.

// What the hardware says may be wrong; the robot continues, and diagnostics warn.
func TestHardwareStatus(t *testing.T) {
	m, net := EveryKind(), NewMemory()
	b, clock := Still(t, m, Options{Hardware: Beside(geometry_msgs.PoseStampedType)}, net)
	clock.NowValue.Store(int64(Noon))
	statusNow := func() diagnostic_msgs.DiagnosticStatus { return b.hardware.status("left", clock.Now()) }
	expect := func(level byte, part string) {
		t.Helper()
		if s := statusNow(); s.Level != level || !strings.Contains(s.Message, part) {
			t.Errorf("level %d %q, want %d and %q", s.Level, s.Message, level, part)
		}
	}
	pose := func(after time.Duration, frame string, x, w float64) {
		net.Arrive(t, "/lab/left/hardware/measured_cp", &geometry_msgs.PoseStamped{
			Header: HeaderAt(after, frame), Pose: geometry_msgs.Pose{Position: geometry_msgs.Point{X: x}, Orientation: geometry_msgs.Quaternion{W: w}},
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
	PoseAt(b, m, 0, 0.25)
	expect(diagnostic_msgs.DiagnosticStatusOk, "rms 0.25 m over 1 samples")
	clock.NowValue.Store(int64(Noon + 5*time.Second))
	expect(diagnostic_msgs.DiagnosticStatusWarn, "nothing from the hardware for 5.0 s")

	var scene sim.Scene
	scene.Scale = 10
	b.hardware.draw(&scene)
	if len(scene.Spheres) != 1 || len(scene.Polylines) != 1 || len(scene.Arrows) != 1 || scene.Polylines[0].Points[1].X != 2.5 {
		t.Errorf("drawn: %+v", scene)
	}
}

// Poses in mm are a warning, in diagnostics and once in the log; those that are a metre off are not.
func TestHardwareInMillimetres(t *testing.T) {
	for _, c := range []struct {
		x    float64 // of the hardware; the simulation is at 0.25 m
		warn bool
	}{{250, true}, {1.2, false}} {
		m, net := EveryKind(), NewMemory()
		core, logged := observer.New(zap.WarnLevel)
		b, clock := Still(t, m, Options{Hardware: Beside(geometry_msgs.PoseStampedType), Log: zap.New(core)}, net)
		clock.NowValue.Store(int64(Noon))
		for i := range 3 {
			after := time.Duration(i) * 10 * time.Millisecond
			PoseAt(b, m, after, 0.25)
			net.Arrive(t, "/lab/left/hardware/measured_cp", &geometry_msgs.PoseStamped{
				Header: HeaderAt(after, "world"), Pose: geometry_msgs.Pose{Position: geometry_msgs.Point{X: c.x}, Orientation: geometry_msgs.Quaternion{W: 1}},
			})
		}
		PoseAt(b, m, 40*time.Millisecond, 0.25)
		s := b.hardware.status("left", clock.Now())
		if in := strings.Contains(s.Message, "are its positions in mm?"); in != c.warn || (s.Level == diagnostic_msgs.DiagnosticStatusWarn) != c.warn {
			t.Errorf("at %g m: level %d %q", c.x, s.Level, s.Message)
		}
		if n := logged.FilterMessageSnippet("are its positions in mm?").Len(); (n == 1) != c.warn {
			t.Errorf("at %g m: %d warnings in the log", c.x, n)
		}
	}
}

func TestHardwareJoints(t *testing.T) {
	m, net := EveryKind(), NewMemory()
	b, clock := Still(t, m, Options{Hardware: Beside(geometry_msgs.PoseStampedType)}, net)
	copy(m.value("in_joints"), []float64{1, 2, 30, 40}) // positions, efforts
	b.publish(snapshot(b, m, Noon, 0))
	for _, e := range []float64{33, 27} {
		net.Arrive(t, "/lab/left/hardware/measured_js", &sensor_msgs.JointState{Name: []string{"right", "left"}, Position: []float64{2, 1.5}, Effort: []float64{40, e}})
	}
	net.Arrive(t, "/lab/left/hardware/measured_js", &sensor_msgs.JointState{Name: []string{"nobody"}, Position: []float64{2}})
	net.Arrive(t, "/lab/left/hardware/measured_js", &sensor_msgs.JointState{Position: []float64{2}})
	net.Arrive(t, "/lab/left/hardware/measured_js", &sensor_msgs.JointState{Position: []float64{2, math.NaN()}})
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

// Viewers get the triangles of walls once, before the first picture with them, and again when they are others; networks get none.
func TestTrianglesGoOnce(t *testing.T) {
	m, screen, network := EveryKind(), views{NewMemory()}, NewMemory()
	s, err := NewModelPublisher(m.ports, Names(), []Transport{screen, network}, 0)
	if err != nil {
		t.Fatal(err)
	}
	wall := func(z float64) []spatial.Vec { return []spatial.Vec{{Z: z}, {X: 1}, {Y: 1}} }
	low, high := wall(0), wall(1)
	for i, step := range []struct {
		meshes []sim.Mesh
		want   int // messages of triangles
	}{
		{nil, 0},
		{[]sim.Mesh{{Name: "wall", Corners: low}}, 1},
		{[]sim.Mesh{{Name: "wall", Corners: low, Pose: spatial.Pose{P: spatial.Vec{X: 2}, R: spatial.Identity3()}}}, 0},
		{[]sim.Mesh{{Name: "wall", Corners: high}}, 1},
	} {
		s.publishScene(&sim.Scene{Meshes: step.meshes}, 1)
		if got := len(screen.Topic(t, "/lab/left/meshes").Take()); got != step.want {
			t.Errorf("picture %d: %d messages of triangles, want %d", i, got, step.want)
		}
		picture := only[*sinew_msgs.Scene](t, screen.Topic(t, "/lab/left/scene"))
		if len(picture.Shapes) != len(step.meshes) {
			t.Errorf("picture %d has %d shapes", i, len(picture.Shapes))
		}
	}
	if network.Topics["/lab/left/meshes"] != nil || network.Topics["/lab/left/scene"] != nil {
		t.Error("pictures for viewers go to a network")
	}
}

// TestCloseDeliversSnapshots: what the simulator gave before Close is published, also what
// are not read yet.
func TestCloseDeliversSnapshots(t *testing.T) {
	for range 10 { // what publishes may see the end or the snapshots first
		net := NewMemory()
		s := NewSimulator(t, EveryKind(), wallclock.New(), Patient())
		b, err := newBridge(s, Names(), []Transport{net}, Options{})
		if err != nil {
			t.Fatal(err)
		}
		stop, ended := make(chan struct{}), make(chan error, 1)
		go func() { ended <- s.Run(stop) }()
		Eventually(t, "twenty periods", func() bool { return s.Stats().Periods >= 20 })
		close(stop)
		if err := <-ended; err != nil {
			t.Fatal(err)
		}
		close(b.stop)
		b.running.Add(1)
		b.publishLoop()
		poses := net.Topic(t, "/lab/left/out_pose").Take()
		if want := int(s.Stats().Periods) + 1 - int(s.Missed()); len(poses) != want { // the first shows the start
			t.Fatalf("%d poses of %d", len(poses), want)
		}
		for i, m := range poses {
			if seq := m.(*geometry_msgs.PoseStamped).Header.Seq; seq != uint32(i) {
				t.Fatalf("pose %d has sequence number %d", i, seq)
			}
		}
	}
}

func TestStatuses(t *testing.T) {
	net := NewMemory()
	b, _ := Still(t, EveryKind(), Options{Statuses: []func() diagnostic_msgs.DiagnosticStatus{
		func() diagnostic_msgs.DiagnosticStatus {
			return diagnostic_msgs.DiagnosticStatus{Name: "recording", Message: "fine"}
		},
	}}, net)
	b.report()
	array := only[*diagnostic_msgs.DiagnosticArray](t, net.Topic(t, "/diagnostics"))
	if got := array.Status[len(array.Status)-1]; len(array.Status) != 5 || got.Name != "lab/left: recording" || got.HardwareID != "lab/left" || got.Message != "fine" {
		t.Errorf("diagnostics: %+v", array.Status)
	}
}

func TestModelPublisher(t *testing.T) {
	m, net := EveryKind(), NewMemory()
	s, err := NewModelPublisher(m.ports, Names(), []Transport{net}, 0)
	if err != nil {
		t.Fatal(err)
	}
	b, _ := Still(t, m, Options{}, NewMemory())
	s.Publish(snapshot(b, m, 0, 1.5), Noon)
	var scene sim.Scene
	m.Draw(&scene)
	s.PublishScene(&scene, Noon)
	s.PublishScene(&scene, Noon+markerPeriod/2)
	outs := 0
	for name, topic := range net.Topics {
		samples := topic.TakeSamples()
		if len(samples) != 1 {
			t.Errorf("%s: %d messages, want 1", name, len(samples))
			continue
		}
		outs++
		if stamp, stamped := StampOf(samples[0].Message()); samples[0].Time != msgs.At(Noon) || stamped && stamp != msgs.At(Noon) {
			t.Errorf("%s has time %v and stamp %v", name, samples[0].Time, stamp)
		}
	}
	if want := len(s.outputs) + 2; outs != want {
		t.Errorf("%d topics, want one for each output, /tf and markers: %d", outs, want)
	}
}
