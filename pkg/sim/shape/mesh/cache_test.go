package mesh

import (
	"strings"
	"sync"
	"testing"
)

// TestFieldsAreShared demands one field for equal triangles, from whatever file, and another
// where triangles or options differ.
func TestFieldsAreShared(t *testing.T) {
	o := Options{Scale: 0.01, Reach: 0.002}
	get := func(f *STL, o Options) *Field {
		t.Helper()
		field, err := Shared(f, o)
		if err != nil {
			t.Fatal(err)
		}
		return field
	}
	first := get(ball(1, 2), o)
	if get(ball(1, 2), o) != first {
		t.Error("the same triangles are built twice")
	}
	for name, other := range map[string]*Field{
		"triangles": get(ball(1.01, 2), o),
		"a scale":   get(ball(1, 2), Options{Scale: 0.02, Reach: 0.002}),
		"a reach":   get(ball(1, 2), Options{Scale: 0.01, Reach: 0.003}),
		"a side":    get(ball(1, 2), Options{Scale: 0.01, Reach: 0.002, Inside: true}),
	} {
		if other == first {
			t.Errorf("with %s of its own a mesh has the field of another", name)
		}
	}
	for i := range cacheSize {
		get(ball(1+0.1*float64(i), 2), o)
	}
	if n := len(shared.fields); n != cacheSize {
		t.Errorf("%d fields are kept, want %d", n, cacheSize)
	}
}

// TestSharedFieldsOfManyGoroutines demands one field for all who ask at once.
func TestSharedFieldsOfManyGoroutines(t *testing.T) {
	f := ball(1, 6)
	var fields [8]*Field
	var wait sync.WaitGroup
	for i := range fields {
		wait.Go(func() { fields[i], _ = Shared(f, Options{Scale: 0.03}) })
	}
	wait.Wait()
	for _, field := range fields {
		if field == nil || field != fields[0] {
			t.Fatalf("fields are %p, want one", fields)
		}
	}
}

// TestSharedTellsMistakesOfItsFile demands that a mistake name the place in the file that was
// given, though the same triangles were refused before.
func TestSharedTellsMistakesOfItsFile(t *testing.T) {
	triangles := ball(1, 4).Triangles[1:]
	for _, place := range []string{"byte 84", "line 7"} {
		f := &STL{Triangles: triangles, where: func(int) string { return place }}
		if _, err := Shared(f, Options{Scale: 1}); err == nil || !strings.Contains(err.Error(), place) {
			t.Errorf("the error is %v, want one of %s", err, place)
		}
	}
}

// TestClustersFindTheNearest compares them with all triangles.
func TestClustersFindTheNearest(t *testing.T) {
	s, err := newSurface(ball(1, 6), 1)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.connect(&STL{}); err != nil {
		t.Fatal(err)
	}
	s.setNormals()
	tr, r := newTree(s.facets()), newRand()
	c := cluster{tree: tr}
	for range 300 {
		center, radius := randVec(r, 1.5), 0.2*r.Float64()
		c.gather(center, radius)
		for range 10 {
			x := center.AddScaled(radius*r.Float64(), randVec(r, 1).Unit())
			want := nearest{squared: 1e9}
			for i := range tr.facets {
				if n := tr.facets[i].nearest(x); n.squared < want.squared {
					want = n
				}
			}
			if got := c.nearest(x); got.point.Sub(want.point).Norm() > 1e-9 && got.squared > want.squared*(1+1e-12) {
				t.Fatalf("nearest to %v is %v, want %v", x, got.point, want.point)
			}
		}
	}
}
