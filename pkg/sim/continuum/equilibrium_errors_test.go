package continuum_test

import (
	"errors"
	"math"
	"testing"

	"sinew/pkg/sim/continuum"
	"sinew/pkg/sim/continuum/force"
	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/spatial"
)

// A search that fails says why, whatever the reason.
func TestEquilibriumErrors(t *testing.T) {
	e := implicitOf(t, bare(1, 4, 1e6, 1e6, 1, 1))
	in := &inputs{Tip: force.TipWrench{Wrench: spatial.Wrench{Force: spatial.Vec{X: math.NaN()}}}}
	if err := e.Equilibrate(in); !errors.Is(err, integrate.ErrSingularTangent) && !errors.Is(err, integrate.ErrNonFinite) {
		t.Errorf("a force that is not a number: %v, want %v or %v", err, integrate.ErrSingularTangent, integrate.ErrNonFinite)
	}
	e.Reset()
	// a follower that turns the end as it pleases has no equilibrium within reach
	in = &inputs{Tip: force.TipWrench{Wrench: spatial.Wrench{Force: spatial.Vec{X: 1e5, Y: 1e5}}, Axes: force.BodyAxes}}
	var detail *continuum.EquilibriumError
	if err := e.Equilibrate(in); !errors.Is(err, integrate.ErrNotConverged) || !errors.As(err, &detail) {
		t.Errorf("a follower of 1e5 EI/L²: %v, want %v", err, integrate.ErrNotConverged)
	}
}
