package stokes

import (
	"math"
	"strings"
	"testing"

	"sinew/pkg/sim/shape"
	"sinew/pkg/sim/spatial"
)

// surfacesOf returns walls of one surface.
func surfacesOf(t testing.TB, s shape.Shape, err error) *Walls {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	return (*Walls)(nil).With([]Surface{{Name: "wall", Shape: s}})
}

// A plane of the environment is a plane wall: distance, reaction and the drag on a sphere.
func TestSurfaceIsPlane(t *testing.T) {
	rnd := newRand()
	for range 50 {
		p, n := randVec(rnd), randVec(rnd).Unit()
		s, err := shape.NewPlane(p, n)
		a, b := surfacesOf(t, s, err), mustWalls(t, []Plane{{p, n}}, nil, 0)
		rot := randRot(rnd)
		extent := rot.Mul(spatial.Diag3(spatial.Vec{X: 4, Y: 0.25, Z: 0.04})).MulT(rot)
		x := p.AddScaled(4*rnd.Float64()-1, n)
		close1(t, "gap", a.Gap(x, &extent)+10, b.Gap(x, &extent)+10, 1e-12)
		if d := a.PushOut(x, &extent).Sub(b.PushOut(x, &extent)).Norm(); d > 1e-12 {
			t.Errorf("pushed out %g m apart", d)
		}
		m := Mobility{Trans: spatial.Identity3(), Rot: spatial.Identity3()}
		motion := spatial.Twist{Linear: n.Scale(-3), Angular: randVec(rnd)}
		va, vb := a.Restrain(x, &extent, &m, motion, 1), b.Restrain(x, &extent, &m, motion, 1)
		if d := va.Linear.Sub(vb.Linear).Norm() + va.Angular.Sub(vb.Angular).Norm(); d > 1e-7 {
			t.Errorf("reaction differs by %g", d)
		}
		x = p.AddScaled(1.2, n)
		near(t, "drag", flatR(a.Resistance(x, 1, 1)), flatR(b.Resistance(x, 1, 1)), 1e-12)
		near(t, "mobility", flatR(Resistance(a.Mobility(x, 1, 1))), flatR(Resistance(b.Mobility(x, 1, 1))), 1e-12)
	}
}

// The gap of an ellipsoid is the least distance of all its points, in any wall.
func TestGapOfEllipsoid(t *testing.T) {
	rnd := newRand()
	bend := []spatial.Vec{{}, {X: 4, Y: 0.3}, {X: 7, Y: 2}, {X: 8, Y: 6}}
	ball, err1 := shape.NewSphere(spatial.Vec{}, 0.7)
	rod, err2 := shape.NewCapsule(spatial.Vec{X: -1}, spatial.Vec{X: 2, Y: 1}, 0.05)
	tube, err3 := shape.NewTube(bend, []float64{1.2}, true)
	for _, w := range []struct {
		name  string
		walls *Walls
		about spatial.Vec
	}{
		{"ball", surfacesOf(t, ball, err1), spatial.Vec{Z: 1.5}},
		{"thin capsule", surfacesOf(t, rod, err2), spatial.Vec{X: 0.5, Z: 0.6}},
		{"bent tube", surfacesOf(t, tube, err3), spatial.Vec{X: 4, Y: 0.3}},
	} {
		for range 30 {
			rot := randRot(rnd)
			axes := rot.Mul(spatial.Diag3(spatial.Vec{X: 0.8, Y: 0.3, Z: 0.2}))
			extent := axes.MulT(axes)
			x := w.about.AddScaled(0.3, randVec(rnd))
			least := math.Inf(1)
			const n = 60
			for i := range n {
				for j := range 2 * n {
					sin, cos := math.Sincos(math.Pi * (float64(i) + 0.5) / n)
					sj, cj := math.Sincos(math.Pi * float64(j) / n)
					var hint shape.Hint
					if at, ok := w.walls.surfaces[0].Shape.At(x.Add(axes.Apply(spatial.Vec{X: cos, Y: sin * cj, Z: sin * sj})), &hint); ok {
						least = min(least, at.D)
					}
				}
			}
			got := w.walls.Gap(x, &extent)
			if got > least+1e-9 || got < least-2e-3 && least > -0.03 && !math.IsInf(least, 1) {
				t.Errorf("%s: gap %g, least of points %g", w.name, got, least)
			}
		}
	}
}

// needle is the extent of a body nearly as long as a tube of radius 1 is wide.
var needle = spatial.Diag3(spatial.Vec{X: 0.01, Y: 0.01, Z: 0.98})

// A needle across a tube is held at both ends, and cannot turn into the wall.
func TestNeedleAcrossATube(t *testing.T) {
	s, err := shape.NewTube([]spatial.Vec{{X: -5}, {X: 5}}, []float64{1}, false)
	w, extent := surfacesOf(t, s, err), needle
	var points [surfacePoints]contact
	ends := [2]bool{}
	n := w.touches(&points, 0, spatial.Vec{Y: 0.05}, &extent)
	for _, c := range points[:n] {
		if c.gap < 0.01 {
			ends[0], ends[1] = ends[0] || c.arm.Z > 0.9, ends[1] || c.arm.Z < -0.9
		}
	}
	if ends != [2]bool{true, true} {
		t.Fatalf("touches at %+v", points[:n])
	}
	m := Mobility{Trans: spatial.Identity3(), Rot: spatial.Identity3()}
	v := w.Restrain(spatial.Vec{Y: 0.05}, &extent, &m, spatial.Twist{Linear: spatial.Vec{Y: 5}}, 0.01)
	for i := range points[:n] {
		c := &points[i]
		if closing := v.Linear.Add(v.Angular.Cross(c.arm)).Dot(c.normal); closing < -c.gap/0.01-1e-9 {
			t.Errorf("point %d goes into the wall at %g, gap %g", i, -closing, c.gap)
		}
	}
}

func TestCheckRefusesBodyInSurface(t *testing.T) {
	s, err := shape.NewSphere(spatial.Vec{}, 1)
	w := surfacesOf(t, s, err)
	extent := spatial.Diag3(spatial.Vec{X: 1, Y: 1, Z: 1})
	if err := w.Check(spatial.Vec{X: 1.995}, &extent); err != nil {
		t.Errorf("within the error of distances: %v", err)
	}
	err = w.Check(spatial.Vec{X: 1.5}, &extent)
	if err == nil || !strings.Contains(err.Error(), "inside wall") || !strings.Contains(err.Error(), "0.5 m deep") {
		t.Errorf("error %v", err)
	}
}

func TestSurfacesDoNotAllocate(t *testing.T) {
	s, err := shape.NewTube([]spatial.Vec{{X: -5}, {X: 5, Y: 1}}, []float64{1}, false)
	w := surfacesOf(t, s, err)
	extent := needle
	m := Mobility{Trans: spatial.Identity3(), Rot: spatial.Identity3()}
	touches := make([]Touch, 0, 8)
	if n := testing.AllocsPerRun(100, func() {
		w.Restrain(spatial.Vec{}, &extent, &m, spatial.Twist{Linear: spatial.Vec{Y: 5}}, 0.01)
		w.PushOut(spatial.Vec{Y: 0.9}, &extent)
		w.Touches(touches[:0], spatial.Vec{}, &extent, &m, spatial.Twist{Linear: spatial.Vec{Y: 5}}, 0.01)
	}); n != 0 {
		t.Errorf("%g allocations", n)
	}
}
