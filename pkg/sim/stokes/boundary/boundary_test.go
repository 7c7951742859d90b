package boundary_test

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mathext"

	"sinew/pkg/sim/spatial"
	"sinew/pkg/sim/stokes/boundary"
	"sinew/test/testsize"
)

// ellipsoid returns an ellipsoid, as the image of a cube whose faces have n by n panels in an octant,
// each divided into two triangles.
func ellipsoid(n int, a spatial.Vec) *boundary.Surface {
	s := &boundary.Surface{Mirrors: [3]bool{true, true, true}}
	t := func(i int) float64 { return math.Tan(math.Pi / 4 * float64(i) / float64(n)) }
	for k := range 3 {
		corner := func(i, j int) spatial.Vec {
			x := [3]float64{}
			x[k], x[(k+1)%3], x[(k+2)%3] = 1, t(i), t(j)
			return spatial.Vec{X: x[0], Y: x[1], Z: x[2]}.Unit().Mul(a)
		}
		for i := range n {
			for j := range n {
				s.Panels = append(s.Panels, boundary.Panel{corner(i, j), corner(i+1, j), corner(i+1, j+1)},
					boundary.Panel{corner(i, j), corner(i+1, j+1), corner(i, j+1)})
			}
		}
	}
	return s
}

// whole returns the surface with the images of its panels, without mirrors.
func whole(s *boundary.Surface) *boundary.Surface {
	all := &boundary.Surface{}
	for k := range 8 {
		sign := spatial.Vec{X: 1 - 2*float64(k&1), Y: 1 - float64(k&2), Z: 1 - float64(k&4)/2}
		for _, p := range s.Panels {
			var q boundary.Panel
			for _, x := range p {
				q = append(q, x.Mul(sign))
			}
			if sign.X*sign.Y*sign.Z < 0 {
				slices.Reverse(q)
			}
			all.Panels = append(all.Panels, q)
		}
	}
	return all
}

