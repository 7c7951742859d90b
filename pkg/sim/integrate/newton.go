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

// System is a set of equations with a merit function that Newton solves. It has a
// present point and, at this point, a residual, a tangent and an increment.
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

// Chord is a System whose last tangent can serve once more: by the method of chords, the
// increment from it at the next point costs a fraction of Newton's.
type ChordSystem interface {
	System
	// ChordResidual computes the residual at the present point; ok is false where another
	// tangent is needed.
	ChordResidual() (ok bool)
	// ChordIncrement computes the increment from that residual with the tangent of the last
	// Increment. It returns its size; ok is false where another tangent is needed.
	ChordIncrement() (size float64, ok bool)
}

// Counter is a System that counts the negative eigenvalues of its tangent with less work than
// an increment takes.
type InertiaCounter interface {
	System
	// Negative returns the number of negative eigenvalues of the assembled tangent.
	Negative() int
}

// negative counts the negative eigenvalues of the assembled tangent of s.
func countNegative(s System) (count int) {
	if c, ok := s.(InertiaCounter); ok {
		return c.Negative()
	}
	_, count, _ = s.Increment()
	return count
}

// Cause says why an iteration ended.
type Cause uint8

// The causes of an end.
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

// Report tells how a solve went.
type Report struct {
	Cause      Cause
	Iterations int     // number of linear solves
	Chords     int     // number of those by the method of chords on the way to an equilibrium
	Rejects    int     // number of increments taken back because the merit rose
	Size       float64 // size of the last increment before scaling
	Residual   float64 // norm of the residual at the last assembly
	Shift      float64 // Levenberg shift at the end
	Negative   int     // number of negative eigenvalues of the last tangent
}

// Converged reports whether the solve met its tolerance.
func (r *Report) Converged() bool { return r.Cause == Converged }

// Newton is Newton's method with a Levenberg shift, globalised by the merit
// function. It solves for a time step, where the size of the increment decides, or for
// an equilibrium, where the norm of the residual decides.
type Newton struct {
	// Tol is the size of an increment below which a time step has converged, half of it for
	// the first one. One by the method of chords ends it where it leaves a small share of that.
	Tol float64
	// ResidualTol, if positive, selects an equilibrium: it has converged when the norm
	// of the residual is below ResidualTol. Every increment has to pass the merit test,
	// without which the iteration finds unstable branches.
	ResidualTol float64
	// ResidualFloor is a norm of the residual at which round-off may be all there is. An
	// equilibrium has also converged below it once an increment is below 1e-9, and small for no
	// shift.
	ResidualFloor float64
	// Cap is the largest number of linear solves.
	Cap int
	// Backtrack is how often an increment that raises the merit is halved before it
	// is taken back and the shift raised. It suits merits with kinks in the slope,
	// such as that of dry friction, where the tangent of one side overshoots.
	Backtrack int
	// Contraction, if there is one, spares time steps the increment that would show that nothing is left to
	// add. It is learned from those that are not spared it; the solver of one motion keeps it from step to step.
	Contraction *ContractionEstimate
}

const (
	maxIncrement        = 0.6  // larger increments are scaled down to this size
	untestedIncrement   = 0.05 // below this, an increment of a step that halves is accepted untested
	shiftDecayIncrement = 0.3  // below this, an accepted increment lowers the shift
	firstIncrementShare = 0.5  // share of the tolerance that ends a time step at its first increment, before any has shown how the iteration contracts
	stagnantIncrement   = 1e-9 // below this, a quadratic iteration has nothing to add
	maxChords           = 20   // of one tangent
	chordContraction    = 0.4  // share of the residual that increments of the method of chords may leave to be cheaper than Newton's
	chordToleranceShare = 5e-3 // share of the tolerance that an increment of the method of chords may leave, estimated by how it contracts
)

// caution holds what differs between the solves for a time step and for an equilibrium.
type globalization struct {
	shift      float64 // Levenberg shift when it starts
	growth     float64 // factor by which it grows
	leastShift float64 // below this it ends
	meritFloor float64 // absolute round-off of the merit
}

// Cautions of a time step, whose inertia helps, and of an equilibrium.
var (
	stepGlobalization        = globalization{shift: 1e-3, growth: 10, leastShift: 1e-6, meritFloor: 1e-14}
	equilibriumGlobalization = globalization{shift: 1e-4, growth: 8, leastShift: 1e-9, meritFloor: 1e-13}
)

// rises reports whether the merit now exceeds the one before by more than round-off.
func (c *globalization) exceeds(now, before float64) bool {
	return !(now <= before+1e-12*math.Abs(before)+c.meritFloor)
}

