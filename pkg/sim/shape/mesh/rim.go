package mesh

import "sinew/pkg/sim/spatial"

// Rim is the rounded edge of an open end: all points at the distance Lip from a closed curve
// through the points of Ring. It is tangent to the wall.
type Rim struct {
	Ring   []spatial.Vec // m
	Center spatial.Vec   // of the edge of the wall, m
	Axis   spatial.Vec   // unit: the direction in which the wall runs out
	Lip    float64       // m
}

// Rims returns the rims of the open ends. They are shared and not to be changed.
func (f *Field) Rims() []Rim { return f.rims }
