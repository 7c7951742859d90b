package compare_test

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sinew/cmd/internal/app"
	"sinew/cmd/internal/apptest"
	"sinew/cmd/internal/cli"
	"sinew/cmd/internal/exitcode"
	"sinew/cmd/internal/program"
	"sinew/msgs"
	"sinew/msgs/geometry_msgs"
	"sinew/msgs/std_msgs"
	"sinew/msgs/tf2_msgs"
	"sinew/pkg/ros"
	"sinew/pkg/ros/record"
	"sinew/pkg/sim/robotfile"
)

// path is a motion of some cm that does not repeat itself.
func path(t float64) (x, y, z float64) {
	return 0.2 - 0.02*math.Pow(math.Sin(1.3*t), 2), 0.04*math.Sin(2.1*t) + 0.02*math.Sin(3.7*t+1), 0.03 * math.Cos(1.7*t)
}

// pathCSV is the motion at hz, later by delay, moved by dx (m), in the unit of scale.
func pathCSV(hz, delay, dx, scale float64) string {
	var b strings.Builder
	b.WriteString("t,x,y,z\n")
	for k := range int(6 * hz) {
		t := float64(k) / hz
		x, y, z := path(t - delay)
		fmt.Fprintf(&b, "%.6f,%.9f,%.9f,%.9f\n", t, scale*(x+dx), scale*y, scale*z)
	}
	return b.String()
}

// metricsOf reads metrics.json.
func metricsOf(t *testing.T, dir string) map[string]any {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, "metrics.json"))
	if err != nil {
		t.Fatal(err)
	}
	var m map[string]any
	if err := json.Unmarshal(data, &m); err != nil {
		t.Fatal(err)
	}
	return m
}

// metric follows keys through m.
func metric(t *testing.T, m map[string]any, keys ...string) float64 {
	t.Helper()
	var at any = m
	for _, k := range keys {
		at = at.(map[string]any)[k]
	}
	v, ok := at.(float64)
	if !ok {
		t.Fatalf("%v is %v, not a number", keys, at)
	}
	return v
}

func TestCompareCSV(t *testing.T) {
	sim, hw := apptest.Write(t, "sim.csv", pathCSV(200, 0, 0, 1)), apptest.Write(t, "hw.csv", pathCSV(100, 0.037, 0.003, 1))
	out := filepath.Join(t.TempDir(), "result")
	text, _, err := apptest.Command(t, &apptest.Integrator{}, "compare", sim, hw, "--length-m", "0.25", "--out", out, "--max-rmse-percent", "1.3")
	if err != nil {
		t.Fatal(err)
	}
	m := metricsOf(t, out)
	if v := metric(t, m, "latency", "estimate_s"); math.Abs(v-0.037) > 1e-3 {
		t.Errorf("latency %g s", v)
	}
	// what is left is the offset of 3 mm, 1.2 % of the length
	for _, c := range []struct {
		keys []string
		want float64
	}{
		{[]string{"latency_removed", "position", "rmse_m"}, 0.003},
		{[]string{"latency_removed", "position", "rmse_percent_of_length"}, 1.2},
		{[]string{"robot_length_m"}, 0.25},
		{[]string{"hardware", "rate_hz"}, 100},
	} {
		if v := metric(t, m, c.keys...); math.Abs(v-c.want) > 0.01*c.want {
			t.Errorf("%v = %g, want %g", c.keys, v, c.want)
		}
	}
	if v := metric(t, m, "as_recorded", "position", "rmse_m"); v < 0.004 {
		t.Errorf("RMSE with the latency in: %g m", v)
	}
	for _, f := range []string{"report.html", "samples.csv", "sim.tum", "hw.tum"} {
		if info, err := os.Stat(filepath.Join(out, f)); err != nil || info.Size() == 0 {
			t.Errorf("%s: %v", f, err)
		}
	}
	for _, w := range []string{"latency", "RMSE 3.0", "(1.20", "report.html"} {
		if !strings.Contains(text, w) {
			t.Errorf("the summary lacks %q:\n%s", w, text)
		}
	}
}

