package tendon

import (
	"math"
	"slices"
)

// Friction is the capstan friction of a tendon at the disks that it passes, with its state. The
// base plate has none.
//
// In motion, elastic bristles between tendon and disk carry the friction (Dahl's and Maxwell's slip
// models): their deflection follows the relative motion and slips at the capstan limit, which it
// reaches at the deflection Displacement. This gives sticking, slipping and hysteresis. The
// stiffness of bristles is the capstan limit over Displacement, so the deflection at slip does not
// depend on the tension. Bristles move within a step, like an elastic, perfectly plastic spring
// with a potential; their limits are those of the start of the step. Bristles that only move
// between steps would be stiff springs in an explicit integration and oscillate between the limits.
//
// Several bristles with different displacements, each with its share of the limit, slip one after
// the other. This is the Maxwell slip model with a smooth loop of tension over motion and
// return-point memory.
type Friction struct {
	Coefficients []float64 // by passed disk
	Bristles     []Bristle // their shares sum to 1

	path Path

	// State, by passed disk and bristle.
	deflection []float64 // at the start of the step, m, positive toward the motor

	// During a step, by passed disk.
	saved            []float64 // what Save wrote before Begin
	startDistal      []float64 // length of tendon beyond the disk at the start of the step, m
	distal           []float64 // the same at the present chords, m
	minDrop, maxDrop []float64 // limits of the drop of tension at the disk, N
	stiffness        []float64 // of each bristle at these limits, N/m
	tensionDrop      []float64 // drop of tension by each bristle at the present chords, N
}

// Bristle is one kind of bristles.
type Bristle struct {
	Share        float64 // share of the friction limit, above 0
	Displacement float64 // deflection at which it slips, m, above 0
}

// displacementPerRadius times the distance of the hole from the centreline is how far a tendon moves at a disk
// before it slips, unless somebody says.
const displacementPerRadius = 0.005

// NewBristles returns the given springs, or where there are none a bristle of the displacement (m), or where
// that is 0 one in proportion to the distance of the holes from the centreline, m.
func NewBristles(springs []Bristle, displacement, radius float64) []Bristle {
	if len(springs) > 0 {
		return springs
	}
	if displacement == 0 {
		displacement = displacementPerRadius * radius
	}
	return []Bristle{{Share: 1, Displacement: displacement}}
}

