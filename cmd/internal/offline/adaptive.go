package offline

import (
	"errors"
	"fmt"
	"math"

	"sinew/cmd/internal/cli"
	"sinew/cmd/internal/exitcode"
	"sinew/cmd/internal/program"
	"sinew/pkg/sim"
	"sinew/pkg/sim/trajectory"
)

// adaptive divides the steps of a simulation into equal parts, as many as their error asks for. One in too few parts is taken back, and
// again in more. Outputs stay on the grid of the steps.
//
// A step in n parts adds an error c/n² to the shape. The sum of the errors is least for a number of parts if the last part of each step saves
// the same, c/n³. So n is the cube root of c over a number that all steps have: steps that are hard may add more than others.
type adaptive struct {
	model     sim.StepErrorEstimator
	tolerance float64 // c/n³ over the length of the step, 1/s of the length of the robot
	parts     int     // of the next step

	accepted, rejected int     // parts
	saturated          int     // steps in maxAdaptiveSubsteps parts
	impacts            int     // accepted parts with an impact
	shortest           float64 // accepted part, s
	largest            float64 // estimate of the error after a step, of the length of the robot

	before []float64   // state before a step
	in     *sim.Inputs // setpoints before a step
}

const (
	// maxAdaptiveSubsteps is the largest number of parts of a step. The first step is tried in firstParts.
	maxAdaptiveSubsteps, firstParts = 1024, 16
	// The next step has as many parts as c of this one asks for. A step in less than a share fewest of the parts that it asks for is taken
	// back. Parts that are by a share samePart too short stay: steps of one length are extrapolated better. Parts grow by no more than longer,
	// for which formulas of order 2 are stable.
	fewest, samePart, longer = 0.75, 0.3, 2
)

// newAdaptive makes steps of a model adapt. The error is that of a model without estimates.
func newAdaptive(m sim.Model, tolerance float64) (*adaptive, error) {
	x, ok := sim.As[sim.StepErrorEstimator](m)
	if !ok {
		return nil, errors.New("its steps do not adapt; use a smaller solver.step_s")
	}
	if err := x.BeginStepError(); err != nil {
		return nil, fmt.Errorf("%w; use solver.method implicit", err)
	}
	return &adaptive{model: x, tolerance: tolerance, parts: firstParts, before: make([]float64, m.StateLen()), in: sim.NewInputs(m)}, nil
}

// step takes a step of dt seconds of a simulation.
func (a *adaptive) step(r *simulation, dt float64) error {
	r.model.Save(a.before)
	a.in.CopyFrom(r.in)
	for parts := a.parts; ; {
		err := a.take(r, dt, parts)
		wanted := 2. * float64(parts)
		if err == nil {
			n := float64(parts)
			wanted = min(math.Cbrt(a.model.StepError()*n*n/(a.tolerance*dt)), maxAdaptiveSubsteps)
		}
		if err == nil && (float64(parts) >= fewest*wanted || parts == maxAdaptiveSubsteps) {
			a.accept(parts, dt)
			if a.parts = max(int(math.Ceil(wanted)), (parts+longer-1)/longer, 1); a.parts < parts && float64(a.parts) > (1-samePart)*float64(parts) {
				a.parts = parts
			}
			return nil
		}
		a.rejected += parts
		if back := r.model.Restore(a.before); back != nil {
			return back
		}
		r.in.CopyFrom(a.in)
		if parts == maxAdaptiveSubsteps {
			r.in.Advance(dt) // as of a step that fails as a whole
			return err
		}
		parts = min(max(int(math.Ceil(wanted)), parts+1), maxAdaptiveSubsteps)
	}
}

// take takes a step in parts.
func (a *adaptive) take(r *simulation, dt float64, parts int) error {
	if err := a.model.BeginStepError(); err != nil {
		return err
	}
	for range parts {
		h := dt / float64(parts)
		r.in.Advance(h)
		if err := r.times.step(r.model, h); err != nil {
			return err
		}
	}
	return nil
}

// accept counts a step.
func (a *adaptive) accept(parts int, dt float64) {
	a.accepted += parts
	a.impacts += a.model.Impacts()
	if h := dt / float64(parts); a.shortest == 0 || h < a.shortest {
		a.shortest = h
	}
	if parts == maxAdaptiveSubsteps {
		a.saturated++
	}
	a.largest = max(a.largest, a.model.TimeError())
}

