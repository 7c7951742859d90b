package rod

import "sinew/pkg/sim/spatial"

// Unexported names for the external tests.
var (
	Divide                   = divide
	NewLinearStrainStiffness = newLinearStrainStiffness
)

// Weights returns the lengths by node of a uniform rod with elements of the given order.
func Weights(m Mesh, order int) []float64 {
	p := Good()
	p.Order, p.Elements, p.Length = order, len(m.Lengths), m.ArcLengths[len(m.Lengths)]
	r := &Rod{Params: p, Mesh: m}
	r.setProperties()
	return r.TributaryLengths()
}

// Good returns valid parameters of a rod of one element.
func Good() Params {
	return Params{
		Length: 2, Elements: 1, Section: Section{Area: 0.01, I1: 2e-4, I2: 3e-4, J: 4e-4},
		Material: Material{YoungsModulus: 1e4, ShearModulus: 6e3, Density: 1000, ShearCorrection: 0.9},
		Base:     spatial.IdentityPose(),
	}
}
