package shape

import "sinew/pkg/sim/spatial"

// all returns the vector with three equal components.
func all(x float64) spatial.Vec { return spatial.Vec{X: x, Y: x, Z: x} }

// least returns the smaller of each component.
func least(a, b spatial.Vec) spatial.Vec {
	return spatial.Vec{X: min(a.X, b.X), Y: min(a.Y, b.Y), Z: min(a.Z, b.Z)}
}

// most returns the larger of each component.
func most(a, b spatial.Vec) spatial.Vec {
	return spatial.Vec{X: max(a.X, b.X), Y: max(a.Y, b.Y), Z: max(a.Z, b.Z)}
}
