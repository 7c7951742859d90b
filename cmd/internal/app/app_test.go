package app

import (
	"bytes"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sinew/pkg/sim"
	"sinew/pkg/sim/robotfile"
)

// integrator is a model whose output is exactly solvable: each value of its pose
// position grows at the rate of one commanded tension.
type integrator struct {
	t       float64
	x       [3]float64
	command [3]float64
	fail    float64 // Step fails at this time
}

func (m *integrator) Ports() []sim.Port {
	labels := []string{"a", "b", "c"}
	return []sim.Port{
		{Name: "servo_jf", Kind: sim.Tension, Direction: sim.In, Labels: labels, Group: "tendons", Max: []float64{10, 10, 10}},
		{Name: "servo_jp", Kind: sim.TendonLength, Direction: sim.In, Labels: labels, Group: "tendons"},
		{Name: "measured_cp", Kind: sim.Pose, Direction: sim.Out, Frames: []string{sim.World}},
		{Name: "measured_js", Kind: sim.JointState, Direction: sim.Out, Labels: labels, Parts: sim.Position | sim.Velocity | sim.Effort},
	}
}

func (m *integrator) Gauges() []sim.Gauge {
	return []sim.Gauge{{Key: "newton_iterations_mean"}, {Key: "something_else"}}
}

func (m *integrator) Command(i int, v []float64) {
	for k := range m.command {
		if i == 0 && !sim.IsKeep(v[k]) {
			m.command[k] = v[k]
		}
	}
}

func (m *integrator) Setpoint(_ int, dst []float64) { copy(dst, m.command[:]) }

func (m *integrator) Value(i int, dst []float64) {
	switch i {
	case 2:
		copy(dst, []float64{m.x[0], m.x[1], m.x[2], 0, 0, 0, 1})
	case 3:
		copy(dst[6:], m.command[:])
	}
}

func (m *integrator) Measure(dst []float64) { dst[0], dst[1] = 2.5, 1 }
func (m *integrator) Draw(*sim.Scene)       {}

var errFake = errors.New("the fake model was told to fail")

func (m *integrator) Step(dt float64) error {
	if m.fail > 0 && m.t >= m.fail {
		return errFake
	}
	for k := range m.x {
		m.x[k] += dt * m.command[k]
	}
	m.t += dt
	return nil
}

func (m *integrator) StateLen() int           { return 1 }
func (m *integrator) Save([]float64)          {}
func (m *integrator) Restore([]float64) error { return nil }

// fakeRobot is a program around the integrator with a step of 1/64 s, which
// binary numbers hold exactly.
func fakeRobot(m *integrator) Robot {
	return Robot{
		Name: "fakesim", Summary: "A fake.", Shown: "measured_cp",
		File: Files(func(f *robotfile.Continuum) (*Made, error) {
			return &Made{Model: m, Describe: "a fake", Hardware: f.Hardware, Timing: Timing{StepS: 1.0 / 64, ControlHz: 64, PublishHz: 64, MarkerHz: 16}}, nil
		}),
		Defaults: func() []byte { return []byte("defaults\n") },
		Samples: func([]sim.Port) []Samples {
			return []Samples{{Port: "measured_cp", Columns: []string{"x", "y", "z"}}, {Port: "measured_js", First: 6, Columns: []string{"a", "b", "c"}}}
		},
	}
}

// command runs the program with arguments and returns what it printed.
func command(t *testing.T, m *integrator, args ...string) (stdout, stderr string, err error) {
	t.Helper()
	robot := fakeRobot(m)
	var out, errs bytes.Buffer
	e := &env{robot: &robot, stdout: &out, stderr: &errs}
	err = e.run(args)
	return out.String(), errs.String(), err
}

