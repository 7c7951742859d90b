package robotfile_test

import (
	"reflect"
	"strings"
	"testing"

	"sinew/pkg/sim/robotfile"
)

// A section has the memory of the rod, its own, or none.
func TestMemoryOfSections(t *testing.T) {
	r := mustParse(t, `rod:
  viscoelasticity: [{modulus_ratio: 0.2, relaxation_time_s: 0.5}, {modulus_ratio: 0.1, relaxation_time_s: 20}]
  bending_friction: [{stiffness_nm2: 1e-3, limit_nm: 2e-3}]
  sections:
    - {length_m: 0.1, radius_m: 0.004}
    - {length_m: 0.1, radius_m: 0.004, viscoelasticity: [{modulus_ratio: 0.3, relaxation_time_s: 1}], bending_friction: []}
`)
	branches, slips := []robotfile.MaxwellBranch{{0.2, 0.5}, {0.1, 20}}, []robotfile.ElastoplasticSpring{{1e-3, 2e-3}}
	for i, want := range []robotfile.Segment{
		{Viscoelasticity: branches, BendingFriction: slips},
		{Viscoelasticity: []robotfile.MaxwellBranch{{0.3, 1}}, BendingFriction: []robotfile.ElastoplasticSpring{}},
	} {
		got := r.Rod.Sections[i]
		if !reflect.DeepEqual(got.Viscoelasticity, want.Viscoelasticity) || len(got.BendingFriction) != len(want.BendingFriction) ||
			len(want.BendingFriction) > 0 && got.BendingFriction[0] != want.BendingFriction[0] {
			t.Errorf("section %d has %+v and %+v", i, got.Viscoelasticity, got.BendingFriction)
		}
	}
	roundTrip(t, r)
	whole := mustParse(t, "rod: {viscoelasticity: [{modulus_ratio: 0.2, relaxation_time_s: 0.5}], bending_friction: [{stiffness_nm2: 1e-3, limit_nm: 2e-3}]}")
	s := whole.Rod.Segments()[0]
	if len(s.Viscoelasticity) != 1 || !reflect.DeepEqual(s.BendingFriction, slips) {
		t.Errorf("a uniform rod has %+v and %+v", s.Viscoelasticity, s.BendingFriction)
	}
	roundTrip(t, whole)
}

func TestMistakesOfMemory(t *testing.T) {
	branch, slip := "{modulus_ratio: 1, relaxation_time_s: 1}", "{stiffness_nm2: 1, limit_nm: 1}"
	for _, c := range []struct{ file, want string }{
		{"rod: {viscoelasticity: [{modulus_ratio: 0.2}]}", "rod.viscoelasticity[0].relaxation_time_s: is missing; allowed: [1e-9, 1e6] s"},
		{"rod: {viscoelasticity: [{modulus_ratio: 0.2, relaxation_time_s: 1e-200}]}", "rod.viscoelasticity[0].relaxation_time_s: 1e-200 s is out of range; allowed: [1e-9, 1e6] s"},
		{"{rod: {}, tendons: [{name: a, offset_m: [8e-3, 0], friction_coefficient: 0.1, friction_displacement_m: 1e-300}]}", "tendons[0].friction_displacement_m: 1e-300 m is out of range; allowed: 0, or [1e-9, 1] m"},
		{"rod: {viscoelasticity: [{modulus_ratio: 0, relaxation_time_s: 1}]}", "rod.viscoelasticity[0].modulus_ratio: 0 is out of range; allowed: [1e-9, 1000]"},
		{"rod: {bending_friction: [{stiffness_nm2: -1, limit_nm: 1}]}", "rod.bending_friction[0].stiffness_nm2: -1 N m^2 is out of range; allowed: [1e-15, 1e9] N m^2"},
		{"rod: {viscoelasticity: [" + strings.Repeat(branch+",", 5) + "]}", "{...}] has 5 entries; allowed: at most 4"},
		{"{rod: {}, tendons: [{name: a, offset_m: [8e-3, 0], friction_coefficient: 0.1, friction_springs: [" + strings.Repeat("{share: 0.01, displacement_m: 1e-5},", 17) + "]}]}", ", ...] has 17 entries; allowed: at most 16"},
		{"rod: {bending_friction: [" + strings.Repeat(slip+",", 17) + "]}", "...] has 17 entries; allowed: at most 16"},
		{"rod: {viscoelasticity: [" + branch + "]}\nsolver: {method: explicit}", "rod.viscoelasticity: [{...}] is supported by method implicit only; allowed: remove it, or use method implicit"},
		{"rod: {bending_friction: [" + slip + "]}\nsolver: {method: reference}", "rod.bending_friction: [{...}] is supported by method implicit only; allowed: remove it, or use method implicit"},
		{"rod: {damping: {rotational_drag_n_s: 1}}\nsolver: {method: explicit}", "rod.damping.rotational_drag_n_s: 1 is supported by method implicit only; allowed: remove it, or use method implicit"},
	} {
		_, err := robotfile.Parse[robotfile.Continuum]("f", []byte(c.file))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s:\ngot  %v\nwant %s", c.file, err, c.want)
		}
	}
}
