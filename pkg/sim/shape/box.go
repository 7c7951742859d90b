package shape

import (
	"math"

	"sinew/pkg/sim/spatial"
)

// uniform returns the vector with three equal components.
func uniform(x float64) spatial.Vec { return spatial.Vec{X: x, Y: x, Z: x} }

// least returns the smaller of each component.
func least(a, b spatial.Vec) spatial.Vec {
	return spatial.Vec{X: min(a.X, b.X), Y: min(a.Y, b.Y), Z: min(a.Z, b.Z)}
}

// most returns the larger of each component.
func most(a, b spatial.Vec) spatial.Vec {
	return spatial.Vec{X: max(a.X, b.X), Y: max(a.Y, b.Y), Z: max(a.Z, b.Z)}
}

// rotatedBounds returns the box about the box from lo to hi placed at the pose.
func rotatedBounds(g spatial.Pose, lo, hi spatial.Vec) (l, h spatial.Vec) {
	center, half := g.Apply(lo.Add(hi).Scale(0.5)), hi.Sub(lo).Scale(0.5)
	r := spatial.Mat3{
		XX: math.Abs(g.R.XX), XY: math.Abs(g.R.XY), XZ: math.Abs(g.R.XZ),
		YX: math.Abs(g.R.YX), YY: math.Abs(g.R.YY), YZ: math.Abs(g.R.YZ),
		ZX: math.Abs(g.R.ZX), ZY: math.Abs(g.R.ZY), ZZ: math.Abs(g.R.ZZ),
	}
	half = r.Apply(half)
	return center.Sub(half), center.Add(half)
}
