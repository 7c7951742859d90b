package hil_test

import (
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"sinew/msgs"
	"sinew/msgs/geometry_msgs"
	"sinew/msgs/sensor_msgs"
	"sinew/msgs/sinew_msgs"
	"sinew/pkg/ros"
	"sinew/pkg/ros/record"
	"sinew/test/peer/ddspeer"
	"sinew/test/subprocess"
	"sinew/test/testbench"
)

// The hardware of these tests is a simulation of a softer robot, moved for two
// seconds.
const (
	hardwareTime  = 2 * time.Second
	softer        = "rod: {youngs_modulus_pa: 1.4e+7}\n"
	agreement     = 1e-9 // of hil_error and compare, m and rad: both do the same arithmetic
	samePoseTime  = 1e-6 // s; poses are 1 ms apart
	enoughErrors  = 1900 // of 2001 poses: nothing is compared across a gap of the simulation
	longestGap    = 50 * time.Millisecond
	mostPlays     = 10
	hardwareTopic = "/tendonsim/hardware/measured_cp"
)

// hardwareRecording simulates the hardware and returns its recording.
func hardwareRecording(t *testing.T, program string) (file string) {
	t.Helper()
	dir := t.TempDir()
	file = filepath.Join(dir, "hardware.mcap")
	var commands strings.Builder
	commands.WriteString("t,up,left\n")
	for ms := 0; ms < 2000; ms += 20 {
		phase := 2 * math.Pi * float64(ms) / 1000
		fmt.Fprintf(&commands, "%g,%g,%g\n", float64(ms)/1000, 2-2*math.Cos(phase), 1+math.Sin(2*phase))
	}
	overlay, table := filepath.Join(dir, "softer.yaml"), filepath.Join(dir, "commands.csv")
	for name, text := range map[string]string{overlay: softer, table: commands.String()} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	out, err := exec.Command(program, "sim", "--config", testbench.TestRobot, "--config", overlay, "--commands", table,
		"--duration", fmt.Sprint(hardwareTime.Seconds()), "--out", file).CombinedOutput()
	if err != nil {
		t.Fatalf("tendonsim sim: %v\n%s", err, out)
	}
	return file
}