func TestCompareThresholds(t *testing.T) {
	sim, hw := apptest.Write(t, "sim.csv", pathCSV(200, 0, 0, 1)), apptest.Write(t, "hw.csv", pathCSV(100, 0, 0.003, 1))
	for _, c := range []struct {
		flags []string
		code  int
	}{
		{[]string{"--max-rmse-percent", "1.19"}, exitcode.Threshold},
		{[]string{"--max-rmse-percent", "1.21"}, exitcode.OK},
		{[]string{"--max-rmse-mm", "2.99"}, exitcode.Threshold},
		{[]string{"--max-rmse-mm", "3.01", "--max-rmse-percent", "1.21"}, exitcode.OK},
		{[]string{"--max-rmse-mm", "0.01", "--align", "origin"}, exitcode.OK},
		{[]string{"--max-rmse-mm", "-1"}, exitcode.Mistake},
	} {
		args := append([]string{"compare", sim, hw, "--length-m", "0.25", "--latency", "none", "--out", "-"}, c.flags...)
		_, _, err := apptest.Command(t, &apptest.Integrator{}, args...)
		if code := exitcode.Code(err); code != c.code {
			t.Errorf("%v: exit %d (%v), want %d", c.flags, code, err, c.code)
		}
	}
}

func TestCompareMistakes(t *testing.T) {
	good := pathCSV(100, 0, 0, 1)
	lines := strings.SplitAfter(good, "\n")
	for _, c := range []struct {
		name, hw string
		want     []string
		flags    []string
	}{
		{"no overlap", "t,x,y,z\n100,0,0,0\n101,0,0,0\n102,0,0,0\n103,0,0,1\n", []string{"do not overlap in time", "from 100 s to 103 s"}, nil},
		{"backward", good + "0.5,0,0,0\n", []string{"hardware: sample 600", "time goes back by 5.49 s"}, nil},
		{"NaN", lines[0] + lines[1] + "0.01,NaN,0,0\n" + strings.Join(lines[3:], ""), []string{"hardware: sample 1 (t = 0.01 s)", "not finite"}, nil},
		{"three samples", strings.Join(lines[:4], ""), []string{"3 samples", "at least 4"}, nil},
		{"mm", pathCSV(100, 0, 0, 1000), []string{"1000 times", "in mm?"}, nil},
		{"no t", "x,y,z\n1,2,3\n", []string{"hw.csv:1", "no column t"}, nil},
		{"no y", "t,x,z\n1,2,3\n", []string{"no column y or tip_y"}, nil},
		{"text", "t,x,y,z\n0,a,0,0\n", []string{`hw.csv:2: x = "a" is not a number`}, nil},
		{"empty cell", "t,x,y,z\n0,,0,0\n", []string{`hw.csv:2: x = "" is not a number`}, nil},
		{"twice", "t,x,y,z,x\n0,0,0,0,0\n", []string{`column "x" appears twice`}, nil},
		{"half a quaternion", "t,x,y,z,qx,qy\n0,0,0,0,0,0\n", []string{"2 of the four columns"}, nil},
		{"long quaternion", "t,x,y,z,qx,qy,qz,qw\n" + strings.Repeat("0,0,0,0,0,0,0,2\n", 1) + "1,0,0,0,0,0,0,1\n2,0,0,0,0,0,0,1\n3,0,0,0,0,0,0,1\n", []string{"orientation is not a rotation"}, nil},
		{"empty", "", []string{"no header"}, nil},
		{"no rows", "t,x,y,z\n", []string{"no poses"}, nil},
		{"latency", good, []string{`"soon" is neither auto nor none`}, []string{"--latency", "soon"}},
		{"align", good, []string{"--align"}, []string{"--align", "sim3"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			args := append([]string{"compare", apptest.Write(t, "sim.csv", good), apptest.Write(t, "hw.csv", c.hw), "--out", "-"}, c.flags...)
			_, _, err := apptest.Command(t, &apptest.Integrator{}, args...)
			if exitcode.Code(err) != exitcode.Mistake {
				t.Fatalf("error %v, want one with exit code 2", err)
			}
			for _, w := range c.want {
				if !strings.Contains(err.Error(), w) {
					t.Errorf("the error %q lacks %q", err, w)
				}
			}
		})
	}
	for _, args := range [][]string{{"compare", "x.csv"}, {"compare", "x.txt", "y.txt"}, {"compare", "missing.mcap"}, {"compare"}} {
		if _, _, err := apptest.Command(t, &apptest.Integrator{}, args...); err == nil {
			t.Errorf("%v was accepted", args)
		}
	}
}

