package app

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sinew/pkg/sim"
	"sinew/pkg/sim/continuum"
	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/spatial"
)

// lateTrial measures the motion of a robot in a frame of its own and late, with
// noise of 0.5 mm.
func lateTrial(t *testing.T, frame spatial.Pose, late float64) string {
	t.Helper()
	m, err := continuum.New(parseRod(t, movingText(trueE, trueG, trueMu)))
	if err != nil {
		t.Fatal(err)
	}
	const stepS, every, steps = 0.004, 5, 300
	var tips []spatial.Vec
	s := newSheet("t,up,side,tip_x,tip_y,tip_z", 5)
	in := sim.NewInputs(m)
	for n := range steps {
		tips = append(tips, tipOf(m))
		at := float64(n) * stepS
		if n%every == 0 {
			command := []float64{2 + 2*float64(n/75%2), 3 - 1.5*float64(n/50%3), sim.Keep}
			// between the steps, as the robot moves on
			past := max(0, at-late) / stepS
			k := min(int(past), len(tips)-1)
			tip := tips[k]
			if k+1 < len(tips) {
				tip = tip.AddScaled(past-float64(k), tips[k+1].Sub(tip))
			}
			s.row([]float64{at, command[0], command[1]}, frame.Inv().Apply(tip), cameraNoise)
			in.Set(0, command)
		}
		in.Advance(stepS)
		if err := m.Step(stepS); err != nil {
			t.Fatal(err)
		}
	}
	return write(t, "late.csv", s.String())
}

func TestTrialMistakes(t *testing.T) {
	robot := write(t, "robot.yaml", rodText(trueE, trueG, trueMu))
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
		out, err := attempt(rodRobot(), append(args, write(t, "data.csv", c.csv))...)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v; want %q\n%s", c.name, err, c.want, out)
		}
	}
	_, err := attempt(bodyRobot(), "identify", "--free", "viscosity_pa_s", write(t, "still.csv", "x,y,z\n0,0,0\n"))
	if err == nil || !strings.Contains(err.Error(), "add the column t") {
		t.Errorf("equilibria of a swimmer: %v", err)
	}
}

// TestRowsWithGaps leaves cells empty: nothing commanded, or nothing measured.
func TestRowsWithGaps(t *testing.T) {
	file := write(t, "gaps.csv", "t,up,side,tip_x,tip_y,tip_z\n5,1,,,,\n5.1,,2,0.25,0,0\n")
	robot := rodRobot()
	m, err := continuum.New(parseRod(t, rodText(trueE, trueG, trueMu)))
	if err != nil {
		t.Fatal(err)
	}
	tr, err := readTrialCSV(file, &robot, m.Ports())
	if err != nil {
		t.Fatal(err)
	}
	a, b := tr.rows[0], tr.rows[1]
	if a.measured || !b.measured || a.t != 0 || b.t < 0.0999 || b.t > 0.1001 {
		t.Errorf("rows %+v", tr.rows)
	}
	if v := a.commands[0]; v[0] != 1 || !sim.IsKeep(v[1]) || !sim.IsKeep(v[2]) {
		t.Errorf("first commands %v", v)
	}
	if v := b.commands[0]; !sim.IsKeep(v[0]) || v[1] != 2 {
		t.Errorf("second commands %v", v)
	}
}

// TestCommandsOfTheirOwn gives the commands in a file, with the clock of the data.
func TestCommandsOfTheirOwn(t *testing.T) {
	robot := write(t, "robot.yaml", rodText(trueE, trueG, trueMu))
	data := write(t, "data.csv", "t,up,tip_x,tip_y,tip_z\n0,0,0.25,0,0\n0.1,0,0.24,0,0.01\n")
	own := write(t, "own.csv", "t,up\n0.05,3\n")
	a := identified(t, rodRobot(), "--config", robot, "--free", "youngs_modulus_pa", "--starts", "1", data)
	b := identified(t, rodRobot(), "--config", robot, "--free", "youngs_modulus_pa", "--starts", "1", "--commands", own, data)
	if *a.Fitted.BeforeRMSE == *b.Fitted.BeforeRMSE {
		t.Error("the commands have no effect")
	}
}

// FuzzTrial reads anything: an error or a trial that can be predicted, no panic.
func FuzzTrial(f *testing.F) {
	for _, text := range []string{
		"t,up,tip_x,tip_y,tip_z\n0,1,0.2,0,0\n1,,,,\n", "up,side,tip_x,tip_y,tip_z,tip_qx,tip_qy,tip_qz,tip_qw\n0,1,0.2,0,0,0,0,0,1\n",
		"# note\ntip_x,tip_y,tip_z\n1e308,-1e308,0\n", "t,up,tip_x,tip_y,tip_z\n-1,1,0,0,0\n-1,1,0,0,0\n", "\xff,\"\n",
	} {
		f.Add(text)
	}
	file := robotfile.Example[robotfile.Continuum]()
	file.Tendons[0].Name = "up"
	m, err := continuum.New(file)
	if err != nil {
		f.Fatal(err)
	}
	robot, dir := rodRobot(), f.TempDir()
	f.Fuzz(func(t *testing.T, text string) {
		name := filepath.Join(dir, "trial.csv")
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		tr, err := readTrialCSV(name, &robot, m.Ports())
		if err != nil {
			return
		}
		for i, row := range tr.rows {
			if !(row.t >= 0) || i > 0 && row.t < tr.rows[i-1].t || row.measured && row.pose.p.Dot(row.pose.p) != row.pose.p.Dot(row.pose.p) {
				t.Errorf("row %d: %+v", i, row)
			}
		}
	})
}
