package integrate

import (
	"errors"
	"math"
)

// Errors of a solve. Callers wrap them with the numbers.
var (
	ErrNotConverged    = errors.New("no convergence")
	ErrSingularTangent = errors.New("singular tangent stiffness")
	ErrNonFinite       = errors.New("state is not finite")
)

// System is a system of equations with a merit function, which Newton solves. It has a present
// point with a residual, a tangent and an increment.
type System interface {
	// Assemble computes the residual and the tangent at the present point, and adds shift times a
	// fixed positive definite matrix to the tangent.
	Assemble(shift float64)
	// ResidualNorm returns the norm of the assembled residual.
	ResidualNorm() float64
	// Increment computes the Newton increment from the assembled residual and tangent. It returns
	// the size of the increment, in units in which 1 is large, and the number of negative
	// eigenvalues of the tangent. ok is false if the tangent is singular.
	Increment() (size float64, negative int, ok bool)
	// Move stores the present point for Undo and adds scale times the increment.
	Move(scale float64)
	// Undo returns to the point before the last Move.
	Undo()
	// Merit returns the function that an increment should not raise.
	Merit() float64
}

// ChordSystem is a System that can reuse its last factored tangent. An increment of this chord
// method costs a fraction of Newton's.
type ChordSystem interface {
	System
	// ChordResidual computes the residual at the present point. ok is false if a new tangent is
	// needed.
	ChordResidual() (ok bool)
	// ChordIncrement computes the increment from that residual with the tangent of the last
	// Increment. It returns its size. ok is false if a new tangent is needed.
	ChordIncrement() (size float64, ok bool)
}

// Cause is the reason for the end of an iteration.
type Cause uint8

// The reasons for the end of an iteration.
const (
	Converged Cause = iota + 1
	IterationCap
	Singular
	NonFinite
)

// String returns the cause in words.
func (c Cause) String() string {
	return [...]string{"", "converged", "iteration cap", "singular tangent", "not finite"}[c]
}

// Report describes a solve.
type Report struct {
	Cause      Cause
	Iterations int     // number of linear solves
	Chords     int     // number of these without a new tangent: chord increments and element-wise relaxations; Descent.Cap does not count them
	Rejects    int     // number of increments taken back because the merit rose
	Size       float64 // size of the last increment before scaling
	Residual   float64 // norm of the residual at the last assembly
	Shift      float64 // Levenberg shift at the end
	Negative   int     // number of negative eigenvalues of the last tangent
}

// Converged reports whether the solve met its tolerance.
func (r *Report) Converged() bool { return r.Cause == Converged }

// Newton is Newton's method for a time step, globalised by a merit function and, where an increment
// raises the merit, by a Levenberg shift. Inertia regularises its tangent. A step has converged by the
// size of its increment.
type Newton struct {
	// Tol is the size of an increment without shift below which a step has converged; the first
	// increment has to be below half of it. A chord increment ends a step if the estimated error after it is
	// a small share of Tol.
	Tol float64
	// MeritScale is the scale of the merit, of which a share is round-off; 0 means defaultMeritScale.
	MeritScale float64
	// Cap is the largest number of linear solves.
	Cap int
	// Backtrack is the number of halvings of an increment that raises the merit, before it is
	// undone and the shift raised. It suits merits with kinks in the slope, such as that of dry
	// friction, where the tangent of one side overshoots.
	Backtrack int
	// Monotone lets no increment raise the merit after the first one that is not at most half of the one before. Otherwise those
	// that halve again are not tested: the iteration is shorter, but where contact changes from increment to increment it may
	// not end.
	Monotone bool
	// Contraction, if not nil, lets steps end without a confirming increment, by the
	// contraction of earlier steps. The solver of one motion keeps it from step to step.
	Contraction *ContractionEstimate
}

// MaxIncrement is the trust radius: the size to which larger increments are scaled down.
const MaxIncrement = 0.6

