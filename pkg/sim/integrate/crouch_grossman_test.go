package integrate_test

import (
	"math"
	"testing"

	"sinew/pkg/sim/integrate"
)

func TestRowSums(t *testing.T) {
	for _, m := range []struct {
		name string
		t    integrate.CrouchGrossman
		tol  float64
	}{{"CG4", integrate.CG4, 2e-16}, {"CG4Rational", integrate.CG4Rational, 2e-6}} {
		for i, row := range m.t.A {
			sum := 0.0
			for _, a := range row {
				sum += a
			}
			if d := math.Abs(sum - m.t.C[i]); d > m.tol {
				t.Errorf("%s row %d: sum %.17g, c %.17g", m.name, i, sum, m.t.C[i])
			}
		}
	}
}
