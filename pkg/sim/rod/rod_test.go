package rod

import (
	"math"
	"strings"
	"testing"

	"sinew/pkg/sim/spatial"
)

func TestBadRodsAreRefusedWithAllMistakes(t *testing.T) {
	p := Params{
		Length: 1, Elements: 3, Section: Section{Area: 0.01, I1: 2e-4, I2: 3e-4, J: 4e-4},
		Material: Material{YoungsModulus: 1e4, ShearModulus: 6e3, Density: 1000, ShearCorrection: 0.9},
		Base:     spatial.IdentityPose(),
	}
	p.Length, p.Elements, p.Material.Density, p.Section.J = -1, 0, math.NaN(), math.Inf(1)
	_, err := New(p)
	if err == nil {
		t.Fatal("accepted")
	}
	for _, part := range []string{"length is -1 m", "0 elements", "density is NaN", "torsion constant J is +Inf"} {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("%q does not say %q", err, part)
		}
	}
}
