package mechanism

import (
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
	if w.lastStep == 0 || h > integrate.MaxBDF2Ratio*w.lastStep {
		if err := w.setLevelBefore(h); err != nil {
			return err
		}
		w.lastStep = h
	}
	f := integrate.NewBDF(2, h, w.lastStep)
	for _, b := range w.bodies {
		if b.node >= 0 {
			b.begin(&f)
		}
	}
	for _, c := range w.connections {
		c.begin(&f)
	}
	if err := w.iterate(); err != nil {
		w.revert()
		return err
	}
	for _, b := range w.bodies {
		if b.node >= 0 {
			b.commit()
		}
	}
	for _, c := range w.connections {
		copy(c.past, c.start)
		c.update(w.pose)
		c.readCoordinates()
	}
	w.lastStep = h
	return nil
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
	for _, b := range w.bodies {
		if b.node >= 0 {
			w.pose[b.node] = b.start
		}
	}
	w.spread()
}
