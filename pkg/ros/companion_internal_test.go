package ros

import (
	"reflect"
	"slices"
	"testing"

	"sinew/msgs"
	"sinew/msgs/geometry_msgs"
	"sinew/msgs/sensor_msgs"
	"sinew/msgs/vision_msgs"
	"sinew/pkg/sim"
)

// again is a message as a peer of either ROS version has it.
func again[M msgs.Message](t *testing.T, m M, isROS1 bool) M {
	t.Helper()
	back := m.Type().New()
	var err error
	if isROS1 {
		err = back.ParseROS1(m.AppendROS1(nil))
	} else {
		err = back.ParseCDR(m.AppendCDR(nil))
	}
	if err != nil {
		t.Fatal(err)
	}
	return back.(M)
}

// A camera publishes the points that are seen, by their names in ROS 2 and by their numbers in ROS 1, and once, for whoever comes
// later, its optics.
func TestMessagesOfCameras(t *testing.T) {
	m, net := EveryKind(), NewMemory()
	m.Add(sim.Port{
		Name: "sensors/camera", Kind: sim.ImagePoints, Direction: sim.Out, Frames: []string{"sensors/camera"}, Samples: 1, Labels: []string{"a", "b", "c"},
		Camera: &sim.Camera{Width: 640, Height: 480, FocalX: 600, FocalY: 610, CenterX: 320.5, CenterY: 239, Distortion: [5]float64{1, 2, 3, 4, 5}},
	}, -1)
	b, _ := Still(t, m, Options{}, net)
	points, optics := net.Topic(t, "/lab/left/sensors/camera"), net.Topic(t, "/lab/left/sensors/camera/camera_info")
	copy(m.value("sensors/camera"), []float64{1, 0.25, 10, 20, 1, 0, 0, 0, 30.5, -0.25, 1})
	b.publish(snapshot(b, m, Noon, 1))
	b.publish(snapshot(b, m, Noon, 1))
	sent := points.Take()
	if len(sent) != 1 {
		t.Fatalf("%d messages of points", len(sent))
	}
	for _, isROS1 := range []bool{true, false} {
		d := again(t, sent[0].(*vision_msgs.Detection2DArray), isROS1)
		if d.Header.Stamp != msgs.At(Noon)-msgs.Time(25e7) || d.Header.FrameID != "left/sensors/camera" && d.Header.FrameID != "lab/left/sensors/camera" || len(d.Detections) != 2 {
			t.Fatalf("%+v", d)
		}
		for i, want := range []struct {
			name string
			n    int64
			u, v float64
		}{{"a", 0, 10, 20}, {"c", 2, 30.5, -0.25}} {
			o := &d.Detections[i]
			r := &o.Results[0]
			if isROS1 && (o.Bbox.CenterROS1 != geometry_msgs.Pose2D{X: want.u, Y: want.v} || r.ID != want.n || r.Score != 1) {
				t.Errorf("ROS 1: %+v, want %v", o, want)
			}
			if !isROS1 && (o.Bbox.Center.Position != vision_msgs.Point2D{X: want.u, Y: want.v} || o.ID != want.name || r.Hypothesis.ClassID != want.name || r.Hypothesis.Score != 1) {
				t.Errorf("ROS 2: %+v, want %v", o, want)
			}
			if o.Header.Stamp != d.Header.Stamp || r.Pose.Pose.Orientation.W != 1 {
				t.Errorf("%+v", o)
			}
		}
	}
	known := optics.Take()
	if len(known) != 1 {
		t.Fatalf("the optics were sent %d times", len(known))
	}
	for _, isROS1 := range []bool{true, false} {
		c := again(t, known[0].(*sensor_msgs.CameraInfo), isROS1)
		if c.Width != 640 || c.Height != 480 || c.DistortionModel != "plumb_bob" || !slices.Equal(c.D, []float64{1, 2, 3, 4, 5}) ||
			c.K != [9]float64{600, 0, 320.5, 0, 610, 239, 0, 0, 1} || c.R != [9]float64{1, 0, 0, 0, 1, 0, 0, 0, 1} || c.P != [12]float64{600, 0, 320.5, 0, 0, 610, 239, 0, 0, 0, 1, 0} {
			t.Errorf("%+v", c)
		}
	}
	if topic, _ := companionOf(&m.ports[m.index("sensors/camera")]); !topic.Latched {
		t.Error("the optics are not kept for whoever comes later")
	}
}

