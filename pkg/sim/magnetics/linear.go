package magnetics

import "sinew/pkg/sim/spatial"

// Linear is the field B(p) = B + G (p − Center), the first two terms of any field
// around a point; with no gradient, a uniform field.
type Linear struct {
	B      spatial.Vec // at Center, T
	G      Gradient    // T/m
	Center spatial.Vec // m
}

// At returns field and gradient at p.
func (l *Linear) At(p spatial.Vec) (spatial.Vec, Gradient) {
	return l.B.Add(l.G.Apply(p.Sub(l.Center))), l.G
}
