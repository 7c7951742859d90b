package integrate

import "sinew/pkg/sim/spatial"

// BDF is one step of a backward differentiation formula of order 1 or 2 for a second-order equation
// with positions as unknowns. At the end of the step
//
//	velocity     = Gamma (p − p̂)
//	acceleration = Beta (p − p̃)
//
// with the known p̂ = Hat and p̃ = p̂ + VelocityTerm of the levels before. The velocity is the formula
// applied to positions, and the acceleration the formula applied to velocities. Steps may differ in
// length.
type BDF struct {
	Beta, Gamma float64
	prev        float64 // p̂ = p_n + prev (p_n − p_{n−1})
	v0, v1      float64 // p̃ − p̂ = v0 v_n − v1 v_{n−1}
}

// MaxBDF2Ratio is the largest ratio of a step to the one before it for order 2. The formula is
// stable below 1 + √2 (Grigorieff 1983).
const MaxBDF2Ratio = 2

// NewBDF returns the formula for a step of length h > 0 after a step of length last, s. Order 2
// needs 0 < h ≤ MaxBDF2Ratio last and two known levels.
func NewBDF(order int, h, last float64) BDF {
	if order == 1 {
		return BDF{Beta: 1 / (h * h), Gamma: 1 / h, v0: h}
	}
	r := h / last
	a0, a1, a2 := (1+2*r)/(1+r), 1+r, r*r/(1+r)
	return BDF{
		Beta: a0 * a0 / (h * h), Gamma: a0 / h,
		prev: a2 / a0, v0: h / (a0 * a0) * a1, v1: h / (a0 * a0) * a2,
	}
}

// Hat returns p̂ from p_n and p_{n−1}.
func (b *BDF) Hat(p, before spatial.Vec) spatial.Vec {
	return spatial.Vec{
		X: p.X + b.prev*(p.X-before.X),
		Y: p.Y + b.prev*(p.Y-before.Y),
		Z: p.Z + b.prev*(p.Z-before.Z),
	}
}

// HatStep returns D̂ from the displacement D_n = p_n − p_{n−1} of the step before. It serves where
// only displacements from p_n exist, as for rotations.
func (b *BDF) HatStep(d spatial.Vec) spatial.Vec { return d.Scale(b.prev) }

// VelocityTerm returns p̃ − p̂ from the velocities v_n and v_{n−1}.
func (b *BDF) VelocityTerm(v, before spatial.Vec) spatial.Vec {
	return spatial.Vec{
		X: b.v0*v.X - b.v1*before.X,
		Y: b.v0*v.Y - b.v1*before.Y,
		Z: b.v0*v.Z - b.v1*before.Z,
	}
}

// TurnRateIncrement returns the first-order change of the angular velocity Gamma (D − D̂) with body increments (rad) of the rotation at
// the end of the step, at its start and at the level before. turn is D, the rotation vector from the start to the end, and last that from
// the level before to the start, body axes.
func (b *BDF) TurnRateIncrement(turn, last, end, now, before spatial.Vec) spatial.Vec {
	return turnIncrement(turn, end, now).Sub(b.HatStep(turnIncrement(last, now, before))).Scale(b.Gamma)
}

// turnIncrement returns the change of the rotation vector turn between two levels with the body increments at both.
func turnIncrement(turn, next, level spatial.Vec) spatial.Vec {
	a, b := spatial.RightJacobianInv(turn), spatial.LeftJacobianInv(turn)
	return a.Apply(next).Sub(b.Apply(level))
}