// A pose with stated noise is published with its covariance, too, measurement for measurement; one without is not.
func TestPosesWithCovariance(t *testing.T) {
	m, net := EveryKind(), NewMemory()
	tracker := sim.Port{Name: "sensors/tracker", Kind: sim.Pose, Direction: sim.Out, Frames: []string{sim.World}, Samples: 2, Noise: []float64{1e-3, 1e-3, 1e-3, 0.05, 0.05, 0.05, 0.05}}
	exact := tracker
	exact.Name, exact.Noise = "sensors/exact", nil
	m.Add(tracker, -1)
	m.Add(exact, -1)
	b, _ := Still(t, m, Options{}, net)
	plain, covered := net.Topic(t, "/lab/left/sensors/tracker"), net.Topic(t, "/lab/left/sensors/tracker/with_covariance")
	copy(m.value("sensors/tracker"), []float64{2, 0.25, 1, 2, 3, 0, 0, 0.6, 0.8, 0.5, 4, 5, 6, 0, 0, 0, 1})
	b.publish(snapshot(b, m, Noon, 1))
	poses, all := plain.Take(), covered.Take()
	if len(all) != 2 || len(poses) != 2 {
		t.Fatalf("%d messages with covariance, %d without", len(all), len(poses))
	}
	for i, s := range all {
		got, want := again(t, s.(*geometry_msgs.PoseWithCovarianceStamped), i == 0), poses[i].(*geometry_msgs.PoseStamped)
		if !reflect.DeepEqual(got.Pose.Pose, want.Pose) || got.Header.Stamp != want.Header.Stamp || got.Header.FrameID != want.Header.FrameID {
			t.Errorf("%+v, want %+v", got, want)
		}
		for k, c := range got.Pose.Covariance {
			variance := 0.0
			if k%7 == 0 { // of x y z and of rotations about x y z, independent of each other
				variance = map[bool]float64{true: 1e-6, false: 0.01}[k < 21]
			}
			if diff := c - variance; diff > 1e-15 || diff < -1e-15 {
				t.Errorf("covariance %d is %g, want %g", k, c, variance)
			}
		}
	}
	b.DisableTopics([]string{"sensors/tracker"})
	copy(m.value("sensors/tracker"), []float64{3})
	b.publish(snapshot(b, m, Noon, 1))
	if got := covered.Take(); len(got) != 0 {
		t.Errorf("a topic that is off has published %v", got)
	}
	if _, encode := companionOf(&exact); encode != nil {
		t.Error("a pose without noise has a covariance")
	}
}

// A pose that has a covariance behind it is published with that, as it is now.
func TestPosesWithTheirCovariance(t *testing.T) {
	m, net := EveryKind(), NewMemory()
	m.Add(sim.Port{Name: "estimate/measured_cp", Kind: sim.Pose, Direction: sim.Out, Frames: []string{sim.World}, Covariance: true}, -1)
	b, _ := Still(t, m, Options{}, net)
	plain, covered := net.Topic(t, "/lab/left/estimate/measured_cp"), net.Topic(t, "/lab/left/estimate/measured_cp/with_covariance")
	for _, scale := range []float64{1, 2} {
		v := m.value("estimate/measured_cp")
		copy(v, []float64{1, 2, 3, 0, 0, 0.6, 0.8})
		for k := range sim.CovarianceWidth {
			v[sim.PoseWidth+k] = scale * float64(k)
		}
		b.publish(snapshot(b, m, Noon, 1))
		poses, all := plain.Take(), covered.Take()
		if len(all) != 1 || len(poses) != 1 {
			t.Fatalf("%d messages with covariance, %d without", len(all), len(poses))
		}
		got, want := again(t, all[0].(*geometry_msgs.PoseWithCovarianceStamped), true), poses[0].(*geometry_msgs.PoseStamped)
		if !reflect.DeepEqual(got.Pose.Pose, want.Pose) || got.Header.Stamp != want.Header.Stamp || want.Header.Stamp != msgs.At(Noon) {
			t.Errorf("%+v, want %+v", got, want)
		}
		for k, c := range got.Pose.Covariance {
			if c != scale*float64(k) {
				t.Errorf("covariance %d is %g, want %g", k, c, scale*float64(k))
			}
		}
	}
}
