package shape_test

import (
	"math"
	"testing"

	"sinew/pkg/sim/shape"
	"sinew/pkg/sim/shape/mesh"
	"sinew/pkg/sim/spatial"
)

// solids are one of each kind, about 8 mm large around the origin.
func solids(t *testing.T) map[string]shape.Shape {
	make := func(s shape.Shape, err error) shape.Shape {
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	turned := spatial.Pose{R: spatial.ExpRot(spatial.Vec{X: 0.3, Y: -0.7, Z: 1.1}), P: spatial.Vec{X: 1e-3, Y: -5e-4}}
	return map[string]shape.Shape{
		"sphere":  make(shape.NewSphere(spatial.Vec{X: 1e-3}, 4e-3)),
		"capsule": make(shape.NewCapsule(spatial.Vec{X: -4e-3}, spatial.Vec{X: 3e-3, Y: 2e-3}, 3e-3)).Moved(turned),
		"box":     make(shape.NewBox(spatial.Vec{X: 8e-3, Y: 6e-3, Z: 4e-3}, 1e-4)).Moved(turned),
		"mesh":    make(shape.NewMesh(shape.Block(), mesh.Options{Scale: 1, Reach: 4e-3})).Moved(turned),
		"plane":   make(shape.NewPlane(spatial.Vec{Z: -1e-3}, spatial.Vec{X: 0.2, Z: 1})),
		"tube":    make(shape.NewTube([]spatial.Vec{{X: -0.01}, {}, {X: 0.01, Y: 2e-3}}, []float64{6e-3}, true)),
	}
}

// What is between two points is what is on some point between them. Where the surface is nearly grazed, either is right.
func TestHidesWhatIsBetween(t *testing.T) {
	const points, grazing = 2000, 6e-5
	for name, s := range solids(t) {
		rng := shape.NewRand()
		hidden, seen, scale := 0, 0, 8e-3
		if name == "tube" { // which is solid all around
			scale = 5e-3
		}
		for range 200 {
			from, to := shape.RandVec(rng, scale), shape.RandVec(rng, scale)
			deepest := math.Inf(-1)
			var hint shape.Hint
			for i := range points + 1 {
				if at, ok := s.At(from.AddScaled(float64(i)/points, to.Sub(from)), &hint); ok {
					deepest = max(deepest, -at.D)
				} else if s.Convex() {
					deepest = 1
				}
			}
			got := s.Hides(from, to)
			if got {
				hidden++
			} else {
				seen++
			}
			if want := deepest > 0; got != want && math.Abs(deepest) > grazing {
				t.Errorf("%s from %v to %v: hidden %v, deepest point %.3g m", name, from, to, got, deepest)
			}
			if s.Convex() && got != (deepest > 0) && math.Abs(deepest) > 1e-7 {
				t.Errorf("%s from %v to %v: hidden %v, deepest point %.3g m", name, from, to, got, deepest)
			}
			if back := s.Hides(to, from); back != got && math.Abs(deepest) > grazing {
				t.Errorf("%s: hidden %v one way and %v the other", name, got, back)
			}
		}
		if hidden < 20 || seen < 20 {
			t.Errorf("%s: %d hidden and %d seen prove little", name, hidden, seen)
		}
	}
}

// A point on the surface is seen from the front and hidden from behind, and so is a file's rounded number of one.
func TestSurfaceIsSeenFromTheFront(t *testing.T) {
	ball, err := shape.NewSphere(spatial.Vec{X: 0.3}, 1.0/3)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range []float64{1.0 / 3, 0.3333333, 0.33333337} {
		front := spatial.Vec{X: 0.3, Z: r}
		if ball.Hides(spatial.Vec{X: 0.3, Z: 2}, front) || ball.Contains(front) {
			t.Errorf("a point at %.9g of the radius 1/3 is hidden from the front", r)
		}
		if !ball.Hides(spatial.Vec{X: 0.3, Z: -2}, front) {
			t.Errorf("a point at %.9g of the radius 1/3 is seen from behind", r)
		}
	}
	if !ball.Contains(spatial.Vec{X: 0.3}) || !ball.Contains(spatial.Vec{X: 0.3, Y: 0.33}) || ball.Contains(spatial.Vec{X: 0.7}) {
		t.Error("a ball does not contain its middle, or what is outside")
	}
}

func TestSightDoesNotAllocate(t *testing.T) {
	for name, s := range solids(t) {
		if n := testing.AllocsPerRun(100, func() { s.Hides(spatial.Vec{X: -0.02, Z: 5e-3}, spatial.Vec{X: 0.02, Z: 1e-3}) }); n != 0 {
			t.Errorf("%s: %g allocations", name, n)
		}
	}
}
