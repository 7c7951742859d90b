package identify

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"sinew/pkg/sim"
	"sinew/pkg/sim/hil/fit"
	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/spatial"
	"sinew/pkg/sim/trajectory"
)

// Tests of what has no exported name.

// A motion that was measured to begin where the robot file lets the robot begin continues from there; one that was
// measured near the equilibrium under its first commands, or between both, begins in that.
func TestMotionBeginsWhereItWasMeasured(t *testing.T) {
	for _, c := range []struct {
		name, text string
		settled    bool
		jumps      bool
	}{
		{"without commands", "t,push,x,y,z\n0,8,0.01,0,0\n0.1,8,0.02,0,0\n", true, true}, // startX; under 8 N it is at 0.08
		{"next to it", "t,push,x,y,z\n0,8,0.0195,0,0\n", true, true},
		{"later", "t,push,x,y,z\n0,8,,,\n0.05,8,0.01,0,0\n", true, true},
		{"under them", "t,push,x,y,z\n0,8,0.08,0,0\n", true, false},
		{"between both", "t,push,x,y,z\n0,8,0.03,0,0\n", true, false},
		{"measured too late", "t,push,x,y,z\n0,8,,,\n0.2,8,0.01,0,0\n", true, false},
		{"commands come later", "t,push,x,y,z\n0,,0.01,0,0\n0.1,8,0.01,0,0\n", true, false},
		{"no equilibrium", "t,push,x,y,z\n0,16,0.01,0,0\n", true, false},
		{"no rest", "t,push,x,y,z\n0,8,0.01,0,0\n", false, false},
		{"equilibria", "push,x,y,z\n8,0.01,0,0\n", true, false},
	} {
		tr := ReadTrial(t, c.text)
		p := Carriages(t, "", func(m *Model) { m.InEquilibrium = c.settled }, tr)
		note, err := tr.FindBegin(p.base)
		if err != nil || tr.jumps != c.jumps || strings.Contains(note, "begin") != c.jumps {
			t.Errorf("%s: jumps %t, %q, %v", c.name, tr.jumps, note, err)
		}
		if c.name != "without commands" {
			continue
		}
		if want := "trial.csv was measured to begin 0 mm from where the robot rests without commands, and 70 mm from its equilibrium"; !strings.HasPrefix(note, want) {
			t.Errorf("%q, want %q", note, want)
		}
		// k of the robot file, 100 N/m: from 0.01 m a step of lagS/4 goes a quarter of the way to 0.08 m
		if d := deviations(t, p, 100)[0]; !near(d[0].p, vec([]float64{0, 0, 0})) || !near(d[1].p, vec([]float64{0.01 + 0.07/4 - 0.02, 0, 0})) {
			t.Errorf("off by %v, %v", d[0].p, d[1].p)
		}
	}
}

// A trial begins as the robot does that it has: with k of 800 N/m both places are one.
func TestBeginOfTheRobotThatATrialHas(t *testing.T) {
	tr := ReadTrial(t, "t,push,x,y,z\n0,8,0.01,0,0\n0.1,8,0.02,0,0\n")
	tr.Sets = []Setting{{"rod.youngs_modulus_pa", 800}}
	if note, err := tr.FindBegin(Carriages(t, "", func(m *Model) { m.InEquilibrium = true }, tr).base); err != nil || note != "" || tr.jumps {
		t.Errorf("jumps %t, %q, %v", tr.jumps, note, err)
	}
}

// TestResidualsThatFollowOneAnother compares the correlation of residuals with that of the process they are
// drawn from. Equilibria do not follow one another.
func TestResidualsThatFollowOneAnother(t *testing.T) {
	const count, dt, sigma = 2000, 0.01, 1e-3
	for _, want := range []float64{0, 0.5, 0.95} {
		random := rand.New(rand.NewPCG(3, 3))
		tr := &Trial{commands: &trajectory.Commands{}}
		all := make([]deviation, count)
		draw := func() spatial.Vec {
			return spatial.Vec{X: random.NormFloat64(), Y: random.NormFloat64(), Z: random.NormFloat64()}.Scale(sigma)
		}
		d := draw()
		for i := range count {
			d = d.Scale(want).AddScaled(math.Sqrt(1-want*want), draw())
			all[i].p = d
			tr.rows = append(tr.rows, trialRow{t: dt * float64(i), measured: true, posed: true, pose: measuredPose{p: spatial.Vec{X: 0.1 * math.Sin(dt*float64(i))}}})
		}
		p := &Problem{Trials: []*Trial{tr}}
		likeness := func() float64 { return alikeness(p.gather([][]deviation{all}, new(fit.Result), nil, nil)) }
		if got := likeness(); !(math.Abs(got-want) <= 0.05) {
			t.Errorf("%g, want %g", got, want)
		}
		if tr.Static = true; want > 0 {
			if got := likeness(); !math.IsNaN(got) {
				t.Errorf("equilibria: %g", got)
			}
		}
	}
}

