package robotfile_test

import (
	"strings"
	"testing"

	"sinew/pkg/sim/robotfile"
)

// mechanisms are the robot files of mechanisms that other tests run, too.
var mechanisms = []string{"six_leg_robot", "gripper_with_ball", "tendon_hand", "arm_with_rod", "y_tree", "thrown_ring", "double_pendulum"}

func TestMechanismFilesParse(t *testing.T) {
	for _, file := range mechanisms {
		r, err := robotfile.Parse[robotfile.Mechanism](file, robotfile.ReadFile(t, "testdata/"+file+".yaml"))
		if err != nil {
			t.Error(err)
			continue
		}
		roundTrip(t, r)
		testSettings(t, r)
	}
}

// arm is a robot with a body on a hinge and a rod, in which mistakes are made.
const arm = `
rods: [{name: wire, length_m: 0.2}]
bodies: [{name: hand, mass_kg: 0.1, inertia_kg_m2: [1e-4, 1e-4, 1e-4]}]
joints:
  - {name: hinge, type: revolute, parent: {world: true}, child: {body: hand}}
  - {name: mount, type: fixed, parent: {body: hand}, child: {rod: wire, at_m: 0}}
`

func TestMechanismMistakes(t *testing.T) {
	for _, c := range []struct{ name, was, is, want string }{
		{"a rod beside rods", "rods:", "rod: {length_m: 1}\nrods:", "rod: excludes rods, bodies and joints: a file has one rod or a mechanism (make it an item of rods, with a name)"},
		{"a base", "rods:", "base: {}\nrods:", "base: excludes rods, bodies and joints: a file has one rod or a mechanism (give rods[].start, or a joint with parent: {world: true})"},
		{"magnets", "rods:", "magnets: []\nrods:", "magnets: is not supported with rods, bodies or joints (remove it)"},
		{"another method", "rods:", "solver: {method: explicit}\nrods:", `solver.method: "explicit" is not supported with rods, bodies or joints; allowed: implicit`},
		{"an unknown link", "{body: hand}}", "{body: hant}}", `joints[0].child.body: "hant" is no body of the file (did you mean hand?)`},
		{"a rod that is a body", "{rod: wire, at_m: 0}", "{rod: hand, at_m: 0}", `joints[1].child.rod: "hand" is no rod of the file (it is a body: write body: hand)`},
		{"no link", "{world: true}", "{position_m: [0, 0, 1]}", "joints[0].parent: {...} names no link; allowed: world: true, rod: NAME with at_m, or body: NAME"},
		{"two links", "{world: true}", "{world: true, body: hand}", "joints[0].parent.body: \"hand\" excludes world, which is given too; allowed: one of the two"},
		{"both sides the world", "{body: hand}}", "{world: true}}", "joints[0].child: {...} is the world, as the parent is; allowed: rod: NAME or body: NAME"},
		{"both sides one body", "{world: true}", "{body: hand}", "joints[0].child: {...} is at the same place of hand as the parent; allowed: another link, or another section of the rod"},
		{"beyond the rod", "at_m: 0}", "at_m: 0.3}", "joints[1].child.at_m: 0.3 m is beyond the end of the rod; allowed: at most rods[0].length_m = 0.2 m"},
		{"no section", "wire, at_m: 0}", "wire}", "joints[1].child.at_m: is missing; allowed: [0, 0.2] m"},
		{"a section of a body", "{body: hand}}", "{body: hand, at_m: 0.1}}", "joints[0].child.at_m: 0.1 m applies to frames and holes on rods only (give position_m)"},
		{"a rod where there is none", arm, "bodies: [{name: hand, mass_kg: 0.1, inertia_kg_m2: [1e-4, 1e-4, 1e-4]}]\njoints: [{name: mount, type: fixed, parent: {rod: wire, at_m: 0}, child: {body: hand}}]", `joints[0].parent.rod: "wire" is no rod of the file (the file has no rod; add one with this name)`},
		{"one name twice", "name: mount", "name: wire", "joints[1].name: \"wire\" is the name of rods[0] too; allowed: a name that no other link, joint, tendon, marker, wall or sensor has; - counts as _"},
		{"a reserved name", "name: mount", "name: tip", "joints[1].name: \"tip\" is a reserved name; allowed: anything but base, tip, t, world"},
		{"a joint named as a column", "name: mount", "name: kinetic_energy", "joints[1].name: \"kinetic_energy\" is a reserved name; allowed: anything but base, tip, t, world"},
		{"a joint named as a topic", "name: mount", "name: servo-jp", "joints[1].name: \"servo-jp\" is a reserved name; allowed: anything but base, tip, t, world"},
		{"a name with a point", "name: hinge", "name: hin.ge", "joints[0].name: \"hin.ge\" is not a valid name; allowed: a letter or _, then letters, digits, _ and - up to 64 in all"},
		{"no mass", "mass_kg: 0.1, ", "", "bodies[0].mass_kg: 0 kg is too small for a body with motion free; allowed: (0, 1e6] kg (give its mass and inertia; a thousandth of the mass of the links that it connects to has little effect)"},
		{"impossible inertia", "[1e-4, 1e-4, 1e-4]", "[1e-4, 1e-4, 1e-4, 2e-4, 0, 0]", "bodies[0].inertia_kg_m2: [1e-4, 1e-4, 1e-4, 2e-4, 0, 0] is not positive definite; allowed: Jxx, Jyy, Jzz above 0, and products (in the order Jyz, Jxz, Jxy) with Jxy^2 < Jxx Jyy and so on"},
		{"two angles of a hinge", "type: revolute", "type: revolute, position: [1, 2]", "joints[0].position: [1, 2] has 2 numbers; allowed: 1 number"},
		{"limits the wrong way round", "type: revolute", "type: revolute, limits: {min: 1, max: -1}", "joints[0].limits.max: -1 rad is not above min; allowed: above 1 rad"},
		{"a position beyond limits", "type: revolute", "type: revolute, position: 2, limits: {min: -1, max: 1}", "joints[0].position: 2 rad is beyond the limits; allowed: [-1, 1] rad"},
		{"no axis", "type: revolute", "type: revolute, axis: [0, 0, 0]", "joints[0].axis: [0, 0, 0] has no length; allowed: any vector but zero"},
		{"a universal joint of one axis", "type: revolute", "type: universal", "joints[0].second_axis: is missing; allowed: any vector but zero, in the child's frame of the joint"},
		{"a universal joint whose axes are parallel", "type: revolute", "type: universal, second_axis: [0, 0, 2]", "joints[0].second_axis: [0, 0, 2] is parallel to axis; allowed: axes that enclose more than 0.001 rad"},
		{"a motor of a fixed joint", "type: fixed", "type: fixed, motor: {prescribed: true}", "joints[1].motor: {...} drives nothing: a fixed joint has no coordinates (remove it, or choose another type)"},
		{"a spring of a fixed joint", "type: fixed", "type: fixed, stiffness: 1", "joints[1].stiffness: 1 has no meaning: a fixed joint has no coordinates (remove it)"},
		{"a motor of no kind", "type: revolute", "type: revolute, motor: {}", "joints[0].motor: {...} has no control mode; allowed: one of position, effort, prescribed: true"},
		{"a tendon without a way", "joints:", "tendons: [{name: cord}]\njoints:", "tendons[0]: {...} has neither rod nor route; allowed: rod: NAME with offset_m and disks, or route"},
		{"a tendon of two ways", "joints:", "tendons: [{name: cord, rod: wire, route: [{world: true}, {body: hand}]}]\njoints:", `tendons[0].rod: "wire" excludes route, which is given too; allowed: one of the two`},
		{"a route of one point", "joints:", "tendons: [{name: cord, route: [{world: true}]}]\njoints:", "tendons[0].route: [{...}] has 1 point; allowed: at least 2"},
		{"disks beyond the rod", "joints:", "tendons: [{name: cord, rod: wire, offset_m: [0.01, 0], disks: {last_m: 0.3}}]\njoints:", "tendons[0].disks.last_m: 0.3 m is beyond the end of the rod; allowed: at most rods[0].length_m = 0.2 m"},
		{"a pull without stiffness", "joints:", "tendons: [{name: cord, pull_m: 0.01, route: [{world: true}, {body: hand, position_m: [0, 0, 1]}]}]\njoints:", "tendons[0].pull_m: 0.01 m needs stiffness_n_per_m above 0"},
		{"friction where a tendon ends", "joints:", "tendons: [{name: cord, route: [{world: true}, {body: hand, position_m: [0, 0, 1], friction_coefficient: 0.1}]}]\njoints:", "tendons[0].route[1].friction_coefficient: 0.1 has no effect where the tendon begins or ends (remove it)"},
		{"friction of disks on a route", "joints:", "tendons: [{name: cord, friction_coefficient: 0.1, route: [{world: true}, {body: hand, position_m: [0, 0, 1]}]}]\njoints:", "tendons[0].friction_coefficient: 0.1 applies to tendons through disks (give friction_coefficient of the points of the route)"},
		{"friction without a length", "joints:", "tendons: [{name: cord, route: [{world: true}, {body: hand, friction_coefficient: 0.1}, {world: true, position_m: [0, 0, 1]}]}]\njoints:", "tendons[0].friction_displacement_m: is missing: its default is 1/200 of the largest distance of a hole from the origin of its link, and all are at 0; allowed: [1e-9, 1] m"},
		{"a load on nothing", "joints:", "loads: [{force_n: [1, 0, 0]}]\njoints:", "loads[0]: {...} names no link; allowed: rod: NAME or body: NAME"},
		{"ignored by no name", "joints:", "environment: {ignore: [[hand, wir]]}\njoints:", "environment.ignore[0][1]: wir is neither a link nor a shape (did you mean wire?)"},
		{"friction of no pair", "joints:", "environment: {pairs: [{of: [hand, wir], friction_coefficient: 0.5}]}\njoints:", "environment.pairs[0].of[1]: wir is neither a link nor a shape (did you mean wire?)"},
		{"a cross-section without a surface", "length_m: 0.2", "length_m: 0.2, section: {area_m2: 1e-5, i1_m4: 1e-12, i2_m4: 3e-12, j_m4: 1e-9}", "rods[0].contact_radius_m: is needed: a cross-section of section has no surface to touch with; allowed: (0, 10] m"},
		{"no link at all", arm, "joints: []", "joints: [] connect nothing: there are neither rods nor bodies; allowed: at least 1 item of rods or bodies"},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := strings.Replace(arm, c.was, c.is, 1)
			if text == arm {
				t.Fatalf("the robot has no %q", c.was)
			}
			_, err := robotfile.Parse[robotfile.Mechanism]("arm.yaml", []byte(text))
			if err == nil {
				t.Fatalf("no mistake; want %s", c.want)
			}
			if got := err.Error(); !strings.Contains(got, c.want) || strings.Contains(got, "\n") {
				t.Errorf("got  %s\nwant %s alone", got, c.want)
			}
		})
	}
}

