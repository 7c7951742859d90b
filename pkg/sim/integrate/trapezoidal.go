package integrate

// NewTrapezoidal steps s with the trapezoidal rule, Newmark's method with β = ¼ and γ = ½:
// second order and no damping. The constraints hold at velocity level, index 2, where the
// rule is stable, and their positions to the order of the method. The initial
// accelerations are consistent; the fields of the method may be changed before the first
// step.
func NewTrapezoidal[S Constrained](s S) *Implicit[S] {
	return newImplicit(s, Newmark{Beta: 0.25, Gamma: 0.5}, VelocityLevel)
}
