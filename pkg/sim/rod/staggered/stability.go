package staggered

import (
	"math"

	"sinew/pkg/sim/rod"
	"sinew/pkg/sim/spatial"
)

// The fastest modes of the staggered rod alternate from element to element. With c_E² = E/ρ, c_s² =
// κG/ρ, c_T² = G J/(ρ (I1+I2)), l the length of the shortest element, α = c_s/l, β² = c_s² A/(4I)
// and γ = c_E/l, their squared frequencies are
//
//	stretch                   4 γ²
//	torsion                   4 c_T²/l²
//	deflection and rotation   4 times the eigenvalues of [α² αβ; αβ β²+γ²]
//
// The last one does not vanish for long elements: it tends to 4β², the rotation of sections against
// shear. With the stiffness K, a Verlet step with Kelvin-Voigt time τ and a damper that multiplies
// the velocities by D = diag(1, d) is
//
//	v' = D ((I − hτK) v − h K x),   x' = x + h v'.
//
// It becomes unstable at the eigenvalue −1, where v = 2x/h and
//
//	h (h + 2τ) K x = 4 S x,   S = ½ (I + D⁻¹) = diag(1, (1+d)/(2d)).
//
// Hence h (h + 2τ) = 4/ω² with ω² the largest eigenvalue of S⁻¹K. For τ = 0 and d = 1 this is h ω ≤
// 2. Rods of few elements need smaller steps under a sudden tension.

// StepLimit returns the largest time step (s) at which small motions of the rod r are stable.
// stiffer is a bound of the increase of all squared frequencies by elastic tendons, 1/s². The
// legacy damper acts once per step.
func StepLimit(r *rod.Rod, d Damping, stiffer float64) float64 {
	limit := modeLimit(axialFrequency2(r)+stiffer, d.KelvinVoigt)
	if d.Legacy == 0 {
		return min(limit, modeLimit(bendingFrequency2(r, 1)+stiffer, d.KelvinVoigt))
	}
	// the factor of the damper decreases with the step length: smallest fixed point, by iteration
	// from below
	rate := d.Legacy * r.Section.Area / math.Max(r.Section.I1, r.Section.I2)
	h := 0.0
	for range 1000 {
		s := 0.5 * (1 + math.Exp(rate*h))
		next := min(modeLimit(bendingFrequency2(r, s)+stiffer, d.KelvinVoigt), limit)
		if next-h <= 1e-9*next {
			return next
		}
		h = next
	}
	return h
}

// axialFrequency2 returns the largest squared frequency of stretch and torsion, 1/s².
func axialFrequency2(r *rod.Rod) float64 {
	m, s, l := r.Material, r.Section, r.MinElementLength()
	ct := m.ShearModulus * s.J / (s.I1 + s.I2)
	return 4 * math.Max(m.YoungsModulus, ct) / (m.Density * l * l)
}

// bendingFrequency2 returns the largest squared frequency of deflection and rotation for S =
// diag(1, s), 1/s².
func bendingFrequency2(r *rod.Rod, s float64) float64 {
	m, l2 := r.Material, r.MinElementLength()*r.MinElementLength()
	ce := m.YoungsModulus / m.Density
	cs := m.ShearCorrection * m.ShearModulus / m.Density
	a, g := cs/l2, ce/l2 // α², γ²
	var most float64
	for _, i := range []float64{r.Section.I1, r.Section.I2} {
		b := cs * r.Section.Area / (4 * i) // β²
		trace := a + (b+g)/s
		most = math.Max(most, 2*(trace+math.Sqrt(math.Max(0, trace*trace-4*a*g/s))))
	}
	return most
}

// modeLimit returns the largest stable step of a mode with the squared frequency w2 and the
// Kelvin-Voigt time tau, s.
func modeLimit(w2, tau float64) float64 {
	h2 := 4 / w2
	return h2 / (tau + math.Sqrt(tau*tau+h2)) // √(τ²+h²) − τ without cancellation
}

// StiffeningBound returns a bound of the increase of the squared frequencies of the rod by an
// elastic link of stiffness k (N/m), 1/s². The present external forces and couples are those of the
// link per newton.
func (x *State) StiffeningBound(k float64) float64 {
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
