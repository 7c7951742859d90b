package tendon

import "math"

// Friction is the capstan friction of a tendon at the disks it passes, with its
// state. There is none at the base plate.
//
// In motion the friction at a disk is that of bristles: between tendon and disk
// there is an elastic deflection z of stiffness Stiffness, which follows their
// relative motion and slips at the capstan limit. So it sticks, slips and has
// hysteresis. The tensions follow from the deflections at the start of a step and
// hold throughout it.
type Friction struct {
	Coefficient float64
	Stiffness   float64 // of the bristles, N/m

	bundle *Bundle
	tendon int
	bend   []float64 // deflection at each passed disk, m, toward the motor positive
	distal []float64 // length of tendon beyond each passed disk, m
}

// NewFriction returns the friction of tendon k of the bundle, its bristles
// straight.
func NewFriction(b *Bundle, k int, coefficient, stiffness float64) *Friction {
	n := len(b.order[k]) - 1
	return &Friction{
		Coefficient: coefficient, Stiffness: stiffness, bundle: b, tendon: k,
		bend: make([]float64, n), distal: make([]float64, n),
	}
}

// wrap is the angle (rad) by which the tendon turns at its passed disk j, from the
// directions that Measure found.
func (f *Friction) wrap(j int) float64 {
	o := f.bundle.order[f.tendon]
	u, v := f.bundle.chords[o[j]].dir, f.bundle.chords[o[j+1]].dir
	return math.Atan2(u.Cross(v).Norm(), u.Dot(v))
}

// Slide makes the shares of the tendon those of steady sliding toward the motor
// (pull) or away from it: exp(rate wrap) in all, from the base on. It returns
// rate.
func (f *Friction) Slide(pull bool) (rate float64) {
	rate = f.Coefficient
	if pull {
		rate = -rate
	}
	o := f.bundle.order[f.tendon]
	angle := 0.0
	for j := range f.bend {
		angle += f.wrap(j)
		f.bundle.chords[o[j+1]].share = math.Exp(rate * angle)
	}
	return rate
}

// Free sets the shares to those without friction.
func (f *Friction) Free() {
	for _, i := range f.bundle.order[f.tendon] {
		f.bundle.chords[i].share = 1
	}
}

// Settle makes the bristles bear the present shares at tension t at the base.
func (f *Friction) Settle(t float64) {
	o := f.bundle.order[f.tendon]
	for j := range f.bend {
		f.bend[j] = t * (f.bundle.chords[o[j]].share - f.bundle.chords[o[j+1]].share) / f.Stiffness
	}
	f.mark()
}

// Begin sets the shares for a step with tension t at the base. A disk holds what
// the bristles bear, within the capstan limits of sliding either way.
func (f *Friction) Begin(t float64) {
	o := f.bundle.order[f.tendon]
	here := t
	for j := range f.bend {
		e := math.Exp(f.Coefficient * f.wrap(j))
		drop := max(-here*(e-1), min(here*(1-1/e), f.Stiffness*f.bend[j]))
		f.bend[j] = drop / f.Stiffness
		here -= drop
		s := &f.bundle.chords[o[j+1]]
		s.share = 1
		if t > 0 {
			s.share = here / t
		}
	}
	f.mark()
}

// mark remembers where the tendon is at the disks.
func (f *Friction) mark() {
	o := f.bundle.order[f.tendon]
	sum := 0.0
	for j := len(f.bend) - 1; j >= 0; j-- {
		sum += f.bundle.chords[o[j+1]].length
		f.distal[j] = sum
	}
}

// End moves the bristles with the tendon, from where it was at Begin.
func (f *Friction) End() {
	o := f.bundle.order[f.tendon]
	sum := 0.0
	for j := len(f.bend) - 1; j >= 0; j-- {
		sum += f.bundle.chords[o[j+1]].length
		f.bend[j] += f.distal[j] - sum
	}
}

// StateLen is the number of values that Save writes.
func (f *Friction) StateLen() int { return len(f.bend) }

// Save writes the deflections to dst.
func (f *Friction) Save(dst []float64) { copy(dst, f.bend) }

// Restore makes src the deflections.
func (f *Friction) Restore(src []float64) { copy(f.bend, src) }
