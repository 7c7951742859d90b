package trajectory_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"sinew/pkg/sim"
	"sinew/pkg/sim/trajectory"
)

// deaf is a model that only records what it is commanded.
type deaf struct {
	sim.Model
	ports []sim.Port
	got   []string
}

func (d *deaf) Ports() []sim.Port { return d.ports }

func (d *deaf) Command(port int, v []float64) {
	d.got = append(d.got, fmt.Sprint(port, v))
}

func (d *deaf) Setpoint(_ int, dst []float64) { clear(dst) }

// A row acts from the first step that starts at its time, or 1e-9 s before it, and
// only once; Observe hears of it first.
func TestPlay(t *testing.T) {
	table, err := trajectory.ReadCommands("c.csv", strings.NewReader("t,a,b\n0,1,2\n0.1,3,4\n0.1,5,0\n0.3,0,0\n"), trajectory.TendonPorts())
	if err != nil {
		t.Fatal(err)
	}
	table.Shift(-1) // to 1, 1.1, 1.1 and 1.3 s
	if want := []float64{1, 1.1, 1.1, 1.3}; !slices.Equal(table.T, want) {
		t.Fatalf("after a shift by -1 s the times are %v, want %v", table.T, want)
	}
	for _, observed := range []bool{true, false} {
		m := &deaf{ports: trajectory.TendonPorts()}
		in := sim.NewInputs(m)
		var heard []string
		c := table.Play()
		if observed {
			c.Observe = func(at float64, port int, v []float64) { heard = append(heard, fmt.Sprint(at, port, v)) }
		}
		for _, step := range []struct {
			t           float64
			got, listen []string
		}{
			{0.999, nil, nil},
			{1, []string{"1 [1 2]"}, []string{"1 1 [1 2]"}},
			{1.05, nil, nil},
			{1.1 - 2*trajectory.TimeTolerance, nil, nil},
			{1.1 - trajectory.TimeTolerance/2, []string{"1 [5 0]"}, []string{"1.0999999995 1 [3 4]", "1.0999999995 1 [5 0]"}},
			{1.2, nil, nil},
			{2, []string{"1 [0 0]"}, []string{"2 1 [0 0]"}},
			{3, nil, nil},
		} {
			m.got, heard = nil, nil
			c.Apply(step.t, in)
			in.Advance(1)
			if !slices.Equal(m.got, step.got) {
				t.Errorf("at %.10g s the model was commanded %q, want %q", step.t, m.got, step.got)
			}
			if observed && !slices.Equal(heard, step.listen) {
				t.Errorf("at %.10g s the observer heard %q, want %q", step.t, heard, step.listen)
			}
		}
	}
}

// A row may act exactly TimeTolerance before its time.
func TestPlayIsEarly(t *testing.T) {
	var table trajectory.Commands
	table.Add(trajectory.TimeTolerance, trajectory.Row{1: {1, 2}})
	m := &deaf{ports: trajectory.TendonPorts()}
	in := sim.NewInputs(m)
	table.Play().Apply(0, in)
	if in.Advance(1); len(m.got) != 1 {
		t.Errorf("%d commands, want one", len(m.got))
	}
}

// The ends of a strict range are in it.
func TestStrictRangeIsClosed(t *testing.T) {
	for text, ok := range map[string]bool{"t,a\n0,5\n": true, "t,a\n0,0\n": true, "t,a\n0,5.001\n": false, "t,a\n0,-0.001\n": false} {
		if _, err := trajectory.ReadCommands("c.csv", strings.NewReader(text), trajectory.TendonPorts()); (err == nil) != ok {
			t.Errorf("%q: %v", text, err)
		}
	}
}
