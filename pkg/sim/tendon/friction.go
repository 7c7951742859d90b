package tendon

import (
	"math"
	"slices"
)

// Friction is the capstan friction of a tendon at the disks it passes, with its
// state. There is none at the base plate.
//
// In motion the friction at a disk is that of bristles: between tendon and disk
// there is an elastic deflection, which follows their relative motion and slips at
// the capstan limit, reached at the deflection Displacement. So it sticks, slips and
// has hysteresis. The bristles are as stiff as the tendon presses on them: their
// stiffness is the capstan limit over the displacement, so that a light load slips at
// the same deflection as a heavy one. They follow within a step, as an elastic,
// perfectly plastic spring does, which has a potential; only the limits are those of
// the start of the step. Frozen over a step they could not hold the tendon: stiff
// springs under explicit steps, they would rattle between the limits.
//
// Bristles of several lengths, each with its share of the limit, slip one kind after the other:
// Maxwell slip, whose loop of tension over motion is smooth and remembers where it turned.
type Friction struct {
	Coefficient float64
	Bristles    []Bristle // shares are of 1

	bundle *Bundle
	tendon int // in the bundle

	// the state, by passed disk and bristle
	deflection []float64 // deflection at the start of the step, m, positive toward the motor

	// what holds during a step, by passed disk
	saved            []float64 // what Save wrote before Begin
	startDistal      []float64 // length of tendon beyond the disk at Begin, m
	distal           []float64 // that at the measured lengths, m
	minDrop, maxDrop []float64 // limits of the drop of tension, N
	stiffness        []float64 // stiffness of each bristle at these limits, N/m
	tensionDrop      []float64 // drop of tension at the measured lengths by each bristle, N
}

// Bristle is one kind of bristles.
type Bristle struct {
	Share        float64 // of the limit of friction, above 0
	Displacement float64 // deflection at which it slips, m, above 0
}

// NewFriction returns the friction of tendon k of the bundle, its bristles
// straight. Their shares count in proportion.
func NewFriction(b *Bundle, k int, coefficient float64, bristles ...Bristle) *Friction {
	f := &Friction{Coefficient: coefficient, Bristles: slices.Clone(bristles), bundle: b, tendon: k}
	sum, disks := 0.0, len(b.order[k])-1
	for _, x := range bristles {
		sum += x.Share
	}
	for i := range f.Bristles {
		f.Bristles[i].Share /= sum
	}
	for _, x := range []*[]float64{&f.startDistal, &f.distal, &f.minDrop, &f.maxDrop} {
		*x = make([]float64, disks)
	}
	for _, x := range []*[]float64{&f.deflection, &f.stiffness, &f.tensionDrop} {
		*x = make([]float64, disks*len(bristles))
	}
	f.saved = make([]float64, f.StateLen())
	return f
}

// at is the number of bristle i at passed disk j.
func (f *Friction) index(j, i int) int { return j*len(f.Bristles) + i }

// wrap is the angle (rad) by which the tendon turns at its passed disk j, from the
// directions that Measure found.
func (f *Friction) wrapAngle(j int) float64 {
	o := f.bundle.order[f.tendon]
	u, v := f.bundle.chords[o[j]].dir, f.bundle.chords[o[j+1]].dir
	return math.Atan2(u.Cross(v).Norm(), u.Dot(v))
}

// limit takes the limits of sliding at passed disk j from the measured directions and
// the tension t before it.
func (f *Friction) updateLimits(j int, t float64) {
	e := math.Exp(f.Coefficient * f.wrapAngle(j))
	f.minDrop[j], f.maxDrop[j] = t*(1-e), t*(1-1/e)
	for i, b := range f.Bristles {
		f.stiffness[f.index(j, i)] = b.Share * (f.maxDrop[j] - f.minDrop[j]) / (2 * b.Displacement)
	}
}

// bear bends bristle k so that it holds drop newtons. Where nothing presses on it, it holds
// nothing, and stays bent.
func (f *Friction) setDeflection(k int, drop float64) {
	if f.stiffness[k] > 0 {
		f.deflection[k] = drop / f.stiffness[k]
	}
}

// hold is what bristle i holds at passed disk j at a deflection, N.
func (f *Friction) bristleForce(j, i int, bend float64) float64 {
	share := f.Bristles[i].Share
	return max(share*f.minDrop[j], min(share*f.maxDrop[j], f.stiffness[f.index(j, i)]*bend))
}

