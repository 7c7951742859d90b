package identify

import (
	"strings"
	"testing"
)

// A motion that was measured to begin where the robot file lets the robot begin goes on from there; one that was
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
		tr := readTrial(t, c.text)
		p := carriages(t, "", func(m *Model) { m.Settled = c.settled }, tr)
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
	tr := readTrial(t, "t,push,x,y,z\n0,8,0.01,0,0\n0.1,8,0.02,0,0\n")
	tr.Sets = []Setting{{"rod.youngs_modulus_pa", 800}}
	if note, err := tr.FindBegin(carriages(t, "", func(m *Model) { m.Settled = true }, tr).base); err != nil || note != "" || tr.jumps {
		t.Errorf("jumps %t, %q, %v", tr.jumps, note, err)
	}
}
