package integrate

// Static is Newton's method for equilibrium: the norm of the residual decides,
// and every increment has to pass the merit test, without which the iteration
// finds unstable branches.
type Static struct {
	// Tol is the residual norm that ends the iteration. So does one below Floor,
	// where round-off may be all there is, once an increment is below 1e-9.
	Tol, Floor float64
	// Cap is the largest number of linear solves.
	Cap int
	// Limit scales larger increments down to this size.
	Limit float64
}

// settledIncrement is so small that a quadratic iteration has nothing to add.
const settledIncrement = 1e-9

// Solve iterates from the present point of s. Residual is that of the point it
// leaves, Negative counts the negative eigenvalues there.
func (n *Static) Solve(s System) (r Report) {
	for {
		s.Assemble(r.Shift)
		r.Residual = s.ResidualNorm()
		settled := r.Iterations > 0 && r.Size < settledIncrement && r.Residual < n.Floor
		if r.Residual < n.Tol || settled {
			if r.Shift > 0 { // count the eigenvalues of the true tangent
				s.Assemble(0)
			}
			_, r.Negative, _ = s.Increment()
			r.Cause = Converged
			return r
		}
		if r.Iterations == n.Cap {
			r.Cause = IterationCap
			return r
		}
		size, negative, ok := s.Increment()
		r.Iterations++
		r.Negative = negative
		if !ok {
			if r.raiseShift(1e-4, 8) {
				continue
			}
			return r
		}
		r.Size = size
		if size != size {
			r.Cause = NonFinite
			return r
		}
		merit := s.Merit() // which may change with what Assemble freezes
		s.Move(min(1, n.Limit/size))
		if meritRises(s.Merit(), merit, 1e-13) {
			s.Undo()
			r.Rejects++
			r.raiseShift(1e-4, 8)
			continue
		}
		if size < calmIncrement {
			if r.Shift *= 0.1; r.Shift < 1e-9 {
				r.Shift = 0
			}
		}
	}
}
