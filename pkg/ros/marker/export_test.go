package marker

import (
	"math"

	"sinew/pkg/sim"
	"sinew/pkg/sim/spatial"
)

// Unexported names for the external tests.
const (
	KindArrow    = kindArrow
	KindDisk     = kindDisk
	KindMesh     = kindMesh
	KindPolyline = kindPolyline
	KindSphere   = kindSphere
	KindTube     = kindTube
	MaxRings     = maxRings
	Thinnest     = thinnest
	TubeSides    = tubeSides
)

var (
	Identity      = identity
	TubeTriangles = tubeTriangles
)

// FirstRing returns the axes of the ring at the start of a tube.
func FirstRing(tangent spatial.Vec) (normal, binormal spatial.Vec) {
	f := newRingFrame(tangent)
	return f.normal, f.binormal
}

// Helix is a bent and twisted centre line.
func Helix(n int) []spatial.Vec {
	points := make([]spatial.Vec, n)
	for i := range points {
		s := float64(i) / float64(n-1)
		points[i] = spatial.Vec{X: math.Cos(4 * s), Y: math.Sin(4 * s), Z: s}
	}
	return points
}

func EveryShape() *sim.Scene {
	turned := spatial.Pose{R: spatial.Quat{W: 0.5, X: 0.5, Y: 0.5, Z: 0.5}.Rot(), P: spatial.Vec{X: 1, Y: 2, Z: 3}}
	blue := sim.Color{B: 1, A: 0.5}
	return &sim.Scene{
		Tubes:     []sim.Tube{{Name: "rod", Points: Helix(5), Radius: 0.1, Color: blue}},
		Disks:     []sim.Disk{{Name: "disks", Pose: turned, Radius: 0.02, Color: blue}, {Name: "disks", Pose: turned, Radius: 0.02, Thickness: 0.001}},
		Spheres:   []sim.Sphere{{Name: "body", Pose: turned, SemiAxes: spatial.Vec{X: 1, Y: 2, Z: 3}}},
		Polylines: []sim.Polyline{{Name: "tendons", Points: Helix(4), Width: 0.001}},
		Arrows:    []sim.Arrow{{Name: "field", From: spatial.Vec{X: 1}, To: spatial.Vec{X: 3}, Radius: 0.05}},
	}
}
