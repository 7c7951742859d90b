package integrate

// NewTrapezoidal returns the trapezoidal rule for s, Newmark's method with β = ¼ and γ = ½: second
// order without damping. Constraints hold at velocity level (index 2), where the rule is stable,
// and at position level to the order of the method. Initial accelerations are consistent. The
// fields may be changed before the first step.
func NewTrapezoidal[S Constrained](s S) *Newmark[S] {
	return newNewmark(s, NewmarkParams{Beta: 0.25, Gamma: 0.5}, VelocityLevel)
}
