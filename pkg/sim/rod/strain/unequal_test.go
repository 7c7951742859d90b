package strain

import (
	"math"
	"testing"

	"sinew/pkg/sim/rod"
	"sinew/pkg/sim/spatial"
)

// Constants of elements of 0.1, 0.3 and 0.6 m.
func TestUnequalElementsByHand(t *testing.T) {
	r, err := rod.New(rod.Params{
		Length: 1, Elements: 3, Nodes: []float64{0.1, 0.4}, Section: rod.Section{Area: 0.01, I1: 2e-4, I2: 3e-4, J: 4e-4},
		Material: rod.Material{YoungsModulus: 1e4, ShearModulus: 6e3, Density: 1000, ShearCorrection: 0.9}, Base: spatial.IdentityPose(),
	})
	if err != nil {
		t.Fatal(err)
	}
	c := newConstants(r, &Options{})
	for i, length := range []float64{0.05, 0.2, 0.45, 0.3} {
		if d := c.inertia[i].Sub(spatial.Vec{X: 0.2, Y: 0.3, Z: 0.5}.Scale(length)).Norm(); !(d < 1e-15) || !(math.Abs(c.mass[i]-10*length) < 1e-14) {
			t.Errorf("node %d: %g kg, %v kg m², want those of %g m", i, c.mass[i], c.inertia[i], length)
		}
		if want := []float64{0.1, 0.1, 0.3, 0.6}[i]; !(math.Abs(c.minSpacing[i]-want) < 1e-15) {
			t.Errorf("node %d: shorter element %g m, want %g", i, c.minSpacing[i], want)
		}
	}
	for e, l := range []float64{0.1, 0.3, 0.6} {
		if k := c.elements[e].linear.Z * l; !(math.Abs(k-100) < 1e-10) || !(math.Abs(c.elements[e].rest.Linear.Z-l) < 1e-15) {
			t.Errorf("element %d: stretch stiffness %g N, want 100", e, k)
		}
	}
}
