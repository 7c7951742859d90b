package magnetics

import "sinew/pkg/sim/spatial"

// Field is everything that makes flux density at a place: the sum of its parts.
type Field struct {
	Linear   Linear
	Rotating Rotating
	Dipoles  []Dipole
	Coils    *Coils // nil: none
}

// At returns field and gradient at p for the phase of the rotating part (rad) and
// the currents of the coils (A). It does not allocate.
func (f *Field) At(p spatial.Vec, phase float64, currents []float64) (spatial.Vec, Gradient) {
	b := f.Rotating.At(phase)
	l, g := f.Linear.At(p)
	b = b.Add(l)
	if f.Coils == nil && len(f.Dipoles) == 0 {
		return b, g
	}
	return f.near(p, currents, b, g)
}

// near adds the fields of things in places.
func (f *Field) near(p spatial.Vec, currents []float64, b spatial.Vec, g Gradient) (spatial.Vec, Gradient) {
	for i := range f.Dipoles {
		d, dg := f.Dipoles[i].At(p)
		b, g = b.Add(d), g.Add(dg)
	}
	if f.Coils != nil {
		c, cg := f.Coils.At(p, currents)
		b, g = b.Add(c), g.Add(cg)
	}
	return b, g
}
