package multibody_test

import (
	"testing"

	"sinew/pkg/sim/spatial"
)

// TestStepErrorIsWhatStepsAdd: the second estimate is of the steps since it began, which are compared with the same in sixteen parts each;
// that of fast spins is up to ten times as large. The first estimate goes on as without it.
func TestStepErrorIsWhatStepsAdd(t *testing.T) {
	for _, name := range []string{"double_pendulum", "y_tree"} {
		f := read(t, name)
		m, alone := mustModel(t, f), mustModel(t, f)
		const h, before, steps, parts = 0.002, 100, 10, 16
		march(t, m, nil, h, before)
		march(t, alone, nil, h, before+steps)
		state := make([]float64, m.StateLen())
		m.Save(state)
		if err := m.BeginStepError(); err != nil {
			t.Fatal(err)
		}
		if e := m.StepError(); e != 0 {
			t.Errorf("%s: a step error of %g before the first step", name, e)
		}
		ends := func() (all []spatial.Vec) {
			for _, l := range m.Links() {
				for _, g := range l.Poses {
					all = append(all, g.P)
				}
			}
			return all
		}
		march(t, m, nil, h, steps)
		added, whole := m.StepError(), ends()
		if got, want := m.TimeError(), alone.TimeError(); got != want {
			t.Errorf("%s: the first estimate is %g, without the second %g", name, got, want)
		}
		if err := m.Restore(state); err != nil {
			t.Fatal(err)
		}
		march(t, m, nil, h/parts, parts*steps)
		off := 0.0
		for i, p := range ends() {
			off = max(off, p.Sub(whole[i]).Norm())
		}
		off /= m.Robot().Size()
		t.Logf("%s: %.3g of the length, estimated %.3g, of the whole motion %.3g", name, off, added, alone.TimeError())
		if r := added / off; !(r > 0.5 && r < 10) || !(added < alone.TimeError()) || m.Impacts() != 0 {
			t.Errorf("%s: the steps add %.3g of the length, estimated %.3g; %d impacts", name, off, added, m.Impacts())
		}
	}
}

// TestImpactsOfSteps: steps with an impact are counted from the begin of the estimate on.
func TestImpactsOfSteps(t *testing.T) {
	m := mustModel(t, read(t, "thrown_ring"))
	if err := m.BeginStepError(); err != nil {
		t.Fatal(err)
	}
	march(t, m, nil, 0.001, 20)
	if n := m.Impacts(); n != 0 {
		t.Errorf("%d impacts in flight", n)
	}
	march(t, m, nil, 0.001, 600)
	if n := m.Impacts(); n == 0 {
		t.Error("a ring that falls on a floor has no impact")
	}
	if err := m.BeginStepError(); err != nil || m.Impacts() != 0 {
		t.Errorf("%d impacts after a new begin, %v", m.Impacts(), err)
	}
}
