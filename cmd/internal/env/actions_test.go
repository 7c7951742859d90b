//go:build unix

package env

import (
	"strings"
	"testing"

	"sinew/cmd/internal/verb"
)

// Without a port, actions are what drives the robot: the field of a catheter, which takes forces on its tip first. Of those the
// last value is a frame, and errors say so.
func TestActionsDriveTheRobot(t *testing.T) {
	catheter := verb.RobotFiles{Config: []string{"../../../launch/robots/catheter.yaml"}}
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
