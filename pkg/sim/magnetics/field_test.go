package magnetics_test

import (
	"testing"

	"sinew/pkg/sim/magnetics"
	"sinew/pkg/sim/spatial"
)

// A field is the sum of its parts, whichever of them it has.
func TestFieldIsTheSumOfItsParts(t *testing.T) {
	linear := magnetics.Linear{B: spatial.Vec{X: 1e-3, Z: 2e-3}, G: magnetics.Gradient{XX: 0.1, XY: 0.2}}
	dipole, other := magnetics.Dipole{Position: spatial.Vec{Z: 0.1}, Moment: spatial.Vec{X: 1}}, magnetics.Dipole{Position: spatial.Vec{Y: -0.2}, Moment: spatial.Vec{Z: 3}}
	set, currents, p := coils(t), []float64{1, -2}, spatial.Vec{X: 0.01, Y: 0.02, Z: -0.01}
	for code := range 8 {
		var f magnetics.Field
		var b spatial.Vec
		var g magnetics.Gradient
		add := func(db spatial.Vec, dg magnetics.Gradient) { b, g = b.Add(db), g.Add(dg) }
		if code&1 != 0 {
			f.Linear = linear
			add(linear.At(p))
		}
		if code&2 != 0 {
			f.Dipoles = []magnetics.Dipole{dipole, other}
			add(dipole.At(p))
			add(other.At(p))
		}
		if code&4 != 0 {
			f.Coils = set
			add(set.At(p, currents))
		}
		gotB, gotG := f.At(p, currents)
		magnetics.NearVec(t, "field", gotB, b, 1e-15)
		if gotG != g {
			t.Errorf("parts %03b: gradient %+v, want %+v", code, gotG, g)
		}
	}
}
