package robotfile_test

import (
	"slices"
	"testing"

	"sinew/pkg/sim/robotfile"
)

// TestNumbersOverriddenEverywhereAreNamed demands the keys given instead of a number that has no effect,
// and nothing where one shape or section still has it.
func TestNumbersOverriddenEverywhereAreNamed(t *testing.T) {
	const (
		ball = "{name: a, sphere: {center_m: [1, 0, 0], radius_m: 0.1}, friction_coefficient: 0.1}"
		bare = "{name: b, sphere: {center_m: [2, 0, 0], radius_m: 0.1}}"
		soft = "{length_m: 0.1, radius_m: [0.001], youngs_modulus_pa: 1e9, shear_modulus_pa: 4e8, precurvature_per_m: [0, 0, 0]}"
		lean = "{length_m: 0.1, radius_m: [0.001], youngs_modulus_pa: 1e9}"
	)
	for _, c := range []struct {
		file, path string
		want       []string
	}{
		{"environment: {shapes: [" + ball + "]}", "environment.friction_coefficient", []string{"environment.shapes[0].friction_coefficient"}},
		{"environment: {shapes: [" + ball + ", " + bare + "]}", "environment.friction_coefficient", nil},
		{"rod: {sections: [" + soft + "]}", "rod.youngs_modulus_pa", []string{"rod.sections[0].youngs_modulus_pa"}},
		{"rod: {sections: [" + soft + "]}", "rod.precurvature_per_m[1]", []string{"rod.sections[0].precurvature_per_m"}},
		{"rod: {sections: [" + soft + "]}", "rod.density_kg_per_m3", nil},
		{"rod: {sections: [" + soft + ", " + lean + "]}", "rod.youngs_modulus_pa", nil}, // G is in proportion
		{"rod: {radius_m: 0.001}", "rod.youngs_modulus_pa", nil},
	} {
		var d robotfile.Draft[robotfile.Continuum]
		d.Merge("f", []byte(c.file+"\nsolver: {method: implicit}\n"))
		if _, err := d.Robot(); err != nil {
			t.Fatalf("%s: %v", c.file, err)
		}
		if got := d.Overridden(c.path); !slices.Equal(got, c.want) {
			t.Errorf("%s: %s is overridden by %v, want %v", c.file, c.path, got, c.want)
		}
	}
}

// TestOldNamesOfWarnings: accept takes a name of before, and the warning says the name of today.
func TestOldNamesOfWarnings(t *testing.T) {
	for old, want := range map[string]robotfile.Warning{
		"dip_over_radius": robotfile.PenetrationBetweenPoints, "base_depth_over_radius": robotfile.BaseInWall, "base_penetration_over_radius": robotfile.BaseInWall,
	} {
		var d robotfile.Draft[robotfile.Continuum]
		d.Merge("f", []byte("rod: {radius_m: 0.001}\naccept: ["+old+"]\n"))
		r, err := d.Robot()
		if err != nil {
			t.Fatalf("%s: %v", old, err)
		}
		if !slices.Equal(r.Accept, []robotfile.Warning{want}) {
			t.Errorf("%s is read as %v, want %s", old, r.Accept, want)
		}
		d.AddFindings(nil, r.Accept)
		text := `f:2: accept[0]: "` + old + `" is the old name of a warning (write ` + string(want) + ")"
		if w := d.Warnings(); len(w) != 1 || w[0].String() != text {
			t.Errorf("%s: warnings %v, want %q", old, w, text)
		}
	}
	var d robotfile.Draft[robotfile.Microrobot]
	d.Merge("f", []byte("body: {shape: {sphere_m: 1e-6}}\naccept: [dip_over_radius]\n"))
	if _, err := d.Robot(); err == nil {
		t.Error("a body accepts a warning of rods")
	}
}
