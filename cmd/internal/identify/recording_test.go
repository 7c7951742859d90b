package identify_test

import (
	"math"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sinew/cmd/internal/apptest"
	"sinew/cmd/internal/exitcode"
	"sinew/msgs"
	"sinew/msgs/sinew_msgs"
	"sinew/pkg/ros"
	"sinew/pkg/ros/record"
)

// TestRecordingRoundTrip identifies from recordings that sim made of the same
// robot: there is no noise, so that only the commands' times could be wrong.
func TestRecordingRoundTrip(t *testing.T) {
	truth := apptest.Write(t, "truth.yaml", movingText(trueE, trueG, trueMu))
	start := apptest.Write(t, "start.yaml", movingText(1.3*trueE, trueG, trueMu))
	commands := apptest.Write(t, "commands.csv", "t,up,side\n0,1,0.5\n0.1,2,0\n0.3001,2,3\n0.5,0,3\n")
	for _, kind := range []string{"mcap", "bag"} {
		recording := filepath.Join(t.TempDir(), "hardware."+kind)
		invoke(t, rodRobot(), "sim", "--config", truth, "--commands", commands, "--duration", "0.7s", "--out", recording)
		r := identified(t, rodRobot(), "--config", start, "--free", "youngs_modulus_pa", "--starts", "1", recording)
		if off := math.Abs(r.Parameters[0].Value/trueE - 1); off > 1e-8 {
			t.Errorf("%s: E = %g instead of %g, off by %g", kind, r.Parameters[0].Value, trueE, off)
		}
	}
}

func TestRecordingMistakes(t *testing.T) {
	truth := apptest.Write(t, "truth.yaml", movingText(trueE, trueG, trueMu))
	silent := filepath.Join(t.TempDir(), "silent.mcap")
	invoke(t, rodRobot(), "sim", "--config", truth, "--duration", "0.1s", "--out", silent)
	framed := apptest.Write(t, "framed.yaml", movingText(trueE, trueG, trueMu)+"hardware: {frame_id: camera}\n")
	for _, c := range []struct {
		config, want string
		more         []string
	}{
		{truth, "no commands for this robot", nil},
		{truth, "is a recording of motion", []string{"--static"}},
		{truth, "no topic /camera", []string{"--hw-topic", "/camera"}},
		{framed, `measured in frame "world", but hardware.frame_id is "camera"`, nil},
	} {
		args := append([]string{"identify", "--config", c.config, "--free", "youngs_modulus_pa", silent}, c.more...)
		if out, err := attempt(rodRobot(), args...); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: %v; want %q\n%s", c.more, err, c.want, out)
		}
	}
}

// A table has the measurements of sensors at the times of its rows, not at their own: it is refused with what to give instead.
func TestSensorsOfTables(t *testing.T) {
	robot := apptest.Write(t, "robot.yaml", movingText(trueE, trueG, trueMu)+"sensors: [{name: tracker, rate_hz: 50, pose: {}}]\n")
	table := filepath.Join(t.TempDir(), "lab.csv")
	invoke(t, rodRobot(), "sim", "--config", robot, "--duration", "0.1s", "--out", table)
	for _, topic := range []string{"tracker", "sensors/tracker", "/tendonsim/sensors/tracker", "/tendonsim/sensors/tracker/with_covariance"} {
		_, err := attempt(rodRobot(), "identify", "--config", robot, "--free", "youngs_modulus_pa", "--hw-topic", topic, table)
		if err == nil || !strings.Contains(err.Error(), "lab.csv: "+topic+" is a sensor") || !strings.Contains(err.Error(), "give a recording") {
			t.Errorf("--hw-topic %s: %v", topic, err)
		}
	}
}

// TestCommandsOfAnotherRobot refuses a recording of which the robot takes no command, as replay does.
func TestCommandsOfAnotherRobot(t *testing.T) {
	truth := apptest.Write(t, "truth.yaml", movingText(trueE, trueG, trueMu))
	other := apptest.Write(t, "other.yaml", strings.ReplaceAll(movingText(trueE, trueG, trueMu), "name: up", "name: above"))
	recording := filepath.Join(t.TempDir(), "moved.mcap")
	invoke(t, rodRobot(), "sim", "--config", truth, "--commands", apptest.Write(t, "commands.csv", "t,up\n0,1\n"), "--duration", "0.1s", "--out", recording)
	const want = "was refused by this robot, which ran without commands: 1 commands: unknown_name"
	out, err := attempt(rodRobot(), "identify", "--config", other, "--free", "youngs_modulus_pa", recording)
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%v; want %q\n%s", err, want, out)
	}
}

