package offline_test

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"sinew/cmd/internal/apptest"
	"sinew/msgs"
	"sinew/msgs/geometry_msgs"
	"sinew/msgs/sensor_msgs"
	"sinew/msgs/sinew_msgs"
	"sinew/msgs/std_msgs"
	"sinew/pkg/ros"
	"sinew/pkg/ros/record"
	"sinew/pkg/sim/trajectory"
)

const commandTable = "t, a, b\n0, 1, 0\n0.5, 3, 64\n"

// ok runs the program, which must not fail.
func ok(t *testing.T, args ...string) (stdout, stderr string) {
	t.Helper()
	stdout, stderr, err := apptest.Command(t, &apptest.Integrator{}, args...)
	if err != nil {
		t.Fatalf("%v: %v", args, err)
	}
	return stdout, stderr
}

// readRecording reads messages by topic.
func readRecording(t *testing.T, file string) map[string][]record.Message {
	t.Helper()
	list := map[string][]record.Message{}
	err := record.Read(file, nil, func(m record.Message) error {
		list[m.Topic] = append(list[m.Topic], m)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// TestSimRecords: a recording of sim has the state at the publishing rate and the
// commands when they act.
func TestSimRecords(t *testing.T) {
	for _, ext := range []string{".mcap", ".bag"} {
		file := filepath.Join(t.TempDir(), "x"+ext)
		rows := apptest.Write(t, "commands.csv", commandTable)
		ok(t, "sim", "--duration", "1s", "--commands", rows, "--out", file)
		got := readRecording(t, file)
		poses := got["/fakesim/measured_cp"]
		if len(poses) != 65 {
			t.Fatalf("%s: %d poses, want one at 0 and 64", ext, len(poses))
		}
		for i, m := range poses {
			at := trajectory.Epoch + time.Duration(i)*time.Second/64
			// 1 N for half a second, then 3 N
			want := max(float64(i)/64, 3*float64(i)/64-1)
			p := m.Message.(*geometry_msgs.PoseStamped)
			if m.Time != at || p.Header.Stamp != msgs.At(at) || p.Pose.Position.X != want || p.Header.FrameID != "world" {
				t.Fatalf("%s: pose %d is %+v at %v, want x = %v at %v", ext, i, p, m.Time, want, at)
			}
		}
		commands := got["/fakesim/servo_jf"]
		if len(commands) != 2 || commands[1].Time != trajectory.Epoch+time.Second/2 {
			t.Fatalf("%s: commands %+v", ext, commands)
		}
		// as given, not as it was clamped; c was not commanded
		want := sensor_msgs.JointState{Header: std_msgs.Header{Stamp: msgs.At(commands[1].Time)}, Name: []string{"a", "b"}, Effort: []float64{3, 64}}
		if m := commands[1].Message.(*sensor_msgs.JointState); !reflect.DeepEqual(m.Name, want.Name) || !reflect.DeepEqual(m.Effort, want.Effort) || len(m.Position) > 0 {
			t.Errorf("%s: command %+v", ext, m)
		}
		again := filepath.Join(t.TempDir(), "y"+ext)
		ok(t, "sim", "--duration", "1s", "--commands", rows, "--out", again)
		sameFiles(t, file, again)
	}
}

// Paths and markers are recorded as by run: in a .bag, and in an .mcap by --record-all.
func TestDerivedTopicsAreRecorded(t *testing.T) {
	rows := apptest.Write(t, "commands.csv", "t,a\n0,1\n")
	commands := filepath.Join(t.TempDir(), "commands.mcap")
	ok(t, "sim", "--duration", "1s", "--commands", rows, "--out", commands)
	for _, verb := range [][]string{{"sim", "--duration", "1s", "--commands", rows}, {"replay", commands}} {
		for _, c := range []struct {
			file string
			all  []string
			want bool
		}{{"x.mcap", nil, false}, {"x.mcap", []string{"--record-all"}, true}, {"x.bag", nil, true}} {
			file := filepath.Join(t.TempDir(), c.file)
			ok(t, slices.Concat(verb, c.all, []string{"--out", file})...)
			topics, err := record.Reading{File: file}.Topics()
			if err != nil {
				t.Fatal(err)
			}
			drawn, poses := false, false
			for _, topic := range topics {
				drawn = drawn || topic.Name == "/fakesim/markers"
				poses = poses || topic.Name == "/fakesim/measured_cp"
			}
			if drawn != c.want || !poses {
				t.Errorf("%s to %s %v: markers %v, want %v; poses %v", verb[0], c.file, c.all, drawn, c.want, poses)
			}
		}
	}
}

func sameFiles(t *testing.T, a, b string) {
	t.Helper()
	var data [2][]byte
	for i, file := range []string{a, b} {
		var err error
		if data[i], err = os.ReadFile(file); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(data[0], data[1]) {
		t.Errorf("%s and %s differ", a, b)
	}
}

// TestReplay: a command of a recording of sim acts when it did there, and a replay of a
// replay, in which a command acts in the control period that ends at or after its
// arrival, as in run, is the same again.
func TestReplay(t *testing.T) {
	dir := t.TempDir()
	rows := apptest.Write(t, "commands.csv", commandTable)
	for _, ext := range []string{".mcap", ".bag"} {
		first, second, third := filepath.Join(dir, "1"+ext), filepath.Join(dir, "2"+ext), filepath.Join(dir, "3"+ext)
		ok(t, "sim", "--duration", "1s", "--commands", rows, "--out", first)
		csv, report := ok(t, "replay", first, "_command_timeout_s:=.inf", "--sample-hz", "2")
		// a: 1 N until 0.5 s, then 3 N
		want, _ := ok(t, "sim", "--duration", "1s", "--commands", rows, "--sample-hz", "2")
		if csv != want || !strings.Contains(want, "\n0.5,0.5,0,0,1,0,0\n") {
			t.Errorf("%s: replay wrote\n%swant\n%s", ext, csv, want)
		}
		if !strings.Contains(report, "replayed 1.000 s: /fakesim/servo_jf 2") || !strings.Contains(report, "warning: /fakesim/servo_jf: 1 of 2 commands were clamped, the first at 0.500 s: b = 64  is above its limit 10") {
			t.Errorf("%s: report %q", ext, report)
		}
		ok(t, "replay", first, "--out", second)
		ok(t, "replay", second, "--out", third)
		a, b := readRecording(t, second), readRecording(t, third)
		for topic := range a {
			if !reflect.DeepEqual(a[topic], b[topic]) {
				t.Errorf("%s: %s differs between a replay and its replay", ext, topic)
			}
		}
		if n := len(a["/fakesim/measured_cp"]); n != 65 || len(a) != len(b) || len(a["/fakesim/servo_jf"]) != 2 {
			t.Errorf("%s: %d poses; %d and %d topics", ext, n, len(a), len(b))
		}
	}
}

// recorded writes commands of a tension for node at a time after the first message.
func recorded(t *testing.T, commands map[string]time.Duration) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "hardware.bag")
	w, err := record.Create(file, record.Options{})
	if err != nil {
		t.Fatal(err)
	}
	const begin = 1_700_000_000 * time.Second
	say := func(topic string, after time.Duration, m msgs.Message) {
		s := ros.NewSample(m)
		s.Time = msgs.At(begin + after)
		w.Received(ros.Topic{Name: topic, Type: m.Type()}, s)
	}
	say("/camera/note", 0, &std_msgs.String{Data: "begin"})
	for topic, after := range commands {
		say(topic, after, &sensor_msgs.JointState{Effort: []float64{1, 0, 0}})
	}
	say("/camera/note", time.Second, &std_msgs.String{Data: "end"})
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return file
}

// TestReplayFinds the commands under whatever name.
func TestReplayFindsCommands(t *testing.T) {
	half := time.Second / 2
	for _, c := range []struct {
		name     string
		commands map[string]time.Duration
		args     []string
		want     float64 // x at the end: 1 N since the command arrived
		err      string
	}{
		{"own name", map[string]time.Duration{"/fakesim/servo_jf": half}, nil, 33. / 64, ""},
		{"own name first", map[string]time.Duration{"/fakesim/servo_jf": half, "/robot/servo_jf": 0}, nil, 33. / 64, ""},
		{"another node", map[string]time.Duration{"/lab/robot/servo_jf": half}, nil, 33. / 64, ""},
		{"a chosen node", map[string]time.Duration{"/fakesim/servo_jf": half, "/robot/servo_jf": half / 2}, []string{"--node", "/robot"}, 49. / 64, ""},
		{"a remapped topic", map[string]time.Duration{"/pull": half}, []string{"servo_jf:=/pull"}, 33. / 64, ""},
		{"a renamed node", map[string]time.Duration{"/a/servo_jf": half, "/b/servo_jf": 0}, []string{"__name:=a"}, 33. / 64, ""},
		{"several nodes", map[string]time.Duration{"/a/servo_jf": half, "/b/servo_jf": 0}, nil, 0, "choose one with --node"},
		{"no such node", map[string]time.Duration{"/a/servo_jf": half}, []string{"--node", "b"}, 0, "no commands for /b"},
		{"no commands", map[string]time.Duration{"/a/joint_states": half}, nil, 0, "which takes servo_jf, servo_jp; recorded are /a/joint_states (1 sensor_msgs/JointState), /camera/note (2 std_msgs/String)"},
	} {
		t.Run(c.name, func(t *testing.T) {
			file := recorded(t, c.commands)
			out, _, err := apptest.Command(t, &apptest.Integrator{}, append([]string{"replay", file, "_command_timeout_s:=.inf"}, c.args...)...)
			if c.err != "" {
				if err == nil || !strings.Contains(err.Error(), c.err) {
					t.Fatalf("error %v, want %q", err, c.err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			rows := strings.Split(strings.TrimSpace(out), "\n")
			var x float64
			if fields := strings.Split(rows[len(rows)-1], ","); fields[0] == "1" {
				if x, err = strconv.ParseFloat(fields[1], 64); err != nil {
					t.Fatal(err)
				}
			}
			if math.Abs(x-c.want) > 1e-12 {
				t.Errorf("x = %v at the end, want %v:\n%s", x, c.want, rows[len(rows)-1])
			}
		})
	}
}

// TestReplayKeepsItsInput: a recording is not written over by its own replay.
func TestReplayKeepsItsInput(t *testing.T) {
	file := recorded(t, map[string]time.Duration{"/fakesim/servo_jf": 0})
	before := readRecording(t, file)
	if _, _, err := apptest.Command(t, &apptest.Integrator{}, "replay", file, "--out", file); err == nil || !strings.Contains(err.Error(), "is the recording that is replayed") {
		t.Errorf("error %v", err)
	}
	if !reflect.DeepEqual(readRecording(t, file), before) {
		t.Error("the recording has changed")
	}
}

// TestReplayFails where the model does, and says when.
func TestReplayFails(t *testing.T) {
	file := recorded(t, map[string]time.Duration{"/fakesim/servo_jf": 0})
	_, stderr, err := apptest.Command(t, &apptest.Integrator{Fail: 0.5}, "replay", file)
	if strings.Contains(stderr, apptest.ErrFake.Error()) { // the program prints its error at the end
		t.Errorf("told already: %q", stderr)
	}
	if err == nil || !strings.Contains(err.Error(), "t = 0.5") || !strings.Contains(err.Error(), apptest.ErrFake.Error()) {
		t.Errorf("error %v", err)
	}
}

// TestReplayOfATornRecording replays what there is, and says so.
func TestReplayOfATornRecording(t *testing.T) {
	dir := t.TempDir()
	whole, torn := filepath.Join(dir, "x.mcap"), filepath.Join(dir, "torn.mcap")
	ok(t, "sim", "--duration", "4s", "--commands", apptest.Write(t, "commands.csv", commandTable), "--out", whole)
	data, err := os.ReadFile(whole)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(torn, data[:len(data)*3/4], 0o600); err != nil {
		t.Fatal(err)
	}
	out, report := ok(t, "replay", torn)
	if !strings.Contains(report, "not complete") || !strings.HasPrefix(out, "t,x,y,z") {
		t.Errorf("report %q", report)
	}
}

// TestReplayComparesWithHardware: what recorded hardware measured is compared with
// the replay as a live node does.
func TestReplayComparesWithHardware(t *testing.T) {
	file := filepath.Join(t.TempDir(), "hardware.mcap")
	w, err := record.Create(file, record.Options{})
	if err != nil {
		t.Fatal(err)
	}
	const begin = 1_700_000_000 * time.Second
	for i := range 129 {
		at := begin + time.Duration(i)*time.Second/64
		for topic, m := range map[string]msgs.Message{
			"/arm/servo_jf": &sensor_msgs.JointState{Effort: []float64{1, 0, 0}},
			"/arm/hardware/measured_cp": &geometry_msgs.PoseStamped{
				Header: std_msgs.Header{Stamp: msgs.At(at), FrameID: "world"},
				Pose:   geometry_msgs.Pose{Position: geometry_msgs.Point{X: float64(i) / 64, Y: 0.25}, Orientation: geometry_msgs.Quaternion{W: 1}},
			},
		} {
			s := ros.NewSample(m)
			s.Time = msgs.At(at)
			w.Received(ros.Topic{Name: topic, Type: m.Type()}, s)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(t.TempDir(), "out.mcap")
	ok(t, "replay", file, "--out", out)
	got := readRecording(t, out)
	list := got["/fakesim/hil_error"]
	if len(list) < 100 {
		t.Fatalf("%d errors of 129 measurements", len(list))
	}
	// the first command arrives with time 0 and acts in the first period
	e := list[len(list)-1].Message.(*sinew_msgs.HilError)
	if math.Abs(e.PositionErrorNorm-0.25) > 1e-9 || math.Abs(e.PositionError.X) > 1e-9 {
		t.Errorf("error %+v", e)
	}
	if n := len(got["/fakesim/hardware/measured_cp"]); n != 129 {
		t.Errorf("%d measurements are in the output", n)
	}
}