// TestVelocityBesideRowsThatAreLeftOut selects every third row of a robot at rest, 20 mm from its
// prediction: a row at an end has a neighbour that is not predicted, which makes no speed of the residual.
func TestVelocityBesideRowsThatAreLeftOut(t *testing.T) {
	const count, dt = 10, 0.01
	tr := &Trial{commands: &trajectory.Commands{}}
	all := make([]deviation, count)
	for i := range count {
		tr.rows = append(tr.rows, trialRow{t: dt * float64(i), measured: true, posed: true})
	}
	chosen, err := tr.Select(Selection{Every: 3})
	if err != nil {
		t.Fatal(err)
	}
	for i := range chosen.rows {
		if chosen.rows[i].measured {
			all[i].p = spatial.Vec{Y: 0.02}
		}
	}
	p := &Problem{Trials: []*Trial{chosen}}
	rows := p.gather([][]deviation{all}, new(fit.Result), nil, nil)[0].Rows
	if len(rows) != 4 {
		t.Fatalf("%d observations", len(rows))
	}
	for i, o := range rows {
		if o.Velocity.Norm() > 0 {
			t.Errorf("observation %d: %v m/s at rest", i, o.Velocity)
		}
	}
}

// TestRowsWithoutTipSuggestNothing has a tip in every second row only, and markers in all: the rows
// between are no residuals of 0 at the origin, and the velocity passes over them.
func TestRowsWithoutTipSuggestNothing(t *testing.T) {
	const count, dt, speed, error = 9, 0.1, 0.3, 0.02
	tr := &Trial{commands: &trajectory.Commands{}}
	all := make([]deviation, count)
	for i := range count {
		row := trialRow{t: dt * float64(i), measured: true, posed: i%2 == 0}
		all[i].frame = spatial.Identity3()
		if row.posed {
			row.pose.p = spatial.Vec{X: speed * row.t, Z: 1}
			all[i].p, all[i].at = spatial.Vec{Y: error}, row.pose.p.Add(spatial.Vec{Y: error})
		}
		tr.rows = append(tr.rows, row)
	}
	p := &Problem{Trials: []*Trial{tr}}
	rows := p.gather([][]deviation{all}, new(fit.Result), nil, nil)[0].Rows
	if len(rows) != 5 {
		t.Fatalf("%d observations of 5 rows with a tip", len(rows))
	}
	for i, o := range rows {
		if o.Residual().Sub(spatial.Vec{Y: error}).Norm() > 1e-12 || o.Velocity.Sub(spatial.Vec{X: speed}).Norm() > 1e-12 {
			t.Errorf("observation %d: residual %v, velocity %v", i, o.Residual(), o.Velocity)
		}
	}
}

