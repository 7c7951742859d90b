package view_test

import (
	"math"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sinew/cmd/internal/view"
	"sinew/msgs"
	"sinew/msgs/geometry_msgs"
	"sinew/msgs/sinew_msgs"
	"sinew/msgs/std_msgs"
	"sinew/msgs/tf2_msgs"
	"sinew/msgs/visualization_msgs"
	"sinew/pkg/ros"
	"sinew/pkg/ros/marker"
	"sinew/pkg/ros/record"
	"sinew/pkg/sim"
	"sinew/pkg/sim/spatial"
)

// said is what is published on a topic at a time.
type said struct {
	at    time.Duration
	topic string
	what  msgs.Message
}

// recorded is a recording of all that is said.
func recorded(t *testing.T, node string, all ...said) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "said.mcap")
	w, err := record.Create(file, record.Options{Node: node})
	view.Must(t, err)
	to := map[string]ros.Publisher{}
	for _, m := range all {
		if to[m.topic] == nil {
			to[m.topic], err = w.Advertise(ros.Topic{Name: m.topic, Type: m.what.Type()})
			view.Must(t, err)
		}
		s := ros.NewSample(m.what)
		s.Time = msgs.At(m.at)
		to[m.topic].Publish(s)
	}
	view.Must(t, w.Close())
	return file
}

func poseAt(x float64) *geometry_msgs.PoseStamped {
	m := new(geometry_msgs.PoseStamped)
	m.Pose.Position.X, m.Pose.Orientation.W = x, 1
	return m
}

// Markers come some time after the beginning of a recording: until then it shows the first of them, and after a silence nothing that
// comes much later.
func TestBeginning(t *testing.T) {
	var drawing marker.Writer
	ball := func(x float64, at time.Duration) *visualization_msgs.MarkerArray {
		s := sim.Sphere{Name: "ball", Pose: spatial.Pose{P: spatial.Vec{X: x}, R: spatial.Identity3()}, SemiAxes: spatial.Vec{X: 1, Y: 1, Z: 1}}
		return drawing.Message(&sim.Scene{Spheres: []sim.Sphere{s}}, 0, msgs.At(at))
	}
	for ahead, want := range map[time.Duration]string{30 * time.Millisecond: "ball", 2 * view.AheadTime: ""} {
		drawing = marker.Writer{}
		first := view.Begin + ahead
		h := play(t, recorded(t, "/rod",
			said{view.Begin, "/rod/measured_cp", poseAt(1)}, said{first, "/rod/markers", ball(5, first)}, said{first + time.Second, "/rod/markers", ball(7, first)},
		))
		h.Ask(1, view.Begin, "go")
		h.Answered("go")
		var scene sinew_msgs.Scene
		h.Next("/rod/scene", &scene)
		if got := view.Shapes(&scene); (want == "ball") != (got == "ball") || want == "ball" && scene.Shapes[0].Data[0] != 5 {
			t.Errorf("%v before the first marker: %q", ahead, got)
		}
	}
}

// Shapes of the environment, which a robot file has, are drawn where frames say that they are, without them where they were told to
// go, and otherwise where the robot file has them. Drawing them larger leaves the robot file's as they are.
func TestMovedShapes(t *testing.T) {
	robot := view.File(t, "robot.yaml", "body: {shape: {sphere_m: 1e-4}, magnet: {moment_a_m2: [0, 0, 1e-9]}}\nenvironment: {shapes: [{name: a-wall, capsule: {from_m: [-1e-3, 5e-3, 0], to_m: [1e-3, 5e-3, 0], radius_m: 1e-3}}]}\n")
	frame := func(x float64) msgs.Message {
		f := geometry_msgs.TransformStamped{Header: std_msgs.Header{FrameID: sim.World}, ChildFrameID: "body/shapes/a_wall"}
		f.Transform.Translation.X, f.Transform.Rotation.W = x, 1
		return &tf2_msgs.TFMessage{Transforms: []geometry_msgs.TransformStamped{f}}
	}
	body := said{view.Begin, "/body/measured_cp", poseAt(0)}
	end := said{view.Begin + time.Second, "/body/measured_cp", poseAt(0)}
	command := said{view.Begin + 10*time.Millisecond, "/body/a_wall/pose", poseAt(3e-3)}
	for name, c := range map[string]struct {
		said []said
		want float64 // m
	}{
		"without any":            {nil, 0},
		"a command":              {[]said{command}, 3e-3},
		"a frame":                {[]said{{view.Begin + 10*time.Millisecond, "/tf", frame(2e-3)}}, 2e-3},
		"a frame and a command":  {[]said{{view.Begin + 10*time.Millisecond, "/tf", frame(2e-3)}, {view.Begin + 20*time.Millisecond, "/body/a_wall/pose", poseAt(3e-3)}}, 2e-3},
		"a command of something": {[]said{{view.Begin, "/body/b/pose", poseAt(3e-3)}}, 0},
	} {
		e := view.Bodies()
		h := view.PlayOf(t, &view.Cmd{Files: []string{recorded(t, "/body", append(append([]said{body}, c.said...), end)...)}, Config: []string{robot}}, e)
		for range 2 {
			h.Ask(1, view.Begin+500*time.Millisecond, "go")
			h.Answered("go")
			var meshes, scene sinew_msgs.Scene
			h.Next("/body/meshes", &meshes) // again, for who goes to another time
			h.Next("/body/scene", &scene)
			var low, high float32 = math.MaxFloat32, -math.MaxFloat32
			for _, s := range scene.Shapes {
				if strings.HasPrefix(s.Name, "a-wall") {
					corners := meshes.Shapes[0].Data
					for i := 0; i < len(corners); i += 3 {
						low, high = min(low, s.Data[0]+corners[i]), max(high, s.Data[0]+corners[i])
					}
				}
			}
			if mid := float64(low+high) / 2 / scene.Scale; math.Abs(mid-c.want) > 1e-5 {
				t.Errorf("%s: drawn about %g m, want %g (%s)", name, mid, c.want, view.Shapes(&scene))
			}
		}
	}
}

// What is drawn larger is a copy.
func TestEnlarge(t *testing.T) {
	corners := []spatial.Vec{{X: 1}, {Y: 1}, {Z: 1}}
	s := sim.Scene{Meshes: []sim.Mesh{{Corners: corners, Pose: spatial.Pose{P: spatial.Vec{X: 2}, R: spatial.Identity3()}}}}
	view.Enlarge(&s, 10)
	m := &s.Meshes[0]
	if got := m.Place().Apply(m.Corners[0]); got.X != 30 || corners[0].X != 1 {
		t.Errorf("a corner at 3 is drawn at %g, the mesh has %v", got.X, corners[0])
	}
}
