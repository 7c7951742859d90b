package robotfile_test

import (
	"fmt"
	"strings"
	"testing"

	"sinew/pkg/sim/robotfile"
)

// Resistances are symmetric and positive definite; every entry of the nine counts at its
// place.
func TestDefiniteMatrices(t *testing.T) {
	const asymmetric, indefinite = "is not symmetric", "is not positive definite"
	for _, c := range []struct{ matrix, want string }{
		{"[1, 2, 3]", ""}, {"[0, 2, 3]", indefinite}, {"[1, 0, 3]", indefinite}, {"[1, 2, 0]", indefinite}, {"[1, -2, 3]", indefinite},
		{"[1, 0, 0, 0, 2, 0, 0, 0, 3]", ""},
		{"[0, 0, 0, 0, 2, 0, 0, 0, 3]", indefinite}, {"[1, 0, 0, 0, 0, 0, 0, 0, 3]", indefinite}, {"[1, 0, 0, 0, 2, 0, 0, 0, 0]", indefinite},
		{"[4, 3, 0, 3, 4, 0, 0, 0, 4]", ""}, {"[4, 0, 3, 0, 4, 0, 3, 0, 4]", ""}, {"[4, 0, 0, 0, 4, 3, 0, 3, 4]", ""},
		{"[4, 3, 0, 2, 4, 0, 0, 0, 4]", asymmetric}, {"[4, 0, 3, 0, 4, 0, 2, 0, 4]", asymmetric}, {"[4, 0, 0, 0, 4, 3, 0, 2, 4]", asymmetric},
		{"[4, 4, 0, 4, 4, 0, 0, 0, 4]", indefinite}, {"[4, 0, 4, 0, 4, 0, 4, 0, 4]", indefinite}, {"[4, 0, 0, 0, 4, 4, 0, 4, 4]", indefinite},
		{"[1, 2, 2, 2, 1, 4, 2, 4, 1]", indefinite}, // determinant 9
		{"[3, -2, -2, -2, 3, -2, -2, -2, 3]", indefinite}, {"[3, 2, 2, 2, 3, 2, 2, 2, 3]", ""},
		{"[1e-9, 1e-19, 0, 0, 1e-9, 0, 0, 0, 1e-9]", ""}, // round-off of numbers of this size
	} {
		for key, other := range map[string]string{"trans_kg_per_s": "rot_kg_m2_per_s", "rot_kg_m2_per_s": "trans_kg_per_s"} {
			text := fmt.Sprintf("body: {shape: {resistance: {%s: %s, %s: [1, 1, 1]}}}", key, c.matrix, other)
			_, err := robotfile.Parse[robotfile.Microrobot]("f", []byte(text))
			refused := err != nil && strings.Contains(err.Error(), c.matrix+" "+c.want)
			if c.want == "" && err != nil || c.want != "" && !refused {
				t.Errorf("%s = %s: %v, want %q", key, c.matrix, err, c.want)
			}
		}
	}
}
