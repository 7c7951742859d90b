package rod

import (
	"math"

	"sinew/pkg/sim/spatial"
)

// The fastest motions of the staggered rod are the zigzags of its elements. With
// c_E² = E/ρ, c_s² = κG/ρ, l the element length, and β² = c_s² A/(4I):
//
//	stretch           ω = 2 c_E/l
//	torsion           ω = 2 c_T/l,   c_T² = G J/(ρ (I1+I2))
//	shear and turning ω² = 4λ,  λ = ½ (s + √((α²−β²−γ²)² + 4α²β²)),
//	                  s = α²+β²+γ²,  α = c_s/l,  γ = c_E/l
//
// The last does not vanish as elements grow: ω → 2β, that of sections turning
// against shear. One Verlet step of a mode with Kelvin-Voigt time τ, whose
// velocity a damper multiplies by d, has the matrix
//
//	x½' = x½ + h v',   v' = d ((1 − h τ ω²) v − h ω² x½),
//
// with determinant d (1 − hτω²) and trace 1 + d − d (hτω² + h²ω²). Its eigenvalues
// stay within the unit circle while
//
//	h²ω² + 2 h τ ω² ≤ 2 (1 + d)/d,
//
// which for τ = 0 and d = 1 is h ω ≤ 2. Measured with PyElastica the limit is 1 to
// 5 % lower than this for coarse rods with d < 1, and lower still where a coarse,
// undamped rod is pulled by a sudden tension.

// StepLimit returns the largest time step (s) at which the rod is stable. stiffer
// is what elastic tendons add to the squares of all frequencies at most, 1/s².
// The legacy damper is taken to act once per step.
func (r *Rod) StepLimit(d Damping, stiffer float64) float64 {
	plain, turning := r.frequencies()
	limit := modeLimit(plain+stiffer, d.KelvinVoigt, 1)
	if d.Legacy == 0 {
		return min(limit, modeLimit(turning+stiffer, d.KelvinVoigt, 1))
	}
	// the damper's factor depends on the step: the fixed point, from below
	rate := d.Legacy * r.Section.Area / math.Max(r.Section.I1, r.Section.I2)
	h := 0.0
	for range 200 {
		next := modeLimit(turning+stiffer, d.KelvinVoigt, math.Exp(-rate*h))
		if next >= limit {
			return limit
		}
		if next-h <= 1e-9*next {
			return next
		}
		h = next
	}
	return h
}

// frequencies returns the squares of the highest circular frequencies of stretch
// and torsion and of shear with turning, 1/s².
func (r *Rod) frequencies() (plain, turning float64) {
	m, s := r.Material, r.Section
	l2 := r.ElementLength * r.ElementLength
	ce := m.YoungsModulus / m.Density
	cs := m.ShearCorrection * m.ShearModulus / m.Density
	ct := m.ShearModulus * s.J / (m.Density * (s.I1 + s.I2))
	plain = 4 * math.Max(ce, ct) / l2
	for _, i := range []float64{s.I1, s.I2} {
		a, b, g := cs/l2, cs*s.Area/(4*i), ce/l2 // α², β², γ²
		q := a - b - g
		turning = math.Max(turning, 2*(a+b+g+math.Sqrt(q*q+4*a*b)))
	}
	return plain, turning
}

// modeLimit returns the largest stable step of a mode with square frequency w2,
// Kelvin-Voigt time tau and a factor d on its velocity per step.
func modeLimit(w2, tau, d float64) float64 {
	h2 := 2 * (1 + d) / (d * w2)
	// √(τ²+h²) − τ without cancellation
	return h2 / (tau + math.Sqrt(tau*tau+h2))
}

// Stiffening returns by how much at most an elastic link of stiffness k (N/m)
// that loads the rod with its present external forces and couples, taken per
// newton, raises the squares of its frequencies, 1/s².
func (x *Explicit) Stiffening(k float64) float64 {
	var sum float64
	for i, f := range x.force[1:] {
		sum += f.Norm2() * x.invMass[i+1]
	}
	for e, c := range x.couple {
		j := x.inertia[e]
		sum += c.Mul(spatial.Vec{X: 1 / j.X, Y: 1 / j.Y, Z: 1 / j.Z}).Dot(c)
	}
	return k * sum
}
