package robotfile_test

import (
	"errors"
	"strings"
	"testing"

	"sinew/pkg/sim/robotfile"
)

func TestMistakes(t *testing.T) {
	const top = "rod, base, gravity_m_per_s2, tendons, drives, disk_force, tip, magnets, magnets_interact, field, markers, sensors, observer, seed, springs, loads, environment, initial_state, solver, hardware, rates, publish, command_timeout_s, command_policy, accept_stamps, accept"
	for _, c := range []struct{ name, text, want string }{
		{"unknown key", "rod: {lenght_m: 1}", "f:1: rod.lenght_m: unknown key (did you mean length_m?)"},
		{"unit forgotten", "rod:\n  length: 1", "f:2: rod.length: unknown key (did you mean length_m?)"},
		{"other unit", "rod: {length_mm: 250}", "f:1: rod.length_mm: unknown key (did you mean length_m?)"},
		{"key of another block", "damping: {}", "f:1: damping: unknown key (there is rod.damping)"},
		{"key of nothing", "wheels: 4", "f:1: wheels: unknown key; allowed: " + top},
		{"strange key", "\"a\\nb\": 4", `f:1: "a\nb": unknown key; allowed: ` + top},

		{"negative length", "rod: {length_m: -0.1}", "f:1: rod.length_m: -0.1 m is out of range; allowed: (0, 100] m"},
		{"millimetres", "rod: {length_m: 250}", "f:1: rod.length_m: 250 m is out of range; allowed: (0, 100] m (it looks like millimetres: 0.25 m)"},
		{"radius in millimetres", "rod: {radius_m: 5.5}", "f:1: rod.radius_m: 5.5 m is not below length_m; allowed: below 0.25 m (it looks like millimetres: 0.0055 m)"},
		{"a radius of a thousand lengths", "rod: {length_m: 0.005, radius_m: 5}", "f:1: rod.radius_m: 5 m is not below length_m; allowed: below 0.005 m"},
		{"gigapascals", "rod: {youngs_modulus_pa: 60}", "f:1: rod.youngs_modulus_pa: 60 Pa is out of range; allowed: [100, 1e13] Pa (it looks like GPa: 6e+10 Pa)"},
		{"thousandth of a gigapascal", "rod: {youngs_modulus_pa: 1e-3}", "f:1: rod.youngs_modulus_pa: 1e-3 Pa is out of range; allowed: [100, 1e13] Pa (it looks like GPa: 1000000 Pa)"},
		{"less", "rod: {youngs_modulus_pa: 0.9e-3}", "f:1: rod.youngs_modulus_pa: 0.9e-3 Pa is out of range; allowed: [100, 1e13] Pa"},
		{"NaN", "command_timeout_s: .nan", "f:1: command_timeout_s: .nan s is not a number; allowed: (0, inf] s"},
		{"infinite gravity", "gravity_m_per_s2: [0, 0, -.inf]", "f:1: gravity_m_per_s2[2]: -.inf m/s^2 is out of range; allowed: [-1000, 1000] m/s^2"},
		{"beyond float64", "loads: [{force_n: [1e999, 0, 0]}]", "f:1: loads[0].force_n[0]: 1e999 N is out of range; allowed: finite N"},
		{"fraction of an element", "rod: {elements: 20.5}", "f:1: rod.elements: 20.5 must be a whole number; allowed: [1, 2000]"},

		{"unit in the value", "solver: {step_s: 1 ms}", `f:1: solver.step_s: "1 ms" must be a number; allowed: (0, 1] s (write the number alone; the key says the unit)`},
		{"decimal comma", "solver: {step_s: '0,5'}", `f:1: solver.step_s: "0,5" must be a number; allowed: (0, 1] s (the decimal sign is a point)`},
		{"quoted number", `tip: {mass_kg: "1"}`, `f:1: tip.mass_kg: "1" must be a number; allowed: [0, 1e6] kg`},
		{"octal", "rod: {elements: 0o20}", "f:1: rod.elements: 0o20 must be a whole number; allowed: [1, 2000] (write decimal digits)"},
		{"underscore", "rod: {elements: 1_0}", "f:1: rod.elements: 1_0 must be a whole number; allowed: [1, 2000] (write digits without _)"},
		{"list for a number", "tip: {mass_kg: [1]}", "f:1: tip.mass_kg: [1] must be a number; allowed: [0, 1e6] kg"},
		{"no value", "tip: {mass_kg: }", "f:1: tip.mass_kg: null has no value; allowed: [0, 1e6] kg"},
		{"number for a list", "gravity_m_per_s2: 9.81", "f:1: gravity_m_per_s2: 9.81 must be a list; allowed: a list of 3 numbers, m/s^2"},
		{"short vector", "gravity_m_per_s2: [0, 9.81]", "f:1: gravity_m_per_s2: [0, 9.81] has 2 values; allowed: a list of 3 numbers, m/s^2"},
		{"no such order", "rod: {element_order: 3}", "f:1: rod.element_order: 3 is not an order of an element; allowed: 2 or 4"},
		{"order that is not offered", "rod: {element_order: 6}", "f:1: rod.element_order: 6 is not offered; allowed: 2 or 4 (take 4 and more elements; docs/validation.md has the numbers)"},
		{"odd order", "rod: {element_order: 5}", "f:1: rod.element_order: 5 is not an order of an element; allowed: 2 or 4"},
		{"scalar for a block", "rod: 3", "f:1: rod: 3 must be a mapping of keys; allowed: length_m, radius_m, inner_radius_m, section, sections, density_kg_per_m3, youngs_modulus_pa, shear_modulus_pa, shear_correction, elements, element_order, material_law, precurvature_per_m, contact_radius_m, damping, viscoelasticity, bending_friction"},
		{"block for a list", "tendons: {name: a}", "f:1: tendons: {...} must be a list"},
		{"nothing in a list", "loads:\n  -", "f:2: loads[0]: null has no value; allowed: at_m, force_n, moment_nm, frame, until_s"},
		{"word for an enum", "solver: {method: implict}", `f:1: solver.method: "implict" is not one of the words; allowed: implicit | explicit | reference (did you mean implicit?)`},
		{"not a robot", "hello", `f:1: "hello" must be a mapping of keys; allowed: ` + top},

		{"section twice", "rod: {radius_m: 0.01, section: {area_m2: 1}}", "f:1: rod.section: {...} excludes radius_m, inner_radius_m, which is given too; allowed: one of the two"},
		{"half a section", "rod: {section: {area_m2: 1, i1_m4: 1, j_m4: 1}}", "f:1: rod.section.i2_m4: is missing; allowed: (0, 1000] m^4"},
		{"normal along direction", "base: {normal: [1, 0, 0]}", "f:1: base.normal: [1, 0, 0] is not perpendicular to direction: the angle is 0 degrees; allowed: 90 degrees (give both)"},
		{"normal askew", "base: {direction: [1, 0, 0], normal: [1, 1, 0]}", "f:1: base.normal: [1, 1, 0] is not perpendicular to direction: the angle is 45 degrees; allowed: 90 degrees (give both)"},
		{"direction alone", "base: {direction: [0, 0, 1]}", "f:1: base.direction: [0, 0, 1] is not perpendicular to normal: the angle is 0 degrees; allowed: 90 degrees (give both)"},
		{"no direction", "base: {direction: [0, 0, 0]}", "f:1: base.direction: [0, 0, 0] has no length; allowed: any vector but zero"},
		{"load beyond the rod", "loads: [{at_m: 0.3}]", "f:1: loads[0].at_m: 0.3 m is beyond the end of the rod; allowed: at most rod.length_m = 0.25 m"},
		{"spring beyond the rod", "springs: [{name: a, at_m: 0.3, point_m: [0, 0, 0], stiffness_n_per_m: 1}]", "f:1: springs[0].at_m: 0.3 m is beyond the end of the rod; allowed: at most rod.length_m = 0.25 m"},
		{"springs of one name", "springs: [{name: a, point_m: [0, 0, 0], stiffness_n_per_m: 1}, {name: a, point_m: [0, 0, 0], stiffness_n_per_m: 1}]", "f:1: springs[1].name: \"a\" is the name of springs[0] too; allowed: names that differ"},
		{"magnet beyond the rod", "magnets:\n  - {name: a, at_m: 0.3, moment_a_m2: [0, 0, 1]}", "f:2: magnets[0].at_m: 0.3 m is beyond the end of the rod; allowed: at most rod.length_m = 0.25 m"},
		{"magnet without a place", "magnets: [{name: a, moment_a_m2: [0, 0, 1]}]", "f:1: magnets[0].at_m: is missing; allowed: at_m and moment_a_m2 of a dipole, or from_m, to_m and magnetization_a_per_m of an interval"},
		{"magnet without a moment", "magnets: [{name: a, at_m: 0.1}]", "f:1: magnets[0].moment_a_m2: is missing; allowed: at_m and moment_a_m2 of a dipole, or from_m, to_m and magnetization_a_per_m of an interval"},
		{"half an interval", "magnets: [{name: a, from_m: 0.1, magnetization_a_per_m: [0, 0, 1e4]}]", "f:1: magnets[0].to_m: is missing; allowed: at_m and moment_a_m2 of a dipole, or from_m, to_m and magnetization_a_per_m of an interval"},
		{"stretch backwards", "magnets: [{name: a, from_m: 0.2, to_m: 0.1, magnetization_a_per_m: [0, 0, 1e4]}]", "f:1: magnets[0].to_m: 0.1 m is not beyond from_m; allowed: above from_m = 0.2 m"},
		{"stretch beyond the rod", "magnets: [{name: a, from_m: 0.2, to_m: 0.3, magnetization_a_per_m: [0, 0, 1e4]}]", "f:1: magnets[0].to_m: 0.3 m is beyond the end of the rod; allowed: at most rod.length_m = 0.25 m"},
		{"dipole and stretch", "magnets: [{name: a, at_m: 0.1, moment_a_m2: [0, 0, 1], to_m: 0.1}]", "f:1: magnets[0].to_m: 0.1 excludes at_m, moment_a_m2, which is given too; allowed: one of the two"},
		{"two magnets of a name", "magnets:\n  - {name: a, at_m: 0.1, moment_a_m2: [0, 0, 1]}\n  - {name: a, at_m: 0.2, moment_a_m2: [0, 0, 1]}", "f:3: magnets[1].name: \"a\" is the name of magnets[0] too; allowed: names that differ"},
		{"magnet without a name", "magnets: [{at_m: 0.1, moment_a_m2: [0, 0, 1]}]", "f:1: magnets[0].name: is missing"},
		{"field beyond its limit", "field:\n  uniform_t: [0, -0.03, 0]\n  max_field_t: 0.02\nmagnets: [{name: a, at_m: 0.1, moment_a_m2: [0, 0, 1]}]", "f:2: field.uniform_t: -0.03 T is beyond field.max_field_t; allowed: -0.02 to 0.02 T"},
		{"gradient beyond its limit", "field: {gradient_t_per_m: [0, 0, 0.3, 0, 0], max_gradient_t_per_m: 0.2}\nmagnets: [{name: a, at_m: 0.1, moment_a_m2: [0, 0, 1]}]", "f:1: field.gradient_t_per_m: 0.3 T/m is beyond field.max_gradient_t_per_m; allowed: -0.2 to 0.2 T/m"},
		{"rotation beyond its limit", "field: {rotating: {axis: [1, 0, 0], amplitude_t: 0.01, frequency_hz: 60}, max_frequency_hz: 50}\nmagnets: [{name: a, at_m: 0.1, moment_a_m2: [0, 0, 1]}]", "f:1: field.rotating.frequency_hz: 60 Hz is beyond field.max_frequency_hz; allowed: -50 to 50 Hz"},
		{"tendon named as a field", "tendons: [{name: bx, offset_m: [0.01, 0]}]\nmagnets: [{name: a, at_m: 0.1, moment_a_m2: [0, 0, 1]}]", "f:1: tendons[0].name: \"bx\" is the name of a CSV column of the field; allowed: anything but bx, by, bz, gxx, gxy, gxz, gyy, gyz"},
		{"wall without a shape", "environment: {shapes: [{name: a}]}", "f:1: environment.shapes[0]: {...} has no shape; allowed: plane, sphere, capsule, tube or mesh"},
		{"wall of two shapes", "environment: {shapes: [{name: a, plane: {}, sphere: {center_m: [0, 0, 1], radius_m: 1}}]}", "f:1: environment.shapes[0].sphere: {...} excludes plane, which is given too; allowed: one of the two"},
		{"walls of one topic", "environment: {shapes: [{name: a-b, plane: {}}, {name: a.b, plane: {}}]}", "f:1: environment.shapes[1].name: \"a.b\" is the name of environment.shapes[0] too; allowed: names that differ, by more than - . and _"},
		{"wall named as topics of magnets", "environment: {shapes: [{name: magnet_pose, plane: {}}]}", "f:1: environment.shapes[0].name: \"magnet_pose\" is the reserved prefix of magnet topics; allowed: any other name"},
		{"wall with such a topic", "environment: {shapes: [{name: magnet-pose, plane: {}}]}", "f:1: environment.shapes[0].name: \"magnet-pose\" is the reserved prefix of magnet topics; allowed: any other name"},
		{"walls of one name", "environment: {shapes: [{name: a, plane: {}}, {name: a, plane: {}}]}", "f:1: environment.shapes[1].name: \"a\" is the name of environment.shapes[0] too; allowed: names that differ, by more than - . and _"},
		{"name with a slash", "environment: {shapes: [{name: a/b, plane: {}}]}", `f:1: environment.shapes[0].name: "a/b" is not a valid name; allowed: a letter or _, then letters, digits, _ - . up to 64 in all`},
		{"plane without a normal", "environment: {shapes: [{name: a, plane: {normal: [0, 0, 0]}}]}", "f:1: environment.shapes[0].plane.normal: [0, 0, 0] has no length; allowed: any vector but zero"},
		{"tube of one point", "environment: {shapes: [{name: a, tube: {points_m: [[0, 0, 0]], radius_m: 0.01}}]}", "f:1: environment.shapes[0].tube.points_m: [[...]] has 1 point; allowed: at least 2"},
		{"radii of other points", "environment: {shapes: [{name: a, tube: {points_m: [[0, 0, 0], [1, 0, 0], [2, 0, 0]], radius_m: [0.01, 0.02]}}]}", "f:1: environment.shapes[0].tube.radius_m: [0.01, 0.02] has 2 values; allowed: 1 or 3, one for each point"},
		{"narrow tube", "environment: {shapes: [{name: a, tube: {points_m: [[0, 0, 0], [1, 0, 0]], radius_m: 0.005}}]}", "f:1: environment.shapes[0].tube.radius_m: 0.005 m is not above the radius of the rod; allowed: above 0.0055 m"},
		{"walls of method explicit", "solver: {method: explicit}\nenvironment: {shapes: [{name: a, plane: {}}]}", "f:2: environment: {...} is supported by method implicit only (remove it, or use method implicit)"},
		{"self contact of method explicit", "solver: {method: explicit}\nenvironment: {self_contact: true}", "f:2: environment: {...} is supported by method implicit only (remove it, or use method implicit)"},
		{"wall named as the rod itself", "environment: {self_contact: true, shapes: [{name: self, plane: {}}]}", "f:1: environment.shapes[0].name: \"self\" is the reserved name of self-contact in messages; allowed: any other name"},
		{"section without a surface to touch itself", "rod: {section: {area_m2: 1e-4, i1_m4: 1e-9, i2_m4: 1e-9, j_m4: 2e-9}}\nenvironment: {self_contact: true}", "f:1: rod.contact_radius_m: is needed: a cross-section of section has no surface to touch the environment with; allowed: (0, 10] m"},
		{"section without a surface", "rod: {section: {area_m2: 1e-4, i1_m4: 1e-9, i2_m4: 1e-9, j_m4: 2e-9}}\nenvironment: {shapes: [{name: a, plane: {}}]}", "f:1: rod.contact_radius_m: is needed: a cross-section of section has no surface to touch the environment with; allowed: (0, 10] m"},
		{"moving base of method explicit", "solver: {method: explicit}\nbase: {velocity_m_per_s: [1, 0, 0]}", "f:2: base.velocity_m_per_s: [1, 0, 0] is supported by method implicit only; allowed: [0, 0, 0] m/s (remove it, or use method implicit)"},
		{"faster than the loop", "rates: {publish_hz: 2000}", "f:1: rates.publish_hz: 2000 Hz is above control_hz; allowed: at most 1000 Hz"},
		{"pictures faster than values", "rates: {publish_hz: 10, marker_hz: 25}", "f:1: rates.marker_hz: 25 Hz is above publish_hz; allowed: at most 10 Hz"},
	} {
		t.Run(c.name, func(t *testing.T) { wantMistakes(t, c.text, c.want) })
	}
}

