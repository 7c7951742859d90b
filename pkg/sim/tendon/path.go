package tendon

import "sinew/pkg/sim/spatial"

// Path is the chords of one tendon, from the motor to its end.
type Path []*chord

// NewPath returns so many chords that no rod has, without tension. SetChord says where they are.
func NewPath(chords int) Path {
	p := make(Path, chords)
	for i := range p {
		p[i] = &chord{share: 1}
	}
	return p
}

// SetChord makes chord i lead from a hole to the next one by d, world axes, m.
func (p Path) SetChord(i int, d spatial.Vec) {
	p[i].length = d.Norm()
	p[i].dir = d.Scale(1 / p[i].length)
}

// Chord returns the length of chord i, m, and its direction away from the motor, world axes.
func (p Path) Chord(i int) (length float64, direction spatial.Vec) { return p[i].length, p[i].dir }

// SetTension sets the tension at the motor to t (N). In each chord it is t times the share that friction
// leaves.
func (p Path) SetTension(t float64) {
	for _, c := range p {
		c.tension = t * c.share
	}
}

// Tension returns the tension of chord i, N.
func (p Path) Tension(i int) float64 { return p[i].tension }

// Share returns the tension of chord i over that at the motor, without the bristles of motion.
func (p Path) Share(i int) float64 { return p[i].share }

// Length returns the length of the tendon, m.
func (p Path) Length() (sum float64) {
	for _, c := range p {
		sum += c.length
	}
	return sum
}

// WeightedLength returns Σ share × length of the chords, m, the length that is conjugate to the tension at the
// motor.
func (p Path) WeightedLength() (sum float64) {
	for _, c := range p {
		sum += c.share * c.length
	}
	return sum
}
