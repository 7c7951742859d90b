package vessels

import (
	"math"

	"sinew/pkg/sim/spatial"
)

// Guidewire is the vessel of launch/worlds/guidewire.yaml: an artery along x that bends
// upward and parts in two, to the left (y > 0) and to the right.
func Guidewire() *Lumen {
	return &Lumen{Courses: []Course{guidewireCourse(1), guidewireCourse(-1)}, Blend: 3e-3}
}

// GuidewireEnd is how far the vessel goes along x, m.
const GuidewireEnd = 0.09

// guidewireCourse is the way into the branch on a side, beyond both ends of the vessel.
func guidewireCourse(side float64) (c Course) {
	const (
		beyond   = 0.01  // m
		parting  = 0.034 // m, where the branches begin to part
		apart    = 0.036 // m, the length of their turn
		aside    = 0.013 // m, by how much they turn aside
		rise     = 0.006 // m
		trunk    = 2.6e-3
		branch   = 1.9e-3
		segments = 220
	)
	for i := range segments + 1 {
		x := -beyond + (GuidewireEnd+2*beyond)*float64(i)/segments
		turn := SmoothStep((x - parting) / apart)
		c.Points = append(c.Points, spatial.Vec{
			X: x,
			Y: side * aside * turn,
			Z: rise*SmoothStep(x/0.05) + side*0.002*turn,
		})
		c.Radius = append(c.Radius, trunk+(branch-trunk)*SmoothStep((x-0.03)/0.03))
	}
	return c
}

// SmoothStep goes from 0 at 0 to 1 at 1, without jumps of curvature.
func SmoothStep(t float64) float64 {
	t = math.Min(math.Max(t, 0), 1)
	return t * t * t * (10 + t*(6*t-15))
}

// GuidewireWall is the wall of the vessel as triangles.
func GuidewireWall() (triangles [][3]spatial.Vec, ok bool) {
	return Guidewire().Surface(0, GuidewireEnd, spatial.Vec{X: 1.5e-3, Y: 0.8e-3, Z: 0.8e-3})
}
