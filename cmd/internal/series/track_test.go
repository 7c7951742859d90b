package series

import (
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"sinew/msgs"
	"sinew/msgs/geometry_msgs"
	"sinew/msgs/sensor_msgs"
	"sinew/msgs/std_msgs"
	"sinew/pkg/ros/record"
	"sinew/pkg/sim/spatial"
)

// csvTrack reads a track from the text of a CSV.
func csvTrack(t *testing.T, text string) (*Track, error) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "x.csv")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return Read(Source{File: file})
}

// A CSV has times, positions, perhaps attitudes, and tendons under any other name.
func TestTrackOfCSV(t *testing.T) {
	m, err := csvTrack(t, "time_ms,x_mm,tip_y,z,qx,qy,qz,qw,vx,left,right,left:m,right:m\n"+
		"0,1,2,3,0,0,0,1,9,10,11,0.1,0.2\n500,4,5,6,0,0,0.70710678118654757,0.70710678118654757,9,12,13,0.3,0.4\n")
	if err != nil {
		t.Fatal(err)
	}
	quarter := spatial.ExpRot(spatial.Vec{Z: math.Pi / 2})
	r := m.Recording(time.Hour)
	if !reflect.DeepEqual(r.Tip.T, []float64{0, 0.5}) || !r.Tip.Rotations || r.Tip.Pose[1].P != (spatial.Vec{X: 0.004, Y: 5, Z: 6}) {
		t.Errorf("tip %+v", r.Tip)
	}
	if d := r.Tip.Pose[1].R.Sub(quarter); d.Col1().Norm()+d.Col2().Norm() > 1e-12 || r.Tip.Pose[0].R != spatial.Identity3() {
		t.Errorf("attitudes %v", r.Tip.Pose)
	}
	a := r.Actuation
	if !reflect.DeepEqual(a.Names, []string{"left", "right"}) || !reflect.DeepEqual(a.T, r.Tip.T) ||
		!reflect.DeepEqual(a.Tension, [][]float64{{10, 11}, {12, 13}}) || !reflect.DeepEqual(a.Pull, [][]float64{{0.1, 0.2}, {0.3, 0.4}}) {
		t.Errorf("tendons %+v", a)
	}
	if m.Warning != "" || m.clock {
		t.Errorf("warning %q, clock %t", m.Warning, m.clock)
	}

	m, err = csvTrack(t, "t,x,y,z,left\n2000000000,1,2,3,NaN\n2000000001,1,2,3,5\n")
	if err != nil {
		t.Fatal(err)
	}
	if r := m.Recording(0); r.Actuation.Names != nil || r.Actuation.T != nil || r.Tip.Rotations || !strings.Contains(m.Warning, "resolve 0.2 us") {
		t.Errorf("a tendon with a gap: %+v, rotations %t, warning %q", r.Actuation, r.Tip.Rotations, m.Warning)
	}
	m, err = csvTrack(t, "t,x,y,z,bow:rad,bow:shaft_rad,left\n0,1,2,3,4,5,6\n1,1,2,3,4,5,6\n")
	if err != nil || !reflect.DeepEqual(m.Angles, []string{"bow:rad", "bow:shaft_rad"}) || !reflect.DeepEqual(m.Recording(0).Actuation.Names, []string{"left"}) {
		t.Errorf("angles %v beside tendons %v; %v", m.Angles, m.Recording(0).Actuation.Names, err)
	}
	for text, want := range map[string]string{
		"x,y,z\n":                "no column t",
		"t,x,z\n":                "no column y or tip_y",
		"t,x,y,z,qx,qy,qz\n":     "3 of the four columns",
		"t,t,x,y,z\n":            `column "t" appears twice`,
		"t,x,y,z\n0,1,2,three\n": "three",
	} {
		if _, err := csvTrack(t, text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %q", text, err, want)
		}
	}
	if _, err := Read(Source{File: "x.txt"}); err == nil || !strings.Contains(err.Error(), "neither .csv nor .mcap nor .bag") {
		t.Errorf("error %v", err)
	}
}

