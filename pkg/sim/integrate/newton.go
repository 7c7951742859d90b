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
	// fixed positive matrix to the tangent.
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

// CurvatureDescender is a System that can leave a stationary point of its merit that is no minimum.
type CurvatureDescender interface {
	System
	// DescendCurvature moves from the present point, of a residual of about 0 and a tangent with so many
	// negative eigenvalues, along a direction of negative curvature to where the merit is lower. It reports
	// whether it has.
	DescendCurvature(negative int) bool
}

// InertiaCounter is a System that computes the inertia (signs of the eigenvalues) of its tangent
// with fewer operations than an increment.
type InertiaCounter interface {
	System
	// Negative returns the number of negative eigenvalues of the assembled tangent.
	Negative() int
}

// countNegative returns the number of negative eigenvalues of the assembled tangent of s.
func countNegative(s System) (count int) {
	if c, ok := s.(InertiaCounter); ok {
		return c.Negative()
	}
	_, count, _ = s.Increment()
	return count
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
	Chords     int     // number of these that are chord increments on the way to an equilibrium
	Rejects    int     // number of increments taken back because the merit rose
	Size       float64 // size of the last increment before scaling
	Residual   float64 // norm of the residual at the last assembly
	Shift      float64 // Levenberg shift at the end
	Negative   int     // number of negative eigenvalues of the last tangent
}

// Converged reports whether the solve met its tolerance.
func (r *Report) Converged() bool { return r.Cause == Converged }

// Newton is Newton's method with a Levenberg shift, globalised by a merit function. It solves a
// time step, which has converged by the size of its increment, or an equilibrium, which has
// converged by the norm of its residual.
type Newton struct {
	// Tol is the size of an increment without shift below which a time step has converged; the first
	// increment has to be below half of it. A chord increment ends a step if the estimated error after it is
	// a small share of Tol.
	Tol float64
	// ResidualTol, if positive, selects an equilibrium, which has converged when the norm of the
	// residual is below it. Every increment then has to pass the merit test, without which the
	// iteration finds unstable branches.
	ResidualTol float64
	// ResidualFloor is a norm of the residual that may be pure round-off. Below it an equilibrium
	// has also converged once an increment without shift is below 1e-9.
	ResidualFloor float64
	// Descend requires a positive tangent of an equilibrium, with a shift where it has negative
	// eigenvalues, so that all increments descend.
	Descend bool
	// HasPotential says that the merit of an equilibrium is a potential, whose minima are stable.
	HasPotential bool
	// FirstShift is the first shift of an equilibrium whose tangent has negative eigenvalues: the order of
	// the lowest one without load.
	FirstShift float64
	// Neutral is a shift below which a negative eigenvalue of an equilibrium may be round-off and does
	// not count.
	Neutral float64
	// MeritScale is the scale of the merit, of which a share is round-off; 0 means defaultMeritScale.
	MeritScale float64
	// Cap is the largest number of linear solves.
	Cap int
	// Backtrack is the number of halvings of an increment that raises the merit, before it is
	// undone and the shift raised. It suits merits with kinks in the slope, such as that of dry
	// friction, where the tangent of one side overshoots.
	Backtrack int
	// Contraction, if not nil, lets time steps end without a confirming increment, by the
	// contraction of earlier steps. The solver of one motion keeps it from step to step.
	Contraction *ContractionEstimate
}

// MaxIncrement is the trust radius: the size to which larger increments are scaled down.
const MaxIncrement = 0.6

// ChordContraction is the largest ratio of residuals at which an increment without a new tangent costs less than Newton's.
const ChordContraction = 0.4

const (
	untestedIncrement     = 0.05 // size below which a time step accepts an increment without the merit test, if sizes at least halve
	shiftDecayIncrement   = 0.3  // size below which an accepted increment reduces the shift
	firstIncrementShare   = 0.5  // size over Tol that ends a time step at its first increment, without an estimate of the contraction
	contractingIncrements = 3    // number of increments in a row, each smaller than the one before, that approach an equilibrium
	stagnantIncrement     = 1e-9 // size below which an increment of quadratic convergence is round-off
	maxChords             = 20   // largest number of chord increments per tangent
	chordToleranceShare   = 5e-3 // estimated error after a last chord increment, over Tol
)

// globalization has the parameters that differ between time steps and equilibria.
type globalization struct {
	shift      float64 // first Levenberg shift
	growth     float64 // factor of its growth
	leastShift float64 // value below which it becomes 0
	meritFloor float64 // round-off of the merit over its scale
}

// Parameters of a time step, which inertia regularises, and of an equilibrium.
var (
	stepGlobalization        = globalization{shift: 1e-3, growth: 10, leastShift: 1e-6, meritFloor: 1e-12}
	equilibriumGlobalization = globalization{shift: 1e-4, growth: 8, leastShift: 1e-9, meritFloor: 1e-11}
)

// defaultMeritScale suits robots of decimetres, in J.
const defaultMeritScale = 1e-2

// exceeds reports whether the merit now exceeds the one before by more than round-off.
func (n *Newton) exceeds(now, before float64, c *globalization) bool {
	scale := n.MeritScale
	if scale == 0 {
		scale = defaultMeritScale
	}
	return !(now <= before+1e-12*math.Abs(before)+c.meritFloor*scale)
}