// restamped writes a .bag of what the hardware got and measured, as if it had
// been recorded from now on.
func restamped(t *testing.T, recording, bag string, now time.Duration) {
	t.Helper()
	w, err := record.Create(bag, record.Options{Node: "/hardware", Created: now})
	if err != nil {
		t.Fatal(err)
	}
	topics := map[string]ros.Topic{
		"/tendonsim/measured_cp": {Name: hardwareTopic, Type: geometry_msgs.PoseStampedType},
		"/tendonsim/servo_jf":    {Name: "/tendonsim/servo_jf", Type: sensor_msgs.JointStateType},
	}
	var start time.Duration
	err = record.Read(recording, func(topic string, _ *msgs.Type) bool { return topics[topic].Type != nil }, func(m record.Message) error {
		if start == 0 {
			start = m.Time
		}
		at := msgs.At(now + m.Time - start)
		switch m := m.Message.(type) {
		case *geometry_msgs.PoseStamped:
			m.Header.Stamp = at
		case *sensor_msgs.JointState:
			m.Header.Stamp = at
		}
		s := ros.NewSample(m.Message)
		s.Time = at
		w.Received(topics[m.Topic], s)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}

// comparedLive wants that the errors that a robot published while it ran are
// those that compare finds in the recording of the run, and returns them.
func comparedLive(t *testing.T, program, recording string) (live []*sinew_msgs.HilError) {
	t.Helper()
	err := record.Read(recording, nil, func(m record.Message) error {
		if e, ok := m.Message.(*sinew_msgs.HilError); ok {
			live = append(live, e)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(t.TempDir(), "report")
	text, err := exec.Command(program, "compare", recording, "--latency", "none", "--out", out).CombinedOutput()
	if err != nil {
		t.Fatalf("compare: %v\n%s", err, text)
	}
	data, err := os.ReadFile(filepath.Join(out, "samples.csv"))
	if err != nil {
		t.Fatal(err)
	}
	header, rows := testbench.ParseCSV(t, string(data))
	column := map[string]int{}
	for i, name := range header {
		column[name] = i
	}
	// both know every sample, but the run may end before the last is compared
	for i, e := range live {
		if i == len(rows) {
			t.Fatalf("%d live errors, but compare has %d", len(live), len(rows))
		}
		row := rows[i]
		at := row[column["t_s"]] - rows[0][column["t_s"]]
		if d := at - float64(e.Header.Stamp-live[0].Header.Stamp)/1e9; math.Abs(d) > samePoseTime {
			t.Fatalf("sample %d: compare is %g s after the live error", i, d)
		}
		for name, got := range map[string]float64{
			"error_x_m": e.PositionError.X, "error_y_m": e.PositionError.Y, "error_z_m": e.PositionError.Z,
			"error_m": e.PositionErrorNorm, "rotation_error_rad": e.RotationError,
		} {
			if want := row[column[name]]; !(math.Abs(got-want) <= agreement) {
				t.Fatalf("sample %d: %s is %.17g live, %.17g in compare", i, name, got, want)
			}
		}
	}
	if len(live) < enoughErrors {
		t.Errorf("%d live errors, want at least %d", len(live), enoughErrors)
	}
	if n := comparable(t, recording, live[len(live)-1].Header.Stamp); len(live) != n {
		t.Errorf("%d live errors of %d poses of the hardware with simulated ones around them", len(live), n)
	}
	return live
}

// comparable is how many poses of the hardware in a recording, up to a stamp, have simulated ones
// around them with no gap in between.
func comparable(t *testing.T, recording string, last msgs.Time) (n int) {
	t.Helper()
	var simulated, hardware []msgs.Time
	err := record.Read(recording, nil, func(m record.Message) error {
		if p, ok := m.Message.(*geometry_msgs.PoseStamped); ok && m.Topic == hardwareTopic {
			hardware = append(hardware, p.Header.Stamp)
		} else if ok && m.Topic == "/tendonsim/measured_cp" {
			simulated = append(simulated, p.Header.Stamp)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, at := range hardware {
		i, exact := slices.BinarySearch(simulated, at)
		if at <= last && (exact || i > 0 && i < len(simulated) && time.Duration(simulated[i]-simulated[i-1]) <= longestGap) {
			n++
		}
	}
	return n
}

// hardwareConfig makes the live error one of recorded stamps, latency included.
func hardwareConfig(t *testing.T) (file string) {
	t.Helper()
	file = filepath.Join(t.TempDir(), "hardware.yaml")
	if err := os.WriteFile(file, []byte("hardware: {latency_s: 0}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// TestHardwareInTheLoopROS1 plays a recording of hardware with rosbag beside a
// running robot that gets the same commands. A computer that stands still makes gaps
// in the simulation, across which nothing is compared: then it is played again.
func TestHardwareInTheLoopROS1(t *testing.T) {
	testbench.Need(t, "rosbag")
	program := testbench.BuildTendonsim(t)
	hardware := hardwareRecording(t, program)
	n := testbench.NewNetwork(t, fmt.Sprintf("http://127.0.0.1:%d/", testbench.FreePort(t)))
	recording := filepath.Join(t.TempDir(), "run.mcap")
	p := n.Start(program, "run", "--ros", "ros1", "--master", "embedded", "--config", testbench.Absolute(t, testbench.TestRobot), "--config", hardwareConfig(t), "--record", recording)
	r := &testbench.Robot{Process: p, TipView: &testbench.TipView{}, Network: n, Program: program, Node: "/tendonsim"}
	n.Watch(r)
	var errors atomic.Int64
	testbench.Listen(n, r.Node, "/tendonsim/hil_error", func(*sinew_msgs.HilError) { errors.Add(1) })
	for play := 1; errors.Load() < enoughErrors; play++ {
		w := subprocess.NewStopwatch()
		bag := filepath.Join(t.TempDir(), "hardware.bag")
		// the stamps begin when rosbag will have started, more or less: where they are
		// ahead of the simulation, the comparison waits for it
		restamped(t, hardware, bag, time.Duration(time.Now().Add(time.Second).UnixNano()))
		n.Run("rosbag", "play", "--quiet", "--wait-for-subscribers", "--queue=5000", bag)
		for was := int64(-1); was < errors.Load(); { // as long as there are more
			was = errors.Load()
			for begun := w.Read(); w.Read() < begun+time.Second && errors.Load() < enoughErrors; time.Sleep(testbench.PollPeriod) {
			}
		}
		w.Stop()
		t.Logf("%d live errors after play %d, during which the computer stood still for %v", errors.Load(), play, w.Stood())
		if errors.Load() < enoughErrors && (play == mostPlays || w.Stood() < longestGap) {
			t.Fatalf("want at least %d", enoughErrors)
		}
	}
	if code := p.End(time.Second); code != 0 {
		t.Fatalf("ended with %d:\n%s", code, p.Output())
	}
	comparedLive(t, program, recording)
}

// TestHardwareInTheLoopROS2 has a Cyclone DDS node stand for the hardware: it
// measures what the robot does, moved by a known distance.
func TestHardwareInTheLoopROS2(t *testing.T) {
	n, domain := testbench.NewROS2Network(t)
	program := testbench.BuildTendonsim(t)
	const distance = 0.004 // m, there and back once in a second
	recording := filepath.Join(t.TempDir(), "run.mcap")
	p := n.Start(program, "run", "--ros", "ros2", "--demo", "--config", testbench.Absolute(t, testbench.TestRobot), "--config", hardwareConfig(t), "--record", recording)
	p.Expect("ROS 2 ")
	them := ddspeer.Jazzy.Start(t, domain, ddspeer.Multicast)
	them.Tell("error rt/tendonsim/hil_error rv")
	them.Tell(fmt.Sprintf("hardware rt/tendonsim/measured_cp rt%s %g", hardwareTopic, distance))
	n.WaitFor("live errors", func() bool { return len(them.Lines("error ")) >= enoughErrors })
	if code := p.End(time.Second); code != 0 {
		t.Fatalf("ended with %d:\n%s", code, p.Output())
	}
	for _, e := range comparedLive(t, program, recording) {
		_, nanos := e.Header.Stamp.ROS2()
		want := -distance * math.Sin(2e-9*math.Pi*float64(nanos))
		if math.Abs(e.PositionError.X-want) > agreement || math.Abs(e.PositionErrorNorm-math.Abs(want)) > agreement {
			t.Fatalf("error %v at %d ns, want %g m along x", e.PositionError, nanos, want)
		}
	}
}
