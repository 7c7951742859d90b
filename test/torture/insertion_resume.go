package torture

import (
	"fmt"

	"sinew/pkg/sim"
)

// Resume saves the state of an insertion before step begin and takes the steps that follow. It restores the state in
// a fresh model and in the one that has gone on, repeats the steps, and returns where a bit of the state differs, and
// how many contacts the rod has where it is saved. A model that is refused is no difference: contacts is 0 then.
func (c *Insertion) Resume(begin, follow int) (contacts float64, err error) {
	m, refused := c.Model()
	if refused != nil {
		return 0, nil
	}
	in := sim.NewInputs(m)
	if _, err := c.states(m, in, 0, begin); err != nil {
		return 0, err
	}
	o := newObserver(m)
	o.look()
	contacts = o.value("contacts")
	saved, inputs := stateOf(m), sim.NewInputs(m)
	inputs.CopyFrom(in)
	want, err := c.states(m, in, begin, begin+follow)
	if err != nil {
		return contacts, err
	}
	fresh, err := c.Model()
	if err != nil {
		return contacts, err
	}
	for _, again := range []sim.Model{fresh, m} {
		if err := again.Restore(saved); err != nil {
			return contacts, fmt.Errorf("the state before step %d: %w", begin, err)
		}
		in := sim.NewInputs(again)
		in.CopyFrom(inputs)
		got, err := c.states(again, in, begin, begin+follow)
		if err != nil {
			return contacts, err
		}
		for i := range got {
			if bits(got[i]) != bits(want[i]) {
				return contacts, fmt.Errorf("restored before step %d, another state after step %d", begin, begin+i)
			}
		}
	}
	return contacts, nil
}

// states takes steps and returns the state after each.
func (c *Insertion) states(m sim.Model, in *sim.Inputs, from, to int) (all [][]float64, err error) {
	move := c.mover(m, in)
	for i := from; i < to; i++ {
		move(i)
		if err := m.Step(c.file.Solver.Step); err != nil {
			return nil, fmt.Errorf("step %d: %w", i, err)
		}
		all = append(all, stateOf(m))
	}
	return all, nil
}

func stateOf(m sim.Model) []float64 {
	state := make([]float64, m.StateLen())
	m.Save(state)
	return state
}
