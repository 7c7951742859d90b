package recordings_test

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"sinew/msgs/geometry_msgs"
	"sinew/pkg/ros/record"
	"sinew/pkg/sim/spatial"
	"sinew/test/subprocess"
	"sinew/test/testbench"
)

// sameTopics compares what a library found in a recording with what we read.
func sameTopics(f *testbench.LibraryRecording, t *testing.T, ours map[string][]record.Message) {
	t.Helper()
	if f.Profile != "ros2" || len(f.Topics) != len(ours) {
		t.Errorf("profile %q with %d topics, want ros2 with %d", f.Profile, len(f.Topics), len(ours))
	}
	for name, list := range ours {
		got, last := f.Topics[name], len(list)-1
		if got.Messages != len(list) || got.Type != list[0].Type.ROS2Name ||
			got.First != strconv.Itoa(int(list[0].Time)) || got.Last != strconv.Itoa(int(list[last].Time)) {
			t.Errorf("%s: the library found %+v, we %d messages of %s", name, got, len(list), list[0].Type.ROS2Name)
		}
	}
}

// TestRecordAndReplay records a robot that gets commands, reads the file with the
// tools of the format, and replays it: the simulation comes to the same place.
func TestRecordAndReplay(t *testing.T) {
	t.Parallel()
	testbench.Need(t, "rostopic", "rosbag")
	program := testbench.BuildTendonsim(t)
	python := testbench.GeneratePython(t)
	for _, ext := range []string{".mcap", ".bag"} {
		t.Run(ext, func(t *testing.T) {
			n := testbench.NewNetwork(t, "http://localhost:"+strconv.Itoa(testbench.FreePort(t))+"/").With(python)
			file := filepath.Join(t.TempDir(), "run"+ext)
			r := n.StartRobot(program, "/tendonsim", "--ros", "ros1", "--record", file)
			n.Publish("/tendonsim/tensions", "std_msgs/Float64MultiArray", "{data: [1.5, 0.5]}")
			r.WaitForTip("tensions 1.5, 0.5", r.Equilibrium(1.5, 0.5))
			time.Sleep(200 * time.Millisecond) // a little rest in the recording
			if code := r.End(testbench.WaitLimit); code != 0 {
				t.Fatalf("the node ended with %d:\n%s", code, r.Output())
			}
			testbench.Contains(t, "the node", r.Output(), "record   "+file+": ", "none dropped")

			got := testbench.ReadMessages(t, file)
			if len(got["/tendonsim/tensions"]) < 10 || len(got["/tendonsim/measured_cp"]) < 500 {
				t.Fatalf("%d commands, %d poses", len(got["/tendonsim/tensions"]), len(got["/tendonsim/measured_cp"]))
			}
			if ext == ".mcap" {
				f := testbench.ReadWithLibrary(t, file)
				sameTopics(&f, t, got)
				testbench.Contains(t, "the attached robot file", f.Attachments["robot.yaml"], "youngs_modulus_pa: 16000000", "name: left")
				testbench.Contains(t, "metadata", fmt.Sprint(f.Metadata["sinew"]), "command_line:tendonsim run --config", "version:", "commit:")
			} else {
				testbench.Contains(t, "rosbag info", n.Run("rosbag", "info", file), "/tendonsim/tensions", "std_msgs/Float64MultiArray",
					"/tendonsim/measured_cp", "[d3812c3cbc69362b77dc0b19b345f8f5]", "/tendonsim/sim_stats", "/tf ")
			}
			// sim_stats, once a second, may miss the last one
			replays(t, program, file, got, strings.Contains(r.Output(), " simulated, 0 overruns"))
		})
	}
}

// replays checks that a replay does what the recorded simulation did, in real time or not.
func replays(t *testing.T, program, file string, recorded map[string][]record.Message, inTime bool) {
	out := filepath.Join(t.TempDir(), "replay"+filepath.Ext(file))
	_, report, code := testbench.Run(t, program, "replay", file, "--config", testbench.TestRobot, "--out", out)
	if code != 0 {
		t.Fatalf("replay ended with %d: %s", code, report)
	}
	testbench.Contains(t, "replay", report, fmt.Sprintf("/tendonsim/tensions %d", len(recorded["/tendonsim/tensions"])))
	want, got := recorded["/tendonsim/measured_cp"], testbench.ReadMessages(t, out)["/tendonsim/measured_cp"]
	rest := distance(want[len(want)-1], got[len(got)-1])
	if rest > 2*testbench.TipTolerance {
		t.Errorf("at the end the replay is off by %.2g m", rest)
	}
	// While the robot moves, a command that is taken one period earlier or later
	// shows; but only a robot that kept real time can be followed at all.
	worst, i := 0.0, 0
	for _, m := range want {
		for i+1 < len(got) && got[i+1].Time <= m.Time {
			i++
		}
		worst = max(worst, distance(m, got[i]))
	}
	t.Logf("replay: off by %.2g m at most, %.2g m at the end; the node kept real time: %v", worst, rest, inTime)
	const inMotion = 2e-3 // m: two periods at the greatest speed, 1 m/s
	if inTime && worst > inMotion {
		t.Errorf("in motion the replay is off by %.2g m", worst)
	}
}

