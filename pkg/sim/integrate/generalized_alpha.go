package integrate

import "fmt"

// NewmarkParams are the coefficients of a method of the Newmark family,
//
//	(1−αm) a₁ + αm a₀ = (1−αf) v̇₁ + αf v̇₀
//	v₁ = v₀ + h ((1−γ) a₀ + γ a₁)
//	q₁ = q₀ ⊕ h (v₀ + h ((½−β) a₀ + β a₁))
type NewmarkParams struct{ AlphaM, AlphaF, Beta, Gamma float64 }

// GeneralizedAlphaParams returns the coefficients of generalised-alpha with the spectral
// radius rho at infinite frequency, from 0 (most damping) to 1 (none): Chung and Hulbert,
// J. Appl. Mech. 60 (1993) 371-375.
func GeneralizedAlphaParams(rho float64) (NewmarkParams, error) {
	if !(rho >= 0 && rho <= 1) {
		return NewmarkParams{}, fmt.Errorf("integrate: spectral radius %g: must be from 0 to 1", rho)
	}
	k := NewmarkParams{AlphaM: (2*rho - 1) / (rho + 1), AlphaF: rho / (rho + 1)}
	k.Gamma = 0.5 + k.AlphaF - k.AlphaM
	k.Beta = 0.25 * (k.Gamma + 0.5) * (k.Gamma + 0.5)
	return k, nil
}

// NewGeneralizedAlpha returns the generalised-alpha method for s with the spectral radius rho,
// constraints at position level, consistent initial accelerations and tight tolerances. Its fields
// may be changed before the first step.
func NewGeneralizedAlpha[S Constrained](s S, rho float64) (*Newmark[S], error) {
	k, err := GeneralizedAlphaParams(rho)
	if err != nil {
		return nil, err
	}
	return newNewmark(s, k, PositionLevel), nil
}