// A trial that cannot be read says where and what.
func TestTrialFileMistakes(t *testing.T) {
	layout := CarriageLayout()
	layout.Others = []string{"spare"}
	const head, turned = "t,push,x,y,z\n", "x,y,z,qx,qy,qz,qw\n"
	for _, c := range []struct{ name, text, want string }{
		{"empty", "", "no header"},
		{"unknown column", "t,x,y,z,wind\n", `trial.csv:1: unknown column "wind"; there are t, x, y, z, qx, qy, qz, qw and the commands lift:m, push`},
		{"twice", "t,push,push,x,y,z\n", `trial.csv:1: two columns "push"`},
		{"no position", "t,push,x,y\n", "trial.csv:1: no column z; a trial needs the measured position x, y, z"},
		{"part of a quaternion", "x,y,z,qx,qy\n", "trial.csv:1: 2 of the four columns qx, qy, qz, qw"},
		{"no rows", head, "trial.csv: nothing was measured"},
		{"nothing measured", head + "0,1,,,\n1,1,,,\n", "trial.csv: nothing was measured"},
		{"no number", head + "0,a,0,0,0\n", `trial.csv:2: push = "a"`},
		{"no time", head + ",1,0,0,0\n", "trial.csv:2: no time"},
		{"time that is none", head + "b,1,0,0,0\n", `trial.csv:2: t = "b"`},
		{"backward", head + "1,0,0,0,0\n0.5,0,0,0,0\n", "trial.csv:3: t = 0.5 s goes back; the row before has 1 s"},
		{"half a position", head + "0,1,0,,0\n", "trial.csv:2: 2 of the 3 numbers of the measured pose"},
		{"bad position", head + "0,1,0,c,0\n", `trial.csv:2: y = "c"`},
		{"bad quaternion", turned + "0,0,0,1,1,1,1\n", "trial.csv:2: the quaternion (1, 1, 1, 1) is not of length 1"},
		{"half a pose", turned + "0,0,0,,,,\n", "trial.csv:2: 3 of the 7 numbers of the measured pose"},
		{"short row", head + "0,1\n", "trial.csv"},
	} {
		if tr, err := ReadText("trial.csv", c.text, layout, Markers{}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %+v, %v; want %q", c.name, tr, err, c.want)
		}
	}
	if _, err := ReadText("trial.csv", "t,up,up:m,tip_x,tip_y,tip_z\n0,1,0,0,0,0\n", rodLayout(), Markers{}); err == nil || !strings.Contains(err.Error(), `trial.csv:1: columns "up" and "up:m" command the same actuator`) {
		t.Errorf("one tendon commanded twice: %v", err)
	}
	// equal times, other columns and empty rows are no mistake
	tr, err := ReadText("trial.csv", "t,spare,x,y,z\n1,9,0,0,0\n1,,,,\n2,,1,2,3\n", layout, Markers{})
	if err != nil || len(tr.rows) != 3 || tr.rows[1].measured || tr.rows[2].t != 1 || tr.start != 1 {
		t.Errorf("%+v, %v", tr, err)
	}
}

// Poses of a recording that were measured before the robot began are left out, with a note.
func TestPosesBeforeTheRobotAreReported(t *testing.T) {
	poses := trajectory.Poses{T: []float64{-0.2, -0.1, 0, 0.1}, Pose: make([]spatial.Pose, 4)}
	tr, err := NewTrial(&trajectory.Trajectory{File: "run.mcap", Stamped: true, Tip: poses, Commands: &trajectory.Commands{}}, Markers{})
	if want := "run.mcap: 2 poses were measured before the robot of the recording began, and are left out"; err != nil || tr.early() != want {
		t.Errorf("%v, %q, want %q", err, tr.early(), want)
	}
}

// The begin of a motion that is not measured soon after its first commands is unknown, which a note says; hardware that is
// late may be measured later, as long as no further commands have come.
func TestBeginOfLateHardware(t *testing.T) {
	for _, c := range []struct {
		name, text string
		further    float64 // s, of the next commands
		jumps      bool
		note       string
	}{
		{"at rest", "t,x,y,z\n0.3,0.01,0,0\n", 0.5, true, "it is predicted to begin there, as sim does"},
		{"at rest, without further commands", "t,x,y,z\n0.9,0.01,0,0\n", 0, true, "it is predicted to begin there, as sim does"},
		{"after further commands", "t,x,y,z\n0.3,0.01,0,0\n", 0.2, false, "trial.csv is not measured until 0.3 s after its first commands"},
		{"much later", "t,x,y,z\n1.1,0.01,0,0\n", 2, false, "trial.csv is not measured until 1.1 s after its first commands"},
		{"under them", "t,x,y,z\n0.3,0.08,0,0\n", 0.5, false, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			tr, commands := ReadTrial(t, c.text), new(trajectory.Commands)
			commands.Add(0, trajectory.Row{1: {8}})
			if c.further > 0 {
				commands.Add(c.further, trajectory.Row{1: {0}})
			}
			tr.SetCommands(commands)
			note, err := tr.FindBegin(Carriages(t, "", func(m *Model) { m.InEquilibrium = true }, tr).base)
			if err != nil || tr.jumps != c.jumps || (note == "") != (c.note == "") || !strings.Contains(note, c.note) {
				t.Errorf("jumps %t, %q, %v; want %t, %q", tr.jumps, note, err, c.jumps, c.note)
			}
		})
	}
}