// distance returns the distance of two recorded positions, m.
func distance(a, b record.Message) float64 {
	p, q := a.Message.(*geometry_msgs.PoseStamped).Pose.Position, b.Message.(*geometry_msgs.PoseStamped).Pose.Position
	return spatial.Vec(p).Sub(spatial.Vec(q)).Norm()
}

// TestKilledRecording: a recording whose process is killed opens by its index and
// lacks no more than the last second.
func TestKilledRecording(t *testing.T) {
	t.Parallel()
	testbench.Need(t, "rosbag")
	program := testbench.BuildTendonsim(t)
	for _, ext := range []string{".mcap", ".bag"} {
		t.Run(ext, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "killed"+ext)
			cmd := subprocess.Limited(30, "TERM", program, "run", "--ros", "off", "--demo", "--record", file)
			cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			n := &testbench.Network{T: t}
			n.WaitFor("two seconds are recorded", func() bool {
				topics, err := record.Topics(file)
				if err != nil && !errors.Is(err, record.ErrIncomplete) && !errors.Is(err, os.ErrNotExist) {
					t.Log(err) // caught in the writing of its first bytes
				}
				for _, topic := range topics {
					if topic.Name == "/tendonsim/measured_cp" {
						return topic.Last-topic.First > 2*time.Second
					}
				}
				return false
			})
			// Between two writings: a process that dies within one leaves a file that must be mended
			// first. On a busy computer a writing takes as long as it likes, so that only a
			// file of a process that stands still tells.
			group := -cmd.Process.Pid // which the test made
			n.WaitFor("it stands still between two writings", func() bool {
				_ = syscall.Kill(group, syscall.SIGSTOP)
				if _, err := record.Topics(file); err == nil {
					return true
				}
				_ = syscall.Kill(group, syscall.SIGCONT)
				time.Sleep(100 * time.Millisecond)
				return false
			})
			killed := time.Duration(time.Now().UnixNano())
			_ = syscall.Kill(group, syscall.SIGKILL)
			_ = cmd.Wait()

			got := testbench.ReadMessages(t, file)
			poses := got["/tendonsim/measured_cp"]
			if lost := killed - poses[len(poses)-1].Time; lost > time.Second {
				t.Errorf("the last %v are lost", lost)
			}
			if ext == ".mcap" {
				f := testbench.ReadWithLibrary(t, file)
				sameTopics(&f, t, got)
				return
			}
			info := testbench.NewNetwork(t, "http://localhost:1/").Run("rosbag", "info", "--yaml", file)
			total := 0
			for _, list := range got {
				total += len(list)
			}
			testbench.Contains(t, "rosbag info", info, "indexed: True", fmt.Sprintf("messages: %d\n", total))
		})
	}
}

// TestReplayIsExact: of commands and model alone, a replay gives the same bits
// again: a replay of a replay differs in nothing.
func TestReplayIsExact(t *testing.T) {
	program := testbench.BuildTendonsim(t)
	dir := t.TempDir()
	commands := filepath.Join(dir, "commands.csv")
	var rows bytes.Buffer
	rows.WriteString("t,up,left\n")
	for i := range 100 {
		x := float64(i) / 100
		fmt.Fprintf(&rows, "%g,%g,%g\n", x+0.0003, 1-math.Cos(9*x), 2*x)
	}
	if err := os.WriteFile(commands, rows.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	first, second, third := filepath.Join(dir, "1.mcap"), filepath.Join(dir, "2.mcap"), filepath.Join(dir, "3.mcap")
	for _, args := range [][]string{
		{"sim", "--duration", "1s", "--commands", commands, "--out", first},
		{"replay", first, "--out", second},
		{"replay", second, "--out", third},
	} {
		if _, errs, code := testbench.Run(t, program, append(args, "--config", testbench.TestRobot)...); code != 0 {
			t.Fatalf("%v: %s", args, errs)
		}
	}
	a, b, c := testbench.ReadMessages(t, first), testbench.ReadMessages(t, second), testbench.ReadMessages(t, third)
	for topic := range b {
		for i := range b[topic] {
			if !reflect.DeepEqual(b[topic][i], c[topic][i]) {
				t.Fatalf("%s: message %d differs between a replay and its replay", topic, i)
			}
		}
	}
	// sim takes a command at the first step after it, run and replay at the first
	// control period that ends after it: one period apart
	const period = 2e-3 // m: one at the greatest speed of this motion
	want, got := a["/tendonsim/measured_cp"], b["/tendonsim/measured_cp"]
	if len(want) != len(got) || len(want) < 900 {
		t.Fatalf("%d poses of sim, %d of replay", len(want), len(got))
	}
	for i := range want {
		if d := distance(want[i], got[i]); d > period {
			t.Fatalf("pose %d differs by %.2g m", i, d)
		}
	}
}