// NewFriction returns the friction along a path with the given coefficients, one for each passed disk, and with
// undeflected bristles. It normalises their shares.
func NewFriction(path Path, coefficients []float64, bristles ...Bristle) *Friction {
	f := &Friction{Coefficients: coefficients, Bristles: slices.Clone(bristles), path: path}
	sum, disks := 0.0, len(path)-1
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

// index returns the index of bristle i at passed disk j.
func (f *Friction) index(j, i int) int { return j*len(f.Bristles) + i }

// wrapAngle returns the angle by which the tendon turns at its passed disk j, at the present
// chords, rad.
func (f *Friction) wrapAngle(j int) float64 {
	u, v := f.path[j].dir, f.path[j+1].dir
	return math.Atan2(u.Cross(v).Norm(), u.Dot(v))
}

// updateLimits computes the sliding limits at passed disk j from the present chords and the tension
// t before the disk, N: below 0 it pushes, against the outer sides of holes.
func (f *Friction) updateLimits(j int, t float64) {
	e := math.Exp(f.Coefficients[j] * f.wrapAngle(j))
	f.minDrop[j], f.maxDrop[j] = t*(1-e), t*(1-1/e)
	if t < 0 {
		f.minDrop[j], f.maxDrop[j] = f.maxDrop[j], f.minDrop[j]
	}
	for i, b := range f.Bristles {
		f.stiffness[f.index(j, i)] = b.Share * (f.maxDrop[j] - f.minDrop[j]) / (2 * b.Displacement)
	}
}

// setDeflection sets the deflection of bristle k to that of the force drop, N. A bristle without a
// limit carries no force and keeps its deflection.
func (f *Friction) setDeflection(k int, drop float64) {
	if f.stiffness[k] > 0 {
		f.deflection[k] = drop / f.stiffness[k]
	}
}

// bristleForce returns the force of bristle i at passed disk j for a deflection bend (m), N.
func (f *Friction) bristleForce(j, i int, bend float64) float64 {
	share := f.Bristles[i].Share
	return max(share*f.minDrop[j], min(share*f.maxDrop[j], f.stiffness[f.index(j, i)]*bend))
}

// Begin starts a step with tension t at the base. It computes the sliding limits from the present
// chords, and limits the deflections of the bristles.
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

// commitDistalLengths stores the present lengths beyond the disks as those of the start of the
// step.
func (f *Friction) commitDistalLengths() {
	f.updateDistalLengths()
	copy(f.startDistal, f.distal)
}

// updateDistalLengths computes the present lengths of tendon beyond the disks.
func (f *Friction) updateDistalLengths() {
	sum := 0.0
	for j := f.PassedDisks() - 1; j >= 0; j-- {
		sum += f.path[j+1].length
		f.distal[j] = sum
	}
}

// updateBristles computes the bristle forces at the present chords and returns the energy stored
// and dissipated since the start of the step, J.
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

// Potential returns the potential of the friction within a step at the present chords, J.
func (f *Friction) Potential() float64 { return f.updateBristles() }

// UpdateTensions subtracts the friction at the present chords from the tensions that SetTension
// set.
func (f *Friction) UpdateTensions() {
	f.updateBristles()
	held := 0.0
	for j := range f.PassedDisks() {
		for i := range f.Bristles {
			held += f.tensionDrop[f.index(j, i)]
		}
		f.path[j+1].tension -= held
	}
}

// IsSticking reports whether a bristle stuck to passed disk j in the last UpdateTensions or
// UpdateShares. The tension beyond the disk then falls by StickStiffness times the length that
// passes.
func (f *Friction) IsSticking(j int) bool { return f.StickStiffness(j) > 0 }

// slipDirection returns the direction in which a bristle with its share of the limits of passed
// disk j slips at a drop (N): 1 toward the motor, −1 away from it, 0 for sticking. A bristle at its
// limit counts as slipping, since in a series of equilibria most continue in the direction of the
// last one.
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

// StickStiffness returns the stiffness of the bristles that stick to passed disk j, N/m.
func (f *Friction) StickStiffness(j int) (sum float64) {
	for i, b := range f.Bristles {
		k := f.index(j, i)
		if f.slipDirection(f.tensionDrop[k], b.Share, j) == 0 {
			sum += f.stiffness[k]
		}
	}
	return sum
}

// Commit makes the deflections at the present chords the state at the end of the step.
func (f *Friction) Commit() {
	f.updateBristles()
	for k, d := range f.tensionDrop {
		f.setDeflection(k, d)
	}
	f.commitDistalLengths()
}

// Revert restores the state before Begin.
func (f *Friction) Revert() { f.Restore(f.saved) }

// savedParts returns the parts of the state besides the shares. The deflections determine the
// motion to come; limits and lengths of the last step determine the friction until the next one.
func (f *Friction) savedParts() [5][]float64 {
	return [...][]float64{f.deflection, f.startDistal, f.minDrop, f.maxDrop, f.stiffness}
}

// StateLen returns the number of values that Save writes.
func (f *Friction) StateLen() int { return 4*f.PassedDisks() + 2*len(f.deflection) }

// Save writes the state to dst.
func (f *Friction) Save(dst []float64) {
	for _, part := range f.savedParts() {
		dst = dst[copy(dst, part):]
	}
	for j := range f.PassedDisks() {
		dst[j] = f.path[j+1].share
	}
}

// Restore makes src, written by Save, the state.
func (f *Friction) Restore(src []float64) {
	for _, part := range f.savedParts() {
		src = src[copy(part, src):]
	}
	for j := range f.PassedDisks() {
		f.path[j+1].share = src[j]
	}
}
