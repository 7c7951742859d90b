package shape

import (
	"math"
	"testing"

	"sinew/pkg/sim/shape/mesh"
	"sinew/pkg/sim/spatial"
)

// TestTrianglesAreTheWall: their corners are on the wall and they face the free side.
func TestTrianglesAreTheWall(t *testing.T) {
	for name, s := range samples(t) {
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
	for _, name := range []string{"sphere", "capsule", "closed", "swelling"} {
		s := samples(t)[name]
		m, err := NewMesh(&mesh.STL{Triangles: s.Triangles(spatial.Vec{}, 0)}, mesh.Options{Scale: 1, Inside: s.kind == tubeKind, Reach: 0.001})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		// and the mesh is the shape
		r := newRand()
		compared := 0
		for range 6000 {
			p := randVec(r, 0.01)
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