// TestMotionFromEquilibrium begins in equilibrium under the first row's commands,
// as the robot whose file has them.
func TestMotionFromEquilibrium(t *testing.T) {
	const settled = "initial_state: equilibrium\n"
	dir := t.TempDir()
	truth := apptest.Write(t, "truth.yaml", strings.Replace(movingText(trueE, trueG, trueMu), "{name: up,", "{name: up, tension_n: 2,", 1)+settled)
	commands := apptest.Write(t, "commands.csv", "t,up\n0,2\n0.1,0.5\n")
	data := filepath.Join(dir, "data.csv")
	invoke(t, rodRobot(), "sim", "--config", truth, "--commands", commands, "--duration", "0.4s", "--out", data)
	start := apptest.Write(t, "start.yaml", movingText(1.3*trueE, trueG, trueMu)+settled)
	r := identified(t, rodRobot(), "--config", start, "--free", "youngs_modulus_pa", "--starts", "1", "--commands", commands, data)
	if off := math.Abs(r.Parameters[0].Value/trueE - 1); off > 1e-7 {
		t.Errorf("E = %g instead of %g, off by %g", r.Parameters[0].Value, trueE, off)
	}
}

// TestMotionOfSimBeginsAtRest commands at t = 0 what sim jumps to from its rest without commands: identify goes the same way,
// from a recording as from the commands in a file, also where the robot file's numbers are off.
func TestMotionOfSimBeginsAtRest(t *testing.T) {
	const settled = "initial_state: equilibrium\n"
	dir := t.TempDir()
	truth := apptest.Write(t, "truth.yaml", movingText(trueE, trueG, trueMu)+settled)
	start := apptest.Write(t, "start.yaml", movingText(1.3*trueE, trueG, trueMu)+settled)
	commands := apptest.Write(t, "commands.csv", "t,up\n0,3\n0.1,0.5\n")
	data, recording := filepath.Join(dir, "data.csv"), filepath.Join(dir, "data.mcap")
	for _, out := range []string{data, recording} {
		invoke(t, rodRobot(), "sim", "--config", truth, "--commands", commands, "--duration", "0.4s", "--out", out)
	}
	for _, from := range [][]string{{"--commands", commands, data}, {recording}} {
		r := identified(t, rodRobot(), append([]string{"--config", start, "--free", "youngs_modulus_pa", "--starts", "1"}, from...)...)
		if off := math.Abs(r.Parameters[0].Value/trueE - 1); off > 1e-7 {
			t.Errorf("%v: E = %g instead of %g, off by %g", from, r.Parameters[0].Value, trueE, off)
		}
		if !strings.Contains(strings.Join(r.Notes, "\n"), "it is predicted to begin there, as sim does") {
			t.Errorf("%v: notes %q", from, r.Notes)
		}
	}
}

// TestThreshold predicts without fitting, within a limit and above it.
func TestThreshold(t *testing.T) {
	robot := apptest.Write(t, "robot.yaml", rodText(trueE, trueG, trueMu))
	data := apptest.Write(t, "data.csv", "up,tip_x,tip_y,tip_z\n0,0.25,0,0\n")
	for _, c := range []struct {
		limit string
		code  int
	}{{"50", exitcode.OK}, {"1", exitcode.Threshold}} {
		out, err := attempt(rodRobot(), "identify", "--config", robot, "--max-rmse-percent", c.limit, data)
		if code := exitcode.Code(err); code != c.code || (err == nil) != (c.code == exitcode.OK) || !strings.Contains(out, "predicted") {
			t.Errorf("limit %s %%: exit code %d, %v\n%s", c.limit, code, err, out)
		}
	}
	if _, err := attempt(rodRobot(), "identify", "--config", robot, "--out", "x.yaml", data); err == nil || !strings.Contains(err.Error(), "nothing is free") {
		t.Errorf("an overlay of nothing: %v", err)
	}
}