const (
	untestedIncrement   = 0.05 // size below which an increment is accepted without the merit test, if sizes at least halve
	firstIncrementShare = 0.5  // size over Tol that ends a step at its first increment, without an estimate of the contraction
	chordToleranceShare = 5e-3 // estimated error after a last chord increment, over Tol
	firstShift          = 1e-3 // first Levenberg shift, of the order of the tangent
	shiftGrowth         = 10   // factor by which a merit that rises raises the shift, and an increment below shiftDecayIncrement lowers it
	shiftDecayIncrement = 0.3
	leastShift          = 1e-6  // shift below which there is none
	largestShift        = 1e12  // shift above which a tangent is singular
	meritRoundoff       = 1e-12 // round-off of the merit, over its scale and itself
	defaultMeritScale   = 1e-2  // of robots of decimetres, J
)

// exceeds reports whether a merit exceeds the one before by more than round-off.
func exceeds(now, before, scale float64) bool {
	return !(now <= before+meritRoundoff*(math.Abs(before)+scale))
}

// Solve iterates from the present point of s. It evaluates the merit on both sides of an increment,
// since Assemble and Increment may change it: they freeze loads and select active contacts. At the
// cap the last accepted point stays.
func (n *Newton) Solve(s System) (r Report) {
	last := math.Inf(1) // size of the last increment
	contracts := true   // increments at least halve; monotone: from the first on
	for r.Iterations < n.Cap {
		s.Assemble(r.Shift)
		r.Residual = s.ResidualNorm()
		size, negative, ok := s.Increment()
		r.Iterations++
		r.Negative = negative
		if !ok {
			if r.raiseShift() {
				continue
			}
			return r
		}
		r.Size = size
		if math.IsNaN(size) {
			r.Cause = NonFinite
			return r
		}
		// The matrix of the shift is of the order of the tangent, so without the shift an increment is at most so much larger.
		whole := size * (1 + r.Shift)
		if whole < firstIncrementShare*n.Tol || r.Iterations > 1 && whole < n.Tol || n.convergesByEstimate(&r, last) {
			s.Move(1)
			r.Cause = Converged
			return r
		}
		contracts = (contracts || !n.Monotone) && (r.Iterations == 1 || size < last/2)
		if size < untestedIncrement && contracts {
			s.Move(1)
			if last = size; r.Shift == 0 && n.convergesByChord(s, &r) {
				return r
			}
			continue
		}
		last = size
		n.updateContraction(&r, 0, false)
		if !n.lineSearch(s, min(1, MaxIncrement/size)) {
			r.Rejects++
			r.raiseShift()
			continue
		}
		if size < shiftDecayIncrement {
			if r.Shift /= shiftGrowth; r.Shift < leastShift {
				r.Shift = 0
			}
		}
	}
	r.Cause = IterationCap
	return r
}

// convergesByChord reports whether a chord increment after the last increment of r ends the
// iteration. If so, it adds that increment to s.
func (n *Newton) convergesByChord(s System, r *Report) bool {
	c, ok := s.(ChordSystem)
	if !ok || r.Iterations == n.Cap || !c.ChordResidual() {
		return false
	}
	size, ok := c.ChordIncrement()
	n.updateContraction(r, size, ok)
	if !ok || !(size*size < n.chordTolerance()*n.Tol*r.Size) {
		return false
	}
	r.Iterations++
	r.Size = size
	s.Move(1)
	r.Cause = Converged
	return true
}

// lineSearch adds scale times the increment, halved up to Backtrack times until the merit does not
// rise. It reports success.
func (n *Newton) lineSearch(s System, scale float64) bool {
	meritScale := n.MeritScale
	if meritScale == 0 {
		meritScale = defaultMeritScale
	}
	return backtrack(s, scale, n.Backtrack, meritScale) > 0
}

// backtrack adds scale times the increment, halved so many times at most until the merit does not rise. It
// returns the share that it added, 0 without success.
func backtrack(s System, scale float64, halvings int, meritScale float64) (taken float64) {
	merit := s.Merit()
	for k := 0; ; k++ {
		s.Move(scale)
		if !exceeds(s.Merit(), merit, meritScale) {
			return scale
		}
		s.Undo()
		if k == halvings {
			return 0
		}
		scale /= 2
	}
}

// raiseShift sets the first shift or raises it. It returns false, with cause Singular, above the
// largest shift.
func (r *Report) raiseShift() bool {
	if r.Shift *= shiftGrowth; r.Shift == 0 {
		r.Shift = firstShift
	}
	if r.Shift > largestShift {
		r.Cause = Singular
		return false
	}
	return true
}
