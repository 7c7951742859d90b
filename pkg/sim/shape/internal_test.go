package shape

import (
	"math"
	"strings"
	"testing"

	"sinew/pkg/sim/shape/mesh"
	"sinew/pkg/sim/spatial"
	"sinew/test/testsize"
)

// Tests of what has no exported name.

// TestNormalAndHessianAreDerivatives compares N and W with central differences of D and N
// at random points about every shape, moved and not.
func TestNormalAndHessianAreDerivatives(t *testing.T) {
	const (
		points = 2000
		step   = 2e-8 // m
		tolN   = 1e-7
		tolW   = 2e-5 // relative to the largest of W and of 1/(1 mm)
	)
	r := NewRand()
	for name, s := range Samples(t) {
		compared := 0
		for i := range points {
			if i == points/2 {
				s = s.Moved(RandPose(r, 0.01))
			}
			p := s.Pose().Apply(RandVec(r, 0.012))
			at, ok := s.At(p, new(Hint))
			if !ok {
				continue
			}
			interpolated := s.kind == meshKind // see the tests of package mesh
			if d := math.Abs(at.N.Norm() - 1); d > 1e-12 && !interpolated {
				t.Fatalf("%s: |N| differs from 1 by %g", name, d)
			}
			if d := at.W.Apply(at.N).Norm(); d > 1e-10*(1+Norm(at.W)) && !interpolated {
				t.Fatalf("%s: W N = %g", name, d)
			}
			for _, e := range [3]spatial.Vec{{X: step}, {Y: step}, {Z: step}} {
				more, ok1 := s.At(p.Add(e), new(Hint))
				less, ok2 := s.At(p.Sub(e), new(Hint))
				// W jumps where a cap begins and N on a medial axis.
				if !ok1 || !ok2 || Norm(more.W.Sub(less.W)) > 1e-3*(Norm(at.W)+1e3) {
					continue
				}
				compared++
				along := e.Scale(1 / step)
				if got, want := (more.D-less.D)/(2*step), at.N.Dot(along); math.Abs(got-want) > tolN {
					t.Fatalf("%s at %v: dD/dx is %g by differences, N says %g", name, p, got, want)
				}
				got, want := more.N.Sub(less.N).Scale(1/(2*step)), at.W.Apply(along)
				if d := got.Sub(want).Norm(); d > tolW*(Norm(at.W)+1e3) {
					t.Fatalf("%s at %v: dN/dx is %v by differences, W says %v", name, p, got, want)
				}
			}
		}
		if compared < points/2 {
			t.Errorf("%s: only %d of %d derivatives were compared", name, compared, 3*points)
		}
	}
}

// TestTrianglesAreTheWall: their corners are on the wall and they face the free side.
func TestTrianglesAreTheWall(t *testing.T) {
	for name, s := range Samples(t) {
		all := s.Triangles(spatial.Vec{X: 0.01}, 0.05)
		if len(all) < 2 || len(all) > 100_000 {
			t.Errorf("%s: %d triangles", name, len(all))
		}
		for _, tri := range all {
			center := tri[0].Add(tri[1]).Add(tri[2]).Scale(1.0 / 3)
			normal := tri[1].Sub(tri[0]).Cross(tri[2].Sub(tri[0])).Unit()
			at, ok := s.At(center, new(Hint))
			if !ok || math.Abs(at.D) > 1e-4 || !(at.N.Dot(normal) > 0.9) {
				t.Fatalf("%s: triangle at %v: D = %g, N = %v, normal %v", name, center, at.D, at.N, normal)
			}
			for _, p := range tri {
				if at, ok := s.At(p, new(Hint)); ok && math.Abs(at.D) > 1e-12 && s.kind != meshKind {
					t.Fatalf("%s: corner %v is %g m off the wall", name, p, at.D)
				}
			}
		}
	}
}

