package robotfile_test

import (
	"math"
	"reflect"
	"strings"
	"testing"

	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/spatial"
)

// What a section leaves out it has from the rod, and Poisson's ratio too.
func TestSectionsInherit(t *testing.T) {
	r := mustParse(t, `rod:
  density_kg_per_m3: 1000
  youngs_modulus_pa: 6e6
  shear_modulus_pa: 2.4e6
  shear_correction: 0.8
  precurvature_per_m: [1, 2, 3]
  damping: {kelvin_voigt_s: 0.1, drag_per_s: 2, rotational_drag_n_s: 4, quadratic_drag_kg_per_m2: 3}
  sections:
    - {length_m: 0.1, radius_m: 0.004}
    - {length_m: 0.2, radius_m: [0.004, 0.002], inner_radius_m: [0.001], youngs_modulus_pa: 3e6, damping: {drag_per_s: 0}}
    - {length_m: 0.3, section: {area_m2: 1e-5, i1_m4: 1e-11, i2_m4: 2e-11, j_m4: 3e-11}, density_kg_per_m3: 2000, shear_modulus_pa: 1e6, shear_correction: 0.5, precurvature_per_m: [0, 0, 0], damping: {kelvin_voigt_s: 0, quadratic_drag_kg_per_m2: 0}}
`)
	bent := spatial.Vec{X: 1, Y: 2, Z: 3}
	for i, want := range []robotfile.Segment{
		{Length: 0.1, Radius: []float64{0.004}, InnerRadius: []float64{0}, Density: 1000, YoungsModulus: 6e6, ShearModulus: 2.4e6, ShearCorrection: 0.8, Precurvature: bent, Damping: robotfile.SegmentDamping{0.1, 2, 4, 3}},
		{Length: 0.2, Radius: []float64{0.004, 0.002}, InnerRadius: []float64{0.001}, Density: 1000, YoungsModulus: 3e6, ShearModulus: 1.2e6, ShearCorrection: 0.8, Precurvature: bent, Damping: robotfile.SegmentDamping{0.1, 0, 4, 3}},
		{Length: 0.3, Section: &robotfile.Section{1e-5, 1e-11, 2e-11, 3e-11}, Density: 2000, YoungsModulus: 6e6, ShearModulus: 1e6, ShearCorrection: 0.5, Damping: robotfile.SegmentDamping{0, 2, 4, 0}},
	} {
		got := r.Rod.Sections[i]
		if math.Abs(got.ShearModulus/want.ShearModulus-1) < 1e-15 {
			got.ShearModulus = want.ShearModulus
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("section %d: %+v, want %+v", i, got, want)
		}
	}
	if r.Rod.Length != 0.6 || r.Rod.Radius != 0 || r.Rod.Section != nil {
		t.Errorf("length %.17g m, radius %g m, want 0.6 m and none", r.Rod.Length, r.Rod.Radius)
	}
	if nodes := r.NodeArcLengths(); len(nodes) != 2 || nodes[0] != 0.1 || math.Abs(nodes[1]-0.3) > 1e-15 {
		t.Errorf("nodes at %v m, want those of the borders", nodes)
	}
	roundTrip(t, r)
}

// A rod without sections is one.
func TestStretchesOfUniformRods(t *testing.T) {
	r := mustParse(t, "rod: {radius_m: 0.004, inner_radius_m: 0.003, damping: {drag_per_s: 2}}")
	s := r.Rod.Segments()
	outer, inner := s[0].Radii()
	if len(s) != 1 || outer != [2]float64{0.004, 0.004} || inner != [2]float64{0.003, 0.003} || s[0].Length != 0.25 || s[0].Damping.Drag != 2 {
		t.Errorf("%+v", s)
	}
}

// A disk that is as good as at a border is at the node of the border.
func TestBordersAreNodes(t *testing.T) {
	r := mustParse(t, `{rod: {elements: 10, sections: [{length_m: 0.1, radius_m: 0.004}, {length_m: 0.1, radius_m: 0.003}]},
tendons: [{name: a, offset_m: [0.01, 0], disks: {positions_m: [0.05, 0.09999999, 0.2]}}, {name: b, offset_m: [0, 0.01], disks: {positions_m: [0.10000001, 0.2]}}]}`)
	if got := r.NodeArcLengths(); !reflect.DeepEqual(got, []float64{0.05, 0.1}) {
		t.Errorf("nodes at %v", got)
	}
}