// Suspicious values of a trial are reported.
func TestRemarks(t *testing.T) {
	rows := func(from, to int, more string) (text string) {
		for i := from; i < to; i++ {
			text += fmt.Sprintf("%g,%g,0.01,0,0%s\n", 0.1*float64(i), float64(i%8), more)
		}
		return text
	}
	const head = "t,push,x,y,z\n"
	late, soon, behind := new(trajectory.Commands), new(trajectory.Commands), new(trajectory.Commands)
	behind.Add(0.25, trajectory.Row{1: {1}})
	for i := range 3 {
		late.Add(1000*float64(i), trajectory.Row{1: {1}})
		soon.Add(7*float64(i), trajectory.Row{1: {1}})
	}
	for _, c := range []struct {
		name, text string
		given      *trajectory.Commands
		want       string
	}{
		{"as it should be", head + rows(0, 30, ""), nil, ""},
		{"mm", head + "0,1,10,0,300\n0.1,1,10,0,300\n0.2,1,10,0,300\n", nil, "trial.csv was measured 300 m from the robot, which reaches 0.5 m: are its positions in mm?"},
		{"one spike", head + rows(0, 30, "") + "3,1,999,999,999\n", nil, ""},
		{"equilibria in mm", "push,x,y,z\n1,10,0,300\n", nil, "are its positions in mm?"},
		{"a gap", head + rows(0, 10, "") + rows(20, 30, ""), nil, "trial.csv has one gap of 1.1 s from t = 0.9 s between rows that are mostly 0.1 s apart"},
		{"two gaps", head + rows(0, 10, "") + rows(20, 30, "") + rows(46, 60, ""), nil, "trial.csv has 2 gaps, the longest of 1.7 s from t = 2.9 s"},
		{"a gap that is marked", "t,push,x,y,z,ok\n" + rows(0, 10, ",1") + rows(10, 20, ",0") + rows(20, 30, ",1"), nil, ""},
		{"a gap in which nothing changed", head + rows(0, 10, "") + "2,1,0.01,0,0\n", nil, ""},
		{"commands of their own", head + rows(0, 10, "") + rows(20, 30, ""), new(trajectory.Commands), ""},
		{"commands of another clock", head + rows(0, 30, ""), late, "trial.csv ends at 2.9 s, and 1 of its 3 rows of commands act until then, the next at 1000 s"},
		{"a beginning of its commands", head + rows(0, 30, ""), soon, ""},
		{"rows before the first command", head + rows(0, 30, ""), behind, "trial.csv: 3 of its 30 rows precede the first command, by up to 0.25 s: the robot is predicted in its initial state until then"},
		{"ms", head + "0,1,0.01,0,0\n150000,1,0.01,0,0\n", nil, "trial.csv: t covers 150000 s, which are 1.5e+06 steps of 0.1 s"},
	} {
		tr := ReadTrial(t, c.text)
		m, err := Carriages(t, "", nil, tr).base.Model()
		if err != nil {
			t.Fatal(err)
		}
		if notes, err := tr.Remarks(m, 0); err != nil || strings.Contains(strings.Join(notes, ""), "in um or mm?") != strings.HasSuffix(c.name, "mm") {
			t.Errorf("%s, as of a body: %q, %v", c.name, notes, err)
		}
		if c.given != nil {
			tr.SetCommands(c.given)
		}
		notes, err := tr.Remarks(m, 0.5)
		if got := strings.Join(notes, "; "); err != nil || (got == "") != (c.want == "") || !strings.Contains(got, c.want) {
			t.Errorf("%s: %q, %v; want %q", c.name, got, err, c.want)
		}
	}
}

// Calibrated tensions end at the least tension of their tendon, 0 where it cannot push.
func TestCalibratedTensionsOfTendonsThatPush(t *testing.T) {
	d := newDrive([]robotfile.TendonCalibration{{Name: "pulls", Gain: 2, Offset: -1}, {Name: "pushes", Gain: 2, Offset: -1}}, []sim.Port{
		{Name: "servo_jf", Kind: sim.Tension, Direction: sim.In, Labels: []string{"pulls", "free", "pushes"}, Unit: "N", Min: []float64{0, 0, -5}, Max: []float64{9, 9, 9}},
	})
	for _, c := range []struct{ command, want []float64 }{
		{[]float64{2, 3, 2}, []float64{3, 3, 3}}, {[]float64{-1, 0, -1}, []float64{0, 0, -3}}, {[]float64{0, 1, -4}, []float64{0, 1, -5}},
	} {
		if got := d.calibrated(c.command); !slices.Equal(got, c.want) {
			t.Errorf("%g N are %g N, want %g N", c.command, got, c.want)
		}
	}
}
