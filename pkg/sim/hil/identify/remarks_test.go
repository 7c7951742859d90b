package identify

import (
	"fmt"
	"strings"
	"testing"

	"sinew/pkg/sim/trajectory"
)

// What is allowed of a trial and hardly meant is told.
func TestRemarks(t *testing.T) {
	rows := func(from, to int, more string) (text string) {
		for i := from; i < to; i++ {
			text += fmt.Sprintf("%g,%g,0.01,0,0%s\n", 0.1*float64(i), float64(i%8), more)
		}
		return text
	}
	const head = "t,push,x,y,z\n"
	late, soon := new(trajectory.Commands), new(trajectory.Commands)
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
		{"ms", head + "0,1,0.01,0,0\n150000,1,0.01,0,0\n", nil, "trial.csv: t covers 150000 s, which are 1.5e+06 steps of 0.1 s"},
	} {
		tr := readTrial(t, c.text)
		m, err := carriages(t, "", nil, tr).base.Model()
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
