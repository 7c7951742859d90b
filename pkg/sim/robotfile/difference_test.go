package robotfile_test

import (
	"fmt"
	"strings"
	"testing"

	"sinew/pkg/sim/robotfile"
)

func TestDifferences(t *testing.T) {
	const file = "{rod: {length_m: 0.3, radius_m: 0.0005, elements: 4}, tendons: [{name: up, offset_m: [0.01, 0]}]}"
	complete := func(t *testing.T, text string) []byte {
		t.Helper()
		r, err := robotfile.Parse[robotfile.Continuum]("test", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		return robotfile.Print(r)
	}
	for _, c := range []struct{ name, from, to, want string }{
		{"none", "rod", "rod", ""},
		{"a number", "length_m: 0.3", "length_m: 0.25", "rod.length_m: 0.3, 0.25"},
		{"a list of numbers", "[0.01, 0]", "[0.01, 0.002]", "tendons[0].offset_m: [0.01, 0], [0.01, 0.002]"},
		{"a name", "name: up", "name: left", `tendons[0].name: "up", "left"`},
		{"lists of unequal length", "[{name: up, offset_m: [0.01, 0]}]", "[]", "tendons: 1 items, []"},
		{"a key that replaces another", "radius_m: 0.0005", "section: {area_m2: 1e-6, i1_m4: 1e-13, i2_m4: 1e-13, j_m4: 2e-13}, contact_radius_m: 0.0005", "rod.section: null, {...}"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var found []string
			for _, d := range robotfile.Differences(complete(t, file), complete(t, strings.Replace(file, c.from, c.to, 1))) {
				found = append(found, fmt.Sprintf("%s: %s, %s", d.Path, d.A, d.B))
			}
			got := strings.Join(found, "; ")
			if c.want == "" && got != "" || !strings.Contains(got, c.want) {
				t.Errorf("differences %q, want %q", got, c.want)
			}
		})
	}
}
