package robotfile_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"sinew/pkg/sim/robotfile"
)

// Every setting can be set to what it is, by its path and its literal, but for lists of
// vectors, which no live key is.
func TestSettings(t *testing.T) {
	r, err := robotfile.Parse[robotfile.Continuum]("two.yaml", []byte(twoTendons))
	if err != nil {
		t.Fatal(err)
	}
	testSettings(t, r)
	m := robotfile.Example[robotfile.Microrobot]()
	m.Walls = []robotfile.Wall{{Plane: &robotfile.Plane{}}}
	m.Walls[0].Plane.Normal.Z = 1
	testSettings(t, m)
	list := robotfile.Settings(r)
	for _, want := range []robotfile.Setting{
		{Path: "rod.youngs_modulus_pa", Value: 2e6, Unit: "Pa", Range: "[100, 1e13]", Min: 100, Max: 1e13},
		{Path: "rod.viscoelasticity.1.modulus_ratio", Value: 0.1, Unit: "1", Range: "[1e-9, 1000]", Min: 1e-9, Max: 1000},
		{Path: "rod.bending_friction.0.stiffness_nm2", Value: 1e-3, Unit: "N m^2", Range: "[1e-15, 1e9]", Min: 1e-15, Max: 1e9},
		{Path: "rod.elements", Value: int64(20)},
		{Path: "tendons.up.name", Value: "up"},
		{Path: "tendons.down.limits.max_tension_n", Value: 20.0, Unit: "N", Range: "(0, 1e6]", Max: 1e6, Live: robotfile.LiveModel},
		{Path: "tendons.down.disks.positions_m", Value: []float64{0.1, 0.2}},
		{Path: "loads.1.moment_nm", Value: []float64{0.1, 0, 0}, Live: robotfile.LiveModel},
		{Path: "publish.backbone", Value: true, Live: robotfile.LiveLoop},
		{Path: "command_policy", Value: "exclusive", Live: robotfile.LiveLoop, Words: []string{"exclusive", "newest"}},
		{Path: "accept", Value: []string{}},
	} {
		i := slices.IndexFunc(list, func(s robotfile.Setting) bool { return s.Path == want.Path })
		if i < 0 {
			t.Errorf("no %s", want.Path)
			continue
		}
		got := list[i]
		if !robotfile.SameValue(got.Value, want.Value) || got.Live != want.Live || got.Doc == "" || want.Words != nil && !slices.Equal(got.Words, want.Words) ||
			want.Unit != "" && (got.Unit != want.Unit || got.Range != want.Range || got.Min != want.Min || got.Max != want.Max) {
			t.Errorf("%+v instead of %+v", got, want)
		}
	}
	for _, absent := range []string{"tendons.down.disks.first_m", "tendons.down.disks", "rod.section.area_m2", "hardware.latency_s"} {
		if slices.ContainsFunc(list, func(s robotfile.Setting) bool { return s.Path == absent }) {
			t.Errorf("%s is listed", absent)
		}
	}
}

func testSettings[T robotfile.Robot](t *testing.T, r *T) {
	t.Helper()
	var d robotfile.Draft[T]
	d.Merge("complete", robotfile.Print(r))
	for _, s := range robotfile.Settings(r) {
		if strings.HasSuffix(s.Path, "offsets_m") || strings.HasSuffix(s.Path, ".ignore") {
			continue
		}
		d.Set(s.Path, robotfile.Literal(s.Value), "test")
	}
	same, err := d.Robot()
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(robotfile.Print(same), robotfile.Print(r)) {
		t.Errorf("changed by setting keys to what they are:\n%s", robotfile.Print(same))
	}
}

// A name with a dot would be taken apart where it is part of a path.
func TestSettingsOfNamesWithDots(t *testing.T) {
	r, err := robotfile.Parse[robotfile.Continuum]("dots.yaml", []byte("rod: {}\ntendons: [{name: a.b, offset_m: [0.01, 0]}]"))
	if err != nil {
		t.Fatal(err)
	}
	if !slices.ContainsFunc(robotfile.Settings(r), func(s robotfile.Setting) bool { return s.Path == "tendons.0.limits.max_tension_n" }) {
		t.Error("no tendons.0")
	}
	testSettings(t, r)
}
