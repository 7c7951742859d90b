package sim

import (
	"math"

	"sinew/pkg/sim/spatial"
)

// Camera is the optics of a camera: a pinhole, and the distortion of its lens by the model plumb_bob of ROS, which is that of OpenCV.
// Pixels are squares of side 1 about whole numbers of u, to the right, and v, downward.
type Camera struct {
	Width, Height  int        // of the image, px
	FocalX, FocalY float64    // px
	CenterX        float64    // of the principal point, px
	CenterY        float64    // px
	Distortion     [5]float64 // k1, k2, p1, p2, k3
}

// Project returns where in the image a point is that is at p (m) in the axes of the camera: x to the right, y downward, z forward. ok is
// false if it is behind the camera, or out of the image.
func (c *Camera) Project(p spatial.Vec) (u, v float64, ok bool) {
	if !(p.Z > 0) {
		return 0, 0, false
	}
	x, y := p.X/p.Z, p.Y/p.Z
	k1, k2, p1, p2, k3 := c.Distortion[0], c.Distortion[1], c.Distortion[2], c.Distortion[3], c.Distortion[4]
	r2 := x*x + y*y
	if !c.isMonotonic(r2) {
		return 0, 0, false
	}
	radial := 1 + r2*(k1+r2*(k2+r2*k3))
	u = c.FocalX*(x*radial+2*p1*x*y+p2*(r2+2*x*x)) + c.CenterX
	v = c.FocalY*(y*radial+p1*(r2+2*y*y)+2*p2*x*y) + c.CenterY
	return u, v, c.Shows(u, v)
}

// Shows reports whether u, v (px) is in the image.
func (c *Camera) Shows(u, v float64) bool {
	return u >= -0.5 && u < float64(c.Width)-0.5 && v >= -0.5 && v < float64(c.Height)-0.5
}

// isMonotonic reports whether the radius r (1 + k1 r² + k2 r⁴ + k3 r⁶) grows all the way from 0 to a point, at r² = r2. Beyond, a
// polynomial that fits the image folds what is far outside of it back into it.
func (c *Camera) isMonotonic(r2 float64) bool {
	a, b, d := 3*c.Distortion[0], 5*c.Distortion[1], 7*c.Distortion[4]
	slope := func(s float64) float64 { return 1 + s*(a+s*(b+s*d)) }
	least := slope(r2)
	// The slope turns where a + 2 b s + 3 d s² = 0. Both roots are without cancellation, also of a k3 that is nearly 0; those that there
	// are not are no numbers and in no interval.
	q := -(b + math.Copysign(math.Sqrt(b*b-3*a*d), b))
	for _, s := range [2]float64{q / (3 * d), a / q} {
		if s > 0 && s < r2 {
			least = math.Min(least, slope(s))
		}
	}
	return least > 0
}
