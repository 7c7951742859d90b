package robotfile

import (
	"slices"
	"testing"
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
		var d Draft[Continuum]
		d.Merge("f", []byte(c.file+"\nsolver: {method: implicit}\n"))
		if _, err := d.Robot(); err != nil {
			t.Fatalf("%s: %v", c.file, err)
		}
		if got := d.Overridden(c.path); !slices.Equal(got, c.want) {
			t.Errorf("%s: %s is overridden by %v, want %v", c.file, c.path, got, c.want)
		}
	}
}
