package sim_test

import (
	"math"
	"testing"

	"sinew/pkg/sim"
	"sinew/pkg/sim/spatial"
)

// A point at x, y, z of a camera with f = 100 px and the middle of the image at 49.5, 39.5 is at 49.5 + 100 x/z, 39.5 + 100 y/z, and seen
// where that is a pixel and z is positive.
func TestProjectionByHand(t *testing.T) {
	c := sim.Camera{Width: 100, Height: 80, FocalX: 100, FocalY: 100, CenterX: 49.5, CenterY: 39.5}
	for _, o := range []struct {
		at   spatial.Vec
		u, v float64
		seen bool
	}{
		{spatial.Vec{Z: 2}, 49.5, 39.5, true},
		{spatial.Vec{X: 0.5, Z: 2}, 74.5, 39.5, true},  // to the right
		{spatial.Vec{Y: 0.25, Z: 1}, 49.5, 64.5, true}, // downward
		{spatial.Vec{X: -0.1, Y: -0.3, Z: 1}, 39.5, 9.5, true},
		{spatial.Vec{X: -0.5, Y: -0.4, Z: 1}, -0.5, -0.5, true}, // the corner of the first pixel
		{spatial.Vec{X: 0.5, Z: 1}, 99.5, 39.5, false},          // the edge behind the last one
		{spatial.Vec{X: -0.51, Z: 1}, -1.5, 39.5, false},
		{spatial.Vec{Y: 0.41, Z: 1}, 49.5, 80.5, false},
		{spatial.Vec{Z: -2}, 0, 0, false}, // behind
		{spatial.Vec{X: 0.1}, 0, 0, false},
	} {
		u, v, seen := c.Project(o.at)
		if math.Abs(u-o.u) > 1e-12 || math.Abs(v-o.v) > 1e-12 || seen != o.seen {
			t.Errorf("%v is at %g, %g, seen: %v, want %g, %g, %v", o.at, u, v, seen, o.u, o.v, o.seen)
		}
	}
}

// The distortion is that of OpenCV: numbers are those of its projectPoints (4.10.0).
func TestProjectionOfOpenCV(t *testing.T) {
	c := sim.Camera{Width: 640, Height: 480, FocalX: 612.5, FocalY: 608.75, CenterX: 321.25, CenterY: 238.5, Distortion: [5]float64{-0.281, 0.0734, 1.2e-3, -7.5e-4, 0.0115}}
	for _, o := range []struct {
		at   spatial.Vec
		u, v float64
		seen bool
	}{
		{spatial.Vec{X: 0.1, Y: -0.05, Z: 0.5}, 441.962411094, 178.538433180, true},
		{spatial.Vec{X: -0.3, Y: 0.2, Z: 0.9}, 125.610583360, 368.196139961, true},
		{spatial.Vec{X: 0, Y: 0, Z: 1}, 321.250000000, 238.500000000, true},
		{spatial.Vec{X: 0.21, Y: 0.19, Z: 0.6}, 522.961236366, 420.138055845, true},
		{spatial.Vec{X: -0.02, Y: 0.15, Z: 0.35}, 287.871261867, 486.804278357, false},
		{spatial.Vec{X: 0.0012, Y: 0.0034, Z: 0.02}, 357.664001127, 341.107114792, true},
	} {
		u, v, seen := c.Project(o.at)
		if math.Abs(u-o.u) > 1e-8 || math.Abs(v-o.v) > 1e-8 || seen != o.seen {
			t.Errorf("%v is at %.9f, %.9f, seen: %v, want %.9f, %.9f, %v", o.at, u, v, seen, o.u, o.v, o.seen)
		}
	}
}

// A polynomial that turns back shows in the image what is far outside of it; such points are not seen, and all within the turn are.
func TestDistortionDoesNotFold(t *testing.T) {
	for _, d := range [][5]float64{{-0.3}, {0, -0.1}, {0, 0, 0, 0, -0.05}, {-0.5, 0.1}, {-0.9, 0.6, 0, 0, -0.11}, {0.2, 0.3, 0, 0, 0.1}, {-1.2, 0.6, 0, 0, 1e-18}} {
		c := sim.Camera{Width: 2000, Height: 2000, FocalX: 400, FocalY: 400, CenterX: 1000, CenterY: 1000, Distortion: d}
		const h = 1e-3
		radius := func(x float64) float64 { return x * (1 + x*x*(d[0]+x*x*(d[1]+x*x*d[4]))) }
		turned := false
		for x := h; x < 4; x += h {
			turned = turned || radius(x) <= radius(x-h)
			turns := turned || radius(x+h) <= radius(x) // just before or after x
			_, _, seen := c.Project(spatial.Vec{X: x, Z: 1})
			if inside := 1000+400*radius(x) < 1999.5; seen && turned || !seen && !turns && inside {
				t.Fatalf("distortion %v: at x/z = %.3f it is seen: %v; the radius turns before: %v", d, x, seen, turned)
			}
		}
	}
}
