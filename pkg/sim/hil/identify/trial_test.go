package identify

import (
	"strings"
	"testing"

	"sinew/pkg/sim/spatial"
	"sinew/pkg/sim/trajectory"
)

// A trial of recorded poses begins at 0, and has rotations where the recording has.
func TestRecordedTrial(t *testing.T) {
	turn := spatial.ExpRot(spatial.Vec{Z: 0.1})
	poses := trajectory.Poses{T: []float64{-0.1, 0, 0.1}, Pose: []spatial.Pose{{R: turn}, {R: turn, P: spatial.Vec{X: 1}}, {R: turn, P: spatial.Vec{X: 2}}}}
	for _, rotations := range []bool{false, true} {
		poses.Rotations = rotations
		tr, err := NewTrial(&trajectory.Trajectory{File: "recording", Stamped: true, Tip: poses, Commands: &trajectory.Commands{}}, Markers{})
		if err != nil || len(tr.rows) != 2 || tr.rotations != rotations || tr.Static {
			t.Fatalf("%+v, %v", tr, err)
		}
		for i, row := range tr.rows {
			want := measuredPose{p: poses.Pose[i+1].P}
			if rotations {
				want.r = turn
			}
			if row.pose != want || row.t != poses.T[i+1] || !row.measured {
				t.Errorf("row %d: %+v", i, row)
			}
		}
	}
	poses.T = []float64{-3, -2, -1}
	if _, err := NewTrial(&trajectory.Trajectory{File: "recording", Stamped: true, Tip: poses, Commands: &trajectory.Commands{}}, Markers{}); err == nil || !strings.Contains(err.Error(), "recording: nothing was measured") {
		t.Errorf("a recording that ends before the robot moves: %v", err)
	}
}

// Every fourth measured row is held out of the fit with a share of a quarter.
func TestHoldOut(t *testing.T) {
	tr := readTrial(t, "push,x,y,z\n"+strings.Repeat("1,0,0,0\n", 5)+"1,,,\n"+strings.Repeat("1,0,0,0\n", 5))
	tr.Hold(0.25)
	var held []int
	for i := range tr.rows {
		if tr.rows[i].held {
			held = append(held, i)
		}
	}
	if len(held) != 2 || held[0] != 3 || held[1] != 8 {
		t.Errorf("rows %v are held out", held)
	}
	tr.Hold(0.1)
	if tr.Hold(1); !tr.rows[0].held || tr.rows[5].held {
		t.Error("a share of 1 holds out all that was measured, and nothing else")
	}
}

// Check refuses what cannot be predicted or would take for ever.
func TestTrialCheck(t *testing.T) {
	m := &Model{Model: new(carriage), StepS: stepS}
	static, motion := readTrial(t, "push,x,y,z\n1,0,0,0\n"), readTrial(t, "t,push,x,y,z\n0,1,0,0,0\n2e6,1,0,0,0\n")
	long := readTrial(t, "t,push,x,y,z\n0,1,0,0,0\n2.1e6,1,0,0,0\n")
	for _, c := range []struct {
		trial *Trial
		model *Model
		want  string
	}{
		{static, m, ""}, {motion, m, ""}, {motion, &Model{Model: sledge{m}, StepS: stepS}, ""},
		{static, &Model{Model: sledge{m}, StepS: stepS}, "trial.csv: rows without t are equilibria"},
		{long, m, "trial.csv: t covers 2.1e+06 s, which are 2.1e+07 steps of 0.1 s"},
	} {
		err := c.trial.Check(c.model)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
}

// Commands of a file of their own have the clock of the data, which begin at 5 s.
func TestCommandsOnTheClockOfTheData(t *testing.T) {
	tr := readTrial(t, "t,push,x,y,z\n5,0,0,0,0\n5.1,0,0,0,0\n5.2,0,0,0,0\n")
	own := &trajectory.Commands{}
	own.Add(5.1, trajectory.Row{1: {4}})
	tr.SetCommands(own)
	got := deviations(t, carriages(t, "", nil, tr), stretch)[0]
	for k, want := range []float64{startX, startX * 0.75, startX*0.75 + (4./stretch-startX*0.75)/4} {
		if !near(got[k].p, spatial.Vec{X: want}) {
			t.Errorf("row %d: off by %v, want %g", k, got[k].p, want)
		}
	}
}

// A command may be as large as the robot's limit, and no larger.
func TestCommandAtTheLimit(t *testing.T) {
	readTrial(t, "push,lift:m,x,y,z\n20,1e3,0,0,0\n")
	if _, err := readText("trial.csv", "push,x,y,z\n20.5,0,0,0\n", carriageLayout(), Markers{}); err == nil || !strings.Contains(err.Error(), "trial.csv:2: push = 20.5 N is above the robot's limit of 20 N") {
		t.Errorf("above the limit: %v", err)
	}
}
