package rod_test

import (
	"math"
	"strings"
	"testing"

	"sinew/pkg/sim/rod"
	"sinew/pkg/sim/spatial"
)

func TestBadRodsAreRefusedWithAllMistakes(t *testing.T) {
	p := rod.Params{
		Length: 1, Elements: 3, Section: rod.Section{Area: 0.01, I1: 2e-4, I2: 3e-4, J: 4e-4},
		Material: rod.Material{YoungsModulus: 1e4, ShearModulus: 6e3, Density: 1000, ShearCorrection: 0.9},
		Base:     spatial.IdentityPose(),
	}
	p.Length, p.Elements, p.Material.Density, p.Section.J = -1, 0, math.NaN(), math.Inf(1)
	_, err := rod.New(p)
	if err == nil {
		t.Fatal("accepted")
	}
	for _, part := range []string{"length is -1 m", "0 elements", "density is NaN", "torsion constant J is +Inf"} {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("%q does not say %q", err, part)
		}
	}
}

func TestConstantsByHand(t *testing.T) {
	r, err := rod.New(good())
	if err != nil {
		t.Fatal(err)
	}
	want := rod.Stiffness{Shear: spatial.Vec{X: 54, Y: 54, Z: 100}, Bend: spatial.Vec{X: 2, Y: 3, Z: 2.4}}
	if d := math.Hypot(r.Stiffness.Shear.Sub(want.Shear).Norm(), r.Stiffness.Bend.Sub(want.Bend).Norm()); !(d < 1e-12) {
		t.Errorf("stiffness %+v, want %+v", r.Stiffness, want)
	}
	if d := r.LineInertia.Sub(spatial.Vec{X: 0.2, Y: 0.3, Z: 0.5}).Norm(); !(d < 1e-15) || r.ElementLength != 2 || math.Abs(r.ElementMass-20) > 1e-12 {
		t.Errorf("inertia %v kg m, elements of %g m and %g kg", r.LineInertia, r.ElementLength, r.ElementMass)
	}
	c := rod.Circle(2)
	for name, v := range map[string][2]float64{"area": {c.Area, 4 * math.Pi}, "I1": {c.I1, 4 * math.Pi}, "I2": {c.I2, 4 * math.Pi}, "J": {c.J, 8 * math.Pi}, "radius": {c.Radius(), 2}} {
		if !(math.Abs(v[0]-v[1]) < 1e-14) {
			t.Errorf("%s of a circle of radius 2: %.17g, want %.17g", name, v[0], v[1])
		}
	}
}

// Each parameter alone is refused at 0, below, and where it is not finite.
func TestEachBadParameterIsRefused(t *testing.T) {
	for name, at := range map[string]func(p *rod.Params) *float64{
		"length is": func(p *rod.Params) *float64 { return &p.Length }, "area is": func(p *rod.Params) *float64 { return &p.Section.Area },
		"second moment I1 is": func(p *rod.Params) *float64 { return &p.Section.I1 }, "second moment I2 is": func(p *rod.Params) *float64 { return &p.Section.I2 },
		"torsion constant J is": func(p *rod.Params) *float64 { return &p.Section.J }, "density is": func(p *rod.Params) *float64 { return &p.Material.Density },
		"Young's modulus is": func(p *rod.Params) *float64 { return &p.Material.YoungsModulus }, "shear modulus is": func(p *rod.Params) *float64 { return &p.Material.ShearModulus },
		"shear correction is": func(p *rod.Params) *float64 { return &p.Material.ShearCorrection },
	} {
		for _, v := range []float64{0, -1, math.NaN(), math.Inf(1)} {
			p := good()
			*at(&p) = v
			if _, err := rod.New(p); err == nil || !strings.Contains(err.Error(), name) {
				t.Errorf("%s %g: %v", name, v, err)
			}
		}
	}
	p := good()
	p.Precurvature.Y = math.Inf(1)
	if _, err := rod.New(p); err == nil || !strings.Contains(err.Error(), "precurvature") {
		t.Errorf("an infinite precurvature: %v", err)
	}
}

// Half-way positions round to even, also when their decimals are off by round-off.
func TestHalfWayNodesRoundToEven(t *testing.T) {
	p := good()
	p.Elements = 20 // of 0.1 m
	r, err := rod.New(p)
	if err != nil {
		t.Fatal(err)
	}
	for s, want := range map[float64]int{0: 0, 0.04: 0, 0.06: 1, 0.05: 0, 0.15: 2, 0.05 + 1e-11: 0, 0.15 - 1e-11: 2, 0.25 + 1e-11: 2, 0.25 + 1e-9: 3, 0.35 - 1e-9: 3, 2: 20} {
		if got := r.NearestNode(s); got != want {
			t.Errorf("node at %.17g m: %d, want %d", s, got, want)
		}
	}
}

// The node nearest to an arc length; half-way is snapped and goes to the even node.
func TestNearestNode(t *testing.T) {
	p := good()
	p.Length, p.Elements = 1, 10
	r, err := rod.New(p)
	if err != nil {
		t.Fatal(err)
	}
	for s, want := range map[float64]int{
		0: 0, 1: 10, 0.3: 3, 0.349: 3, 0.351: 4, 0.05: 0, 0.15: 2, 0.25: 2, 0.35: 4,
		0.35 - 5e-11: 4, 0.35 - 2e-10: 3, 0.25 + 5e-11: 2, 0.25 + 2e-10: 3, 0.45: 4, 0.95: 10,
	} {
		if got := r.NearestNode(s); got != want {
			t.Errorf("%.12g m: node %d, want %d", s, got, want)
		}
	}
}