// Begin starts a step with tension t at the base: it takes the limits of sliding
// either way from the measured directions, and lets bristles beyond them slip.
func (f *Friction) Begin(t float64) {
	f.Save(f.saved)
	f.ClearShares()
	for j := range f.PassedDisks() {
		f.updateLimits(j, t)
		held := 0.0
		for i := range f.Bristles {
			k := f.index(j, i)
			drop := f.bristleForce(j, i, f.deflection[k])
			f.setDeflection(k, drop)
			held += drop
		}
		t -= held
	}
	f.commitDistalLengths()
}

// mark remembers where the tendon is at the disks.
func (f *Friction) commitDistalLengths() {
	f.updateDistalLengths()
	copy(f.startDistal, f.distal)
}

// measure adds up the measured lengths beyond the disks.
func (f *Friction) updateDistalLengths() {
	o, sum := f.bundle.order[f.tendon], 0.0
	for j := f.PassedDisks() - 1; j >= 0; j-- {
		sum += f.bundle.chords[o[j+1]].length
		f.distal[j] = sum
	}
}

// follow moves the bristles with the tendon from Begin to the measured lengths and
// returns the energy that the motion has stored or spent, J.
func (f *Friction) updateBristles() (energy float64) {
	f.updateDistalLengths()
	for j := f.PassedDisks() - 1; j >= 0; j-- {
		for i := range f.Bristles {
			at := f.index(j, i)
			bend, k := f.deflection[at]+f.startDistal[j]-f.distal[j], f.stiffness[at]
			d := f.bristleForce(j, i, bend)
			f.tensionDrop[at] = d
			if k > 0 {
				energy += d*bend - 0.5*d*d/k
			}
		}
	}
	return energy
}

// Energy is the potential of the friction within a step, J, at the measured
// lengths.
func (f *Friction) Potential() float64 { return f.updateBristles() }

// Hold takes what the disks hold at the measured lengths off the tensions that
// SetTension set.
func (f *Friction) UpdateTensions() {
	f.updateBristles()
	o, held := f.bundle.order[f.tendon], 0.0
	for j := range f.PassedDisks() {
		for i := range f.Bristles {
			held += f.tensionDrop[f.index(j, i)]
		}
		f.bundle.chords[o[j+1]].tension -= held
	}
}

// Sticks reports whether a bristle stuck to passed disk j in the last Hold: the
// tension beyond then falls by StiffnessAt times what passes the disk.
func (f *Friction) IsSticking(j int) bool { return f.StickStiffness(j) > 0 }

// slips tells which way a bristle with its share of the limits of passed disk j slips at a drop,
// 1 toward the motor, or that it sticks, 0. One at its limit counts as slipping: in a row of
// equilibria most go on the way they went.
func (f *Friction) slipDirection(drop, share float64, j int) int {
	const atLimit = 1 - 1e-9
	switch {
	case drop >= atLimit*share*f.maxDrop[j]:
		return 1
	case drop <= atLimit*share*f.minDrop[j]:
		return -1
	}
	return 0
}

// StiffnessAt returns the stiffness of the bristles that stuck to passed disk j, N/m.
func (f *Friction) StickStiffness(j int) (sum float64) {
	for i, b := range f.Bristles {
		k := f.index(j, i)
		if f.slipDirection(f.tensionDrop[k], b.Share, j) == 0 {
			sum += f.stiffness[k]
		}
	}
	return sum
}

// End ends the step at the measured lengths.
func (f *Friction) Commit() {
	f.updateBristles()
	for k, d := range f.tensionDrop {
		f.setDeflection(k, d)
	}
	f.commitDistalLengths()
}

// Abandon makes the state that of before Begin.
func (f *Friction) Revert() { f.Restore(f.saved) }

// kept are the parts of the state besides the shares. The deflections decide how motion
// goes on; the limits and lengths of the last step say what the disks hold meanwhile.
func (f *Friction) savedParts() [5][]float64 {
	return [...][]float64{f.deflection, f.startDistal, f.minDrop, f.maxDrop, f.stiffness}
}

// StateLen is the number of values that Save writes.
func (f *Friction) StateLen() int { return 4*f.PassedDisks() + 2*len(f.deflection) }

// Save writes the state to dst.
func (f *Friction) Save(dst []float64) {
	for _, part := range f.savedParts() {
		dst = dst[copy(dst, part):]
	}
	o := f.bundle.order[f.tendon]
	for j := range f.PassedDisks() {
		dst[j] = f.bundle.chords[o[j+1]].share
	}
}

// Restore makes src, written by Save, the state.
func (f *Friction) Restore(src []float64) {
	for _, part := range f.savedParts() {
		src = src[copy(part, src):]
	}
	o := f.bundle.order[f.tendon]
	for j := range f.PassedDisks() {
		f.bundle.chords[o[j+1]].share = src[j]
	}
}
