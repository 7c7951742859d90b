package integrate

const (
	motionToleranceShare = 2e-5 // share of the tolerance that the last increment of a time step may leave, as estimated, in a motion of known contraction
	maxEstimates         = 8    // time steps that are estimated by one that was not
)

// Contraction is how much of itself the first increment of a time step left, as the increment by the
// method of chords after it showed. Its zero value knows nothing.
type ContractionEstimate struct {
	Ratio float64 // of the first increment, which the next one had to add; 0: not known
	Size  float64 // of that first increment
	Uses  int     // number of time steps that have ended by it
}

// leaves returns what an increment of some size leaves: as large a share as the one that was
// seen, or one that grows with the size, as that of Newton's method does.
func (c *ContractionEstimate) remaining(size float64) float64 {
	return c.Ratio * max(1, size/c.Size) * size
}

// left is the share of the tolerance that a last increment by the method of chords may leave. Errors enter
// velocities divided by the step and add up where they are of one sign: where the motion is smooth enough for that to
// show, it is much less.
func (n *Newton) chordTolerance() float64 {
	if n.Contraction != nil {
		return motionToleranceShare
	}
	return chordToleranceShare
}

// ends reports whether the last increment of r leaves too little to go on, as estimated for the first one by how an earlier step
// contracted, for a later one by how quadratically this one does: the increment before it had size last.
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

// learn takes note of what the first increment of r has left, by the size of the one after it, if ok. What
// takes more increments than one tells nothing of the steps after it.
func (n *Newton) updateContraction(r *Report, size float64, ok bool) {
	if n.Contraction == nil {
		return
	}
	*n.Contraction = ContractionEstimate{}
	if ok && r.Iterations == 1 && r.Size > 0 {
		*n.Contraction = ContractionEstimate{Ratio: size / r.Size, Size: r.Size}
	}
}
