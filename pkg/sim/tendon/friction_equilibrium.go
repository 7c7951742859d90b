package tendon

import (
	"math"

	"sinew/pkg/sim/spatial"
)

// In an equilibrium, friction gives every chord a share of the tension at the base. The first one
// of a way knows nothing of a past, and is that of a tendon that slides one way (Slide). Those
// after it remember (Grip): the bristles are those of motion, and so is what they hold, but the
// limits are those of the equilibrium that is sought, not of the one before, for between two of
// them the tension may change by much. What they hold is in proportion to the tension before the
// disk, so the shares do not depend on the tension: with x the deflections,
//
//	T_j = T_(j-1) (1 - φ_j),  φ_j = Σ share clamp(sinh(μβ_j) x/displacement, 1 - e^(μβ_j), 1 - e^(-μβ_j)).
//
// Where all of them slip that is the law of sliding.

// Slide makes the shares of the tendon those of steady sliding toward the motor
// (pull) or away from it: exp(SlideRate wrap) in all, from the base on.
func (f *Friction) SetSlidingShares(pull bool) {
	rate := f.SlidingExponent(pull)
	o := f.bundle.order[f.tendon]
	angle := 0.0
	for j := range f.PassedDisks() {
		angle += f.wrapAngle(j)
		f.bundle.chords[o[j+1]].share = math.Exp(rate * angle)
	}
}

// SlideRate is the derivative of the logarithm of the tension by the wrap in Slide.
func (f *Friction) SlidingExponent(pull bool) float64 {
	if pull {
		return -f.Coefficient
	}
	return f.Coefficient
}

// Free sets the shares to those without friction.
func (f *Friction) ClearShares() {
	for _, i := range f.bundle.order[f.tendon] {
		f.bundle.chords[i].share = 1
	}
}

// Settle makes the bristles bear the present shares at tension t at the base.
func (f *Friction) InitBristles(t float64) {
	o := f.bundle.order[f.tendon]
	for j := range f.PassedDisks() {
		share, beyond := f.bundle.chords[o[j]].share, f.bundle.chords[o[j+1]].share
		f.updateLimits(j, t*share)
		for i, b := range f.Bristles {
			f.setDeflection(f.index(j, i), b.Share*t*(share-beyond))
		}
	}
	f.commitDistalLengths()
}

// Grip makes the shares those that the bristles leave of the tension at the measured lengths, from
// where they were when the state was last kept.
func (f *Friction) UpdateShares() {
	f.updateDistalLengths()
	o, share := f.bundle.order[f.tendon], 1.0
	for j := range f.PassedDisks() {
		f.updateLimits(j, share)
		for i := range f.Bristles {
			k := f.index(j, i)
			f.tensionDrop[k] = f.bristleForce(j, i, f.deflection[k]+f.startDistal[j]-f.distal[j])
			share -= f.tensionDrop[k]
		}
		f.bundle.chords[o[j+1]].share = share
	}
}

// Grasp is what a tension of 1 N at the base does work on between the measured lengths and those
// at the last Grip, whose limits hold, m: a convex function of the lengths of the chords, the
// slope of which was their share then.
func (f *Friction) WorkLength() float64 { return f.bundle.Length(f.tendon) + f.updateBristles() }

// Keep ends an equilibrium at the measured lengths, with tension t at the base. Bristles
// on which nothing presses stay bent.
func (f *Friction) CommitEquilibrium(t float64) {
	if t > 0 {
		f.UpdateShares()
		for k, d := range f.tensionDrop {
			f.setDeflection(k, d)
		}
	}
	f.commitDistalLengths()
}

// GripSlope adds the derivative of the logarithm of the part of the tension that passed disk j
// leaves in Grip: by the motion of the tendon and by the angle of its turn.
func (f *Friction) AddTensionRatioGradient(j int, pose []spatial.Pose, dst []spatial.Vec6) {
	o := f.bundle.order[f.tendon]
	before, after := f.bundle.chords[o[j]].share, f.bundle.chords[o[j+1]].share
	if k := f.StickStiffness(j) / after; k > 0 {
		for _, i := range o[j+1:] {
			c := &f.bundle.chords[i]
			c.addGradient(pose, c.dir.Scale(k), dst)
		}
	}
	f.addScaledWrapGradient(j, -f.dropWrapDerivative(j)*before/after, pose, dst)
}

// dropByWrap is the derivative of φ_j by the angle of the turn.
func (f *Friction) dropWrapDerivative(j int) (sum float64) {
	o, mu := f.bundle.order[f.tendon], f.Coefficient
	before, angle := f.bundle.chords[o[j]].share, f.wrapAngle(j)
	e := math.Exp(mu * angle)
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

// Yield is by how much the bristles lengthen the way of the tendon at its motor, m: what they store
// at 1 N at the base.
func (f *Friction) StoredLength() (sum float64) {
	for k, d := range f.tensionDrop {
		if f.stiffness[k] > 0 {
			sum += 0.5 * d * d / f.stiffness[k]
		}
	}
	return sum
}