func solve(t *testing.T, s *boundary.Surface) *boundary.Loads {
	t.Helper()
	l, err := s.Solve()
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// offBy returns the largest difference of two wrenches of a mode, over the largest one of its kind.
func offBy(a, b *boundary.Loads) (most float64) {
	for j := range a.Wrench[0] {
		for i := range a.Wrench {
			most = max(most, math.Abs(a.Wrench[i][j]-b.Wrench[i][j])/math.Sqrt(math.Abs(b.Wrench[i][i]*b.Wrench[j%6][j%6])))
		}
	}
	return most
}

// exact returns the loads of an ellipsoid as Oberbeck (1876) and Jeffery (1922) found them, by Carlson's
// integrals.
func exact(a spatial.Vec) *boundary.Loads {
	l, x := &boundary.Loads{}, [3]float64{a.X, a.Y, a.Z}
	square := func(i int) float64 { return x[i%3] * x[i%3] }
	abc := a.X * a.Y * a.Z
	chi := 2 * abc * mathext.EllipticRF(square(0), square(1), square(2))
	alpha := func(i int) float64 { return 2. / 3 * abc * mathext.EllipticRD(square(i+1), square(i+2), square(i)) }
	for i := range 3 {
		l.Wrench[i][i] = 16 * math.Pi * abc / (chi + alpha(i)*square(i))
		turn := 16 * math.Pi * abc / (3 * (square(i+1)*alpha(i+1) + square(i+2)*alpha(i+2)))
		l.Wrench[3+i][3+i] = turn * (square(i+1) + square(i+2))
		l.Wrench[3+i][9+i] = turn * (square(i+1) - square(i+2))
	}
	l.Second = spatial.Diag3(a.Mul(a).Scale(1. / 3))
	return l
}

// TestEllipsoid: the loads of an ellipsoid of panels approach the closed form with order 2, in
// any unit of length.
func TestEllipsoid(t *testing.T) {
	testsize.SkipInShort(t)
	for _, size := range []float64{1, 1e-5} {
		a := spatial.Vec{X: 2, Y: 1, Z: 0.7}.Scale(size)
		want, last := exact(a), 0.0
		for _, n := range []int{3, 6} {
			l := solve(t, ellipsoid(n, a))
			off := offBy(l, want)
			off = max(off, math.Abs(l.Second.Trace()/want.Second.Trace()-1), math.Abs(l.Second.XX/want.Second.XX-1))
			t.Logf("%d panels an octant: %.2g", 6*n*n, off)
			if order := math.Log2(last / off); last > 0 && (off > 0.01 || order < 1.7) {
				t.Errorf("size %g: off by %g, order %.2f", size, off, order)
			}
			last = off
		}
	}
}

// TestMirrors: a surface without mirrors has the loads of the same surface with them, and turned
// ones those of the body turned.
func TestMirrors(t *testing.T) {
	a := spatial.Vec{X: 2, Y: 1, Z: 0.7}
	want := solve(t, ellipsoid(2, a))
	if off := offBy(solve(t, whole(ellipsoid(2, a))), want); off > 1e-9 {
		t.Errorf("without mirrors: off by %g", off)
	}
	turned := whole(ellipsoid(2, a))
	for _, p := range turned.Panels {
		for i, x := range p {
			p[i] = spatial.Vec{X: x.Y, Y: x.Z, Z: x.X}.Add(spatial.Vec{X: 0.3}) // and shifted
		}
	}
	l := solve(t, turned)
	force, moment := l.Wrench[0][0], l.Wrench[5][1] // of the motion along y, at 0.3 from the reference point
	if math.Abs(force-want.Wrench[1][1]) > 1e-9 || math.Abs(moment-0.3*l.Wrench[1][1]) > 1e-9 {
		t.Errorf("turned: force %g for %g, moment %g for %g", force, want.Wrench[1][1], moment, 0.3*l.Wrench[1][1])
	}
	for i := range 6 {
		for j := range i { // reciprocity, within the error of the panels
			if d := math.Abs(l.Wrench[i][j] - l.Wrench[j][i]); d > 1e-2*math.Sqrt(l.Wrench[i][i]*l.Wrench[j][j]) {
				t.Errorf("%d, %d: %g and %g", i, j, l.Wrench[i][j], l.Wrench[j][i])
			}
		}
	}
}

// TestExtrapolate: what the two coarse surfaces of a body predict is what a fine one has.
func TestExtrapolate(t *testing.T) {
	testsize.SkipInShort(t)
	for name, surface := range map[string]func(boundary.Resolution) *boundary.Surface{
		"cube":     func(n boundary.Resolution) *boundary.Surface { return n.Cuboid(spatial.Vec{X: 1, Y: 1, Z: 1}) },
		"bar":      func(n boundary.Resolution) *boundary.Surface { return n.Cuboid(spatial.Vec{X: 4, Y: 1, Z: 1}) },
		"cylinder": func(n boundary.Resolution) *boundary.Surface { return n.Cylinder(1, 1) },
		"rod":      func(n boundary.Resolution) *boundary.Surface { return n.Cylinder(5, 1) },
		"long bar": func(n boundary.Resolution) *boundary.Surface { return n.Cuboid(spatial.Vec{X: 50, Y: 1, Z: 1}) },
		"coin":     func(n boundary.Resolution) *boundary.Surface { return n.Cylinder(0.02, 1) },
		"disk":     func(n boundary.Resolution) *boundary.Surface { return n.Cylinder(0.2, 1) },
	} {
		t.Run(name, func(t *testing.T) {
			l, change, err := boundary.Extrapolate(surface)
			if err != nil {
				t.Fatal(err)
			}
			off := offBy(l, solve(t, surface(7)))
			t.Logf("changed by %.2g, then off by %.2g", change, off)
			if off > 2e-3 || change > 1e-2 {
				t.Errorf("changed by %g, then off by %g", change, off)
			}
		})
	}
}

// TestThinDisk: a disk is dragged as the closed forms of one without thickness say (Oberbeck
// 1876: 16 and 32/3 radii), and more by its rim the thicker it is.
func TestThinDisk(t *testing.T) {
	testsize.SkipInShort(t)
	last := math.Inf(1)
	for _, half := range []float64{0.1, 0.02, 0.004} {
		l, _, err := boundary.Extrapolate(func(n boundary.Resolution) *boundary.Surface { return n.Cylinder(half, 1) })
		if err != nil {
			t.Fatal(err)
		}
		across, along, turning := l.Wrench[0][0]/16-1, l.Wrench[1][1]/(32./3)-1, l.Wrench[4][4]/(32./3)-1
		t.Logf("half-thickness %g: across %+.4f, along %+.4f, turning %+.4f", half, across, along, turning)
		if !(across > 0 && along > 0 && turning > 0 && across+along+turning < last) {
			t.Errorf("half-thickness %g: %g, %g, %g", half, across, along, turning)
		}
		last = across + along + turning
	}
	if last > 0.05 {
		t.Errorf("a thin disk: off by %g in sum", last)
	}
}

// TestPanelsWithoutArea are refused.
func TestPanelsWithoutArea(t *testing.T) {
	s := boundary.Resolution(2).Cuboid(spatial.Vec{X: 1, Y: 1, Z: 1})
	s.Panels[1] = boundary.Panel{{X: 1}, {X: 2}, {X: 3}}
	if _, err := s.Solve(); err == nil {
		t.Error("taken")
	}
}
