package offline_test

import (
	"strings"
	"testing"

	"sinew/cmd/internal/offline"
	"sinew/pkg/sim"
)

// A derivative whose iteration round-off has ended is distinguished from one that is exact, and what is a difference of the equations is
// not called exact to round-off.
func TestExactness(t *testing.T) {
	for inexact, want := range map[float64]string{0: "exact to round-off, 1e-13", 3.14e-11: "exact to 3.1e-11 of a row"} {
		if got := offline.Exactness(&sim.Jacobian{Inexact: inexact}); !strings.Contains(got, want) || !strings.HasSuffix(got, "by the base, magnets and numbers, for which differences of the equations are taken, to about 1e-7") {
			t.Errorf("%g: %q, want %q in it", inexact, got, want)
		}
	}
}
