package magnetics

import "sinew/pkg/sim/spatial"

// Field is all that makes flux density at a place, but for what rotates: the sum of
// its parts.
type Field struct {
	Linear  Linear
	Dipoles []Dipole
	Coils   *Coils // nil: none
}

// At returns field and gradient at p under the currents of the coils (A). It does not
// allocate.
func (f *Field) At(p spatial.Vec, currents []float64) (b spatial.Vec, g Gradient) {
	b, g = f.Linear.At(p)
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