// Columns may have their unit in the name.
func TestCompareUnitsOfColumns(t *testing.T) {
	mm := strings.Replace(pathCSV(100, 0, 0, 1000), "t,x,y,z", "time_s,x_mm,y_mm,z_mm", 1)
	out := t.TempDir()
	if _, _, err := apptest.Command(t, &apptest.Integrator{}, "compare", apptest.Write(t, "sim.csv", pathCSV(100, 0, 0, 1)), apptest.Write(t, "hw.csv", mm), "--latency", "none", "--out", out); err != nil {
		t.Fatal(err)
	}
	if v := metric(t, metricsOf(t, out), "as_recorded", "position", "max_m"); v > 1e-9 {
		t.Errorf("largest error %g m", v)
	}
}

// bothRecorded writes a recording with both motions; put writes the hardware's pose.
func bothRecorded(t *testing.T, ext, simTopic string, put func(w *record.Writer, at time.Duration, x, y, z float64)) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "both"+ext)
	w, err := record.Create(file, record.Options{Node: "/robot", Robot: []byte("hardware: {position_m: [0.01, 0, 0], frame_id: camera}\n"), RobotName: cli.RobotFile})
	if err != nil {
		t.Fatal(err)
	}
	for k := range 500 {
		at := 1_700_000_000*time.Second + time.Duration(k)*10*time.Millisecond
		x, y, z := path(float64(k) * 0.01)
		pose := geometry_msgs.Pose{Position: geometry_msgs.Point{X: x, Y: y, Z: z}, Orientation: geometry_msgs.Quaternion{W: 1}}
		tell(w, simTopic, at, &geometry_msgs.PoseStamped{Header: std_msgs.Header{Stamp: msgs.At(at), FrameID: "world"}, Pose: pose})
		put(w, at, x, y, z)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return file
}

func tell(w *record.Writer, topic string, at time.Duration, m msgs.Message) {
	s := ros.NewSample(m)
	s.Time = msgs.At(at)
	w.Received(ros.Topic{Name: topic, Type: m.Type()}, s)
}

func header(at time.Duration, frame string) std_msgs.Header {
	return std_msgs.Header{Stamp: msgs.At(at), FrameID: frame}
}

func TestCompareRecordings(t *testing.T) {
	point := func(topic, frame string) func(*record.Writer, time.Duration, float64, float64, float64) {
		return func(w *record.Writer, at time.Duration, x, y, z float64) {
			tell(w, topic, at, &geometry_msgs.PointStamped{Header: header(at, frame), Point: geometry_msgs.Point{X: x + 0.003, Y: y, Z: z}})
		}
	}
	transform := func(w *record.Writer, at time.Duration, x, y, z float64) {
		m := &tf2_msgs.TFMessage{}
		for _, child := range []string{"elbow", "marker"} {
			m.Transforms = append(m.Transforms, geometry_msgs.TransformStamped{Header: header(at, "world"), ChildFrameID: child,
				Transform: geometry_msgs.Transform{Translation: geometry_msgs.Vector3{X: x + 0.003, Y: y, Z: z}, Rotation: geometry_msgs.Quaternion{W: 1}}})
			x++ // the elbow is not the marker
		}
		tell(w, "/tf", at, m)
	}
	for _, c := range []struct {
		name, ext, sim string
		hw             func(*record.Writer, time.Duration, float64, float64, float64)
		flags          []string
		want           float64 // m
	}{
		{"usual names, mcap", ".mcap", "/robot/measured_cp", point("/robot/hardware/measured_cp", "world"), nil, 0.003},
		{"usual names, bag", ".bag", "/robot/measured_cp", point("/robot/hardware/measured_cp", ""), nil, 0.003},
		{"below hw and sim", ".mcap", "/sim/measured_cp", point("/hw/measured_cp", "world"), nil, 0.003},
		{"named", ".mcap", "/a", point("/b", "world"), []string{"--sim-topic", "/a", "--hw-topic", "/b"}, 0.003},
		{"transform", ".mcap", "/robot/measured_cp", transform, []string{"--hw-topic", "/tf:elbow"}, 0.003},
		{"frame of the robot file", ".mcap", "/robot/measured_cp", point("/robot/hardware/measured_cp", "camera"), nil, 0.013},
	} {
		t.Run(c.name, func(t *testing.T) {
			file, out := bothRecorded(t, c.ext, c.sim, c.hw), t.TempDir()
			args := append([]string{"compare", file, "--latency", "none", "--out", out}, c.flags...)
			if err := app.Run(fileRobot(), args, io.Discard, io.Discard); err != nil {
				t.Fatal(err)
			}
			if v := metric(t, metricsOf(t, out), "as_recorded", "position", "max_m"); math.Abs(v-c.want) > 1e-9 {
				t.Errorf("largest error %g m, want %g m", v, c.want)
			}
		})
	}
	two := bothRecorded(t, ".mcap", "/a/measured_cp", point("/b/measured_cp", "world"))
	for _, c := range []struct {
		flags []string
		want  string
	}{
		{nil, "/a/measured_cp, /b/measured_cp may be the simulation; choose one with --sim-topic"},
		{[]string{"--sim-topic", "/a/measured_cp"}, "no topic with the pose of the hardware"},
		{[]string{"--sim-topic", "/c"}, "no topic /c; there are /a/measured_cp (geometry_msgs/PoseStamped)"},
	} {
		if _, _, err := apptest.Command(t, &apptest.Integrator{}, append([]string{"compare", two, "--out", "-"}, c.flags...)...); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: %v, want %q", c.flags, err, c.want)
		}
	}
	// a recording and a table have different clocks
	csv := apptest.Write(t, "sim.csv", pathCSV(100, 0, 0, 1))
	if _, _, err := apptest.Command(t, &apptest.Integrator{}, "compare", csv, two, "--hw-topic", "/b/measured_cp", "--out", "-"); err == nil || !strings.Contains(err.Error(), "--start-together") {
		t.Errorf("different clocks: %v", err)
	}
	if text, _, err := apptest.Command(t, &apptest.Integrator{}, "compare", csv, two, "--hw-topic", "/b/measured_cp", "--start-together", "--latency", "none", "--out", "-"); err != nil || !strings.Contains(text, "max 3.000 mm") {
		t.Errorf("started together: %v\n%s", err, text)
	}
}

