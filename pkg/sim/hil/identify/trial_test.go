package identify_test

import (
	"strings"
	"testing"

	"sinew/pkg/sim/hil/identify"
)

// Check refuses what cannot be predicted or would take for ever.
func TestTrialCheck(t *testing.T) {
	m := &identify.Model{Model: new(identify.Carriage), StepS: identify.StepS}
	static, motion := identify.ReadTrial(t, "push,x,y,z\n1,0,0,0\n"), identify.ReadTrial(t, "t,push,x,y,z\n0,1,0,0,0\n2e6,1,0,0,0\n")
	long := identify.ReadTrial(t, "t,push,x,y,z\n0,1,0,0,0\n2.1e6,1,0,0,0\n")
	for _, c := range []struct {
		trial *identify.Trial
		model *identify.Model
		want  string
	}{
		{static, m, ""}, {motion, m, ""}, {motion, &identify.Model{Model: identify.Sledge{m}, StepS: identify.StepS}, ""},
		{static, &identify.Model{Model: identify.Sledge{m}, StepS: identify.StepS}, "trial.csv: rows without t are equilibria"},
		{long, m, "trial.csv: t covers 2.1e+06 s, which are 2.1e+07 steps of 0.1 s"},
	} {
		err := c.trial.Check(c.model)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
}

// A command may be as large as the robot's limit, and no larger.
func TestCommandAtTheLimit(t *testing.T) {
	identify.ReadTrial(t, "push,lift:m,x,y,z\n20,1e3,0,0,0\n")
	if _, err := identify.ReadText("trial.csv", "push,x,y,z\n20.5,0,0,0\n", identify.CarriageLayout(), identify.Markers{}); err == nil || !strings.Contains(err.Error(), "trial.csv:2: push = 20.5 N is above the robot's limit of 20 N") {
		t.Errorf("above the limit: %v", err)
	}
}