// What a step may add is found by trials of the whole motion, since errors decay in one robot and accumulate in another. A trial
// is good if its error is from leastShare of the tolerance to all of it. The next one aims at aimedShare: the error of a motion is about
// proportional to c^⅓ tolerance^⅔ of its steps. There are at most maxTrials, and no further one where nearly all steps are whole, or after
// impacts: what those leave does not fall so, and smaller and smaller steps would have no end.
const (
	leastShare, aimedShare = 0.6, 0.85
	leastChange            = 1e-3 // share of the tolerance that an error counts as at the least
	maxTrials              = 4
)

// checkAdaptive refuses a tolerance that means nothing, and a robot without estimates.
func (c *Sim) checkAdaptive(made *program.Instance) error {
	switch {
	case c.Adaptive == nil:
		return nil
	case !(*c.Adaptive > 0 && *c.Adaptive < 1):
		return exitcode.Usagef("--adaptive: a tolerance of %g is out of range, allowed: (0, 1), the error of the shape over the length of the robot", *c.Adaptive)
	case c.asksError():
		return exitcode.Usagef("--adaptive: --error compares steps of one length; leave out one of them")
	}
	if _, err := newAdaptive(made.Model, *c.Adaptive); err != nil {
		return exitcode.Usagef("--adaptive: %s: %w", made.Describe, err)
	}
	return nil
}

// adapt makes the steps of r adapt, after trials of the motion. It returns how many there were.
func (c *Sim) adapt(e *cli.Env, r *simulation, made *program.Instance, table *trajectory.Commands) (trials int, err error) {
	bar := e.RowsProgress("sim --adaptive", -1, "", c.Out)
	defer bar.End()
	tolerance := *c.Adaptive / float64(c.Duration)
	for trials < maxTrials {
		m, err := made.Refined(1)
		if err != nil {
			return trials, err
		}
		trial, err := newAdaptive(m, tolerance)
		if err != nil {
			return trials, err
		}
		trials++
		bar.Note(fmt.Sprintf("trial %d of up to %d", trials, maxTrials))
		if err := c.again(r, made, table, m, discard{}, trial, 1); errors.Is(err, errInterrupted) {
			return trials, err
		} else if err != nil {
			break // of which the motion itself tells
		}
		share := trial.largest / *c.Adaptive
		loose, tight := share > 1 && trial.saturated < r.plan.Steps(), share < leastShare && trial.accepted > r.plan.Steps()+2*firstParts
		if !loose && !tight || trial.impacts > 0 {
			break
		}
		tolerance *= math.Pow(aimedShare/max(share, leastChange), 1.5)
	}
	r.adaptive, err = newAdaptive(made.Model, tolerance)
	return trials, err
}

// report prints how the steps have adapted to a tolerance.
func (a *adaptive) report(e *cli.Env, tolerance float64, trials int) {
	fmt.Fprintf(e.Stderr, "%s: estimated error of the shape %.2g of the length, tolerance %.2g: steps in %d accepted and %d rejected parts, the shortest %.3g s; trials of the motion before: %d\n",
		e.Robot.Name, a.largest, tolerance, a.accepted, a.rejected, a.shortest, trials)
	if a.largest > tolerance && a.impacts == 0 {
		fmt.Fprintf(e.Stderr, "%s: warning: the estimated error of the shape is above the tolerance of --adaptive; %d steps are in %d parts, the most that there are; use a smaller solver.step_s\n", e.Robot.Name, a.saturated, maxAdaptiveSubsteps)
	}
	if a.impacts > 0 {
		fmt.Fprintf(e.Stderr, "%s: warning: %d of the parts have an impact, the error of which no estimate includes: the shape may be off by much more than the tolerance of --adaptive; compare it with a run at a smaller solver.step_s (sim --error)\n", e.Robot.Name, a.impacts)
	}
}

// discard is a sink that keeps nothing.
type discard struct{}

func (discard) write(float64) error             { return nil }
func (discard) command(float64, int, []float64) {}
func (discard) finish() error                   { return nil }