func TestMistakesOfSections(t *testing.T) {
	for _, c := range []struct{ rod, want string }{
		{"sections: []", "f:1: rod.sections: [] has no section; allowed: at least 1"},
		{"sections: [{radius_m: 0.01}]", "rod.sections[0].length_m: is missing; allowed: (0, 100] m"},
		{"sections: [{length_m: 0, radius_m: 0.01}]", "rod.sections[0].length_m: 0 m is out of range; allowed: (0, 100] m"},
		{"sections: [{length_m: 0.1}]", "rod.sections[0].radius_m: is missing; allowed: a radius, or [radius at its start, radius at its end], or section m"},
		{"sections: [{length_m: 0.1, radius_m: []}]", "rod.sections[0].radius_m: [] has 0 values; allowed: a list of 1 or 2"},
		{"sections: [{length_m: 0.1, radius_m: [0.01, 0.01, 0.01]}]", "rod.sections[0].radius_m: [0.01, 0.01, 0.01] has 3 values; allowed: a list of 1 or 2"},
		{"sections: [{length_m: 0.1, radius_m: [0.01, 0]}]", "rod.sections[0].radius_m[1]: 0 m is out of range; allowed: (0, 10] m"},
		{"sections: [{length_m: 0.1, radius_m: 12}]", "rod.sections[0].radius_m[0]: 12 m is out of range; allowed: (0, 10] m (it looks like millimetres: 0.012 m)"},
		{"sections: [{length_m: 0.1, radius_m: x}]", `rod.sections[0].radius_m[0]: "x" must be a number; allowed: (0, 10] m`},
		{"sections: [{length_m: 0.1, radius_m: {a: 1}}]", "rod.sections[0].radius_m: {...} must be a list"},
		{"sections: [{length_m: 0.1, radius_m: 0.01, inner_radius_m: 0.01}]", "rod.sections[0].inner_radius_m: 0.01 m is not below radius_m at the start of the section; allowed: below 0.01 m"},
		{"sections: [{length_m: 0.1, radius_m: [0.01, 0.002], inner_radius_m: 0.005}]", "rod.sections[0].inner_radius_m: 0.005 m is not below radius_m at the end of the section; allowed: below 0.002 m"},
		{"sections: [{length_m: 0.1, radius_m: 0.01, section: {area_m2: 1, i1_m4: 1, i2_m4: 1, j_m4: 1}}]", "rod.sections[0].section: {...} excludes radius_m, inner_radius_m, which is given too"},
		{"sections: [{length_m: 0.1, radius_m: 0.01, colour: 1}]", "rod.sections[0].colour: unknown key"},
		{"sections: [{length_m: 0.1, radius_m: 0.2}]", "rod.sections[0].radius_m: 0.2 m is not below the length of the rod; allowed: below 0.1 m"},
		{"radius_m: 0.01, sections: [{length_m: 0.1, radius_m: 0.01}]", "rod.sections: [{...}] excludes radius_m, inner_radius_m, which is given too"},
		{"length_m: 0.3, sections: [{length_m: 0.1, radius_m: 0.01}, {length_m: 0.1, radius_m: 0.01}]", "rod.length_m: 0.3 m differs from the sum of the lengths of the sections; allowed: 0.2 m (remove it)"},
		{"elements: 2, sections: [{length_m: 0.1, radius_m: 0.01}, {length_m: 0.1, radius_m: 0.01}, {length_m: 0.1, radius_m: 0.01}]", "rod.elements: 2 are fewer than the 3 sections; allowed: at least 3, one per section"},
		{"elements: 2, sections: [{length_m: 10, radius_m: 0.01}, {length_m: 1e-6, radius_m: 0.01}]", "rod.sections[1].length_m: 1e-6 m is negligible beside an element; allowed: above"},
		{"inner_radius_m: 0.0055", "rod.inner_radius_m: 0.0055 m is not below radius_m; allowed: below 0.0055"},
	} {
		_, err := robotfile.Parse[robotfile.Continuum]("f", []byte("rod: {"+c.rod+"}"))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s:\ngot  %v\nwant %s", c.rod, err, c.want)
		}
	}
	// the sum may be written too, and may be off by round-off
	r := mustParse(t, "rod: {length_m: 0.1, sections: [{length_m: 0.03, radius_m: 0.002}, {length_m: 0.04, radius_m: 0.002}, {length_m: 0.03, radius_m: 0.002}]}")
	if r.Rod.Length != 0.1 {
		t.Errorf("length %.17g m", r.Rod.Length)
	}
}

// Single numbers of sections can be set, also those that the file gives without brackets.
func TestSetSections(t *testing.T) {
	for path, got := range map[string]func(s []robotfile.Segment) float64{
		"rod.sections[1].youngs_modulus_pa": func(s []robotfile.Segment) float64 { return s[1].YoungsModulus },
		"rod.sections[0].radius_m[0]":       func(s []robotfile.Segment) float64 { return s[0].Radius[0] },
		"rod.sections[0].radius_m":          func(s []robotfile.Segment) float64 { return s[0].Radius[0] },
		"rod.sections[1].radius_m[1]":       func(s []robotfile.Segment) float64 { return s[1].Radius[1] },
	} {
		var d robotfile.Draft[robotfile.Continuum]
		d.Merge("f", []byte("rod: {sections: [{length_m: 2000e-3, radius_m: 0.004}, {length_m: 80, radius_m: [0.003, 0.002]}]}"))
		value := 0.005
		if strings.Contains(path, "pa") {
			value = 5000
		}
		d.Set(path, robotfile.FormatNumber(value), "test")
		r, err := d.Robot()
		if err != nil || !d.Has(path) {
			t.Errorf("%s: %v", path, err)
		} else if x := got(r.Rod.Sections); x != value {
			t.Errorf("%s: %g", path, x)
		}
	}
}
