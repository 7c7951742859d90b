package integrate

import "fmt"

// Newmark is the family of one-step methods that Implicit takes steps with:
//
//	(1−αm) a₁ + αm a₀ = (1−αf) v̇₁ + αf v̇₀
//	v₁ = v₀ + h ((1−γ) a₀ + γ a₁)
//	q₁ = q₀ ⊕ h (v₀ + h ((½−β) a₀ + β a₁))
type Newmark struct{ AlphaM, AlphaF, Beta, Gamma float64 }

// NewNewmark returns generalised-alpha with the spectral radius rho at infinite
// frequency, from 0 (most damping) to 1 (none): Chung and Hulbert, J. Appl. Mech. 60
// (1993) 371-375.
func NewNewmark(rho float64) (Newmark, error) {
	if !(rho >= 0 && rho <= 1) {
		return Newmark{}, fmt.Errorf("integrate: spectral radius %g: must be from 0 to 1", rho)
	}
	k := Newmark{AlphaM: (2*rho - 1) / (rho + 1), AlphaF: rho / (rho + 1)}
	k.Gamma = 0.5 + k.AlphaF - k.AlphaM
	k.Beta = 0.25 * (k.Gamma + 0.5) * (k.Gamma + 0.5)
	return k, nil
}

// NewGeneralizedAlpha steps s with spectral radius rho, constraints at position level,
// consistent initial accelerations and tight tolerances; its fields may be changed before
// the first step.
func NewGeneralizedAlpha[S Constrained](s S, rho float64) (*Implicit[S], error) {
	k, err := NewNewmark(rho)
	if err != nil {
		return nil, err
	}
	return newImplicit(s, k, PositionLevel), nil
}