// TestTrianglesOfSolidsAreClosed makes meshes of them, which refuse holes.
func TestTrianglesOfSolidsAreClosed(t *testing.T) {
	testsize.SkipInShort(t)
	for _, name := range []string{"sphere", "capsule", "closed", "swelling"} {
		s := Samples(t)[name]
		m, err := NewMesh(&mesh.STL{Triangles: s.Triangles(spatial.Vec{}, 0)}, mesh.Options{Scale: 1, Inside: s.kind == tubeKind, Reach: 0.001})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		// and the mesh is the shape
		r := NewRand()
		compared := 0
		for range 6000 {
			p := RandVec(r, 0.01)
			var foot Hint
			want, ok1 := s.At(p, &foot)
			got, ok2 := m.At(p, new(Hint))
			if !ok1 || !ok2 || math.Abs(want.D) > 0.0005 {
				continue
			}
			// the lips of flaring ends differ
			if foot.Foot > 0 && !s.tube.closed && (foot.Foot < 1.5 || foot.Foot > 0.5+float64(len(s.tube.segments))) {
				continue
			}
			compared++
			if d := math.Abs(got.D - want.D); d > 3e-5 || got.N.Sub(want.N).Norm() > 0.05 {
				t.Fatalf("%s at %v: the mesh says %g, %v, the shape %g, %v", name, p, got.D, got.N, want.D, want.N)
			}
		}
		if compared < 100 {
			t.Errorf("%s: %d points were compared", name, compared)
		}
	}
}

// TestDistanceIsLipschitz: the distance of two points differs by no more than they are apart.
func TestDistanceIsLipschitz(t *testing.T) {
	r := NewRand()
	for name, s := range Samples(t) {
		most := 1 + 1e-12
		if s.kind == meshKind {
			most = 1.05 // the slope that the spline overshoots to beside an edge
		}
		for range 5000 {
			p := RandVec(r, 0.012)
			q := p.Add(RandVec(r, 1e-3*r.Float64()))
			a, ok1 := s.At(p, new(Hint))
			b, ok2 := s.At(q, new(Hint))
			if ok1 && ok2 && math.Abs(a.D-b.D) > p.Sub(q).Norm()*most {
				// beside a lip the wall has no face, so the distance jumps from the lip to the bore
				if s.kind == tubeKind && min(a.D, b.D) < 0 {
					continue
				}
				t.Fatalf("%s: D goes from %g to %g over %g m", name, a.D, b.D, p.Sub(q).Norm())
			}
		}
	}
}

// TestDistanceLeadsToTheWall goes the distance against the normal: there is the wall, with
// the same normal.
func TestDistanceLeadsToTheWall(t *testing.T) {
	r := NewRand()
	for name, s := range Samples(t) {
		for range 3000 {
			p := RandVec(r, 0.01)
			at, ok := s.At(p, new(Hint))
			if !ok || at.D < 0 || s.kind == meshKind {
				continue
			}
			foot, ok := s.At(p.AddScaled(-at.D, at.N), new(Hint))
			if !ok || math.Abs(foot.D) > 1e-14 || foot.N.Sub(at.N).Norm() > 1e-9 {
				t.Fatalf("%s at %v: D = %g there, N turns by %g", name, p, foot.D, foot.N.Sub(at.N).Norm())
			}
		}
	}
}

func TestSolidsThatAreRefused(t *testing.T) {
	nan := math.NaN()
	o, x := spatial.Vec{}, spatial.Vec{X: 1}
	for _, c := range []struct {
		build func() (Shape, error)
		want  string
	}{
		{func() (Shape, error) { return NewPlane(o, o) }, "normal {0 0 0} of the plane has no direction"},
		{func() (Shape, error) { return NewPlane(o, spatial.Vec{X: nan}) }, "has no direction"},
		{func() (Shape, error) { return NewPlane(spatial.Vec{X: nan}, x) }, "point of the plane is (NaN, 0, 0) m"},
		{func() (Shape, error) { return NewSphere(o, 0) }, "radius of the sphere is 0 m; it must be above 0 and at most 10000"},
		{func() (Shape, error) { return NewSphere(o, math.Inf(1)) }, "radius of the sphere is +Inf m"},
		{func() (Shape, error) { return NewSphere(spatial.Vec{Y: 1e5}, 1) }, "coordinates must be from -10000 to 10000"},
		{func() (Shape, error) { return NewCapsule(o, spatial.Vec{Z: nan}, 1) }, "second end of the capsule"},
		{func() (Shape, error) { return NewCapsule(o, x, -1) }, "radius of the capsule is -1 m"},
	} {
		if _, err := c.build(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want one with %q", err, c.want)
		}
	}
	if s, err := NewCapsule(x, x, 1); err != nil || s.kind != sphereKind {
		t.Errorf("a capsule without length: %v, want a sphere", err)
	}
}