// tracks are two of three poses each that begin at different times.
func tracks(clockA, clockB bool) (a, b *Track) {
	make := func(clock bool, start float64) *Track {
		m := &Track{Name: "x", clock: clock, poses: []spatial.Pose{spatial.IdentityPose(), spatial.IdentityPose(), spatial.IdentityPose()}}
		for i := range m.poses {
			at := start + 0.5*float64(i)
			if clock {
				m.stamps = append(m.stamps, time.Duration(at*1e9))
			} else {
				m.seconds = append(m.seconds, at)
			}
		}
		m.tendons = tendonRows{names: []string{"left"}, stamps: m.stamps, seconds: m.seconds, tension: [][]float64{{1}, {2}, {3}}}
		return m
	}
	return make(clockA, 10), make(clockB, 12)
}

// Two tracks are brought onto one clock: that of 1970 is counted from the earlier
// start, that of a CSV is its own, and both together only begin at 0 if asked to.
func TestOneClock(t *testing.T) {
	from := func(x float64) []float64 { return []float64{x, x + 0.5, x + 1} }
	for _, c := range []struct {
		clockA, clockB, together bool
		a, b                     float64
		fails                    bool
	}{
		{true, true, false, 0, 2, false}, {false, false, false, 10, 12, false}, {true, false, false, 0, 0, true}, {false, true, false, 0, 0, true},
		{true, true, true, 0, 0, false}, {false, false, true, 0, 0, false}, {true, false, true, 0, 0, false},
	} {
		a, b := tracks(c.clockA, c.clockB)
		ra, rb, err := Recordings(a, b, c.together)
		if c.fails {
			if err == nil || !strings.Contains(err.Error(), "--start-together") {
				t.Errorf("%+v: error %v", c, err)
			}
			continue
		}
		if err != nil || !reflect.DeepEqual(ra.Tip.T, from(c.a)) || !reflect.DeepEqual(rb.Tip.T, from(c.b)) || !reflect.DeepEqual(rb.Actuation.T, from(c.b)) {
			t.Errorf("%+v: %v, %v and %v, %v", c, ra.Tip.T, rb.Tip.T, rb.Actuation.T, err)
		}
	}
	a, b := tracks(true, true)
	b.poses = nil
	if _, _, err := Recordings(a, b, false); err == nil || !strings.Contains(err.Error(), "no poses") {
		t.Errorf("error %v", err)
	}
}

// joints is a message of joint states at a time.
func joints(at time.Duration, names string, position, effort []float64) record.Message {
	return record.Message{Time: at, Message: &sensor_msgs.JointState{Name: strings.Fields(names), Position: position, Effort: effort}}
}

// Of joint states those count that are like the first one and later than the last.
func TestTendonRows(t *testing.T) {
	var r tendonRows
	two := []float64{1, 2}
	for _, m := range []record.Message{
		joints(1, "a b", nil, nil), // neither pull nor tension
		joints(2, "a b", two, two),
		joints(2, "a b", two, two),          // the same time
		joints(1, "a b", two, two),          // earlier
		joints(3, "b a", two, two),          // other names
		joints(4, "", nil, two),             // no names
		joints(5, "a b", two, nil),          // no tension
		joints(6, "a b", nil, two),          // no pull
		joints(7, "a b", two, []float64{1}), // a tension too few
		{Time: 8, Message: &std_msgs.String{}},
		joints(9, "a b", []float64{3, 4}, []float64{5, 6}),
	} {
		r.add(m)
	}
	want := tendonRows{names: []string{"a", "b"}, stamps: []time.Duration{2, 9}, pull: [][]float64{two, {3, 4}}, tension: [][]float64{two, {5, 6}}}
	if !reflect.DeepEqual(r, want) {
		t.Errorf("%+v, want %+v", r, want)
	}
	var tensions tendonRows
	tensions.add(joints(1, "a b", nil, two))
	tensions.add(joints(2, "a b", nil, two))
	if tensions.pull != nil || len(tensions.tension) != 2 {
		t.Errorf("%+v", tensions)
	}
}

