package mesh

import (
	"math"
	"testing"

	"sinew/pkg/sim/spatial"
)

// winding returns how often the triangles are wound about x: 1 inside of a closed surface with
// normals outward (Van Oosterom and Strackee, IEEE Trans. Biomed. Eng. 30 (1983) 125).
func winding(f *STL, x spatial.Vec) float64 {
	sum := 0.0
	for _, t := range f.Triangles {
		a, b, c := t[0].Sub(x), t[1].Sub(x), t[2].Sub(x)
		la, lb, lc := a.Norm(), b.Norm(), c.Norm()
		sum += math.Atan2(a.Dot(b.Cross(c)), la*lb*lc+a.Dot(b)*lc+b.Dot(c)*la+c.Dot(a)*lb)
	}
	return sum / (2 * math.Pi)
}

// spiky is a star with sharp edges and corners, convex and concave.
func spiky() *STL {
	f := Ball(1, 3)
	r := NewRand()
	lengths := map[spatial.Vec]float64{}
	for i := range f.Triangles {
		for k, p := range f.Triangles[i] {
			at := spatial.Vec{X: math.Round(p.X * 1e6), Y: math.Round(p.Y * 1e6), Z: math.Round(p.Z * 1e6)}
			if _, ok := lengths[at]; !ok {
				lengths[at] = 0.4 + 0.8*r.Float64()
			}
			f.Triangles[i][k] = p.Scale(lengths[at])
		}
	}
	return f
}

// fan is a tetrahedron with one face of many slivers, whose normals outnumber those of the
// other faces at a corner.
func fan() *STL {
	const slivers = 40
	top, d := spatial.Vec{Z: 1}, spatial.Vec{X: -1}
	on := func(i int) spatial.Vec { return spatial.Vec{X: 1, Y: 2*float64(i)/slivers - 1} }
	f := &STL{Triangles: []Triangle{{top, d, on(0)}, {top, on(slivers), d}}}
	for i := range slivers {
		f.Triangles = append(f.Triangles, Triangle{top, on(i), on(i + 1)}, Triangle{d, on(i + 1), on(i)})
	}
	return f
}

// TestSignOfSharpSurfaces compares the sign of the distance to the nearest triangle with the
// winding number: near everything, on lines through corners, edges and faces, and anywhere.
func TestSignOfSharpSurfaces(t *testing.T) {
	r := NewRand()
	for name, f := range map[string]*STL{"star": spiky(), "box": Box(2), "thin box": thin(), "fan": fan()} {
		s, err := newSurface(f, 1)
		if err != nil {
			t.Fatal(err)
		}
		s.connect()
		s.setNormals()
		tr := newTree(s.facets())
		wrong, total := 0, 0
		check := func(x spatial.Vec) {
			n := tr.nearest(x, 0)
			if n.squared < 1e-16 {
				return
			}
			total++
			outside := tr.facets[n.triangle].flat(x, &n) > 0
			if w := winding(f, x); outside != (w < 0.5) {
				wrong++
				t.Errorf("%s: %v is outside: %v, winding number %g", name, x, outside, w)
			}
		}
		for range 1000 {
			check(RandVec(r, 1.5))
		}
		for _, tri := range f.Triangles {
			for k := range 3 {
				mid := tri[k].Add(tri[next[k]]).Scale(0.5)
				for _, step := range []float64{1e-6, 1e-3, 0.3} {
					check(tri[k].Add(RandVec(r, step)))
					check(mid.Add(RandVec(r, step)))
					check(tri[k].Scale(1 + step)) // of a star exactly outside of a corner
					check(mid.Scale(1 + step))
					check(tri[k].Scale(1 - step/2))
				}
			}
		}
		if total < 1000 || wrong > 0 {
			t.Errorf("%s: %d of %d signs are wrong", name, wrong, total)
		}
	}
}

// thin is a plate with a hundredth of its width.
func thin() *STL {
	f := Box(2)
	for i := range f.Triangles {
		for k := range f.Triangles[i] {
			f.Triangles[i][k].Z *= 0.01
		}
	}
	return f
}

// TestNearestIsNearest compares the search with trying all triangles.
func TestNearestIsNearest(t *testing.T) {
	f := Pipe{Radius: 0.002, Bend: 0.02, Angle: 1.2}.Mesh(0.001)
	s, err := newSurface(f, 1)
	if err != nil {
		t.Fatal(err)
	}
	s.connect()
	s.setNormals()
	tr := newTree(s.facets())
	r := NewRand()
	for range 2000 {
		x := RandVec(r, 0.03)
		got := tr.nearest(x, int32(r.IntN(len(tr.facets))))
		least := math.Inf(1)
		for i := range tr.facets {
			n := tr.facets[i].nearest(x)
			least = min(least, n.squared)
			// and no point of the triangle is nearer
			u, v := r.Float64(), r.Float64()
			if u+v > 1 {
				u, v = 1-u, 1-v
			}
			if tried := tr.facets[i].at(x, face, u, v); tried.squared < n.squared*(1-1e-12) {
				t.Fatalf("a point of triangle %d is nearer to %v", i, x)
			}
		}
		if got.squared != least {
			t.Fatalf("at %v: squared distance %g, the least is %g", x, got.squared, least)
		}
	}
}
