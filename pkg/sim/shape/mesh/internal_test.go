package mesh

import (
	"cmp"
	"math"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"sinew/pkg/sim/spatial"
	"sinew/test/testsize"
)

// Tests of what has no exported name.

// At moves a surface, and turned turns its normals round.
func (f *STL) At(by spatial.Vec, turned bool) *STL {
	g := &STL{}
	for _, t := range f.Triangles {
		for k := range t {
			t[k] = t[k].Add(by)
		}
		if turned {
			t[1], t[2] = t[2], t[1]
		}
		g.Triangles = append(g.Triangles, t)
	}
	return g
}

// together joins surfaces to one file.
func together(all ...*STL) *STL {
	g := &STL{}
	for _, f := range all {
		g.Triangles = append(g.Triangles, f.Triangles...)
	}
	return g
}

// angleBar is a bar of L-shaped section, of two legs of the given length that are half as thick, from the origin on.
func angleBar(length float64) *STL {
	f, h := &STL{}, length/2
	section := []spatial.Vec{{X: h, Y: h}, {X: h, Y: length}, {Y: length}, {}, {X: length}, {X: length, Y: h}} // convex as seen from the first
	up := spatial.Vec{Z: length}
	for i := range section {
		a, b := section[i], section[(i+1)%len(section)]
		f.Triangles = append(f.Triangles, Triangle{a, b, b.Add(up)}, Triangle{a, b.Add(up), a.Add(up)})
		if i > 0 && i < len(section)-1 {
			f.Triangles = append(f.Triangles, Triangle{section[0], b, a}, Triangle{section[0].Add(up), a.Add(up), b.Add(up)})
		}
	}
	return f
}

// TestBodiesTurnedAgainstOthersAreTurned demands that bodies be turned as the largest is, and those inside of
// others as cavities.
func TestBodiesTurnedAgainstOthersAreTurned(t *testing.T) {
	testsize.SkipInShort(t)
	large, small, away := Ball(0.01, 4), Ball(0.004, 4), spatial.Vec{X: 0.03}
	n := len(small.Triangles)
	for _, c := range []struct {
		name string
		f    *STL
		want int // number of triangles that are turned
		left int // number of those that are crossed and left so
	}{
		{"one", large.At(spatial.Vec{}, true), 0, 0},
		{"two alike", together(large, small.At(away, false)), 0, 0},
		{"two alike, both turned", together(large.At(spatial.Vec{}, true), small.At(away, true)), 0, 0},
		{"a cavity", together(large, small.At(spatial.Vec{}, true)), 0, 0},
		{"a cavity that is turned", together(large, small), n, 0},
		{"equal ones", together(large, large.At(away, true)), n, 0},
		{"a small one first", together(small.At(away, true), large), n, 0},
		{"one that crosses a concave one", together(angleBar(0.02), Ball(0.007, 4).At(spatial.Vec{X: 0.0085, Y: 0.0085, Z: 0.01}, false)), 0, 8},
		{"beside a cavity", together(large, small.At(spatial.Vec{}, true), small.At(away, true)), n, 0},
	} {
		field, err := New(c.f, Options{Scale: 1, Reach: 0.001})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		turned, left := 0, 0
		for _, r := range field.Findings() {
			if strings.Contains(r.Many, "turned") {
				turned += r.Count
			} else {
				left += r.Count
			}
		}
		if turned != c.want || left != c.left {
			t.Errorf("%s: %s, want %d triangles that are turned and %d others", c.name, Describe(c.f, field.Findings()), c.want, c.left)
		}
	}
}

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
	first := get(Ball(1, 2), o)
	if get(Ball(1, 2), o) != first {
		t.Error("the same triangles are built twice")
	}
	for name, other := range map[string]*Field{
		"triangles": get(Ball(1.01, 2), o),
		"a scale":   get(Ball(1, 2), Options{Scale: 0.02, Reach: 0.002}),
		"a reach":   get(Ball(1, 2), Options{Scale: 0.01, Reach: 0.003}),
		"a side":    get(Ball(1, 2), Options{Scale: 0.01, Reach: 0.002, Inside: true}),
	} {
		if other == first {
			t.Errorf("with %s of its own a mesh has the field of another", name)
		}
	}
	for i := range cacheSize {
		get(Ball(1+0.1*float64(i), 2), o)
	}
	if n := len(shared.fields); n != cacheSize {
		t.Errorf("%d fields are kept, want %d", n, cacheSize)
	}
}

// TestSharedTellsMistakesOfItsFile demands that a mistake name the place in the file that was
// given, though the same triangles were refused before.
func TestSharedTellsMistakesOfItsFile(t *testing.T) {
	triangles := Ball(1, 4).Triangles[1:]
	for _, place := range []string{"byte 84", "line 7"} {
		f := &STL{Triangles: triangles, where: func(int) string { return place }}
		if _, err := Shared(f, Options{Scale: 1}); err == nil || !strings.Contains(err.Error(), place) {
			t.Errorf("the error is %v, want one of %s", err, place)
		}
	}
}

