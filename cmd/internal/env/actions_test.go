//go:build unix

package env

import (
	"bytes"
	"os"
	"slices"
	"strings"
	"testing"

	"sinew/cmd/internal/cli"
	"sinew/pkg/sim"
)

// Without a port, actions are what drives the robot: the field of a catheter without its gradient, which takes forces on its
// tip first. Of those the last value is a frame, and errors say so.
func TestActionsDriveTheRobot(t *testing.T) {
	catheter := cli.RobotFiles{Config: []string{"../../../launch/robots/catheter.yaml"}}
	a := call(t, Cmd{RobotFiles: catheter, Envs: 1})
	if name := a.Actions[0].Name; name != "field" {
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

// Actions have names, units and finite bounds, of which no corner is refused: without limits of the robot file the field there
// stays below the largest plausible one.
func TestActionsAreBounded(t *testing.T) {
	limits := cli.RobotFiles{Config: []string{"../../../launch/robots/catheter.yaml"}}
	none := t.TempDir() + "/none.yaml"
	if err := os.WriteFile(none, []byte("field: {max_field_t: 1, max_gradient_t_per_m: 1e4}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		files  cli.RobotFiles
		action []string
		names  string
		most   []float64
	}{
		{cli.RobotFiles{}, nil, "long_up N, long_left N, short_down N, short_right N", []float64{8, 8, 8, 8}},
		{limits, nil, "bx T, by T, bz T", []float64{0.02, 0.02, 0.02}},
		{limits, []string{"field_gradient"}, "bx T, by T, bz T, gxx T/m, gxy T/m, gxz T/m, gyy T/m, gyz T/m", []float64{0.02, 0.02, 0.02, 1, 1, 1, 1, 1}},
		{limits, []string{"rotating_field"}, "axis_x 1, axis_y 1, axis_z 1, amplitude T, frequency Hz, offset T", []float64{1, 1, 1, 0.02, 1e6, 0.02}},
		{cli.RobotFiles{Config: append(limits.Config, none)}, nil, "bx T, by T, bz T", []float64{0.5, 0.5, 0.5}},
	} {
		a := call(t, Cmd{RobotFiles: c.files, Envs: 1, Action: c.action})
		var names []string
		for i, name := range a.Actions[0].Components {
			names = append(names, name+" "+a.Actions[0].Units[i])
			if most, least := *a.Actions[0].Max[i], *a.Actions[0].Min[i]; most != c.most[i] || least != -most && a.Actions[0].Kind != "tension" {
				t.Errorf("%s is from %g to %g, want %g", name, least, most, c.most[i])
			}
			a.action[i] = c.most[i]
		}
		if got := strings.Join(names, ", "); got != c.names {
			t.Errorf("actions are %s, want %s", got, c.names)
		}
		a.must("step")
		if a.failed[0] != 0 || a.clamped[0] != 0 {
			t.Errorf("%s at the corner of the box: clamped %d, %q", c.names, a.clamped[0], bytes.TrimRight(a.arrays.error, "\x00"))
		}
	}
}

// Every value of every port has a name, a unit and a scale.
func TestComponents(t *testing.T) {
	labels := []string{"one", "motor"}
	ports := []sim.Port{{Name: "servo_jp", Kind: sim.JointState, Direction: sim.In, Unit: "rad", Labels: labels[1:], Parts: sim.Position}}
	for kind := sim.Tension; kind <= sim.ImagePoints; kind++ {
		ports = append(ports, sim.Port{Name: kind.String(), Kind: kind, Direction: sim.Out, Unit: "m, m/s, N", Labels: labels, Parts: sim.Position | sim.Velocity | sim.Effort})
	}
	known := newScales(0.2, ports)
	for i := range ports {
		p := newPort(&ports[i], known)
		if len(p.Components) != p.Width || len(p.Units) != p.Width || len(p.Scales) != p.Width || slices.Contains(p.Scales, 0) {
			t.Errorf("%s has %d values and %d names, units %q, scales %v", p.Name, p.Width, len(p.Components), p.Units, p.Scales)
		}
		if p.Kind == "joint_state" && p.Width == 6 && strings.Join(p.Units, " ") != "m rad m/s rad/s N N m" {
			t.Errorf("joint states are in %q", p.Units)
		}
	}
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