// Loads on bodies that do not move by them give warnings.
func TestMechanismWarnings(t *testing.T) {
	hand := func(motion string) string {
		return "bodies: [{name: hand, mass_kg: 1, inertia_kg_m2: [1, 1, 1], motion: " + motion + "}]\nloads: [{body: hand, force_n: [1, 0, 0]}]\n"
	}
	testWarnings[robotfile.Mechanism](t, []warningCase{
		{"load on a free body", hand("free"), "", ""},
		{"load on a fixed body", hand("fixed"), "loads[0].body", `"hand" is not moved by loads: its motion is fixed (remove the load, or give the body motion: free)`},
		{"load on a commanded body", hand("commanded"), "loads[0].body", "its motion is commanded"},
	})
}

// A massless body that fixed joints alone hold can be left out: the hint says how, and the file that follows it is the same robot.
func TestMasslessBody(t *testing.T) {
	const rods = "rods:\n- {name: trunk, length_m: 0.2, radius_m: 0.001, density_kg_per_m3: 6450, youngs_modulus_pa: 60e9, shear_modulus_pa: 23e9}\n" +
		"- {name: twig, length_m: 0.1, radius_m: 0.001, density_kg_per_m3: 6450, youngs_modulus_pa: 60e9, shear_modulus_pa: 23e9}\njoints:\n" +
		"- {name: root, type: fixed, parent: {world: true}, child: {rod: trunk, at_m: 0}}\n"
	const fork = "- {name: crotch, type: fixed, parent: {rod: trunk, at_m: 0.2, position_m: [0, 0, 0.01]}, child: {body: fork, position_m: [0, 0, -0.02]}}\n" +
		"- {name: foot, type: TYPE, parent: {body: fork, position_m: [0.004, 0, 0.03], orientation_xyzw: [0, 0.6, 0, 0.8]}, child: {rod: twig, at_m: 0}}\n" +
		"bodies: [{name: fork}]\n"
	side := "{rod: trunk, at_m: 0.2, position_m: [0.004, 0, 0.06], orientation_xyzw: [0, 0.6, 0, 0.8]}"
	for joint, want := range map[string]string{
		"fixed":     "little effect; or leave the body and joint crotch out, since fixed joints alone hold it, and give joint foot the parent " + side + ")",
		"spherical": "little effect)",
	} {
		_, err := robotfile.Parse[robotfile.Mechanism]("fork.yaml", []byte(rods+strings.Replace(fork, "TYPE", joint, 1)))
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "inertia_kg_m2: is missing") {
			t.Errorf("%s: got  %v\nwant %s", joint, err, want)
		}
	}
	if _, err := robotfile.Parse[robotfile.Mechanism]("fork.yaml", []byte(rods+"- {name: foot, type: fixed, parent: "+side+", child: {rod: twig, at_m: 0}}\n")); err != nil {
		t.Errorf("the hint is no robot file: %v", err)
	}
}
