package tendon

import (
	"math"

	"sinew/pkg/sim/spatial"
)

// In an equilibrium, friction determines the share of the tension at the base in each chord. The
// first equilibrium of a series has no history, and assumes a tendon that slides in one direction
// (SetSlidingShares). The following ones use the history (UpdateShares): bristles and their forces
// are those of motion, but the limits are those of the equilibrium to be found instead of the one
// before, since the tension may change by much between them. Bristle forces are proportional to the
// tension before the disk, so the shares do not depend on the tension. With x the deflections,
//
//	T_j = T_(j-1) (1 - φ_j),  φ_j = Σ share clamp(sinh(μβ_j) x/displacement, 1 - e^(μβ_j), 1 - e^(-μβ_j)).
//
// Where all bristles slip this is the capstan equation.

// SetSlidingShares sets the shares of the tendon to those of steady sliding: of one that pulls toward the motor (pull)
// or away from it, of one that pushes the other way round: exp(Σ SlidingExponent × wrap angle) from the base on.
func (f *Friction) SetSlidingShares(pull bool) {
	exponent := 0.0
	for j := range f.PassedDisks() {
		exponent += f.SlidingExponent(j, pull) * f.wrapAngle(j)
		f.path[j+1].share = math.Exp(exponent)
	}
}

// SlidingExponent returns d ln T/d(wrap angle at passed disk j) of steady sliding: −μ toward the motor (pull), else
// μ.
func (f *Friction) SlidingExponent(j int, pull bool) float64 {
	if pull {
		return -f.Coefficients[j]
	}
	return f.Coefficients[j]
}

// ClearShares sets all shares to 1, the value without friction.
func (f *Friction) ClearShares() {
	for _, c := range f.path {
		c.share = 1
	}
}

// InitBristles sets the deflections to those that cause the present shares at tension t at the
// base.
func (f *Friction) InitBristles(t float64) {
	for j := range f.PassedDisks() {
		share, beyond := f.path[j].share, f.path[j+1].share
		f.updateLimits(j, t*share)
		for i, b := range f.Bristles {
			f.setDeflection(f.index(j, i), b.Share*t*(share-beyond))
		}
	}
	f.commitDistalLengths()
}

// UpdateShares computes the shares at the present chords, from the bristles' deflections of the last committed state, for a
// tension of the sign of t: below 0 the tendon pushes.
func (f *Friction) UpdateShares(t float64) {
	f.updateDistalLengths()
	sign := math.Copysign(1, t)
	tension := sign // over the size of that at the base
	for j := range f.PassedDisks() {
		f.updateLimits(j, tension)
		for i := range f.Bristles {
			k := f.index(j, i)
			f.tensionDrop[k] = f.bristleForce(j, i, f.deflection[k]+f.startDistal[j]-f.distal[j])
			tension -= f.tensionDrop[k]
		}
		f.path[j+1].share = sign * tension
	}
}

// WorkLength returns the work per newton of tension at the base between the chords of the last
// UpdateShares, for a tension of the sign of t, whose limits it uses, and the present ones, m. It is a function
// of the chord lengths, convex for a tendon that pulls, with the shares as its gradient there.
func (f *Friction) WorkLength(t float64) float64 {
	return f.path.Length() + math.Copysign(1, t)*f.updateBristles()
}

// CommitEquilibrium makes the present chords with tension t at the base the state. Bristles without
// a limit keep their deflection.
func (f *Friction) CommitEquilibrium(t float64) {
	if t != 0 {
		f.UpdateShares(t)
		for k, d := range f.tensionDrop {
			f.setDeflection(k, d)
		}
	}
	f.commitDistalLengths()
}

// AddTensionRatioGradient adds the gradient of the logarithm of the ratio of the tensions after and
// before passed disk j, of the last UpdateShares for a tension of the sign of t, to dst. The ratio depends on the motion of the
// tendon and on the wrap angle.
func (f *Friction) AddTensionRatioGradient(j int, t float64, pose []spatial.Pose, dst []spatial.Vec6) {
	byAngle, byLength := f.TensionRatioRates(j, t)
	if byLength != 0 {
		for _, c := range f.path[j+1:] {
			c.addGradient(pose, c.dir.Scale(byLength), dst)
		}
	}
	f.addScaledWrapGradient(j, byAngle, pose, dst)
}

// TensionRatioRates returns the derivatives of the logarithm of the ratio of the tensions after and before passed disk j, of the last
// UpdateShares for a tension of the sign of t: by the wrap angle, 1/rad, and, where bristles stick, by the length of tendon beyond the
// disk, 1/m.
func (f *Friction) TensionRatioRates(j int, t float64) (byAngle, byLength float64) {
	sign, before, after := math.Copysign(1, t), f.path[j].share, f.path[j+1].share
	return -sign * f.dropWrapDerivative(j, sign) * before / after, sign * f.StickStiffness(j) / after
}

// dropWrapDerivative returns the derivative of φ_j with respect to the wrap angle, for a tension of the given sign.
func (f *Friction) dropWrapDerivative(j int, sign float64) (sum float64) {
	mu := f.Coefficients[j]
	before, angle := f.path[j].share, f.wrapAngle(j)
	e := math.Exp(sign * mu * angle)
	for i, b := range f.Bristles {
		d := f.tensionDrop[f.index(j, i)]
		switch f.slipDirection(d, b.Share, j) {
		case 1:
			sum += b.Share * mu / e
		case -1:
			sum -= b.Share * mu * e
		default:
			sum += d / before * mu / math.Tanh(mu*angle)
		}
	}
	return sum
}

// StoredLength returns the energy in the bristles per newton of tension at the base, of the last UpdateShares for a
// tension of the sign of t, m: the lengthening of the tendon at its motor by their elasticity, negative where it pushes.
func (f *Friction) StoredLength(t float64) (sum float64) {
	for k, d := range f.tensionDrop {
		if f.stiffness[k] > 0 {
			sum += 0.5 * d * d / f.stiffness[k]
		}
	}
	return math.Copysign(sum, t)
}
