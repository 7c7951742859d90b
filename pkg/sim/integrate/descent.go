package integrate

import "math"

// SaddleEscaper is a System that can leave a saddle: a stationary point of its merit that is no minimum.
type SaddleEscaper interface {
	System
	// EscapeSaddle moves from the present point, of a residual of about 0 and a tangent with so many
	// negative eigenvalues, along a direction of negative curvature to where the merit is lower. It reports
	// whether it has.
	EscapeSaddle(negative int) bool
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

// Descent is Newton's method for a stable equilibrium: residual zero, tangent positive definite. Where the tangent is indefinite, a
// shift times a positive definite matrix is added, so that every increment is a descent direction (inertia correction: Wächter and
// Biegler, Mathematical Programming 106, 2006). A saddle is left along a direction of negative curvature. Increments are limited by a
// trust radius. An increment that raises the merit is halved, and the accepted size becomes the radius; one accepted at the first trial
// doubles the radius, up to MaxIncrement.
type Descent struct {
	// ResidualTol is the norm of the residual below which the iteration has converged.
	ResidualTol float64
	// ResidualFloor is a norm of the residual that may be pure round-off. Below it the iteration
	// has also converged once an increment without shift is below 1e-9.
	ResidualFloor float64
	// HasPotential says that the merit is a potential, whose minima are stable, so that all tangents are made positive definite.
	HasPotential bool
	// RequiresDescent makes tangents of loads without a potential positive definite as well, so that every increment is a descent
	// direction, until contractingIncrements in a row are each smaller than the one before. The symmetric part of the tangent may be
	// indefinite at a stable equilibrium: there increments with a shift contract, while beside an unstable one they grow.
	RequiresDescent bool
	// FirstShift is the first shift: the order of the lowest eigenvalue without load; 0 means 1e-3.
	FirstShift float64
	// NeutralShift is the shift with which eigenvalues are counted at an equilibrium: one above −NeutralShift may be round-off.
	NeutralShift float64
	// MeritScale is the scale of the merit, of which a share is round-off.
	MeritScale float64
	// Cap is the largest number of increments, those along negative curvature included and chord increments not.
	Cap int
}

// ChordContraction is the largest ratio of residuals at which an increment without a new tangent costs less than Newton's.
const ChordContraction = 0.4

const (
	stagnantIncrement = 1e-9 // size below which an increment of quadratic convergence is round-off
	// maxChords is the largest number of chord increments per tangent: each takes at most ChordContraction of the residual, so 20 take
	// it to 1e-8.
	maxChords = 20
	// contractingIncrements is how many increments in a row, each smaller than the one before, approach an equilibrium.
	contractingIncrements = 3
	maxIncrementHalvings  = 5 // largest number of halvings of an increment before the shift is raised
	// Factors of the shift, of Wächter and Biegler: the first trial at a point is a share of what sufficed at the last.
	descentShiftTrial, descentShiftGrowth = 1. / 3, 8
	// leastShiftOverNeutral is the least first trial, over NeutralShift: a smaller shift may leave the sign of an eigenvalue to round-off.
	leastShiftOverNeutral = 10
)

// Rises reports whether the merit now exceeds the one before by more than round-off.
func (d *Descent) Rises(now, before float64) bool { return exceeds(now, before, d.MeritScale) }

// Solve iterates from the present point of s. It evaluates the merit on both sides of an increment,
// since Assemble and Increment may change it: they freeze loads and select active contacts. At the
// cap the last accepted point stays. Residual and Negative of the report are those of the final point.
func (d *Descent) Solve(s System) (r Report) {
	x := descentState{radius: MaxIncrement}
	for {
		s.Assemble(0)
		r.Residual = s.ResidualNorm()
		switch {
		case d.hasConverged(&r):
			if !d.escapeSaddle(s, &r, &x) {
				r.Cause = Converged
				return r
			}
		case x.increments >= d.Cap:
			r.Cause = IterationCap
			return r
		case !d.descend(s, &r, &x):
			return r
		}
	}
}

// descentState is the state of an iteration from increment to increment.
type descentState struct {
	radius      float64 // trust radius: largest size of the next increment
	shift       float64 // of the last increment
	size        float64 // of the last increment, before scaling
	contracting int     // number of increments in a row that were smaller than those before
	increments  int     // number of increments, those that failed and those off saddles included
}

// recordSize records the size of an increment, and whether it is smaller than the one before.
func (x *descentState) recordSize(size float64) {
	if x.contracting++; !(size < x.size) {
		x.contracting = 0
	}
	x.size = size
}

// descend adds an increment to the point that is assembled without shift, and raises the shift until one is accepted. It returns false,
// with the cause, if none is.
func (d *Descent) descend(s System, r *Report, x *descentState) bool {
	x.increments++
	for r.Shift = 0; r.Shift <= largestShift; s.Assemble(r.Shift) {
		size, negative, ok := s.Increment()
		r.Iterations++
		r.Size, r.Negative = size, negative
		if ok && math.IsNaN(size) {
			r.Cause = NonFinite
			return false
		}
		needsPositive := d.HasPotential || d.RequiresDescent && x.contracting < contractingIncrements
		switch {
		case ok && (negative == 0 || !needsPositive):
			x.recordSize(size)
			if d.search(s, size, x) {
				if x.shift = r.Shift; r.Shift == 0 {
					d.iterateChords(s, r)
				}
				return true
			}
			r.Rejects++
		case ok && r.Shift == 0 && d.isStagnant(r):
			return true // residual and increment are round-off at a saddle: hasConverged holds, and Solve leaves the saddle
		}
		switch {
		case r.Shift > 0:
			r.Shift *= descentShiftGrowth
		case x.shift > 0:
			r.Shift = max(descentShiftTrial*x.shift, leastShiftOverNeutral*d.NeutralShift)
		case d.FirstShift > 0:
			r.Shift = d.FirstShift
		default:
			r.Shift = firstShift
		}
	}
	r.Cause = Singular
	return false
}

// search adds an increment of a size within the trust radius, and adapts that. It reports whether it has added any.
func (d *Descent) search(s System, size float64, x *descentState) bool {
	share := min(1, x.radius/size)
	switch taken := backtrack(s, share, maxIncrementHalvings, d.MeritScale); taken {
	case 0:
		return false
	case share:
		x.radius = min(MaxIncrement, 2*x.radius)
	default:
		x.radius = taken * size
	}
	return true
}

// escapeSaddle counts the negative eigenvalues of the tangent of an equilibrium, and leaves one that has any, if s can. It reports
// whether it has.
func (d *Descent) escapeSaddle(s System, r *Report, x *descentState) bool {
	if r.Negative = countNegative(s); r.Negative > 0 && d.NeutralShift > 0 {
		s.Assemble(d.NeutralShift)
		r.Negative = countNegative(s)
	}
	c, ok := s.(SaddleEscaper)
	if !ok || r.Negative == 0 || x.increments >= d.Cap || !c.EscapeSaddle(r.Negative) {
		return false
	}
	x.increments++
	r.Iterations++
	r.Size = math.Inf(1) // no increment of Newton's method, so hasConverged does not take it for a small one
	return true
}

// iterateChords adds chord increments after the last increment of r, on the way to an equilibrium,
// while each reduces the residual enough. It undoes one that raises the residual. Solve accepts an
// equilibrium only with a tangent at its own point.
func (d *Descent) iterateChords(s System, r *Report) {
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
		if now < d.ResidualTol || !(now < ChordContraction*last) {
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

// hasConverged reports whether the residual met the tolerance. With a shift,
// increments are small far from the solution, so they do not count for ResidualFloor.
func (d *Descent) hasConverged(r *Report) bool {
	return r.Residual < d.ResidualTol || r.Iterations > 0 && r.Shift == 0 && d.isStagnant(r)
}

// isStagnant reports whether the last increment and the residual may be pure round-off.
func (d *Descent) isStagnant(r *Report) bool {
	return r.Size < stagnantIncrement && r.Residual < d.ResidualFloor
}
