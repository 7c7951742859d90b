package mechanism

import (
	"errors"
	"fmt"

	"sinew/pkg/sim/integrate"
)

const (
	// mostIterations of Newton's method in a step. Three or four are usual.
	mostIterations = 25
	// converged is the increment, in parts of the length of the mechanism and in rad, after which one
	// more solution with the last factors leaves nothing but round-off.
	converged = 1e-8
	// largestTurn is the largest rotation of a node per iteration, rad.
	largestTurn = 0.6
)

// Step moves the mechanism by h seconds. On an error it stays as it was.
func (w *World) Step(h float64) error {
	if !(h > 0) {
		return fmt.Errorf("mechanism: a step of %g s; it needs to be above 0", h)
	}
	if w.isOpen {
		return errors.New("mechanism: some joint is open; find the equilibrium first, which closes loops with rods")
	}
	if w.endLoads(w.time + h) {
		w.lastStep = 0
	}
	if w.lastStep == 0 || h > integrate.MaxBDF2Ratio*w.lastStep {
		if err := w.setLevelBefore(h); err != nil {
			return err
		}
		w.lastStep = h
	}
	w.formula = integrate.NewBDF(2, h, w.lastStep)
	for _, l := range w.links {
		l.begin(&w.formula)
	}
	for _, c := range w.connections {
		c.begin(&w.formula)
	}
	if err := w.iterate(); err != nil {
		w.revert()
		return err
	}
	for _, l := range w.links {
		l.commit()
	}
	for _, c := range w.connections {
		copy(c.past, c.start)
		c.update(w.pose)
		c.readCoordinates()
	}
	w.lastStep = h
	w.time += h
	return nil
}

// endLoads sets the end of the step for the loads, and reports whether one of them has ended since the last
// step. BDF2 needs a new level before then: across a jump of the acceleration a it would add h a/2 to
// velocities.
func (w *World) endLoads(end float64) (hasEnded bool) {
	for _, b := range w.bodies {
		for i := range b.Loads {
			hasEnded = hasEnded || b.Loads[i].isActive(b.time) && !b.Loads[i].isActive(end)
		}
		b.time = end
	}
	return hasEnded
}

// iterate is Newton's method.
func (w *World) iterate() error {
	for range mostIterations {
		w.assemble()
		if !w.solve(1) {
			return fmt.Errorf("mechanism: the equations of the step are singular; take a shorter one")
		}
		turn, shift := w.incrementSize()
		scale := min(1, largestTurn/max(turn, shift/w.size))
		w.move(scale)
		w.addMultipliers(scale)
		if max(turn, shift/w.size) < converged {
			w.assemble()
			w.addCompliance(1)
			w.solveAgain()
			w.incrementSize()
			w.move(1)
			w.addMultipliers(1)
			return nil
		}
	}
	turn, shift := w.incrementSize()
	return fmt.Errorf("mechanism: the step does not converge: the last of %d increments is %.3g m and %.3g rad; take a shorter step", mostIterations, shift, turn)
}

// revert returns to the start of the step.
func (w *World) revert() {
	for _, l := range w.links {
		l.revert(w.pose[max(l.firstNode(), 0):])
	}
}
