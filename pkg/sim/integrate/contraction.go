package integrate

const (
	motionToleranceShare = 2e-5 // estimated error of the last increment of a time step over the tolerance, in a motion of known contraction
	maxEstimates         = 8    // largest number of successive time steps that use one estimate
)

// ContractionEstimate is the contraction of Newton's method in earlier time steps of a motion: the
// ratio of the chord increment after the first increment to that increment. Its zero value has no
// estimate.
type ContractionEstimate struct {
	Ratio float64 // of the second increment to the first; 0: unknown
	Size  float64 // size of that first increment
	Uses  int     // number of time steps that have ended by this estimate
}

// remaining returns the estimated error after an increment of the given size: Ratio times the size,
// with a ratio that grows with the size beyond Size, as for quadratic convergence.
func (c *ContractionEstimate) remaining(size float64) float64 {
	return c.Ratio * max(1, size/c.Size) * size
}

// chordTolerance returns the error, over the tolerance, that a last chord increment may leave.
// Errors of positions enter velocities divided by the step length, and add up where they have one
// sign, so in a smooth motion it is much smaller.
func (n *Newton) chordTolerance() float64 {
	if n.Contraction != nil {
		return motionToleranceShare
	}
	return chordToleranceShare
}

// convergesByEstimate reports whether the estimated error after the present increment of r ends the
// iteration. For the first increment it uses the contraction of earlier steps, and for a later one
// the quadratic convergence from the increment before it, of size last.
func (n *Newton) convergesByEstimate(r *Report, last float64) bool {
	c, size := n.Contraction, r.Size
	if c == nil || r.Shift > 0 {
		return false
	}
	if r.Iterations > 1 {
		share := size / last
		return share*share*size < motionToleranceShare*n.Tol
	}
	if !(c.Ratio > 0) || c.Uses >= maxEstimates || !(c.remaining(size) < motionToleranceShare*n.Tol) {
		return false
	}
	c.Uses++
	return true
}

// updateContraction stores the contraction of r from the size of the chord increment after its
// first increment, if ok. A step with more increments gives no estimate for the steps after it.
func (n *Newton) updateContraction(r *Report, size float64, ok bool) {
	if n.Contraction == nil {
		return
	}
	*n.Contraction = ContractionEstimate{}
	if ok && r.Iterations == 1 && r.Size > 0 {
		*n.Contraction = ContractionEstimate{Ratio: size / r.Size, Size: r.Size}
	}
}
