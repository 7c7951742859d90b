package shape

import (
	"fmt"
	"math"

	"sinew/pkg/sim/spatial"
)

// maxCoordinate is how far from the origin points may be, and how large radii (m).
const maxCoordinate = 1e4

func checkPoint(name string, p spatial.Vec) error {
	if !p.IsFinite() || max(math.Abs(p.X), math.Abs(p.Y), math.Abs(p.Z)) > maxCoordinate {
		return fmt.Errorf("shape: %s is (%g, %g, %g) m; its coordinates must be from %g to %g", name, p.X, p.Y, p.Z, -maxCoordinate, maxCoordinate)
	}
	return nil
}

func checkRadius(name string, r float64) error {
	if !(r > 0) || r > maxCoordinate {
		return fmt.Errorf("shape: %s is %g m; it must be above 0 and at most %g", name, r, maxCoordinate)
	}
	return nil
}
