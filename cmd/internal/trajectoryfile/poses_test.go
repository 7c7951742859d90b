package trajectoryfile_test

import (
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"sinew/cmd/internal/trajectoryfile"
	"sinew/msgs"
	"sinew/msgs/foxglove_msgs"
	"sinew/msgs/geometry_msgs"
	"sinew/msgs/nav_msgs"
	"sinew/msgs/std_msgs"
	"sinew/msgs/tf2_msgs"
	"sinew/pkg/ros"
	"sinew/pkg/ros/record"
	"sinew/pkg/sim/hil/identify"
)

// recorded writes a recording of one pose, at x = 1, in messages on topics, four times.
func recorded(t *testing.T, topics map[string]msgs.Message) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "x.mcap")
	w, err := record.Create(file, record.Options{Node: "/cam"})
	if err != nil {
		t.Fatal(err)
	}
	for name, m := range topics {
		p, err := w.Advertise(ros.Topic{Name: name, Type: m.Type()})
		if err != nil {
			t.Fatal(err)
		}
		for i := range 4 {
			s := ros.NewSample(m)
			s.Time = msgs.At(time.Duration(i+1) * time.Second)
			p.Publish(s)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return file
}

// TestMessagesWithPoses: the pose of the hardware comes from any message that has one, without a stamp at the time of the log.
func TestMessagesWithPoses(t *testing.T) {
	pose := geometry_msgs.Pose{Position: geometry_msgs.Point{X: 1}, Orientation: geometry_msgs.Quaternion{W: 1}}
	other := geometry_msgs.Pose{Position: geometry_msgs.Point{X: 9}, Orientation: geometry_msgs.Quaternion{W: 1}}
	header := std_msgs.Header{FrameID: "camera"}
	with := geometry_msgs.PoseWithCovariance{Pose: pose}
	transform := geometry_msgs.TransformStamped{Header: header, ChildFrameID: "tip", Transform: geometry_msgs.Transform{Translation: geometry_msgs.Vector3{X: 1}, Rotation: pose.Orientation}}
	for name, c := range map[string]struct {
		topics map[string]msgs.Message
		topic  string // asked for
		frame  string
		want   string // of the error
	}{
		"Pose":                      {map[string]msgs.Message{"/a": &pose}, "", "", ""},
		"PoseArray":                 {map[string]msgs.Message{"/a": &geometry_msgs.PoseArray{Header: header, Poses: []geometry_msgs.Pose{pose}}}, "", "camera", ""},
		"one of a PoseArray":        {map[string]msgs.Message{"/a": &geometry_msgs.PoseArray{Header: header, Poses: []geometry_msgs.Pose{other, pose}}}, "/a:1", "camera", ""},
		"none of a PoseArray":       {map[string]msgs.Message{"/a": &geometry_msgs.PoseArray{Header: header, Poses: []geometry_msgs.Pose{other, pose}}}, "", "", "/a has arrays of 2 poses; name one of them by its number, from 0: --hw-topic /a:0"},
		"no number":                 {map[string]msgs.Message{"/a": &geometry_msgs.PoseArray{Header: header, Poses: []geometry_msgs.Pose{other, pose}}}, "/a:tip", "", `of which "tip" is none`},
		"PoseWithCovarianceStamped": {map[string]msgs.Message{"/a": &geometry_msgs.PoseWithCovarianceStamped{Header: header, Pose: with}}, "", "camera", ""},
		"Odometry":                  {map[string]msgs.Message{"/a": &nav_msgs.Odometry{Header: header, Pose: with}}, "", "camera", ""},
		"PoseInFrame":               {map[string]msgs.Message{"/a": &foxglove_msgs.PoseInFrame{FrameID: "camera", Pose: pose}}, "", "camera", ""},
		"a pose beside odometry": {map[string]msgs.Message{
			"/a": &nav_msgs.Odometry{Pose: geometry_msgs.PoseWithCovariance{Pose: other}}, "/b": &geometry_msgs.PoseStamped{Header: header, Pose: pose}, "/c": &other,
		}, "", "camera", ""},
		"two of a kind": {map[string]msgs.Message{"/a": &nav_msgs.Odometry{}, "/b": &nav_msgs.Odometry{}}, "", "", "may be the hardware; choose one with --hw-topic"},
		"a transform":   {map[string]msgs.Message{"/tf": &tf2_msgs.TFMessage{Transforms: []geometry_msgs.TransformStamped{transform}}}, "/tf:tip", "camera", ""},
		"transforms":    {map[string]msgs.Message{"/tf": &tf2_msgs.TFMessage{Transforms: []geometry_msgs.TransformStamped{transform}}}, "", "", "--hw-topic, of transforms as /tf:FRAME (FRAME: tip)"},
	} {
		t.Run(name, func(t *testing.T) {
			m, err := trajectoryfile.Read(trajectoryfile.Source{File: recorded(t, c.topics), Topic: c.topic, Role: trajectoryfile.Measured, Alone: true})
			if c.want != "" {
				if err == nil || !strings.Contains(err.Error(), c.want) {
					t.Errorf("error %v, want %q", err, c.want)
				}
				return
			}
			if err != nil || len(m.Tip.Pose) != 4 || m.Tip.Pose[0].P.X != 1 || !m.Tip.Rotations || m.Tip.Stamps[3] != 4*time.Second || m.Frame != c.frame || m.Unframed != (name == "Pose") {
				t.Errorf("%+v, %v", m, err)
			}
		})
	}
}

// TestFolderOfBag: a folder of rosbag2 is a recording.
func TestFolderOfBag(t *testing.T) {
	m, err := trajectoryfile.Read(trajectoryfile.Source{File: "../../../pkg/ros/record/testdata/folder", Role: trajectoryfile.Measured, Alone: true})
	if err != nil || len(m.Tip.Pose) != 80 || m.Topic != "/cam/pose" || m.Frame != "world" {
		t.Errorf("%+v, %v", m, err)
	}
}

// TestStampsFromZero: a clock that began at 0 stamps the first message with 0, which is not the time of the log.
func TestStampsFromZero(t *testing.T) {
	file := filepath.Join(t.TempDir(), "x.mcap")
	w, err := record.Create(file, record.Options{Node: "/cam"})
	if err != nil {
		t.Fatal(err)
	}
	p, err := w.Advertise(ros.Topic{Name: "/cam/pose", Type: geometry_msgs.PoseStampedType})
	if err != nil {
		t.Fatal(err)
	}
	const log = 1_700_000_000 * time.Second
	for i := range 4 {
		at := time.Duration(i) * 10 * time.Millisecond
		m := geometry_msgs.PoseStamped{Pose: geometry_msgs.Pose{Orientation: geometry_msgs.Quaternion{W: 1}}}
		if i > 0 {
			m.Header.Stamp = msgs.At(at)
		}
		s := ros.NewSample(&m)
		s.Time = msgs.At(log + at)
		p.Publish(s)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	m, err := trajectoryfile.Read(trajectoryfile.Source{File: file, Role: trajectoryfile.Measured, Alone: true})
	if err != nil {
		t.Fatal(err)
	}
	for i, at := range m.Tip.Stamps {
		if at != time.Duration(i)*10*time.Millisecond {
			t.Errorf("pose %d is at %v", i, at)
		}
	}
}

// Measurements that overtake each other on their way, as those of a sensor with jitter, are in the order in which they were taken; of those
// with one stamp the first counts. A clock that was set anew stays visible.
func TestOvertakingMeasurements(t *testing.T) {
	for _, c := range []struct {
		name       string
		stamps     []float64 // s, in the order of arrival
		want       []float64
		isRepeated int
	}{
		{"overtaking", []float64{0.02, 0.01, 0.03, 0.05, 0.02, 0.04, 0.9}, []float64{0.01, 0.02, 0.03, 0.04, 0.05, 0.9}, 1},
		{"clock set anew", []float64{1, 2, 3, 1, 2, 3}, []float64{1, 2, 3, 1, 2, 3}, 0},
	} {
		file := filepath.Join(t.TempDir(), "x.mcap")
		w, err := record.Create(file, record.Options{Node: "/cam"})
		if err != nil {
			t.Fatal(err)
		}
		p, err := w.Advertise(ros.Topic{Name: "/cam/pose", Type: geometry_msgs.PoseStampedType})
		if err != nil {
			t.Fatal(err)
		}
		const log = 1_700_000_000 * time.Second
		at := func(s float64) time.Duration { return log + time.Duration(math.Round(s*1e9)) }
		for i, stamp := range c.stamps {
			m := geometry_msgs.PoseStamped{Pose: geometry_msgs.Pose{Position: geometry_msgs.Point{X: stamp}, Orientation: geometry_msgs.Quaternion{W: 1}}}
			m.Header.Stamp = msgs.At(at(stamp))
			s := ros.NewSample(&m)
			s.Time = msgs.At(at(5 + 0.01*float64(i)))
			p.Publish(s)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		m, err := trajectoryfile.Read(trajectoryfile.Source{File: file, Role: trajectoryfile.Measured, Alone: true})
		if err != nil {
			t.Fatal(err)
		}
		var got []float64
		for i := range m.Tip.Pose {
			got = append(got, m.Tip.Pose[i].P.X)
			if m.Tip.Stamps[i] != at(got[i]) {
				t.Errorf("%s: the pose of %g s is at %v", c.name, got[i], m.Tip.Stamps[i])
			}
		}
		if !slices.Equal(got, c.want) || m.Repeated != c.isRepeated {
			t.Errorf("%s: poses of %v s, %d repeated; want %v, %d", c.name, got, m.Repeated, c.want, c.isRepeated)
		}
		m.CountFrom(log)
		if _, err := identify.NewTrial(m, identify.Markers{}); (err != nil) != (c.name == "clock set anew") || err != nil && !strings.Contains(err.Error(), "sample 3: time goes back by 2 s") {
			t.Errorf("%s: the trial fails with %v", c.name, err)
		}
	}
}