// Solve iterates from the present point of s. The merit is evaluated on both sides of
// an increment, since what Assemble freezes and what Increment learns may change it. At
// the cap the last accepted point stays. For an equilibrium, Residual and Negative of
// the report are those of the point that it ends at.
func (n *Newton) Solve(s System) (r Report) {
	equilibrium, c := n.ResidualTol > 0, &stepGlobalization
	if equilibrium {
		c = &equilibriumGlobalization
	}
	last, plain := math.Inf(1), false // of the last increment: its size, and that it had no shift
	for equilibrium || r.Iterations < n.Cap {
		s.Assemble(r.Shift)
		r.Residual = s.ResidualNorm()
		if equilibrium {
			if n.hasConverged(&r, plain) {
				if r.Shift > 0 { // count the eigenvalues of the true tangent
					s.Assemble(0)
				}
				r.Negative = countNegative(s)
				r.Cause = Converged
				return r
			}
			if r.Iterations-r.Chords >= n.Cap { // chords cost little, and are no reason to end
				break
			}
		}
		size, negative, ok := s.Increment()
		r.Iterations++
		r.Negative = negative
		if !ok {
			if r.raiseShift(c) {
				continue
			}
			return r
		}
		r.Size, plain = size, r.Shift == 0
		if math.IsNaN(size) {
			r.Cause = NonFinite
			return r
		}
		if !equilibrium && (size < firstIncrementShare*n.Tol || r.Iterations > 1 && size < n.Tol || n.convergesByEstimate(&r, last)) {
			s.Move(1)
			r.Cause = Converged
			return r
		}
		if !equilibrium && size < untestedIncrement && (r.Iterations == 1 || size < last/2) {
			s.Move(1)
			if last = size; r.Shift == 0 && n.convergesByChord(s, &r) {
				return r
			}
			continue
		}
		last = size
		n.updateContraction(&r, 0, false)
		if !n.lineSearch(s, min(1, maxIncrement/size), c) {
			r.Rejects++
			r.raiseShift(c)
			continue
		}
		if size < shiftDecayIncrement {
			if r.Shift *= 0.1; r.Shift < c.leastShift {
				r.Shift = 0
			}
		}
		if equilibrium && plain && size < untestedIncrement {
			n.iterateChords(s, &r)
		}
	}
	r.Cause = IterationCap
	return r
}

// endsByChord reports whether an increment by the method of chords, after the last one of r,
// ends the iteration. It moves s by that increment if so, and leaves it where it is if not.
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

// goOnByChords adds increments by the method of chords to the last one of r, on the way to an
// equilibrium, as long as each leaves a small share of the residual. One that leaves more than there
// was is taken back. An equilibrium is accepted only by its own tangent, in Solve.
func (n *Newton) iterateChords(s System, r *Report) {
	c, ok := s.(ChordSystem)
	last, moved := r.Residual, false
	for range maxChords {
		if !ok || !c.ChordResidual() {
			return
		}
		now := s.ResidualNorm()
		if moved && !(now <= last) {
			s.Undo()
			return
		}
		if now < n.ResidualTol || !(now < chordContraction*last) {
			return
		}
		if _, ok = c.ChordIncrement(); !ok {
			return
		}
		s.Move(1)
		r.Iterations++
		r.Chords++
		last, moved = now, true
	}
}

// settled reports whether the residual of an equilibrium met the tolerance. A shift makes
// increments small that are far from the solution: they tell nothing of the floor.
func (n *Newton) hasConverged(r *Report, plain bool) bool {
	return r.Residual < n.ResidualTol ||
		plain && r.Size < stagnantIncrement && r.Residual < n.ResidualFloor
}

// descend adds scale times the increment, or after halving less of it, if that does not
// raise the merit. It reports whether it did.
func (n *Newton) lineSearch(s System, scale float64, c *globalization) bool {
	merit := s.Merit()
	for k := 0; ; k++ {
		s.Move(scale)
		if !c.exceeds(s.Merit(), merit) {
			return true
		}
		s.Undo()
		if k == n.Backtrack {
			return false
		}
		scale /= 2
	}
}

// raiseShift makes the shift start or grow; it gives up, with cause Singular,
// when no shift can help.
func (r *Report) raiseShift(c *globalization) bool {
	if r.Shift == 0 {
		r.Shift = c.shift
	} else {
		r.Shift *= c.growth
	}
	if r.Shift > 1e12 {
		r.Cause = Singular
		return false
	}
	return true
}
