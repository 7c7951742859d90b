package motion

import (
	"sinew/pkg/sim/continuum/equations"
	"sinew/pkg/sim/integrate"
)

// iteration is the equations of one step as Newton's method solves them.
type iteration struct {
	*equations.System
	newton integrate.Newton
	// refinements is how often an increment is refined by the skew part of the tangent, which the symmetric factorisation
	// leaves out: of the order of the residual, and of the rotary inertia times the rotation of the step.
	refinements       int
	frictionTolerance float64 // of a chord with updated friction, rad; 0: by Newton's method
}

var _ integrate.ChordSystem = (*iteration)(nil)

// solve solves the step. Normal forces limit friction throughout an iteration; where they have changed much at its end, it
// continues with those.
func (i *iteration) solve() integrate.Report {
	r := i.newton.Solve(i)
	if !r.Converged() || !i.updateFriction() {
		return r
	}
	if i.isSolvedByChord() {
		r.Iterations++
		return r
	}
	again := i.newton.Solve(i)
	again.Iterations += r.Iterations
	again.Rejects += r.Rejects
	return again
}

func (i *iteration) updateFriction() (changed bool) {
	for _, o := range i.Obstacles() {
		changed = o.UpdateFriction(i.State) || changed
	}
	return changed
}

// isSolvedByChord moves the solution of a step to where it is with updated friction, with the last tangent. It reports
// whether that is a solution; if not, it stays.
func (i *iteration) isSolvedByChord() bool {
	if !i.IsSmoothButContact() {
		return false
	}
	clear(i.X)
	for _, o := range i.Obstacles() {
		o.AddFrictionUpdate(i.State, i.X)
	}
	last := i.Size
	if !i.Solve(i.refinements) {
		return false
	}
	i.CorrectIncrement()
	size := i.TakeIncrement()
	if !(size*max(size, last) < i.frictionTolerance) || !i.IsLinear() {
		return false
	}
	i.Move(1)
	return true
}

// Increment implements integrate.System. The size is the largest rotation (rad) or relative stretch that the increment
// gives an element.
func (i *iteration) Increment() (size float64, negative int, ok bool) {
	if negative, ok = i.Factor(); !ok {
		return 0, negative, false
	}
	i.AddColumns(equations.StepScope)
	ok = i.Solve(i.refinements)
	i.CorrectIncrement()
	size, negative = i.TakeIncrement(), i.Negative(negative)
	return size, negative, ok
}

// ChordResidual implements integrate.ChordSystem.
func (i *iteration) ChordResidual() (ok bool) {
	if !i.IsChordAllowed() {
		return false
	}
	i.AssembleWrenches()
	return true
}

// ChordIncrement implements integrate.ChordSystem.
func (i *iteration) ChordIncrement() (size float64, ok bool) {
	i.SetRightHandSide()
	ok = i.Solve(i.refinements)
	i.CorrectIncrement()
	size = i.TakeIncrement()
	return size, ok && i.IsLinear()
}
