package app_test

import (
	"strings"
	"testing"

	"sinew/cmd/internal/app"
	"sinew/cmd/internal/apptest"
	"sinew/cmd/internal/exitcode"
	"sinew/cmd/internal/program"
)

// Every command takes the robot file as an argument and by --config, an argument before it; a word that is neither a command nor
// a file is named.
func TestRobotFileIsAnArgument(t *testing.T) {
	robot, other := apptest.Write(t, "robot.yaml", "rod: {length_m: 0.25}\n"), apptest.Write(t, "other.yml", "nonsense: 1\n")
	data := apptest.Write(t, "data.csv", "t,x,y,z\n0,0,0,0\n1,0,0,0\n")
	for _, verb := range [][]string{
		{}, {"run", "--ros=off"}, {"sim", "--duration=0.1s"}, {"sweep", "--duration=0.1s", "--vary=rod.length_m=linspace(0.1,0.2,2)", "--out=" + t.TempDir() + "/s.csv"},
		{"env", "--envs=1"}, {"check"}, {"identify", data}, {"view", data}, {"replay", data}, {"compare", data, data},
	} {
		for _, args := range [][]string{{other}, {"--config", other}, {robot, "--config", other}, {other, robot}} {
			_, _, err := apptest.Command(t, &apptest.Integrator{}, append(append([]string{}, verb...), args...)...)
			want := "nonsense"
			if len(verb) > 0 && verb[0] == "replay" {
				want = data // which is read first
			}
			if err == nil || !strings.Contains(err.Error(), want) || exitcode.Code(err) != exitcode.Mistake {
				t.Errorf("%q %q: %v", verb, args, err)
			}
		}
	}
	if out, _, err := apptest.Command(t, &apptest.Integrator{}, "check", "--config", robot); err != nil || !strings.Contains(out, robot+": ok") {
		t.Errorf("check --config: %q, %v", out, err)
	}
	for word, want := range map[string]string{"chek": "unexpected argument chek: it is neither a command", "none.yaml": "no such file"} {
		if _, _, err := apptest.Command(t, &apptest.Integrator{}, word); err == nil || !strings.Contains(err.Error(), want) || exitcode.Code(err) != exitcode.Mistake {
			t.Errorf("%s: %v", word, err)
		}
	}
	if _, _, err := apptest.Command(t, &apptest.Integrator{}, "check"); err == nil || !strings.Contains(err.Error(), "want check FILE.yaml") {
		t.Errorf("check: %v", err)
	}
}

// The help of a program without rods does not speak of them.
func TestHelpOfBodies(t *testing.T) {
	parser, err := app.NewParser(program.Robot{Name: "microrobot"})
	if err != nil {
		t.Fatal(err)
	}
	for _, command := range parser.Model.Children {
		texts := []string{command.Help, command.Detail}
		for _, f := range command.Flags {
			if !f.Hidden {
				texts = append(texts, f.Help)
			}
		}
		for _, word := range []string{"youngs_modulus", "tendon", " rod", " tip", "mesh "} {
			if text := strings.Join(texts, "\n"); strings.Contains(text, word) {
				t.Errorf("%s: %q in\n%s", command.Name, word, text)
			}
		}
	}
}
