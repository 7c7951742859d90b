package shape_test

import (
	"math"
	"strings"
	"testing"

	"sinew/pkg/sim/shape"
	"sinew/pkg/sim/spatial"
)

// TestHintsDoNotChangeTheResult walks about every shape at random, with small and with large
// steps, and compares with searches without a hint.
func TestHintsDoNotChangeTheResult(t *testing.T) {
	const tol = 1e-12
	r := shape.NewRand()
	for name, s := range shape.Samples(t) {
		for _, step := range []float64{1e-6, 1e-4, 2e-3, 2e-2} {
			var hint shape.Hint
			p, skipped := shape.RandVec(r, 0.01), 0
			for range 1500 {
				if p = p.Add(shape.RandVec(r, step)); p.Norm() > 0.03 {
					p = shape.RandVec(r, 0.01)
				}
				got, ok1 := s.At(p, &hint)
				want, ok2 := s.At(p, new(shape.Hint))
				most := tol * 0.01
				if got.D < -1e-3 { // deep in the wall, about a centre of curvature, all feet are about as near
					most = 1e-6
				}
				if ok1 != ok2 || math.Abs(got.D-want.D) > most {
					t.Fatalf("%s at %v, hint %v: %g %v with a hint, %g %v without", name, p, hint, got.D, ok1, want.D, ok2)
				}
				if dn := got.N.Sub(want.N).Norm(); dn > 1e-9*(1+shape.Norm(want.W)*1e-3) {
					if got.D > -1e-3 { // deep in the wall two places may be as near
						t.Fatalf("%s at %v: N differs by %g", name, p, dn)
					}
					skipped++
				}
			}
			if skipped > 4 {
				t.Errorf("%s: %d points with two feet", name, skipped)
			}
		}
	}
}

func TestHintOfAnotherShapeIsHarmless(t *testing.T) {
	for name, s := range shape.Samples(t) {
		p := spatial.Vec{X: 0.001, Y: 0.0005, Z: 0.0012}
		want, ok := s.At(p, new(shape.Hint))
		for _, foot := range []float64{-1, 1, 1e9, 3.999999, math.Inf(1), math.Inf(-1), math.NaN(), math.MaxFloat64} {
			got, ok2 := s.At(p, &shape.Hint{foot})
			if ok != ok2 || math.Abs(got.D-want.D) > 1e-14 {
				t.Errorf("%s with hint %g: %g %v, want %g %v", name, foot, got.D, ok2, want.D, ok)
			}
		}
	}
}

// TestEndsOfTubes: from an open end a lip turns outward, in front of it and beside the lip there
// is nothing. A closed end is a half ball.
func TestEndsOfTubes(t *testing.T) {
	const r, tol = 0.002, 1e-15
	line := []spatial.Vec{{X: 0.01}, {X: 0.03}}
	open := shape.Must(t, func() (shape.Shape, error) { return shape.NewTube(line, []float64{r}, false) })
	closed := shape.Must(t, func() (shape.Shape, error) { return shape.NewTube(line, []float64{r}, true) })
	for _, c := range []struct {
		past, off    float64 // of the end along the tube, and from its axis, m
		open, closed float64 // distances, m; NaN: none
	}{
		{-0.001, 0.0015, 0.0005, 0.0005},
		{0, 0.0015, 0.0005, 0.0005},
		{0.001, 0.0015, math.Hypot(0.001, 0.0015) - 0.001, r - math.Hypot(0.001, 0.0015)},
		{0.0005, 0.0025, math.Hypot(0.0005, 0.0005) - 0.001, r - math.Hypot(0.0005, 0.0025)},
		{0.003, 0.0005, math.Hypot(0.003, 0.0025) - 0.001, r - math.Hypot(0.003, 0.0005)},
		{0.0005, 0.0031, math.NaN(), r - math.Hypot(0.0005, 0.0031)},
		{0.02, 0.0031, math.NaN(), r - math.Hypot(0.02, 0.0031)},
		{-0.001, 0.0031, -0.0011, -0.0011},
	} {
		for _, x := range []float64{0.01 - c.past, 0.03 + c.past} {
			p := spatial.Vec{X: x, Y: 0.6 * c.off, Z: -0.8 * c.off}
			at, ok := open.At(p, new(shape.Hint))
			if ok == math.IsNaN(c.open) || ok && math.Abs(at.D-c.open) > tol {
				t.Errorf("open, %g m past the end, %g m off the axis: %g %v, want %g", c.past, c.off, at.D, ok, c.open)
			}
			if at, ok := closed.At(p, new(shape.Hint)); !ok || math.Abs(at.D-c.closed) > tol {
				t.Errorf("closed, %g m past the end, %g m off the axis: %g %v, want %g", c.past, c.off, at.D, ok, c.closed)
			}
		}
	}
}