// fileRobot is a robot with the length and hardware of its file.
func fileRobot() program.Robot {
	r := apptest.Robot(&apptest.Integrator{})
	r.File = program.Files(func(f *robotfile.Continuum) (*program.Instance, error) {
		return &program.Instance{Model: &apptest.Integrator{}, LengthM: f.Rod.Length, Hardware: f.Hardware}, nil
	})
	return r
}

// TestCompareRefusesToWorsen: where removing the delay that fits best makes the error
// larger, it is left in, and the summary has both numbers; a delay that was given is
// removed all the same.
func TestCompareRefusesToWorsen(t *testing.T) {
	// both swing once, the hardware later and less, and drift apart
	motion := func(turn, size, back float64) string {
		var b strings.Builder
		b.WriteString("t,x,y,z\n")
		for k := range 600 {
			s := float64(k) / 100
			x := size * math.Exp(-math.Pow((s-turn)/0.2, 2))
			fmt.Fprintf(&b, "%.6f,%.9f,0,%.9f\n", s, x, back*min(s, 3))
		}
		return b.String()
	}
	sim, hw := apptest.Write(t, "sim.csv", motion(2, 0.1, 0.1)), apptest.Write(t, "hw.csv", motion(2.3, 0.02, 0.14))
	for latency, c := range map[string]struct {
		removed float64 // s
		words   []string
	}{
		"auto": {0, []string{"no latency removed", "RMSE 99.841 mm (39.936 %) with the latency in; removing 7.1 ms makes it 100.124 mm", "so it was left in", "larger, from 99.84 mm to 100.1 mm; it was left in"}},
		"0.2":  {0.2, []string{"latency of 200 ms removed", "RMSE 99.841 mm (39.936 %) with the latency in; removing 200.0 ms makes it ", "because it was asked for"}},
	} {
		out := t.TempDir()
		text, _, err := apptest.Command(t, &apptest.Integrator{}, "compare", sim, hw, "--length-m", "0.25", "--out", out, "--latency", latency)
		if err != nil {
			t.Fatal(err)
		}
		for _, w := range c.words {
			if !strings.Contains(text, w) {
				t.Errorf("--latency %s: the summary lacks %q:\n%s", latency, w, text)
			}
		}
		if v := metric(t, metricsOf(t, out), "latency", "removed_s"); v != c.removed {
			t.Errorf("--latency %s: %g s removed, want %g", latency, v, c.removed)
		}
	}
}
