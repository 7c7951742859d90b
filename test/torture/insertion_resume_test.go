package torture

import (
	"slices"
	"testing"

	"sinew/pkg/sim"
)

// TestHandledInsertionsResume saves rods that rub on their vessels while they are twisted, drawn back or at rest,
// restores them in a fresh model and in themselves, and demands every bit of what followed.
func TestHandledInsertionsResume(t *testing.T) {
	const follow = 40
	seeds := 8
	if testing.Short() {
		seeds = 3
	}
	touched := 0
	for seed := *first; seed < *first+uint64(seeds); seed++ {
		c, err := NewHandledInsertion(seed)
		if err != nil {
			t.Fatal(err)
		}
		m, err := c.Model()
		if err != nil {
			t.Logf("%s: %v", c.Title, err)
			continue
		}
		in, g := sim.NewInputs(m), newObserver(m)
		begin := int(seed*7919) % (c.Steps + c.Rest - follow)
		run := func(m sim.Model, in *sim.Inputs, from, to int) (states [][]float64) {
			move := c.mover(m, in)
			for i := from; i < to; i++ {
				move(i)
				if err := m.Step(c.file.Solver.Step); err != nil {
					t.Fatalf("%s: step %d: %v", c.Title, i, err)
				}
				states = append(states, stateOf(m))
			}
			return states
		}
		run(m, in, 0, begin)
		g.look()
		touched += int(min(1, g.value("contacts")))
		saved, inputs := stateOf(m), sim.NewInputs(m)
		inputs.CopyFrom(in)
		want := run(m, in, begin, begin+follow)
		fresh, err := c.Model()
		if err != nil {
			t.Fatal(err)
		}
		for _, again := range []sim.Model{fresh, m} {
			if err := again.Restore(saved); err != nil {
				t.Errorf("%s: %v", c.Title, err)
				continue
			}
			in := sim.NewInputs(again)
			in.CopyFrom(inputs)
			for i, state := range run(again, in, begin, begin+follow) {
				if !slices.EqualFunc(state, want[i], sameBits) {
					t.Errorf("%s: restored before step %d, another state after step %d", c.Title, begin, begin+i)
					break
				}
			}
		}
	}
	if touched < seeds/2 {
		t.Errorf("only %d of %d rods touch where they are saved", touched, seeds)
	}
}

func stateOf(m sim.Model) []float64 {
	state := make([]float64, m.StateLen())
	m.Save(state)
	return state
}

func sameBits(a, b float64) bool { return bits([]float64{a}) == bits([]float64{b}) }