// Rises reports whether the merit of an equilibrium now exceeds the one before by more than round-off.
func (n *Newton) Rises(now, before float64) bool {
	return n.exceeds(now, before, &equilibriumGlobalization)
}

// Solve iterates from the present point of s. It evaluates the merit on both sides of an increment,
// since Assemble and Increment may change it: they freeze loads and select active contacts. At the
// cap the last accepted point stays. For an equilibrium, Residual and Negative of the report are
// those of the final point.
func (n *Newton) Solve(s System) (r Report) {
	equilibrium, c := n.ResidualTol > 0, &stepGlobalization
	if equilibrium {
		c = &equilibriumGlobalization
	}
	contracting := 0                  // number of increments in a row that were smaller than those before
	sufficient := 0.0                 // the last shift with which the tangent of an equilibrium was positive
	last, plain := math.Inf(1), false // size of the last increment, and whether it had no shift
	for equilibrium || r.Iterations < n.Cap {
		s.Assemble(r.Shift)
		r.Residual = s.ResidualNorm()
		if equilibrium {
			if n.hasConverged(&r, plain) {
				if r.Shift > 0 { // count the eigenvalues of the true tangent
					s.Assemble(0)
				}
				if r.Negative = countNegative(s); r.Negative > 0 && n.Neutral > 0 {
					s.Assemble(n.Neutral)
					r.Negative = countNegative(s)
				}
				if d, ok := s.(CurvatureDescender); ok && r.Negative > 0 && r.Iterations-r.Chords < n.Cap && d.DescendCurvature(r.Negative) {
					r.Iterations++
					r.Shift, plain = 0, false
					continue
				}
				r.Cause = Converged
				return r
			}
			if r.Iterations-r.Chords >= n.Cap { // chord increments are cheap and do not count
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
		if negative > 0 && n.Descend && (n.HasPotential || contracting < contractingIncrements) {
			// Only a positive tangent makes the increment one of descent: along the others it points against
			// the load. The shift grows from the one that sufficed last. Without a potential the symmetric
			// part may be indefinite in a stable equilibrium: there increments with a shift contract, while
			// beside an unstable one they grow.
			if r.Shift == 0 && n.isStagnant(size, r.Residual) { // a saddle, to round-off
				r.Size, plain = size, true
				continue
			}
			if r.Shift == 0 {
				if r.Shift = max(sufficient/3, n.leastShift(c)); sufficient == 0 {
					r.Shift = max(n.FirstShift, n.leastShift(c))
				}
			} else {
				r.Shift *= c.growth
			}
			if r.Shift > largestShift {
				r.Cause = Singular
				return r
			}
			continue
		}
		sufficient = r.Shift
		r.Size, plain = size, r.Shift == 0
		if math.IsNaN(size) {
			r.Cause = NonFinite
			return r
		}
		// The matrix of the shift is of the order of the tangent of a step, so without the shift an increment is at most so much larger.
		whole := size * (1 + r.Shift)
		if !equilibrium && (whole < firstIncrementShare*n.Tol || r.Iterations > 1 && whole < n.Tol || n.convergesByEstimate(&r, last)) {
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
		if contracting++; !(size < last) {
			contracting = 0
		}
		last = size
		n.updateContraction(&r, 0, false)
		if !n.lineSearch(s, min(1, MaxIncrement/size), c) {
			r.Rejects++
			r.raiseShift(c)
			continue
		}
		if size < shiftDecayIncrement {
			if r.Shift *= 0.1; r.Shift < n.leastShift(c) {
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

// iterateChords adds chord increments after the last increment of r, on the way to an equilibrium,
// while each reduces the residual enough. It undoes one that raises the residual. Solve accepts an
// equilibrium only with a tangent at its own point.
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
		if now < n.ResidualTol || !(now < ChordContraction*last) {
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

// hasConverged reports whether the residual of an equilibrium met the tolerance. With a shift,
// increments are small far from the solution, so they do not count for ResidualFloor.
func (n *Newton) hasConverged(r *Report, plain bool) bool {
	return r.Residual < n.ResidualTol || plain && n.isStagnant(r.Size, r.Residual)
}

// isStagnant reports whether an increment without shift and a residual may be pure round-off.
func (n *Newton) isStagnant(size, residual float64) bool {
	return size < stagnantIncrement && residual < n.ResidualFloor
}

// lineSearch adds scale times the increment, halved up to Backtrack times until the merit does not
// rise. It reports success.
func (n *Newton) lineSearch(s System, scale float64, c *globalization) bool {
	merit := s.Merit()
	for k := 0; ; k++ {
		s.Move(scale)
		if !n.exceeds(s.Merit(), merit, c) {
			return true
		}
		s.Undo()
		if k == n.Backtrack {
			return false
		}
		scale /= 2
	}
}

// leastShift is the shift below which there is none.
func (n *Newton) leastShift(c *globalization) float64 {
	if n.Neutral > 0 {
		return 10 * n.Neutral
	}
	return c.leastShift
}

// largestShift bounds the Levenberg shift.
const largestShift = 1e12

// raiseShift sets the first shift or raises it. It returns false, with cause Singular, above the
// largest shift.
func (r *Report) raiseShift(c *globalization) bool {
	if r.Shift == 0 {
		r.Shift = c.shift
	} else {
		r.Shift *= c.growth
	}
	if r.Shift > largestShift {
		r.Cause = Singular
		return false
	}
	return true
}