// TestClustersFindTheNearest compares them with all triangles.

// descending returns the tree of a mesh in m, and a search on a grid about it that keeps what it finds.
func descending(t *testing.T, f *STL, origin spatial.Vec, spacing float64, found map[[3]int]nearest) descent {
	t.Helper()
	s, err := newSurface(f, 1)
	if err != nil {
		t.Fatal(err)
	}
	s.connect()
	s.setNormals()
	return descent{
		tree: newTree(s.facets()), origin: origin, spacing: spacing,
		set: func(at [3]int, _ spatial.Vec, n *nearest) { found[at] = *n },
	}
}

// TestDescentFindsTheNearest compares it with all triangles, at all points of grids of any size within, through and
// far from surfaces whose triangles are larger and smaller than the grids.
func TestDescentFindsTheNearest(t *testing.T) {
	r := NewRand()
	for name, f := range map[string]*STL{"ball": Ball(1, 6), "star": spiky(), "plate": thin(), "pipe": Pipe{Radius: 0.2, Bend: 1, Angle: 3}.Mesh(0.2)} {
		for range 60 {
			found := map[[3]int]nearest{}
			d := descending(t, f, RandVec(r, 2), 0.3*r.Float64()*r.Float64(), found)
			hi := [3]int{1 + r.IntN(9), 1 + r.IntN(9), 1 + r.IntN(9)}
			d.search([3]int{}, hi, int32(r.IntN(len(d.tree.facets))))
			if len(found) != hi[0]*hi[1]*hi[2] {
				t.Fatalf("%s: %d points of %v are found", name, len(found), hi)
			}
			for at, got := range found {
				x, want := d.at(at), math.Inf(1)
				for i := range d.tree.facets {
					want = min(want, d.tree.facets[i].Triangle.nearest(x).squared)
				}
				if math.Sqrt(got.squared) > math.Sqrt(want)*(1+1e-12)+1e-9 {
					t.Fatalf("%s: the nearest point to %v is %v, %g m away; another one is %g m away", name, x, got.point, math.Sqrt(got.squared), math.Sqrt(want))
				}
			}
		}
	}
}

// TestDistancesFarAway: near the surface nothing is interpolated, and farther away distances are not more than farError too
// large, nor much too small between two bodies.
func TestDistancesFarAway(t *testing.T) {
	const (
		spacing = 0.1
		lift    = 0.005 // of smooth patches, which are not equally far where the facets are, m
	)
	origin, n := spatial.Vec{X: -3, Y: -3.5, Z: -3}, lattice{57, 60, 63}
	d := descending(t, together(Ball(0.3, 8), Ball(0.2, 8).At(spatial.Vec{X: 1, Y: 0.5}, false)), origin, spacing, nil)
	b := builder{field: &Field{}, tree: d.tree}
	got, facets := b.layLattice(n, origin, spacing)
	far := 0
	for i, distance := range got {
		x := d.at(n.at(i))
		want := d.tree.nearest(x, 0)
		flat := d.tree.facets[want.triangle].flat(x, &want)
		mine := d.tree.facets[facets[i]].Triangle.nearest(x)
		if exact := math.Sqrt(mine.squared) <= math.Sqrt(want.squared)+1e-9; !exact {
			far++
			if math.Abs(flat) < 2*farSpacings*spacing {
				t.Fatalf("at %v, %g m away, the distance is interpolated", x, flat)
			}
		}
		if distance*flat < 0 || math.Abs(distance) > math.Abs(flat)*(1+farError)+lift || math.Abs(distance) < math.Abs(flat)*(1-1.0/farSpacings)-lift {
			t.Fatalf("at %v: the distance is %g m, want %g", x, distance, flat)
		}
	}
	if far < len(got)/4 {
		t.Errorf("of %d points only %d are interpolated", len(got), far)
	}
}

// walk goes about at random in the field and checks that nothing jumps where a rod of the
// reach 0.18 mm touches.
func walk(t *testing.T, name string, f *Field, start spatial.Vec, step float64, steps int) (seen int) {
	t.Helper()
	r := NewRand()
	x := start
	last, was := f.Place(x)
	was = was && last.D < 0.0003
	for range steps {
		y := x.Add(RandVec(r, step))
		at, ok := f.Place(y)
		if ok && was {
			seen++
			if slope := math.Abs(at.D-last.D) / y.Sub(x).Norm(); slope > 1.3 && math.Abs(at.D-last.D) > 1e-9 {
				t.Fatalf("%s: from %v to %v the distance goes from %g to %g m", name, x, y, last.D, at.D)
			}
			if turn := at.N.Sub(last.N).Norm(); turn > 0.3 {
				t.Fatalf("%s: from %v to %v, %g m, the normal goes from %v to %v", name, x, y, y.Sub(x).Norm(), last.N, at.N)
			}
		}
		if !ok || at.D < -0.0005 || at.D > 0.0003 { // stay at the wall
			x, last, was = start, Place{}, false
			continue
		}
		x, last, was = y, at, true
	}
	return seen
}

