package rod_test

import (
	"testing"

	"sinew/pkg/sim/rod"
	"sinew/pkg/sim/spatial"
)

// weights returns the lengths by node of a uniform rod with the elements of a mesh, of the given order.
func weights(t *testing.T, m rod.Mesh, order int) []float64 {
	t.Helper()
	n := len(m.Lengths)
	p := good()
	p.Order, p.Elements, p.Length = order, n, m.ArcLengths[n]
	p.Nodes = m.ArcLengths[1:n]
	r, err := rod.New(p)
	if err != nil {
		t.Fatal(err)
	}
	return r.TributaryLengths()
}

// good returns valid parameters of a rod of one element.
func good() rod.Params {
	return rod.Params{
		Length: 2, Elements: 1, Section: rod.Section{Area: 0.01, I1: 2e-4, I2: 3e-4, J: 4e-4},
		Material: rod.Material{YoungsModulus: 1e4, ShearModulus: 6e3, Density: 1000, ShearCorrection: 0.9},
		Base:     spatial.IdentityPose(),
	}
}

// divide returns the quotients of the components.
func divide(a, b spatial.Vec) spatial.Vec {
	return spatial.Vec{X: a.X / b.X, Y: a.Y / b.Y, Z: a.Z / b.Z}
}