func write(t *testing.T, name, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

func TestSimHoldsCommandsBetweenRows(t *testing.T) {
	rows := write(t, "commands.csv", "t, a, b\n0, 1, 0\n# a comment\n0.5, 3, 64\n")
	out, warnings, err := command(t, &integrator{}, "sim", "--duration", "1s", "--sample-hz", "2", "--commands", rows)
	if err != nil {
		t.Fatal(err)
	}
	// a: 1 N until 0.5 s, then 3 N; b: 64 N is clamped to the limit of 10 N
	want := "t,x,y,z,a,b,c\n0,0,0,0,0,0,0\n0.5,0.5,0,0,1,0,0\n1,2,5,0,3,10,0\n"
	if out != want {
		t.Errorf("got\n%swant\n%s", out, want)
	}
	if !strings.Contains(warnings, "1 command rows: clamped") {
		t.Errorf("no word of the clamped command: %q", warnings)
	}
}

func TestSimRepeatsBits(t *testing.T) {
	args := []string{"sim", "--duration", "0.3", "--sample-every", "1"}
	first, _, err := command(t, &integrator{command: [3]float64{1.0 / 3, 0.1, 7}}, args...)
	if err != nil {
		t.Fatal(err)
	}
	if rows := strings.Count(first, "\n"); rows != 1+1+20 { // header, t = 0, 19 steps and a shorter one
		t.Errorf("%d lines", rows)
	}
	again, _, _ := command(t, &integrator{command: [3]float64{1.0 / 3, 0.1, 7}}, args...)
	if first != again {
		t.Error("two runs differ")
	}
}

func TestSimReportsFailure(t *testing.T) {
	out, _, err := command(t, &integrator{fail: 0.5}, "sim", "--duration", "1")
	if !errors.Is(err, errFake) || !strings.Contains(err.Error(), "t = 0.5 s") {
		t.Errorf("error %v", err)
	}
	if !strings.Contains(out, "\n0.5,") {
		t.Error("the rows before the failure are lost")
	}
}

func TestSimWritesStats(t *testing.T) {
	file := filepath.Join(t.TempDir(), "stats.json")
	_, _, err := command(t, &integrator{}, "sim", "--duration", "10", "--stats", file, "--out", filepath.Join(t.TempDir(), "x.csv"))
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{`"steps": 640`, `"simulated_s": 10`, `"wall_s"`, `"real_time_factor"`, `"step_us_p50"`, `"step_us_p99"`,
		`"step_us_max"`, `"allocations_per_step": 0`, `"newton_iterations_mean": 2.5`} {
		if !strings.Contains(string(data), key) {
			t.Errorf("stats lack %s:\n%s", key, data)
		}
	}
	if strings.Contains(string(data), "something_else") {
		t.Error("stats have a gauge that is not the solver's")
	}
}

func TestMistakes(t *testing.T) {
	for _, c := range []struct {
		name, table, want string
		args              []string
	}{
		{"column", "t,d\n0,1\n", `commands.csv:1: unknown column "d"; this robot takes a, a:m, b, b:m, c, c:m`, nil},
		{"no time", "a,t\n0,1\n", `the first column is "a"; it must be t`, nil},
		{"twice", "t,a,a:m\n0,1,2\n", `columns "a" and "a:m" command the same actuator`, nil},
		{"NaN", "t,a\n0,1\n1,NaN\n", `commands.csv:3: a = "NaN" is not a finite number`, nil},
		{"back", "t,a\n1,1\n0,2\n", `commands.csv:3: t = 0 s goes back; the row before has 1 s`, nil},
		{"ragged", "t,a\n0\n", `wrong number of fields`, nil},
		{"empty", "", `no header`, nil},
		{"duration", "t\n", `"-1s" is not a duration`, []string{"sim", "--duration=-1s"}},
		{"flag", "t\n", `unknown flag --frobnicate`, []string{"sim", "--frobnicate"}},
		{"remap", "t\n", `0bad`, []string{"sim", "--duration=1s", "0bad:=x"}},
		{"file", "t\n", `no such file`, []string{"check", "missing.yaml"}},
		{"view", "t\n", `no browser page`, []string{"run", "--view", "127.0.0.1:8080"}},
		{"record", "t\n", `a recording is a .mcap or .bag file`, []string{"run", "--record", "x.csv"}},
		{"replay", "t\n", `no such file`, []string{"replay", "missing.bag"}},
		{"replay CSV", "t\n", `neither an .mcap file nor a .bag file`, []string{"replay", os.DevNull}},
		{"key", "t\n", `nonsense`, []string{"check", "_nonsense:=1", os.DevNull}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.args == nil {
				c.args = []string{"sim", "--duration", "1", "--commands", write(t, "commands.csv", c.table)}
			}
			_, _, err := command(t, &integrator{}, c.args...)
			var coded *codedError
			if !errors.As(err, &coded) || coded.code != exitUsage {
				t.Fatalf("error %v, want one with exit code 2", err)
			}
			if !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %q lacks %q", err, c.want)
			}
		})
	}
}

// TestROS2Mistakes: a mistake in the environment of ROS 2 ends the program also
// where ROS 2 is one of two networks.
func TestROS2Mistakes(t *testing.T) {
	t.Setenv("ROS_DOMAIN_ID", "300")
	for _, network := range []string{"auto", "ros2", "both"} {
		_, _, err := command(t, &integrator{}, "--ros", network)
		var coded *codedError
		if !errors.As(err, &coded) || coded.code != exitUsage || !strings.Contains(err.Error(), "0 to 232") {
			t.Errorf("--ros %s: error %v", network, err)
		}
	}
}

func TestSeconds(t *testing.T) {
	for text, want := range map[string]float64{"1.5": 1.5, "1.5s": 1.5, "1500ms": 1.5, "2m": 120, "0.1h": 360, "20us": 20.0 / 1e6, "0.0123456789012s": 0.0123456789012} {
		var s seconds
		if err := s.UnmarshalText([]byte(text)); err != nil || float64(s) != want {
			t.Errorf("%s: got %v, %v, want %v", text, float64(s), err, want)
		}
	}
	for _, text := range []string{"", "s", "-1", "0", "NaN", "Inf", "1e308h", "1 s x", "1d"} {
		var s seconds
		if s.UnmarshalText([]byte(text)) == nil {
			t.Errorf("%q was taken as %v s", text, s)
		}
	}
}

func TestDemoStaysWithinLimits(t *testing.T) {
	d := newDemo((&integrator{}).Ports())
	moved := 0.0
	for i := range 1000 {
		d.wave(float64(i)*0.02, d.values)
		for _, v := range d.values {
			if v < 0 || v > 10 {
				t.Fatalf("tension %g N", v)
			}
			moved = math.Max(moved, v)
		}
	}
	if moved < 3.9 {
		t.Errorf("the demo pulls with %g N at most", moved)
	}
	if newDemo(nil) != nil {
		t.Error("a demo without tendons")
	}
}

func TestVersionAndParams(t *testing.T) {
	out, _, err := command(t, &integrator{}, "version")
	if err != nil || !strings.HasPrefix(out, "fakesim "+version+" (commit ") {
		t.Errorf("version printed %q, %v", out, err)
	}
	if out, _, err := command(t, &integrator{}, "params"); err != nil || out != "defaults\n" {
		t.Errorf("params printed %q, %v", out, err)
	}
	if out, _, err := command(t, &integrator{}, "--help"); err != nil || !strings.Contains(out, "params") {
		t.Errorf("--help printed %q, %v", out, err)
	}
}
