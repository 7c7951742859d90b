package vessels

import (
	"math"

	"sinew/pkg/sim/spatial"
)

// Course is a centre line with the radius of the bore about it, straight from point to point.
type Course struct {
	Points []spatial.Vec // m
	Radius []float64     // m, at each point
}

// Lumen is the space within one of its courses, rounded where they part.
type Lumen struct {
	Courses []Course
	// Blend (m) is how wide the rounding is. Where two courses are one the lumen is wider
	// by a quarter of it.
	Blend float64
}

// Excess returns how far (m) a point is outside of the lumen, negative within. It is exact
// for straight courses and off by the slope of the radius.
func (l *Lumen) Excess(p spatial.Vec) float64 {
	least := math.Inf(1)
	for i := range l.Courses {
		least = smoothMin(least, l.Courses[i].excess(p), l.Blend)
	}
	return least
}

// smoothMin is the smaller of two numbers, rounded within blend of where they are equal.
func smoothMin(a, b, blend float64) float64 {
	h := max(blend-math.Abs(a-b), 0)
	if h == 0 {
		return min(a, b)
	}
	return min(a, b) - h*h/(4*blend)
}

func (c *Course) excess(p spatial.Vec) float64 {
	least := math.Inf(1)
	for i := 1; i < len(c.Points); i++ {
		a, ab := c.Points[i-1], c.Points[i].Sub(c.Points[i-1])
		t := min(max(p.Sub(a).Dot(ab)/ab.Dot(ab), 0), 1)
		radius := c.Radius[i-1] + t*(c.Radius[i]-c.Radius[i-1])
		least = min(least, p.Sub(a.AddScaled(t, ab)).Norm()-radius)
	}
	return least
}

// gradient is the direction in which the excess grows, by differences over a length.
func (l *Lumen) gradient(p spatial.Vec, over float64) spatial.Vec {
	difference := func(axis spatial.Vec) float64 {
		return (l.Excess(p.AddScaled(over, axis)) - l.Excess(p.AddScaled(-over, axis))) / (2 * over)
	}
	return spatial.Vec{X: difference(spatial.Vec{X: 1}), Y: difference(spatial.Vec{Y: 1}), Z: difference(spatial.Vec{Z: 1})}
}

// bounds are the corners of a box about the lumen, a length wider than it.
func (l *Lumen) bounds(wider float64) (low, high spatial.Vec) {
	low = spatial.Vec{X: math.Inf(1), Y: math.Inf(1), Z: math.Inf(1)}
	high = low.Scale(-1)
	for _, c := range l.Courses {
		for i, p := range c.Points {
			r := c.Radius[i] + l.Blend/4 + wider
			low = spatial.Vec{X: min(low.X, p.X-r), Y: min(low.Y, p.Y-r), Z: min(low.Z, p.Z-r)}
			high = spatial.Vec{X: max(high.X, p.X+r), Y: max(high.Y, p.Y+r), Z: max(high.Z, p.Z+r)}
		}
	}
	return low, high
}