func TestTendonMistakes(t *testing.T) {
	const f = "f:1: tendons[0]."
	for _, c := range []struct{ name, text, want string }{
		{"no name", "{offset_m: [0, 0]}", f + "name: is missing"},
		{"empty name", "{name: '', offset_m: [0, 0]}", f + `name: "" is empty`},
		{"number as name", "{name: 1, offset_m: [0, 0]}", f + "name: 1 must be text (put it in quotes)"},
		{"name with a colon", "{name: 'a:m', offset_m: [0, 0]}", f + `name: "a:m" is not a valid name; allowed: a letter or _, then letters, digits, _ - . up to 64 in all`},
		{"name of a column", "{name: tip_x, offset_m: [0, 0]}", f + `name: "tip_x" is the name of a CSV column; allowed: anything but t, ok, tip_x, tip_y, tip_z, tip_qx, tip_qy, tip_qz, tip_qw`},
		{"name twice", "{name: a, offset_m: [0, 0]}, {name: a, offset_m: [0, 0]}", `f:1: tendons[1].name: "a" is the name of tendons[0] too; allowed: names that differ`},
		{"no hole", "{name: a}", f + "offset_m: is missing; allowed: the hole along d1 and d2, for example [0.015, 0]"},
		{"holes and twist", "{name: a, offsets_m: [[0, 0]], twist_rad_per_m: 1, disks: {positions_m: [0.1]}}", f + "offsets_m: [[...]] excludes twist_rad_per_m, which is given too; allowed: one of the two"},
		{"holes and slope", "{name: a, offsets_m: [[0, 0]], slope_m_per_m: 0.1, disks: {positions_m: [0.1]}}", f + "offsets_m: [[...]] excludes slope_m_per_m, which is given too; allowed: one of the two"},
		{"slope across the centreline", "{name: a, offset_m: [0.003, 0.004], slope_m_per_m: -0.06, disks: {positions_m: [0.05, 0.1]}}", f + "slope_m_per_m: -0.06 lets the tendon cross the centreline before its last disk, at 0.1 m; allowed: at least -0.05"},
		{"slope without direction", "{name: a, offset_m: [0, 0], slope_m_per_m: 0.06, disks: {positions_m: [0.1]}}", f + "slope_m_per_m: 0.06 has no direction, for the hole is on the centreline; allowed: 0 (give offset_m, or a hole per disk (offsets_m))"},
		{"too few holes", "{name: a, offsets_m: [[0, 0]], disks: {positions_m: [0.1, 0.2]}}", f + "offsets_m: [[...]] has 1 hole; allowed: one per disk: 2 disks"},
		{"offset in millimetres", "{name: a, offset_m: [15, 0]}", f + "offset_m[0]: 15 m is out of range; allowed: [-1, 1] m (it looks like millimetres: 0.015 m)"},
		{"two layouts", "{name: a, offset_m: [0, 0], disks: {count: 2, positions_m: [0.1]}}", f + "disks.positions_m: [0.1] excludes count, first_m, last_m, which is given too; allowed: one of the two"},
		{"disks backwards", "{name: a, offset_m: [0, 0], disks: {first_m: 0.2, last_m: 0.1}}", f + "disks.last_m: 0.1 m is not beyond first_m; allowed: above first_m = 0.2 m"},
		{"positions backwards", "{name: a, offset_m: [0, 0], disks: {positions_m: [0.2, 0.1]}}", f + "disks.positions_m[1]: 0.1 m is not beyond the disk before; allowed: above 0.2 m"},
		{"no positions", "{name: a, offset_m: [0, 0], disks: {positions_m: []}}", f + "disks.positions_m: [] has no disk; allowed: at least 1"},
		{"one disk in two places", "{name: a, offset_m: [0, 0], disks: {count: 1, first_m: 0.1, last_m: 0.2}}", f + "disks.last_m: 0.2 m differs from first_m, but count is 1; allowed: first_m = 0.1 m"},
		{"disk beyond the rod", "{name: a, offset_m: [0, 0], disks: {last_m: 0.26}}", f + "disks.last_m: 0.26 m is beyond the end of the rod; allowed: at most rod.length_m = 0.25 m"},
		{"disk in the base plate", "{name: a, offset_m: [0, 0], disks: {first_m: 0}}", f + "disks.first_m: 0 m is out of range; allowed: (0, 100] m"},
		{"tension and pull", "{name: a, offset_m: [0, 0], tension_n: 1, pull_m: 0.01, stiffness_n_per_m: 1}", f + "pull_m: 0.01 excludes tension_n, which is given too; allowed: one of the two"},
		{"pull without stiffness", "{name: a, offset_m: [0, 0], pull_m: 0.01}", f + "pull_m: 0.01 m needs stiffness_n_per_m above 0"},
		{"pushing tendon", "{name: a, offset_m: [0, 0], tension_n: -1}", f + "tension_n: -1 N is out of range; allowed: [0, 1e6] N"},
		{"tension above its limit", "{name: a, offset_m: [0, 0], tension_n: 9, limits: {max_tension_n: 8}}", f + "tension_n: 9 N is above the limit of the tendon; allowed: at most limits.max_tension_n = 8 N"},
		{"pretension above the limit", "{name: a, offset_m: [0, 0], limits: {max_tension_n: 8, pretension_n: 9}}", f + "limits.pretension_n: 9 N is above the limit of the tendon; allowed: at most limits.max_tension_n = 8 N"},
	} {
		t.Run(c.name, func(t *testing.T) { wantMistakes(t, "tendons: ["+c.text+"]", c.want) })
	}
}

