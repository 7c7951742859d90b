package identify

import (
	"testing"

	"sinew/pkg/sim/robotfile"
)

// Unexported names for the external tests.
var (
	Ends  = ends
	Under = under
)

const NamesFile = `
rod: {youngs_modulus_pa: 2e6}
base: {position_m: [0.1, 0, 0]}
tendons:
  - {name: up, offset_m: [0.015, 0], stiffness_n_per_m: 1e4}
  - {name: side, offset_m: [0, 0.02], stiffness_n_per_m: 1e4, friction_coefficient: 0.1}
`

func NumbersOf(t *testing.T, text string) fileNumbers {
	t.Helper()
	f, err := robotfile.Parse[robotfile.Continuum]("robot.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return robotfile.Numbers(f)
}
