package page_test

import (
	"encoding/json"
	"errors"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"sinew/msgs"
	"sinew/msgs/geometry_msgs"
	"sinew/msgs/sensor_msgs"
	"sinew/msgs/sinew_msgs"
	"sinew/msgs/visualization_msgs"
	"sinew/pkg/ros"
	"sinew/pkg/ros/marker"
	"sinew/pkg/ros/record"
	"sinew/pkg/sim"
	"sinew/pkg/sim/spatial"
	"sinew/test/testbench"
)

// sceneOfShapes is a scene with arrows (red), a wall of triangles (green), a sphere that is seen through (blue) and a
// magnet (yellow).
func sceneOfShapes() *sim.Scene {
	s := &sim.Scene{
		Spheres: []sim.Sphere{{Name: "ball", Pose: spatial.Pose{R: spatial.Identity3(), P: spatial.Vec{X: 0.1}}, SemiAxes: spatial.Vec{X: 0.04, Y: 0.04, Z: 0.04}, Color: sim.Color{B: 1, A: 0.55}}},
		Disks:   []sim.Disk{{Name: "magnet", Pose: spatial.Pose{R: spatial.Identity3()}, Radius: 0.03, Thickness: 0.03, Color: sim.Color{R: 1, G: 1, A: 1}}},
		Meshes: []sim.Mesh{{Name: "wall", Color: sim.Color{G: 1, A: 1}, Corners: []spatial.Vec{
			{X: -0.1, Y: 0.08, Z: -0.05}, {X: 0.1, Y: 0.08, Z: -0.05}, {X: 0, Y: 0.08, Z: 0.1},
		}}},
	}
	for i := range 6 {
		from := spatial.Vec{X: -0.1 - 0.01*float64(i), Z: 0.05 - 0.02*float64(i)}
		s.Arrows = append(s.Arrows, sim.Arrow{Name: "contact_force", From: from, To: from.Add(spatial.Vec{Z: 0.05}), Radius: 0.004, Color: sim.Color{R: 1, A: 1}})
	}
	return s
}

// TestPageOfRecording: the page draws every kind of marker of the surroundings, has plots of the end of a recording that was
// not played, the error against hardware among them, and shows a recording with nothing to plot.
func TestPageOfRecording(t *testing.T) {
	testbench.NeedChromium(t)
	file := filepath.Join(t.TempDir(), "shapes.mcap")
	w, err := record.Create(file, record.Options{Node: "/tendonsim"})
	if err != nil {
		t.Fatal(err)
	}
	markers, err := w.Advertise(ros.Topic{Name: "/tendonsim/markers", Type: visualization_msgs.MarkerArrayType})
	if err != nil {
		t.Fatal(err)
	}
	pose, err := w.Advertise(ros.Topic{Name: "/tendonsim/measured_cp", Type: geometry_msgs.PoseStampedType})
	if err != nil {
		t.Fatal(err)
	}
	hardware, err := w.Advertise(ros.Topic{Name: "/tendonsim/hil_error", Type: sinew_msgs.HilErrorType})
	if err != nil {
		t.Fatal(err)
	}
	joints, err := w.Advertise(ros.Topic{Name: "/tendonsim/measured_js", Type: sensor_msgs.JointStateType})
	if err != nil {
		t.Fatal(err)
	}
	bare := filepath.Join(t.TempDir(), "bare.mcap")
	b, err := record.Create(bare, record.Options{Node: "/tendonsim"})
	if err != nil {
		t.Fatal(err)
	}
	only, err := b.Advertise(ros.Topic{Name: "/tendonsim/markers", Type: visualization_msgs.MarkerArrayType})
	if err != nil {
		t.Fatal(err)
	}
	var writer marker.Writer
	for i := range 2000 {
		at := msgs.At(1000*time.Second + time.Duration(i)*10*time.Millisecond)
		send := func(p ros.Publisher, m msgs.Message) {
			s := ros.NewSample(m)
			s.Time = at
			p.Publish(s)
		}
		if i%40 == 0 {
			m := writer.Message(sceneOfShapes(), uint32(i), at)
			send(markers, m)
			send(only, m)
			send(joints, &sensor_msgs.JointState{Name: []string{"up"}, Effort: []float64{1}})
			send(hardware, &sinew_msgs.HilError{PositionErrorNorm: 0.001, Rmse: 0.002})
		}
		m := &geometry_msgs.PoseStamped{}
		m.Pose.Position.X, m.Pose.Orientation.W = float64(i)/1e4, 1
		send(pose, m)
	}
	if err := errors.Join(w.Close(), b.Close()); err != nil {
		t.Fatal(err)
	}
	var v struct {
		pageSeen
		Hues    struct{ Red, Green, Blue, Yellow int } // pixels
		Plotted float64                                // time that a plot shows, s
		Titles  []string                               // of plots
		Bare    struct {                               // without anything to plot
			Red, Green, Plots int
			Readout           string
		}
	}
	out, err := exec.Command("node", testbench.Absolute(t, testbench.PageClient+"/page.js"), testbench.BuildTendonsim(t), "recording", file, bare).Output()
	if err == nil {
		err = json.Unmarshal(out, &v)
	}
	if err != nil || v.Fault != "" || len(v.Errors) > 0 {
		t.Fatalf("%v\n%s\n%s", err, v.Fault, out)
	}
	const least = 150 // pixels
	if h := v.Hues; h.Red < least || h.Green < least || h.Blue < least || h.Yellow < least {
		t.Errorf("pixels %+v, want at least %d of each", h, least)
	}
	if v.Plotted < 9.5 || v.Plotted > 10.5 {
		t.Errorf("at the end a plot shows %g s, want 10", v.Plotted)
	}
	if !slices.Equal(v.Titles, []string{"position", "error against hardware", "measured tension"}) {
		t.Errorf("plotted are %q", v.Titles)
	}
	if b := v.Bare; b.Red < least || b.Green < least || b.Plots != 0 || b.Readout != "" {
		t.Errorf("without anything to plot: %+v", b)
	}
	t.Logf("%+v, %g s", v.Hues, v.Plotted)
}