// besideHardware is a recording that run made of a simulation beside hardware, both of which are recordings of sim. The poses of the
// hardware come on a topic that hardware/measured_cp was remapped to; whether the recording knows that is up to original.
func besideHardware(t *testing.T, name, simulated, hardware, original string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), name)
	w, err := record.Create(file, record.Options{Node: "/tendonsim", Info: map[string]string{record.InfoVerb: record.VerbRun, record.InfoNode: "/tendonsim"}})
	if err != nil {
		t.Fatal(err)
	}
	put := func(topic, original string, at time.Duration, m msgs.Message) {
		s := ros.NewSample(m)
		s.Time = msgs.At(at)
		w.Received(ros.Topic{Name: topic, Original: original, Type: m.Type()}, s)
	}
	begun := false
	for _, from := range []string{simulated, hardware} {
		if err := record.Read(from, nil, func(m record.Message) error {
			if !begun {
				put("/tendonsim/operating_state", "", m.Time, &sinew_msgs.OperatingState{State: "ENABLED"})
				begun = true
			}
			switch {
			case from == simulated:
				put(m.Topic, "", m.Time, m.Message)
			case m.Topic == "/tendonsim/measured_cp":
				put("/cam/pose", original, m.Time, m.Message)
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return file
}

// TestRemappedHardware finds the hardware where hardware/measured_cp was remapped, by what the recording says of it or, without
// that, as the only pose that is not of the simulator. It was fitted to the simulator itself, of which it found the numbers.
func TestRemappedHardware(t *testing.T) {
	const original = "/tendonsim/hardware/measured_cp"
	dir := t.TempDir()
	start := apptest.Write(t, "start.yaml", movingText(1.3*trueE, trueG, trueMu))
	commands := apptest.Write(t, "commands.csv", "t,up,side\n0,1,0.5\n0.1,2,0\n0.3001,2,3\n0.5,0,3\n")
	simulated, hardware := filepath.Join(dir, "simulated.mcap"), filepath.Join(dir, "hardware.mcap")
	for file, robot := range map[string]string{simulated: start, hardware: apptest.Write(t, "truth.yaml", movingText(trueE, trueG, trueMu))} {
		invoke(t, rodRobot(), "sim", "--config", robot, "--commands", commands, "--duration", "0.7s", "--out", file)
	}
	found := func(t *testing.T, want string, args ...string) {
		t.Helper()
		report := filepath.Join(t.TempDir(), "report.json")
		output := invoke(t, rodRobot(), append([]string{"identify", "--config", start, "--free", "youngs_modulus_pa", "--starts", "1", "--report", report}, args...)...)
		if !strings.Contains(output, want) || !strings.Contains(output, "are /tendonsim/servo_jf 4\n") {
			t.Errorf("output\n%swant %q and the topic of the commands", output, want)
		}
		if off := math.Abs(readReport(t, report).Parameters[0].Value/trueE - 1); off > 1e-8 {
			t.Errorf("E is off by %g", off)
		}
	}
	for _, kind := range []string{"mcap", "bag"} {
		t.Run(kind, func(t *testing.T) {
			file := besideHardware(t, "run."+kind, simulated, hardware, original)
			found(t, "hardware is "+file+" /cam/pose (remapped from "+original+")\n", file)
		})
	}
	old := besideHardware(t, "old.mcap", simulated, hardware, "")
	t.Run("no trace of the remapping", func(t *testing.T) {
		found(t, "hardware is "+old+" /cam/pose\n", old)
	})
	t.Run("the simulator itself", func(t *testing.T) {
		alone := besideHardware(t, "alone.bag", simulated, simulated, "/tendonsim/setpoint_cp")
		for _, args := range [][]string{{old, "--hw-topic", "/tendonsim/measured_cp"}, {alone, "--hw-topic", "/tendonsim/measured_cp"}} {
			_, err := attempt(rodRobot(), append([]string{"identify", "--config", start, "--free", "youngs_modulus_pa"}, args...)...)
			const want = ": /tendonsim/measured_cp is published by the simulator /tendonsim itself and is no pose of the hardware; choose the topic of the hardware with --hw-topic"
			if exitcode.Code(err) != exitcode.Mistake || !strings.Contains(err.Error(), want) {
				t.Errorf("%v: %v, want %q", args, err, want)
			}
		}
	})
	t.Run("a stand-in by sim", func(t *testing.T) {
		found(t, "hardware is "+hardware+" /tendonsim/measured_cp (published by the simulator /tendonsim)\n", hardware)
	})
}
