package integrate

import (
	"errors"
	"math"
)

// Errors of a solve. They are wrapped with the numbers.
var (
	ErrNotConverged    = errors.New("no convergence")
	ErrSingularTangent = errors.New("singular tangent stiffness")
	ErrNonFinite       = errors.New("state is not finite")
)

// System is a set of equations with a merit function, as Newton sees it: a
// present point, and at it the residual, the tangent and the increment.
type System interface {
	// Assemble computes the residual and the tangent at the present point, the
	// tangent with shift times a fixed positive matrix added.
	Assemble(shift float64)
	// ResidualNorm is the norm of the assembled residual.
	ResidualNorm() float64
	// Increment solves for the Newton increment from the assembled residual and
	// tangent. It returns the size of the increment, in units in which 1 is
	// large, and the number of negative eigenvalues of the tangent; ok is false
	// when the tangent is singular.
	Increment() (size float64, negative int, ok bool)
	// Move remembers the present point and adds scale times the increment.
	Move(scale float64)
	// Undo returns to the point that Move remembered.
	Undo()
	// Merit is the function that a step should not increase.
	Merit() float64
}

// Cause says why an iteration ended.
type Cause uint8

// The causes.
const (
	Converged Cause = iota + 1
	IterationCap
	Deadline
	Singular
	NonFinite
)

// String returns the cause in words.
func (c Cause) String() string {
	return [...]string{"", "converged", "iteration cap", "deadline", "singular tangent", "not finite"}[c]
}

// Report tells how a solve went.
type Report struct {
	Cause      Cause
	Iterations int     // linear solves
	Rejects    int     // increments taken back because the merit rose
	Size       float64 // of the last increment before scaling
	Residual   float64 // norm at the last assembly
	Shift      float64 // at the end
	Negative   int     // negative eigenvalues at the last assembly
}

// Converged reports whether the last increment met the tolerance.
func (r *Report) Converged() bool { return r.Cause == Converged }

// Newton is Newton's method with a Levenberg shift, globalised by the merit
// function. Increments that are small and shrink are taken without asking the
// merit, so the method ends quadratically and round-off in the merit is
// harmless.
type Newton struct {
	// Tol is the size below which an increment counts as converged.
	Tol float64
	// Cap is the largest number of linear solves.
	Cap int
	// Backtrack is how often an increment that raises the merit is halved before it
	// is taken back and the shift raised. It suits merits with kinks in the slope,
	// such as that of dry friction, where the tangent of one side overshoots.
	Backtrack int
	// Stop, if not nil, is asked before every iteration after the first; true
	// ends the solve with cause Deadline.
	Stop func() bool
}

const (
	maxIncrement   = 0.6  // larger increments are scaled down to this size
	quickIncrement = 0.05 // below this, an increment that halves is accepted untested
	calmIncrement  = 0.3  // below this, an accepted increment lowers the shift
)

// meritRises reports whether now exceeds before by more than round-off.
func meritRises(now, before, floor float64) bool {
	return !(now <= before+1e-12*math.Abs(before)+floor)
}

// Solve iterates from the present point of s, whose merit there is merit. At the
// cap the last accepted point stays.
func (n *Newton) Solve(s System, merit float64) (r Report) {
	last, stale := math.Inf(1), false
	for r.Iterations < n.Cap {
		if n.Stop != nil && r.Iterations > 0 && n.Stop() {
			r.Cause = Deadline
			return r
		}
		s.Assemble(r.Shift)
		r.Residual = s.ResidualNorm()
		size, negative, ok := s.Increment()
		r.Iterations++
		r.Negative = negative
		if !ok {
			if r.raiseShift(1e-3, 10) {
				continue
			}
			return r
		}
		r.Size = size
		if size != size {
			r.Cause = NonFinite
			return r
		}
		if size < n.Tol {
			s.Move(1)
			r.Cause = Converged
			return r
		}
		if size < quickIncrement && (r.Iterations == 1 || size < last/2) {
			s.Move(1)
			last, stale = size, true
			continue
		}
		if stale { // the merit of what was accepted untested
			merit, stale = s.Merit(), false
		}
		scale := min(1, maxIncrement/size)
		s.Move(scale)
		last = size
		now := s.Merit()
		for k := 0; k < n.Backtrack && meritRises(now, merit, 1e-14); k++ {
			s.Undo()
			scale /= 2
			s.Move(scale)
			now = s.Merit()
		}
		if meritRises(now, merit, 1e-14) {
			s.Undo()
			r.Rejects++
			r.raiseShift(1e-3, 10)
			continue
		}
		merit = now
		if size < calmIncrement {
			if r.Shift *= 0.1; r.Shift < 1e-6 {
				r.Shift = 0
			}
		}
	}
	r.Cause = IterationCap
	return r
}

// raiseShift makes the shift start or grow; it gives up, with cause Singular,
// when no shift can help.
func (r *Report) raiseShift(start, factor float64) bool {
	if r.Shift == 0 {
		r.Shift = start
	} else {
		r.Shift *= factor
	}
	if r.Shift > 1e12 {
		r.Cause = Singular
		return false
	}
	return true
}
