package offline

import (
	"fmt"

	"sinew/pkg/sim"
)

// failures counts the steps of a simulation that failed.
type failures struct {
	keepGoing bool // failed steps do not end the simulation
	count     int
	first     error
}

// add takes the error of a step of dt seconds and returns it if it ends the simulation. Otherwise m
// keeps its state for that time.
func (f *failures) add(err error, m sim.Model, dt float64) error {
	if f.count++; f.count == 1 {
		f.first = err
	}
	if !f.keepGoing {
		return err
	}
	if h, ok := sim.As[sim.Holder](m); ok {
		h.Hold(dt)
	}
	return nil
}

// err returns the error of a simulation of so many steps that continued after failed ones.
func (f *failures) err(steps int) error {
	if !f.keepGoing || f.count == 0 {
		return nil
	}
	return fmt.Errorf("%d of %d steps failed and left the robot where it was, the first: %w", f.count, steps, f.first)
}

// persistent is a model whose Step never returns an error: after a failed step it keeps its state.
type persistent struct {
	sim.Model
	failures *failures
	steps    int
}

// Step implements sim.Model.
func (p *persistent) Step(dt float64) error {
	p.steps++
	if err := p.Model.Step(dt); err != nil {
		return p.failures.add(err, p.Model, dt)
	}
	return nil
}
