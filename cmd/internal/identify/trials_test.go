package identify_test

import (
	"strings"
	"testing"

	"sinew/cmd/internal/apptest"
	"sinew/cmd/internal/program"
	"sinew/pkg/sim"
)

func TestTrialMistakes(t *testing.T) {
	robot := apptest.Write(t, "robot.yaml", rodText(trueE, trueG, trueMu))
	const head = "t,up,tip_x,tip_y,tip_z\n"
	for _, c := range []struct {
		name, csv, want string
		more            []string
	}{
		{"empty", "", "no header", nil},
		{"no tip", "t,up\n0,1\n", "no column tip_x", nil},
		{"unknown column", "t,up,tip_x,tip_y,tip_z,weather\n", `unknown column "weather"`, nil},
		{"twice", "t,up,up,tip_x,tip_y,tip_z\n", `two columns "up"`, nil},
		{"part of a quaternion", "tip_x,tip_y,tip_z,tip_qx\n", "1 of the four columns tip_qx", nil},
		{"no rows", head, "nothing was measured", nil},
		{"NaN", head + "0,0,NaN,0,0\n", ":2: tip_x = \"NaN\" is not a finite number", nil},
		{"word", head + "0,a,0,0,0\n", ":2: up = \"a\"", nil},
		{"backward", head + "1,0,0.25,0,0\n0.5,0,0.25,0,0\n", ":3: t = 0.5 s goes back; the row before has 1 s", nil},
		{"no time", head + ",0,0.25,0,0\n", ":2: no time", nil},
		{"half a position", head + "0,0,0.25,,0\n", "2 of the 3 numbers of the measured pose", nil},
		{"above the limit", head + "0,21,0.25,0,0\n", "up = 21 N is above the robot's limit of 20 N", nil},
		{"short row", head + "0,0\n", "wrong number of fields", nil},
		{"bad quaternion", "tip_x,tip_y,tip_z,tip_qx,tip_qy,tip_qz,tip_qw\n0.25,0,0,1,1,1,1\n", "is not of length 1", nil},
		{"too few numbers", "tip_x,tip_y,tip_z,up\n0.25,0,0,1\n", "residuals cannot decide", []string{"--free", "shear_modulus_pa", "--free", "base_pose"}},
		{"all held out", head + "0,0,0.25,0,0\n", "0 residuals cannot decide", []string{"--hold-out", "0.999999999999"}},
		{"share", head + "0,0,0.25,0,0\n", "a share is between 0 and 1", []string{"--hold-out", "1.5"}},
		{"commands", head + "0,0,0.25,0,0\n", "no such file", []string{"--commands", "missing.csv"}},
		{"commands without time", "tip_x,tip_y,tip_z\n0.25,0,0\n", "there is no such trial with t", []string{"--commands", "missing.csv"}},
		{"milliseconds", head + "0,0,0.25,0,0\n1e6,0,0.25,0,0\n", "is t in s?", nil},
		{"starts", head + "0,0,0.25,0,0\n", "--starts at least 1", []string{"--starts", "0"}},
	} {
		args := append([]string{"identify", "--config", robot, "--free", "youngs_modulus_pa"}, c.more...)
		out, err := attempt(rodRobot(), append(args, apptest.Write(t, "data.csv", c.csv))...)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v; want %q\n%s", c.name, err, c.want, out)
		}
	}
	_, err := attempt(bodyRobot(), "identify", "--free", "viscosity_pa_s", apptest.Write(t, "still.csv", "x,y,z\n0,0,0\n"))
	if err == nil || !strings.Contains(err.Error(), "add the column t") {
		t.Errorf("equilibria of a swimmer: %v", err)
	}
}

// TestCommandsOfTheirOwn gives the commands in a file, with the clock of the data.
func TestCommandsOfTheirOwn(t *testing.T) {
	many(t)
	robot := apptest.Write(t, "robot.yaml", rodText(trueE, trueG, trueMu))
	data := apptest.Write(t, "data.csv", "t,up,tip_x,tip_y,tip_z\n0,0,0.25,0,0\n0.1,0,0.24,0,0.01\n")
	own := apptest.Write(t, "own.csv", "t,up\n0.05,3\n")
	a := identified(t, rodRobot(), "--config", robot, "--free", "youngs_modulus_pa", "--starts", "1", data)
	b := identified(t, rodRobot(), "--config", robot, "--free", "youngs_modulus_pa", "--starts", "1", "--commands", own, data)
	if *a.Fitted.BeforeRMSE == *b.Fitted.BeforeRMSE {
		t.Error("the commands have no effect")
	}
}

// TestSuspiciousTrials: identify warns of suspicious values in trials before the search.
func TestSuspiciousTrials(t *testing.T) {
	robot := apptest.Write(t, "robot.yaml", rodText(trueE, trueG, trueMu)+"accept: [step_period]\n")
	with := rodRobot()
	with.Shape = new(program.Shape) // clamped at its base
	samples := with.Samples
	with.Samples = func(ports []sim.Port) []program.Samples {
		return append(samples(ports), program.Samples{Port: "measured_js", Columns: []string{"up", "side", "helix"}})
	}
	const sims = "t,tip_x,tip_y,tip_z,tip_qx,tip_qy,tip_qz,tip_qw,up,side,helix\n0,0.25,0,0,0,0,0,1,0,0,0\n0.1,0.25,0,0,0,0,0,1,1,0,0\n"
	for _, c := range []struct {
		name, csv, want string
		more            []string
	}{
		{"mm", "up,tip_x,tip_y,tip_z\n0,250,0,0\n", "which reaches 0.5 m: are its positions in mm?", nil},
		{"of sim", sims, "if sim wrote it, they act a row late; give --commands", nil},
		{"of sim, with its commands", sims, "", []string{"--commands", apptest.Write(t, "own.csv", "t,up\n0,1\n")}},
		{"equilibria of sim", strings.NewReplacer("t,tip", "tip", "\n0,0", "\n0", "\n0.1,0", "\n0").Replace(sims), "", nil},
		{"other columns", "t,up,tip_x,tip_y,tip_z\n0,1,0.25,0,0\n", "", nil},
	} {
		out := invoke(t, with, append([]string{"identify", "--config", robot, apptest.Write(t, "data.csv", c.csv)}, c.more...)...)
		if strings.Contains(out, "warning") != (c.want != "") || !strings.Contains(out, c.want) {
			t.Errorf("%s: %q; want %q", c.name, out, c.want)
		}
	}
}
