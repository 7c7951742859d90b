package robotfile_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"sinew/pkg/sim/robotfile"
)

const twoTendons = `
rod: {youngs_modulus_pa: 2e6, shear_modulus_pa: 7e5, viscoelasticity: [{modulus_ratio: 0.2, relaxation_time_s: 0.5}, {modulus_ratio: 0.1, relaxation_time_s: 20}], bending_friction: [{stiffness_nm2: 1e-3, limit_nm: 2e-3}]}
tendons:
  - {name: up, offset_m: [0.015, 0], pull_m: 0.001, stiffness_n_per_m: 1e4}
  - {name: down, offset_m: [-0.015, 0], disks: {positions_m: [0.1, 0.2]}}
loads: [{force_n: [0, 0, -1]}, {moment_nm: [0.1, 0, 0]}]
`

func TestNumbers(t *testing.T) {
	r, err := robotfile.Parse[robotfile.Continuum]("two.yaml", []byte(twoTendons))
	if err != nil {
		t.Fatal(err)
	}
	list := robotfile.Numbers(r)
	for _, want := range []robotfile.Number{
		{Path: "rod.youngs_modulus_pa", Named: "rod.youngs_modulus_pa", Key: "rod.youngs_modulus_pa", Value: 2e6, Unit: "Pa", Min: 100, Max: 1e13},
		{Path: "rod.viscoelasticity[1].relaxation_time_s", Named: "rod.viscoelasticity[1].relaxation_time_s", Key: "rod.viscoelasticity.relaxation_time_s", Value: 20, Unit: "s", Min: 1e-9, Max: 1e6},
		{Path: "rod.bending_friction[0].limit_nm", Named: "rod.bending_friction[0].limit_nm", Key: "rod.bending_friction.limit_nm", Value: 2e-3, Unit: "N m", Min: 1e-15, Max: 1e9},
		{Path: "tendons[0].offset_m[0]", Named: "tendons.up.offset_m[0]", Key: "tendons.offset_m[0]", Value: 0.015, Unit: "m", Min: -1, Max: 1},
		{Path: "tendons[0].pull_m", Named: "tendons.up.pull_m", Key: "tendons.pull_m", Value: 0.001, Unit: "m", Min: -100, Max: 100},
		{Path: "tendons[1].disks.positions_m[1]", Named: "tendons.down.disks.positions_m[1]", Key: "tendons.disks.positions_m[1]", Value: 0.2, Unit: "m", Min: 0, Max: 100},
		{Path: "loads[1].moment_nm[0]", Named: "loads[1].moment_nm[0]", Key: "loads.moment_nm[0]", Value: 0.1, Unit: "N m"},
	} {
		i := slices.IndexFunc(list, func(n robotfile.Number) bool { return n.Path == want.Path })
		if i < 0 {
			t.Errorf("no %s", want.Path)
			continue
		}
		got := list[i]
		if want.Min == want.Max { // any range
			got.Min, got.Max = 0, 0
		}
		if got.Doc = ""; got != want {
			t.Errorf("%+v instead of %+v", got, want)
		}
	}
	for _, absent := range []string{"tendons[0].tension_n", "tendons[1].disks.first_m", "rod.section.area_m2", "rod.elements", "tendons[0].disks.count", "environment.friction_coefficient"} {
		if slices.ContainsFunc(list, func(n robotfile.Number) bool { return n.Path == absent }) {
			t.Errorf("%s is listed", absent)
		}
	}
}

// TestNumbersCanBeSet sets every number of complete files to what it is.
func TestNumbersCanBeSet(t *testing.T) {
	r, err := robotfile.Parse[robotfile.Continuum]("two.yaml", []byte(twoTendons))
	if err != nil {
		t.Fatal(err)
	}
	testSet(t, r)
	testSet(t, robotfile.Example[robotfile.Microrobot]())
}

