package continuum

import (
	"math"
	"testing"

	"sinew/pkg/sim/continuum/rodmodel"
	"sinew/pkg/sim/robotfile"
)

// Damping of each section acts on its elements and, by their lengths and masses, on its
// nodes.
func TestConstantsOfSections(t *testing.T) {
	f, err := robotfile.Parse[robotfile.Continuum]("arm", []byte(`
rod:
  elements: 30
  density_kg_per_m3: 1100
  youngs_modulus_pa: 2e6
  shear_modulus_pa: 7e5
  sections:
    - {length_m: 0.12, radius_m: [0.008, 0.005], damping: {kelvin_voigt_s: 0.02, drag_per_s: 6, quadratic_drag_kg_per_m2: 0.02}}
    - {length_m: 0.1, radius_m: 0.006, inner_radius_m: [0.003, 0.002], damping: {drag_per_s: 6}}
    - {length_m: 0.08, section: {area_m2: 4e-5, i1_m4: 2e-10, i2_m4: 1e-10, j_m4: 1.2e-10}, damping: {kelvin_voigt_s: 0.05, drag_per_s: 6, quadratic_drag_kg_per_m2: 0.05}}
`))
	if err != nil {
		t.Fatal(err)
	}
	r, err := NewRobot(f)
	if err != nil {
		t.Fatal(err)
	}
	sum := func(x []float64) (s float64) {
		for _, v := range x {
			s += v
		}
		return s
	}
	options := rodmodel.Options(&r.file.Rod, r.rod)
	viscous := options.KelvinVoigt
	if viscous[0] != 0.02 || viscous[11] != 0.02 || viscous[12] != 0 || viscous[21] != 0 || viscous[22] != 0.05 || viscous[29] != 0.05 {
		t.Errorf("Kelvin-Voigt times %v s", viscous)
	}
	if got, want := sum(options.Quadratic), 0.02*0.12+0.05*0.08; math.Abs(got/want-1) > 1e-12 {
		t.Errorf("quadratic drag of %g kg/m, want %g", got, want)
	}
	f.Rod.Sections[0].Damping.Drag, f.Rod.Sections[1].Damping.Drag = 0, 10
	if r, err = NewRobot(f); err != nil {
		t.Fatal(err)
	}
	options = rodmodel.Options(&r.file.Rod, r.rod)
	tube := math.Pi * 0.1 * (0.006*0.006 - (0.003*0.003+0.003*0.002+0.002*0.002)/3)
	if got, want := sum(options.Drag), 1100*(10*tube+6*4e-5*0.08); math.Abs(got/want-1) > 1e-12 {
		t.Errorf("drag of %g N s/m, want %g", got, want)
	}
	if d := options.Drag; d[5] != 0 || !(d[12] > 0) {
		t.Errorf("drag %v N s/m", d)
	}
}

// TestCollarTouchesWithBothEnds has a collar of one element before a thin tip: both of its ends, and the
// end of a thick first section, touch with their own radius.
func TestCollarTouchesWithBothEnds(t *testing.T) {
	r := robotOf(t, `
rod: {youngs_modulus_pa: 1e9, density_kg_per_m3: 6000, elements: 10, sections: [{length_m: 0.01, radius_m: 0.0009}, {length_m: 0.07, radius_m: 0.0002}, {length_m: 0.01, radius_m: 0.0008}, {length_m: 0.01, radius_m: 0.0002}]}
environment: {shapes: [{name: table, plane: {point_m: [0, 0, -1]}}]}`)
	for _, c := range []struct{ s, want float64 }{{0.01, 0.0009}, {0.015, 0.0002}, {0.08, 0.0008}, {0.085, 0.0008}, {0.09, 0.0008}, {0.0901, 0.0002}, {0.1, 0.0002}} {
		if got := r.contactRadius(c.s); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("at %g m the surface has a radius of %g m, want %g m", c.s, got, c.want)
		}
	}
}

// robotOf makes a robot of the text of its file.
func robotOf(t *testing.T, text string) *Robot {
	t.Helper()
	f, err := robotfile.Parse[robotfile.Continuum]("f", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	r, err := NewRobot(f)
	if err != nil {
		t.Fatal(err)
	}
	return r
}