func TestYAMLMistakes(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"duplicate key", "rod:\n  length_m: 1\n  length_m: 2", "f:3: rod.length_m: occurs twice (first on line 2)"},
		{"two documents", "rod: {}\n---\nbase: {}", "f:2: a second YAML document begins; a robot file is one document"},
		{"broken second document", "rod: {}\n---\n}", "f:2: is not YAML: did not find expected node content"},
		{"empty", "# nothing\n", "f: the file is empty; a robot file is a mapping of keys to values"},
		{"tab", "rod:\n\tlength_m: 1", "f:2: is not YAML: found character that cannot start any token: the line is indented by a tab; YAML is indented by spaces"},
		{"key that is a list", "? [a]\n: 1", "f:1: a key must be a word"},
		{"alias inside itself", "loads: &a [*a]", "f:1: the alias *a lies inside its own anchor"},
		{"merge of a number", "rod: {<<: 3}", "f:1: << needs a mapping"},
	} {
		t.Run(c.name, func(t *testing.T) { wantMistakes(t, c.text, c.want) })
	}
}

func wantMistakes(t *testing.T, text, want string) {
	t.Helper()
	_, err := robotfile.Parse[robotfile.Continuum]("f", []byte(text))
	if err == nil {
		t.Fatalf("accepted; want\n%s", want)
	}
	if got := err.Error(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestAllMistakesAtOnceInOrder(t *testing.T) {
	text := strings.Join([]string{
		"rates: {control_hz: 0}",
		"rod: {length_m: -1}",
		"solver: {step_s: 2}",
		"tendons: [{name: a, offset_m: [0, 0], disks: {last_m: 80}}]",
		"wheels: 4",
	}, "\n")
	_, err := robotfile.Parse[robotfile.Continuum]("f", []byte(text))
	var all *robotfile.Errors
	if !errors.As(err, &all) {
		t.Fatalf("%T is no *Errors", err)
	}
	var keys []string
	for i, m := range all.Mistakes {
		if i > 0 && m.Line < all.Mistakes[i-1].Line {
			t.Errorf("%v comes after %v", m, all.Mistakes[i-1])
		}
		keys = append(keys, m.Key)
	}
	// last_m is not judged: the length that bounds it is itself wrong
	if got, want := strings.Join(keys, " "), "rates.control_hz rod.length_m solver.step_s wheels"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	m := all.Mistakes[2]
	if want := (robotfile.Mistake{File: "f", Line: 3, Key: "solver.step_s", Value: "2", Unit: "s", Problem: "is out of range", Allowed: "(0, 1]", Hint: "it looks like milliseconds: 0.002 s"}); m != want {
		t.Errorf("got %+v, want %+v", m, want)
	}
}

func TestMistakesAreBounded(t *testing.T) {
	_, err := robotfile.Parse[robotfile.Continuum]("f", []byte("loads: ["+strings.Repeat("1,", 500)+"]"))
	var all *robotfile.Errors
	if !errors.As(err, &all) || len(all.Mistakes) != robotfile.MaxMistakes || all.Omitted != 400 {
		t.Fatalf("got %v", err)
	}
	if !strings.HasSuffix(err.Error(), "\nand 400 more mistakes") {
		t.Error("the omitted mistakes are not counted")
	}
}

// Words of up to 40 letters have a distance; longer ones are as far as can be.
func TestEditDistance(t *testing.T) {
	long := strings.Repeat("a", 40)
	for _, c := range []struct {
		a, b string
		want int
	}{
		{"", "", 0}, {"", "abc", 3}, {"abc", "", 3}, {"abc", "abc", 0}, {"abc", "axc", 1}, {"abc", "abxc", 1}, {"abc", "ac", 1}, {"kitten", "sitting", 3}, {"ab", "ba", 2},
		{long, long, 0}, {long, long[1:], 1}, {long[1:], long, 1}, {long + "a", long, 40}, {long, long + "a", 40},
	} {
		if got := robotfile.EditDistance(c.a, c.b); got != c.want {
			t.Errorf("from %q to %q: %d, want %d", c.a, c.b, got, c.want)
		}
	}
}

// TestEveryMistakeHasAPlace: also what is missing in an item that is no mapping.
func TestEveryMistakeHasAPlace(t *testing.T) {
	for _, text := range []string{"tendons: [na]", "tendons: [[]]", "loads: [1]", "rod: {section: 3}"} {
		_, err := robotfile.Parse[robotfile.Continuum]("f", []byte(text))
		if err == nil {
			t.Errorf("%s: no error", text)
			continue
		}
		for line := range strings.Lines(err.Error()) {
			if !strings.HasPrefix(line, "f:1: ") {
				t.Errorf("%s: %s", text, line)
			}
		}
	}
}
