package integrate

import "math"

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

// Descent is Newton's method for an equilibrium: a point without residual, at which the tangent is positive. Where the tangent is not,
// as much of a positive matrix is added, the shift, as makes it so, and all increments descend (the inertia correction of Wächter and
// Biegler, Mathematical Programming 106, 2006). A point without residual is left along a direction of negative curvature. An increment
// is at most as large as a trust radius, which halves until the merit does not rise, and doubles where it does not rise at once.
type Descent struct {
	// ResidualTol is the norm of the residual below which the iteration has converged.
	ResidualTol float64
	// ResidualFloor is a norm of the residual that may be pure round-off. Below it the iteration
	// has also converged once an increment without shift is below 1e-9.
	ResidualFloor float64
	// HasPotential says that the merit is a potential, whose minima are stable, so that all tangents are made positive.
	HasPotential bool
	// Descends requires positive tangents of loads without a potential as well, until contractingIncrements in a row are each smaller than
	// the one before. The symmetric part of the tangent may be indefinite at a stable equilibrium: there increments with a shift
	// contract, while beside an unstable one they grow.
	Descends bool
	// FirstShift is the first shift: the order of the lowest eigenvalue without load; 0 means 1e-3.
	FirstShift float64
	// Neutral is a shift below which a negative eigenvalue may be round-off and does not count.
	Neutral float64
	// MeritScale is the scale of the merit, of which a share is round-off.
	MeritScale float64
	// Cap is the largest number of linear solves.
	Cap int
}

// ChordContraction is the largest ratio of residuals at which an increment without a new tangent costs less than Newton's.
const ChordContraction = 0.4

const (
	stagnantIncrement = 1e-9 // size below which an increment of quadratic convergence is round-off
	maxChords         = 20   // largest number of chord increments per tangent
	// contractingIncrements is how many increments in a row, each smaller than the one before, approach an equilibrium.
	contractingIncrements = 3
	halvings              = 5 // largest number of halvings of an increment before the shift is raised
	// Factors of the shift, of Wächter and Biegler: the first trial at a point is a share of what sufficed at the last.
	descentShiftTrial, descentShiftGrowth = 1. / 3, 8
)

// Rises reports whether the merit now exceeds the one before by more than round-off.
func (d *Descent) Rises(now, before float64) bool { return exceeds(now, before, d.MeritScale) }

// Solve iterates from the present point of s. It evaluates the merit on both sides of an increment,
// since Assemble and Increment may change it: they freeze loads and select active contacts. At the
// cap the last accepted point stays. Residual and Negative of the report are those of the final point.
func (d *Descent) Solve(s System) (r Report) {
	x := progress{radius: MaxIncrement}
	for {
		s.Assemble(0)
		r.Residual = s.ResidualNorm()
		switch {
		case d.hasConverged(&r):
			if !d.leaveSaddle(s, &r) {
				r.Cause = Converged
				return r
			}
		case r.Iterations-r.Chords >= d.Cap: // chord increments are cheap and do not count
			r.Cause = IterationCap
			return r
		case !d.descend(s, &r, &x):
			return r
		}
	}
}

// progress is what an iteration knows of its increments.
type progress struct {
	radius      float64 // largest size of the next
	shift       float64 // of the last
	size        float64 // of the last
	contracting int     // number of increments in a row that were smaller than those before
}

// take takes the size of an increment that descends.
func (x *progress) take(size float64) {
	if x.contracting++; !(size < x.size) {
		x.contracting = 0
	}
	x.size = size
}

// descend adds an increment that descends to the point that is assembled without shift. It returns false, with the cause, where there
// is none.
func (d *Descent) descend(s System, r *Report, x *progress) bool {
	for r.Shift = 0; r.Shift <= largestShift; s.Assemble(r.Shift) {
		size, negative, ok := s.Increment()
		r.Iterations++
		r.Size, r.Negative = size, negative
		if ok && math.IsNaN(size) {
			r.Cause = NonFinite
			return false
		}
		needsPositive := d.HasPotential || d.Descends && x.contracting < contractingIncrements
		switch {
		case ok && (negative == 0 || !needsPositive):
			x.take(size)
			if d.search(s, size, x) {
				if x.shift = r.Shift; r.Shift == 0 {
					d.iterateChords(s, r)
				}
				return true
			}
			r.Rejects++
		case ok && r.Shift == 0 && d.isStagnant(r):
			return true // a saddle, to round-off
		}
		switch {
		case r.Shift > 0:
			r.Shift *= descentShiftGrowth
		case x.shift > 0:
			r.Shift = max(descentShiftTrial*x.shift, 10*d.Neutral)
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
func (d *Descent) search(s System, size float64, x *progress) bool {
	share := min(1, x.radius/size)
	switch taken := backtrack(s, share, halvings, d.MeritScale); taken {
	case 0:
		return false
	case share:
		x.radius = min(MaxIncrement, 2*x.radius)
	default:
		x.radius = taken * size
	}
	return true
}

// leaveSaddle counts the negative eigenvalues of the tangent of an equilibrium, and leaves one that has any, if s can. It reports
// whether it has.
func (d *Descent) leaveSaddle(s System, r *Report) bool {
	if r.Negative = countNegative(s); r.Negative > 0 && d.Neutral > 0 {
		s.Assemble(d.Neutral)
		r.Negative = countNegative(s)
	}
	c, ok := s.(CurvatureDescender)
	if !ok || r.Negative == 0 || r.Iterations-r.Chords >= d.Cap || !c.DescendCurvature(r.Negative) {
		return false
	}
	r.Iterations++
	r.Size = math.Inf(1)
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
