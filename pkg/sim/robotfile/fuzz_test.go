package robotfile_test

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"sinew/pkg/sim/robotfile"
)

func seeds(f *testing.F, add func(string)) {
	files, _ := filepath.Glob("testdata/*.yaml")
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		add(string(data))
	}
	for _, text := range []string{
		"", "{}", baseFile, "a: &a [*a]", "rod: {<<: {length_m: 1}}", "? [a]\n: b", "---\n---\n", "%YAML 9\n---\n",
		"tendons: [{name: a, offsets_m: [[0, 0]], disks: {positions_m: [0.1]}, pull_m: null}]",
		"{rod: !!str 3, base: !!binary aGk=, tip: {mass_kg: !!float 1}}", "loads: [{until_s: .INF}]", "- \x00",
		pairFile + "drives: {joints: [{name: m, pulley_radius_m: 0.01, dead_time_s: 0.1, tendons: [{name: up}, {name: down, gain: -1}]}]}",
		"drives: {shared_compliance_m_per_n: -.inf, joints: [{tendons: [null]}, 3]}",
	} {
		add(text)
	}
	add(string(robotfile.Print(robotfile.Example[robotfile.Continuum]())))
	add(string(robotfile.Print(robotfile.Example[robotfile.Microrobot]())))
	add(string(robotfile.Print(robotfile.Example[robotfile.Mechanism]())))
	add(arm)
}

// FuzzParse: whatever the file, there is a robot that prints and reads back, or an
// *Errors with at least one mistake.
func FuzzParse(f *testing.F) {
	seeds(f, func(s string) { f.Add([]byte(s)) })
	f.Fuzz(func(t *testing.T, data []byte) {
		parseAnything[robotfile.Continuum](t, data)
		parseAnything[robotfile.Mechanism](t, data)
		parseAnything[robotfile.Microrobot](t, data)
	})
}

func parseAnything[T robotfile.Robot](t *testing.T, data []byte) {
	r, err := robotfile.Parse[T]("f", data)
	if err != nil {
		var all *robotfile.Errors
		if !errors.As(err, &all) || len(all.Mistakes) == 0 || err.Error() == "" {
			t.Fatalf("bad error %#v", err)
		}
		return
	}
	for _, text := range [][]byte{robotfile.Print(r), robotfile.PrintValues(r)} {
		if again, err := robotfile.Parse[T]("f", text); err != nil || !reflect.DeepEqual(again, r) {
			t.Fatalf("%+v\nreads back as %+v, %v", r, again, err)
		}
	}
}

// FuzzSet: no path and no value upsets a draft.
func FuzzSet(f *testing.F) {
	f.Add("rod.length_m", "0.3", "{}")
	f.Add("tendons[0].offset_m[1]", "[1, 2]", "tendons: [{name: a, name: b}]")
	f.Add("tendons/a/disks", "{count: 3}", baseFile)
	f.Add("", "- 1", "tendons: 3")
	f.Fuzz(func(t *testing.T, path, value, overlay string) {
		var d robotfile.Draft[robotfile.Continuum]
		d.Merge("base", []byte(baseFile))
		d.Set(path, value, "cmd")
		d.Merge("overlay", []byte(overlay))
		d.Set(path, value, "cmd")
		if r, err := d.Robot(); (r == nil) == (err == nil) {
			t.Fatalf("robot %v, error %v", r, err)
		}
	})
}
