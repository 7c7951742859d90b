package robotfile_test

import (
	"strings"
	"testing"

	"sinew/pkg/sim/robotfile"
)

// Keys of tendonsim without effect give warnings, where they are and with what to do.
func TestContinuumWarnings(t *testing.T) {
	const tendon = "tendons: [{name: a, offset_m: [0.01, 0]"
	testWarnings[robotfile.Continuum](t, []warningCase{
		{"law of reference", "rod: {material_law: linear}\nsolver: {method: reference, step_s: 5e-5}", "rod.material_law", "f:1: rod.material_law: \"linear\" has no effect with method reference"},
		{"order of explicit", "rod: {element_order: 4}\nsolver: {method: explicit}", "rod.element_order", "f:1: rod.element_order: 4 has no effect with method explicit"},
		{"order of implicit", "rod: {element_order: 4}", "", ""},
		{"law of implicit", "rod: {material_law: linear}", "", ""},
		{"displacement without friction", tendon + ", friction_displacement_m: 1e-5}]", "tendons[0].friction_displacement_m", "without friction_coefficient"},
		{"springs without friction", tendon + ", friction_springs: [{share: 1, displacement_m: 1e-5}]}]", "tendons[0].friction_springs", "without friction_coefficient"},
		{"displacement beside springs", tendon + ", friction_displacement_m: 1e-5, friction_coefficient: 0.1, friction_springs: [{share: 1, displacement_m: 1e-5}]}]", "tendons[0].friction_displacement_m", "with friction_springs"},
		{"displacement with friction", tendon + ", friction_displacement_m: 1e-5, friction_coefficient: 0.1}]", "", ""},
		{"pull rate of tension control", tendon + ", limits: {max_rate_m_per_s: 1}}]", "tendons[0].limits.max_rate_m_per_s", "no length control"},
		{"pull rate of length control", tendon + ", stiffness_n_per_m: .inf, limits: {max_rate_m_per_s: 1}}]", "", ""},
		{"the same disks twice", tendon + "}, {name: b, offset_m: [-0.01, 0], disks: {mass_kg: 0.002}}]", "tendons[1].disks.mass_kg", "tendon a passes the same disks"},
		{"other disks", tendon + "}, {name: b, offset_m: [-0.01, 0], disks: {last_m: 0.1, mass_kg: 0.002}}]", "", ""},
		{"the disks of two", tendon + ", disks: {positions_m: [0.1, 0.2]}}, {name: b, offset_m: [-0.01, 0], disks: {positions_m: [0.15]}}, {name: c, offset_m: [0, 0.01], disks: {positions_m: [0.15, 0.2], mass_kg: 0.002}}]", "tendons[2].disks.mass_kg", "tendons b, a pass the same disks and carry their mass"},
		{"one disk of its own", tendon + ", disks: {positions_m: [0.1, 0.2]}}, {name: b, offset_m: [-0.01, 0], disks: {positions_m: [0.1, 0.15], mass_kg: 0.002}}]", "", ""},
		{"other mass", tendon + "}, {name: b, offset_m: [-0.01, 0], disks: {mass_kg: 0.001}}]", "", ""},
		{"nodes of reference", tendon + ", disks: {positions_m: [0.005, 0.1, 0.11875, 0.244, 0.245]}}]\nsolver: {method: reference, step_s: 5e-5}", "tendons[0].disks",
			"f:1: tendons[0].disks: 5 disks are at the nearest nodes in method reference, that of 0.005 m at 0 m, that of 0.11875 m at 0.125 m, that of 0.244 m at 0.25 m and 1 more"},
		{"nodes of implicit", tendon + ", disks: {positions_m: [0.005, 0.1, 0.11875, 0.244, 0.245]}}]", "", ""},
		{"too few elements for springs", "rod: {elements: 1}\ntendons: []\nsprings: [{name: a, at_m: 0.1, point_m: [0, 0, 0], stiffness_n_per_m: 1}]", "rod.elements", "f:1: rod.elements: 1 are fewer than the 2 gaps between neighbouring disks, magnets, loads, springs, borders of sections and ends"},
		{"too few elements", "rod: {elements: 5}\n" + tendon + "}, {name: b, offset_m: [0.01, 0.01], disks: {count: 2, first_m: 0.1, last_m: 0.25, mass_kg: 0}}]", "rod.elements", "f:1: rod.elements: 5 are fewer than the 8 gaps"},
		{"enough elements", "rod: {elements: 8}\n" + tendon + "}, {name: b, offset_m: [0.01, 0.01], disks: {count: 2, first_m: 0.1, last_m: 0.25, mass_kg: 0}}]", "", ""},
		{"drift", "disk_force: transverse\n" + tendon + ", stiffness_n_per_m: 1e5, friction_coefficient: 0.1}]", "disk_force", "f:1: disk_force: \"transverse\" makes equilibria drift"},
		{"no drift without friction", "disk_force: transverse\n" + tendon + ", stiffness_n_per_m: .inf}]", "", ""},
		{"no drift of soft tendons", "disk_force: transverse\n" + tendon + ", stiffness_n_per_m: 9e4, friction_coefficient: 0.1}]", "", ""},
		{"no drift of full forces", "disk_force: full\n" + tendon + ", stiffness_n_per_m: .inf, friction_coefficient: 0.1}]", "", ""},
		{"friction of a rod with itself", "environment: {self_contact: true, friction_coefficient: 0.1}", "environment.friction_coefficient", "f:1: environment.friction_coefficient: 0.1 has no effect without shapes: a rod touches itself without friction"},
		{"friction of shapes and of a rod with itself", "environment: {self_contact: true, friction_coefficient: 0.1, shapes: [{name: a, plane: {point_m: [0, 0, -1]}}]}", "environment.friction_coefficient", "f:1: environment.friction_coefficient: 0.1 applies to shapes only: self-contact has no friction"},
		{"stiffness of a rod with itself", "environment: {self_contact: true, stiffness_n_per_m: 100}", "", ""},
		{"stiffness of nothing", "environment: {stiffness_n_per_m: 100}", "environment.stiffness_n_per_m", "has no effect without shapes"},
		{"vertebrae of reference", "rod: {elements: 250}\n" + tendon + "}, {name: b, offset_m: [-0.01, 0], disks: {mass_kg: 0.002}}]\nsolver: {method: reference, step_s: 5e-5}", "", ""},
	})
}

// mistaken is what says is of a robot file that has a mistake, and so no warnings.
const mistaken = "mistaken"

// warningCase is a robot file and the warning that it gives; key empty: none.
type warningCase struct{ name, text, key, says string }

// testWarnings holds robot files to their warnings.
func testWarnings[T robotfile.Robot](t *testing.T, cases []warningCase) {
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			var d robotfile.Draft[T]
			d.Merge("f", []byte(c.text))
			if _, err := d.Robot(); (err != nil) != (c.says == mistaken) {
				t.Fatal(err)
			}
			switch got := d.Warnings(); {
			case c.key == "" && len(got) > 0:
				t.Errorf("warned of %v", got)
			case c.key != "" && len(got) != 1:
				t.Errorf("%d warnings: %v", len(got), got)
			case c.key != "" && (got[0].Key != c.key || !strings.Contains(got[0].String(), c.says) || got[0].Hint == ""):
				t.Errorf("got %s, want %s: %s", got[0], c.key, c.says)
			}
		})
	}
}