func TestTubesThatAreRefused(t *testing.T) {
	v := func(x, y, z float64) spatial.Vec { return spatial.Vec{X: x, Y: y, Z: z} }
	line := []spatial.Vec{v(0, 0, 0), v(0.01, 0, 0), v(0.02, 0, 0)}
	loop := make([]spatial.Vec, 60)
	for i := range loop {
		a := 2 * math.Pi * 1.5 * float64(i) / 59
		loop[i] = v(0.02*math.Cos(a), 0.02*math.Sin(a), 0.001*a)
	}
	for _, c := range []struct {
		name   string
		points []spatial.Vec
		radius []float64
		want   string
	}{
		{"one point", line[:1], []float64{1}, "tube has 1 points; from 2 to 5000"},
		{"two radii", line, []float64{1, 1}, "2 radii for 3 points"},
		{"no radius", line, nil, "0 radii"},
		{"radius 0", line, []float64{0}, "radius 1 of the tube is 0 m; it must be above 0"},
		{"NaN radius", line, []float64{0.001, math.NaN(), 0.001}, "radius 2 of the tube is NaN m"},
		{"repeated", []spatial.Vec{v(0, 0, 0), v(0.01, 0, 0), v(0.01, 0, 0)}, []float64{0.001}, "points 2 and 3 of the tube are both at (0.01, 0, 0)"},
		{"nearly repeated", []spatial.Vec{v(0, 0, 0), v(0.01, 0, 0), v(0.01, 1e-8, 0), v(0.02, 0, 0)}, []float64{0.001}, "points 2 and 3 of the tube are both at (0.01, 1e-08, 0) m; they must be more than 1e-07 m apart"},
		{"infinite", []spatial.Vec{v(0, 0, 0), v(math.Inf(1), 0, 0)}, []float64{0.001}, "point 2 of the tube is (+Inf, 0, 0) m"},
		{"there and back", []spatial.Vec{v(0, 0, 0), v(0.02, 0, 0), v(0.01, 0, 0)}, []float64{0.001}, "the tube runs through itself: between its points 1 and 2"},
		{"sharp bend", []spatial.Vec{v(0, 0, 0), v(0.01, 0, 0), v(0.01, 0.01, 0)}, []float64{0.008}, "it must be below 0.95"},
		{"funnel", line, []float64{0.001, 0.012, 0.012}, "changes by"},
		{"step of the radius", []spatial.Vec{v(0, 0, 0), v(0.05, 0, 0), v(0.06, 0, 0), v(0.1, 0, 0)}, []float64{0.02, 0.02, 0.025, 0.025}, "the radius of the tube changes too abruptly between its points 2 and 3, at"},
		{"through itself", loop, []float64{0.008}, "runs through itself"},
		{"hair", []spatial.Vec{v(0, 0, 0), v(1000, 0, 0)}, []float64{0.001}, "more than 50000 radii long"},
	} {
		_, err := shape.NewTube(c.points, c.radius, false)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want one with %q", c.name, err, c.want)
		}
	}
	if _, err := shape.NewTube(loop, []float64{0.002}, false); err != nil {
		t.Errorf("a loop that does not touch itself: %v", err)
	}
}

// TestAxisOfATubeIsFree demands that on the axis, where no wall is nearest, the distance be that of the
// wall.
func TestAxisOfATubeIsFree(t *testing.T) {
	s := shape.Must(t, func() (shape.Shape, error) {
		return shape.NewTube([]spatial.Vec{{X: -0.01}, {X: 0.01}}, []float64{0.004}, false)
	})
	at, ok := s.At(spatial.Vec{X: 0.003}, new(shape.Hint))
	if ok || math.Abs(at.D-0.004) > 1e-15 {
		t.Errorf("%g m, contact %v, want 0.004 m and none", at.D, ok)
	}
}