// TestNothingJumpsInTheVessel walks about at the branch, at the inlet and at an outlet.
func TestNothingJumpsInTheVessel(t *testing.T) {
	m := Build(t, Vessel(t), Options{Inside: true, Scale: 1, Reach: 0.00018})
	r := NewRand()
	beside := func(tri Triangle) spatial.Vec {
		c := tri[0].Add(tri[1]).Add(tri[2]).Scale(1.0 / 3)
		return c.AddScaled(0.0002, tri[1].Sub(tri[0]).Cross(tri[2].Sub(tri[0])).Unit())
	}
	for _, end := range []spatial.Vec{{X: 0}, {X: 0.0888, Y: -0.0101, Z: 0.0142}, {X: 0.0888, Y: 0.0036, Z: 0.0391}} {
		at := slices.MinFunc(m.triangles, func(a, b Triangle) int {
			return cmp.Compare(a[0].Sub(end).Norm(), b[0].Sub(end).Norm())
		})
		if seen := walk(t, "end", m, beside(at), 2e-5, 20000); seen < 1000 {
			t.Errorf("at %v only %d steps were in the field", end, seen)
		}
	}
	// from the middle of triangles everywhere, which also are at the branch
	for range 40 {
		walk(t, "wall", m, beside(m.triangles[r.IntN(len(m.triangles))]), 2e-5, 1000)
	}
}

func (f *Field) Place(p spatial.Vec) (at Place, ok bool) {
	ok = f.At(p, &at.D, &at.N, &at.W)
	return at, ok
}

// memory is a Loading that keeps what is saved.
func memory() (*Loading, map[string][]byte, *[]float64) {
	saved, shares := map[string][]byte{}, new([]float64)
	var mu sync.Mutex
	return &Loading{
		Load: func(key string) []byte { return saved[key] },
		Save: func(key string, data []byte) { saved[key] = data },
		Progress: func(share float64) {
			mu.Lock()
			defer mu.Unlock()
			*shares = append(*shares, share)
		},
	}, saved, shares
}

// TestSavedFields: a field that was saved is the same to the bit, another mesh or options have another key, and data that are
// damaged are built anew.
func TestSavedFields(t *testing.T) {
	testsize.SkipInShort(t)
	f := Pipe{Radius: 0.002, Bend: 0.02, Angle: 1.2}.Mesh(0.001) // with rims
	f.Triangles = append(f.Triangles, f.Triangles[3])            // with a finding
	loading, saved, shares := memory()
	f.Loading = loading
	o := Options{Inside: true, Scale: 1, Reach: 0.0005}
	built, err := f.load(f.sum(), o)
	if err != nil {
		t.Fatal(err)
	}
	if len(saved) != 1 || len(*shares) == 0 || slices.Max(*shares) > 1 {
		t.Errorf("%d fields are saved, progress was %v", len(saved), *shares)
	}
	*shares = nil
	loaded, err := f.load(f.sum(), o)
	if err != nil || loaded == built || !reflect.DeepEqual(loaded, built) {
		t.Errorf("the saved field differs from the one that was built: %v", err)
	}
	if len(*shares) > 0 {
		t.Error("the saved field is built again")
	}
	if len(loaded.Findings()) != 1 || len(loaded.Rims()) != 2 {
		t.Errorf("%v, %d rims", loaded.Findings(), len(loaded.Rims()))
	}
	for _, other := range []Options{{Inside: true, Scale: 1.1, Reach: 0.0005}, {Inside: true, Scale: 1, Reach: 0.0006}, {Scale: 1, Reach: 0.0005}} {
		if other.key(f.sum()) == o.key(f.sum()) {
			t.Errorf("%v has the key of %v", other, o)
		}
	}
	for name, damage := range map[string]func(b []byte) []byte{
		"a bit":   func(b []byte) []byte { b[len(b)/2] ^= 1; return b },
		"cut":     func(b []byte) []byte { return b[:len(b)-1] },
		"longer":  func(b []byte) []byte { return append(b, 0) },
		"nothing": func([]byte) []byte { return nil },
		"short":   func(b []byte) []byte { return b[:30] },
	} {
		key := o.key(f.sum())
		saved[key] = damage(slices.Clone(built.encode()))
		*shares = nil
		if again, err := f.load(f.sum(), o); err != nil || len(*shares) == 0 || !reflect.DeepEqual(again, built) {
			t.Errorf("%s: %v, progress %v", name, err, *shares)
		}
	}
}

// FuzzDecodeField: whatever follows the checksum, there is an error or a field.
func FuzzDecodeField(f *testing.F) {
	m, err := New(Box(1), Options{Scale: 0.01})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(m.encode())
	f.Fuzz(func(_ *testing.T, data []byte) {
		_, _ = decodeField(data)
	})
}
