package app

import (
	"math"
	"path/filepath"
	"strings"
	"testing"
)

// TestRecordingRoundTrip identifies from recordings that sim made of the same
// robot: there is no noise, so that only the commands' times could be wrong.
func TestRecordingRoundTrip(t *testing.T) {
	truth := write(t, "truth.yaml", movingText(trueE, trueG, trueMu))
	start := write(t, "start.yaml", movingText(1.3*trueE, trueG, trueMu))
	commands := write(t, "commands.csv", "t,up,side\n0,0,0\n0.1,2,0\n0.3001,2,3\n0.5,0,3\n")
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
	truth := write(t, "truth.yaml", movingText(trueE, trueG, trueMu))
	silent := filepath.Join(t.TempDir(), "silent.mcap")
	invoke(t, rodRobot(), "sim", "--config", truth, "--duration", "0.1s", "--out", silent)
	framed := write(t, "framed.yaml", movingText(trueE, trueG, trueMu)+"hardware: {frame_id: camera}\n")
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
