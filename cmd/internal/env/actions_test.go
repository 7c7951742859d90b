//go:build unix

package env

import (
	"bytes"
	"strings"
	"testing"

	"sinew/cmd/internal/cli"
)

// Without a port, actions are what drives the robot: the field of a catheter, which takes forces on its tip first. Of those the
// last value is a frame, and errors say so.
func TestActionsDriveTheRobot(t *testing.T) {
	catheter := cli.RobotFiles{Config: []string{"../../../launch/robots/catheter.yaml"}}
	a := call(t, Cmd{RobotFiles: catheter, Envs: 1})
	if name := a.Actions[0].Name; name != "field_gradient" {
		t.Errorf("actions are those of %s", name)
	}
	a = call(t, Cmd{RobotFiles: catheter, Envs: 1, Action: []string{"external_wrench"}})
	a.action[0], a.action[6] = 0.01, 0.5
	if got := a.ask("step"); !strings.Contains(got, "external_wrench: value 6 is 0.5; want 0 to 1, which of the frames world, ") {
		t.Errorf("%q", got)
	}
	a.action[6] = 1
	a.must("step")
}

// All robots take the same steps: a reset that draws another step fails.
func TestStepsDoNotVary(t *testing.T) {
	a := call(t, Cmd{Envs: 8, Vary: []string{"step_s=choice(0.001,0.0005)"}})
	a.seeded(1, 2, 3, 4, 5, 6, 7, 8)
	wrong := 0
	for i := range a.Envs {
		text := string(bytes.TrimRight(a.arrays.error[i*errorLen:(i+1)*errorLen], "\x00"))
		if other := a.parameters[i*mostVaried] != a.StepS; other != (a.failed[i] == 1) || other != strings.Contains(text, "step_s and control_hz cannot vary") {
			t.Errorf("robot %d with steps of %g s: failed %d, %q", i, a.parameters[i*mostVaried], a.failed[i], text)
		}
		wrong += int(a.failed[i])
	}
	if wrong == 0 || wrong == a.Envs {
		t.Errorf("%d of %d resets have failed", wrong, a.Envs)
	}
}
