package torture

import (
	"math"

	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/spatial"
)

const sectionStream = 0x736563

// NewSections generates robot seed as NewRod does, with a rod of one to five sections: solid,
// hollow, tapered or of any shape, of materials, damping and curvature of their own, with
// elements of either order. The run at a quarter of the step has twice as many elements.
func NewSections(seed uint64) (*Case, error) {
	return newRod(seed, sectionStream, (*rodDraft).sections)
}

// sections divides the rod into sections whose stiffness is some of what it was.
func (d *rodDraft) sections() {
	r := &d.file.Rod
	shares := make([]float64, 1+d.IntN(5))
	sum := 0.0
	for i := range shares {
		shares[i] = d.log(0.1, 1)
		sum += shares[i]
	}
	r.Order = 2 + 2*d.IntN(2)
	r.Elements = min(max(r.Elements, 6*len(shares)), 40) // the finer run has twice as many
	end := 1.0                                           // radius over that of the rod at the end of the section before
	for _, share := range shares {
		s := r.Segments()[0]
		s.Length = r.Length * share / sum
		s.YoungsModulus *= d.log(0.7, 1.5)
		s.ShearModulus = s.YoungsModulus / d.between(2, 3)
		s.Density *= d.log(0.5, 2)
		if d.chance(0.3) {
			s.Damping.KelvinVoigt *= d.log(0.3, 3)
		}
		if d.chance(0.3) {
			s.Precurvature = spatial.Vec{X: d.between(-1, 1), Y: d.between(-1, 1), Z: d.between(-1, 1)}.Scale(1 / r.Length)
		}
		start := end
		if d.chance(0.5) {
			start = d.between(0.8, 1.2)
		}
		end = start
		if d.chance(0.6) {
			end = d.between(0.75, 1.2)
		}
		s.Radius = []float64{start * r.Radius, end * r.Radius}
		switch {
		case d.chance(0.3):
			s.InnerRadius = []float64{0.5 * s.Radius[0], d.between(0.2, 0.7) * s.Radius[1]}
		case d.chance(0.2):
			a := math.Pi * s.Radius[0] * s.Radius[0]
			i := a * a / (4 * math.Pi)
			s.Section = &robotfile.Section{Area: a, I1: i * d.between(0.7, 1.3), I2: i * d.between(0.7, 1.3), J: 1.5 * i}
			s.Radius, s.InnerRadius = nil, nil
		}
		r.Sections = append(r.Sections, s)
	}
	r.Radius, r.InnerRadius = 0, 0
	r.Length = 0 // what follows from the sections
	for _, s := range r.Sections {
		r.Length += s.Length
	}
}