func testSet[T robotfile.Robot](t *testing.T, r *T) {
	t.Helper()
	var d robotfile.Draft[T]
	d.Merge("complete", robotfile.Print(r))
	for _, n := range robotfile.Numbers(r) {
		d.Set(n.Path, robotfile.FormatNumber(n.Value), "test")
		d.Set(n.Named, robotfile.FormatNumber(n.Value), "test")
	}
	same, err := d.Robot()
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(robotfile.Print(same), robotfile.Print(r)) {
		t.Errorf("changed by setting numbers to what they are:\n%s", robotfile.Print(same))
	}
}

// TestOverlayOfNumbers changes numbers and lays the overlay over the original file.
func TestOverlayOfNumbers(t *testing.T) {
	var d robotfile.Draft[robotfile.Continuum]
	d.Merge("two.yaml", []byte(twoTendons))
	r, err := d.Robot()
	if err != nil {
		t.Fatal(err)
	}
	d = robotfile.Draft[robotfile.Continuum]{}
	d.Merge("complete", robotfile.Print(r))
	comments := map[string]string{}
	for path, value := range map[string]string{
		"rod.youngs_modulus_pa": "2345678.9", "rod.damping.kelvin_voigt_s": "0.125", "base.position_m[2]": "-0.5",
		"tendons[1].friction_coefficient": "0.25", "tendons[1].disks.positions_m[0]": "0.11", "loads[1].moment_nm[0]": "7",
	} {
		d.Set(path, value, "fit")
		comments[path] = "of " + path
	}
	want, err := d.Robot()
	if err != nil {
		t.Fatal(err)
	}
	text, err := d.Overlay(comments)
	if err != nil {
		t.Fatal(err)
	}
	var over robotfile.Draft[robotfile.Continuum]
	over.Merge("two.yaml", []byte(twoTendons))
	over.Merge("overlay.yaml", text)
	got, err := over.Robot()
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	if !bytes.Equal(robotfile.Print(got), robotfile.Print(want)) {
		t.Errorf("the overlay\n%s\ngives\n%s\ninstead of\n%s", text, robotfile.Print(got), robotfile.Print(want))
	}
	for _, words := range []string{"moment_nm: [7, 0, 0]", "# of loads[1].moment_nm[0]", "youngs_modulus_pa: 2345678.9", "# of rod.youngs_modulus_pa", "  - name: down\n", "position_m: [0, 0, -0.5]"} {
		if !strings.Contains(string(text), words) {
			t.Errorf("no %q in\n%s", words, text)
		}
	}
	if strings.Contains(string(text), "name: up") || strings.Contains(string(text), "shear") {
		t.Errorf("too much in\n%s", text)
	}
}

// What a section leaves out follows the rod, and still follows it under an overlay that
// names another of its numbers.
func TestOverlayLeavesOut(t *testing.T) {
	const file = `
rod:
  youngs_modulus_pa: 2e6
  sections: [{length_m: 0.1, radius_m: 0.01, youngs_modulus_pa: 3e6}, {length_m: 0.15, radius_m: 0.005, bending_friction: []}]
`
	var d robotfile.Draft[robotfile.Continuum]
	d.Merge("file.yaml", []byte(file))
	d.Set("rod.sections[0].youngs_modulus_pa", "4e6", "fit")
	text, err := d.Overlay(map[string]string{"rod.sections[0].youngs_modulus_pa": "found"})
	if err != nil {
		t.Fatal(err)
	}
	var over robotfile.Draft[robotfile.Continuum]
	over.Merge("file.yaml", []byte(file))
	over.Merge("overlay.yaml", text)
	over.Merge("later.yaml", []byte("rod: {density_kg_per_m3: 1234, bending_friction: [{stiffness_nm2: 1e-3, limit_nm: 2e-3}]}"))
	r, err := over.Robot()
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	first, second := &r.Rod.Sections[0], &r.Rod.Sections[1]
	if first.YoungsModulus != 4e6 || second.YoungsModulus != 2e6 || first.Density != 1234 || len(first.BendingFriction) != 1 || len(second.BendingFriction) != 0 {
		t.Errorf("E %g and %g Pa, density %g, %d and %d springs of friction; want 4e6, 2e6, 1234, 1 and 0, from\n%s",
			first.YoungsModulus, second.YoungsModulus, first.Density, len(first.BendingFriction), len(second.BendingFriction), text)
	}
}
