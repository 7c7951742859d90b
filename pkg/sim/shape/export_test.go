package shape

import "sinew/pkg/sim/spatial"

// Unexported names for the external tests.
var (
	Least = least
	Most  = most
)

func Vec(a [3]float64) spatial.Vec { return spatial.Vec{X: a[0], Y: a[1], Z: a[2]} }