// TestRandomTubes: every tube that is accepted is the union of its balls, whatever its
// points, and continuous for a station that moves in it.
func TestRandomTubes(t *testing.T) {
	testsize.SkipInShort(t)
	r := NewRand()
	accepted, refused := 0, 0
	for range 200 {
		n := 2 + r.IntN(8)
		points := make([]spatial.Vec, n)
		along := RandVec(r, 1).Unit()
		for i := 1; i < n; i++ {
			along = along.Add(RandVec(r, 0.7)).Unit()
			points[i] = points[i-1].AddScaled(math.Exp(3*r.Float64()-6), along) // 2 mm to 50 mm
		}
		radius := []float64{math.Exp(3*r.Float64() - 7)} // 1 mm to 18 mm
		if r.IntN(2) == 0 {
			for len(radius) < n {
				radius = append(radius, radius[0]*(0.7+0.6*r.Float64()))
			}
		}
		s, err := NewTube(points, radius, r.IntN(2) == 0)
		if err != nil {
			refused++
			continue
		}
		accepted++
		u := s.tube
		for range 30 {
			// a walk from the centre line outward
			a := u.samples[r.IntN(len(u.samples))]
			x, hint := a.center, Hint{}
			last, was := s.At(x, &hint)
			for range 30 {
				y := x.Add(RandVec(r, a.radius/10))
				at, ok := s.At(y, &hint)
				fresh, ok2 := s.At(y, new(Hint))
				if ok != ok2 || ok && math.Abs(at.D-fresh.D) > 1e-12 && at.D > -0.2*a.radius {
					t.Fatalf("points %v, radius %v, at %v: %g %v with hint, %g %v without", points, radius, y, at.D, ok, fresh.D, ok2)
				}
				inside := ok && was && min(at.D, last.D) > -0.2*a.radius
				if inside && math.Abs(at.D-last.D) > y.Sub(x).Norm()*(1+1e-9) {
					t.Fatalf("points %v, radius %v: from %v to %v D goes from %g to %g", points, radius, x, y, last.D, at.D)
				}
				if best := u.tried(y, 100); ok && best > at.D+1e-9*a.radius {
					t.Fatalf("points %v, radius %v, at %v: D = %g, a ball says %g", points, radius, y, at.D, best)
				}
				x, last, was = y, at, ok
			}
		}
	}
	t.Logf("%d accepted, %d refused", accepted, refused)
	if min(accepted, refused) < 30 {
		t.Errorf("%d accepted, %d refused: the test tries little", accepted, refused)
	}
}

// tried returns the greatest depth of p in as many balls of every piece.
func (u *tube) tried(p spatial.Vec, tries int) float64 {
	depth := math.Inf(-1)
	for i := range u.segments {
		pc := &u.segments[i]
		for k := range tries + 1 {
			l := pc.eval(pc.span * float64(k) / float64(tries))
			depth = max(depth, l.r-p.Sub(l.c).Norm())
		}
	}
	return depth
}

func tubes(t testing.TB) map[string]Shape {
	all := Samples(t)
	for name, s := range all {
		if s.kind != tubeKind {
			delete(all, name)
		}
	}
	return all
}

// TestFootIsTheNearest compares with the deepest of many balls, everywhere about the tube.
func TestFootIsTheNearest(t *testing.T) {
	testsize.SkipInShort(t)
	const roundoff, resolution = 1e-15, 2e-6 // m
	r := NewRand()
	for name, s := range tubes(t) {
		for range 1000 {
			p := RandVec(r, 0.03)
			f := foot{depth: math.Inf(-1)}
			s.tube.search(p, &f)
			if tried := s.tube.tried(p, 400); f.depth < tried-roundoff || f.depth > tried+resolution {
				t.Fatalf("%s at %v: depth %g m, want %g", name, p, f.depth, tried)
			}
		}
	}
}
