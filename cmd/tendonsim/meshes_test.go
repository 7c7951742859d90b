package main_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sinew/cmd/internal/program"
	main "sinew/cmd/tendonsim"
)

// facet writes a triangle of ASCII STL.
func facet(b *strings.Builder, corners ...[3]float64) {
	fmt.Fprintln(b, "facet normal 0 0 0\nouter loop")
	for _, p := range corners {
		fmt.Fprintf(b, "vertex %g %g %g\n", p[0], p[1], p[2])
	}
	fmt.Fprintln(b, "endloop\nendfacet")
}

// boxFile is a box of the given half widths as ASCII STL, turned inside out where one is negative.
func boxFile(x, y, z float64) string {
	var b strings.Builder
	at := func(i int) [3]float64 {
		sign := func(bit int) float64 { return 2*float64(i>>bit&1) - 1 }
		return [3]float64{sign(0) * x, sign(1) * y, sign(2) * z}
	}
	for _, q := range [6][4]int{{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}} {
		facet(&b, at(q[0]), at(q[1]), at(q[2]))
		facet(&b, at(q[0]), at(q[2]), at(q[3]))
	}
	return b.String()
}

// A robot with a mesh is made, warned of what was repaired, or refused with the reason why it is in the wall.
func TestMeshFiles(t *testing.T) {
	const robot = `rod: {length_m: 0.01, radius_m: 0.0004, density_kg_per_m3: 6450, youngs_modulus_pa: 1e9, elements: 5}
base: {position_m: [0, 0, %g], direction: [0, 0, 1], normal: [1, 0, 0]}
environment: {shapes: [{name: vessel, mesh: {file: %s%s}}]}
`
	lumen, bore := boxFile(0.01, 0.01, 0.02), boxFile(0.01, 0.01, 0.02)+boxFile(-0.006, 0.006, 0.015)
	twice := lumen + strings.Join(strings.SplitAfterN(lumen, "endfacet\n", 2)[:1], "")
	for _, c := range []struct {
		name, mesh, inside string
		base               float64
		want               string // of the error
		warning            string
	}{
		{"a lumen", lumen, ", inside: true", -0.005, "", ""},
		{"a triangle twice", twice, ", inside: true", -0.005, "", "1 triangle that repeats another one is dropped, triangle 13 (line 86)"},
		{"a shell with thickness", bore, ", inside: true", -0.005, "the rod is in the wall of vessel: it is a closed shell with thickness; leave out inside", ""},
		{"a shell without inside", bore, "", -0.005, "", ""},
		{"outside of a lumen", lumen, ", inside: true", 0.03, "the rod is outside of vessel, whose free side is its lumen with inside: true", ""},
		{"outside, with a flaw", twice, ", inside: true", 0.03, "of the file of vessel, 1 triangle that repeats another one is dropped", ""},
		{"in a body", lumen, "", -0.005, "the rod is within the closed surface of vessel, which is solid without inside; give inside: true", ""},
		{"in mm", boxFile(10, 10, 20), "", -0.005, "environment.shapes[0].mesh.file reaches 34 m from the base; expected: up to 0.3 m; the file is likely in mm: set mesh.scale: 0.001, it is 1; as it is, the rod is", ""},
		{"OBJ", "v 0 0 0\n", "", -0.005, "the file is no STL but OBJ", ""},
	} {
		file := filepath.Join(t.TempDir(), "vessel.stl")
		text := c.mesh
		if c.name != "OBJ" {
			text = "solid\n" + text + "endsolid\n"
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		f := program.Files(main.Build)()
		f.Set("", fmt.Sprintf(robot, c.base, file, c.inside), "test")
		made, err := f.Make()
		if c.want != "" {
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: the error is %v, want %q", c.name, err, c.want)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if got := fmt.Sprint(made.Warnings); (c.warning == "") != (len(made.Warnings) == 0) || !strings.Contains(got, c.warning) {
			t.Errorf("%s: warnings %s, want %q", c.name, got, c.warning)
		}
	}
}