// Of backbones those count that have as many nodes as the first, two at least, and are
// later than the last. They are placed with the poses.
func TestShapeRows(t *testing.T) {
	m := Track{poses: []spatial.Pose{{R: spatial.Identity3(), P: spatial.Vec{X: 1}}}}
	line := func(at time.Duration, n int) record.Message {
		p := &geometry_msgs.PoseArray{Header: std_msgs.Header{Stamp: msgs.At(at)}, Poses: make([]geometry_msgs.Pose, n)}
		p.Poses[n-1].Position = geometry_msgs.Point{X: 1}
		return record.Message{Time: 99, Message: p}
	}
	for _, r := range []record.Message{line(1, 1), line(2, 2), line(2, 2), line(3, 3), {Time: 4, Message: &std_msgs.String{}}, line(5, 2)} {
		m.shape.add(r)
	}
	if want := []time.Duration{2, 5}; !reflect.DeepEqual(m.shape.stamps, want) {
		t.Errorf("backbones at %v, want %v", m.shape.stamps, want)
	}
	m.Place(spatial.Pose{R: spatial.ExpRot(spatial.Vec{Z: math.Pi / 2}), P: spatial.Vec{Y: 2}})
	want := spatial.Vec{Y: 3}
	if m.poses[0].P.Sub(want).Norm() > 1e-12 || m.shape.nodes[1][1].Sub(want).Norm() > 1e-12 || m.shape.nodes[0][0].Sub(spatial.Vec{Y: 2}).Norm() > 1e-12 {
		t.Errorf("placed at %v, %v", m.poses, m.shape.nodes)
	}
}

// Poses come from any message that has one, at the time of its header or, without, of
// the log; those that repeat a stamp are counted.
func TestPosesOfMessages(t *testing.T) {
	var m Track
	header := std_msgs.Header{Stamp: msgs.At(7), FrameID: "camera"}
	transform := func(child string, x float64) geometry_msgs.TransformStamped {
		return geometry_msgs.TransformStamped{ChildFrameID: child, Transform: geometry_msgs.Transform{
			Translation: geometry_msgs.Vector3{X: x}, Rotation: geometry_msgs.Quaternion{W: 1}}}
	}
	elbow, wrist := transform("elbow", 4), transform("wrist", 5)
	for _, c := range []struct {
		at      time.Duration
		message msgs.Message
		child   string
	}{
		{1, &geometry_msgs.PoseStamped{Pose: geometry_msgs.Pose{Position: geometry_msgs.Point{X: 1}, Orientation: geometry_msgs.Quaternion{W: 1}}}, ""},
		{1, &geometry_msgs.PoseStamped{Pose: geometry_msgs.Pose{Position: geometry_msgs.Point{X: 9}, Orientation: geometry_msgs.Quaternion{W: 1}}}, ""},
		{2, &geometry_msgs.PointStamped{Header: header, Point: geometry_msgs.Point{X: 2}}, ""},
		{8, &elbow, ""},
		{9, &wrist, "elbow"},
		{10, &wrist, "wrist"},
		{11, &std_msgs.String{}, ""},
	} {
		m.addPose(record.Message{Time: c.at, Message: c.message}, c.child)
	}
	var x []float64
	for _, p := range m.poses {
		x = append(x, p.P.X)
	}
	if !reflect.DeepEqual(x, []float64{1, 2, 4, 5}) || !reflect.DeepEqual(m.stamps, []time.Duration{1, 7, 8, 10}) || m.Repeated != 1 || !m.rotations {
		t.Errorf("poses at x = %v, times %v, %d repeated, rotations %t", x, m.stamps, m.Repeated, m.rotations)
	}
}

// In rows that are not to be used cells may be empty, in others they may not.
func TestEmptyCellsOfRowsNotToBeUsed(t *testing.T) {
	m, err := csvTrack(t, "t,x,y,z,ok\n0,1,2,3,1\n1,,,,0\n2,NaN,,5,0\n3,4,5,6,1\n")
	if err != nil || len(m.seconds) != 2 || m.Ignored != 2 || m.poses[1].P.X != 4 {
		t.Errorf("%+v, %v", m, err)
	}
	for text, want := range map[string]string{
		"t,x,y,z,ok\n0,,2,3,1\n":     `x.csv:2: x = "" is not a number`,
		"t,x,y,z,ok\n0,lost,2,3,0\n": `x.csv:2: x = "lost" is not a number`,
		"t,x,y,z\n0,,2,3\n":          `x.csv:2: x = "" is not a number`,
	} {
		if _, err := csvTrack(t, text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}
