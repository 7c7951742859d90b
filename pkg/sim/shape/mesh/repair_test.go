package mesh_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"sinew/pkg/sim/shape/mesh"
	"sinew/pkg/sim/spatial"
	"sinew/test/testsize"
)

// turn turns triangles round.
func turn(f *mesh.STL, all ...int) *mesh.STL {
	for _, i := range all {
		t := &f.Triangles[i]
		t[1], t[2] = t[2], t[1]
	}
	return f
}

// add appends triangles.
func add(f *mesh.STL, all ...mesh.Triangle) *mesh.STL {
	f.Triangles = append(slices.Clip(f.Triangles), all...)
	return f
}

// moved is a mesh elsewhere.
func moved(f *mesh.STL, by spatial.Vec) *mesh.STL { return f.At(by, false) }

// divided replaces the first triangle of a mesh by three about a point of one of its edges, which its
// neighbour does not have.
func divided(f *mesh.STL, off float64) *mesh.STL {
	t := f.Triangles[0]
	middle := t[0].Add(t[1]).Scale(0.5).AddScaled(off, t[2].Sub(t[0]))
	f.Triangles[0] = mesh.Triangle{t[0], middle, t[2]}
	return add(f, mesh.Triangle{middle, t[1], t[2]})
}

// needle puts a triangle without a width between the first one and its neighbour across an edge.
func needle(f *mesh.STL) *mesh.STL {
	t := f.Triangles[0]
	return add(divided(f, 0), mesh.Triangle{t[0], t[1], t[0].Add(t[1]).Scale(0.5)})
}

// apart moves the corners of each triangle by round-off of its own.
func apart(f *mesh.STL, by float64) *mesh.STL {
	r := mesh.NewRand()
	for i := range f.Triangles {
		for k := range f.Triangles[i] {
			f.Triangles[i][k] = f.Triangles[i][k].Add(mesh.RandVec(r, by))
		}
	}
	return f
}

// folded moves a corner at the border of a face of a box in its plane beyond an edge that faces it, so that triangles
// lie on one another.
func folded(f *mesh.STL) *mesh.STL {
	for i := range f.Triangles {
		for k, p := range f.Triangles[i] {
			if (p == spatial.Vec{X: 1, Y: 0.5, Z: 1}) {
				f.Triangles[i][k] = spatial.Vec{X: 1, Y: 0.8, Z: 0.7}
			}
		}
	}
	return f
}

// TestFlawsAreRepaired demands that meshes with flaws whose meaning is certain have the field of the mesh
// without them, and that each be report with its number and place.
func TestFlawsAreRepaired(t *testing.T) {
	testsize.SkipInShort(t)
	box := func() *mesh.STL { return mesh.Box(2) }
	two := func(gap float64) *mesh.STL {
		return add(moved(box(), spatial.Vec{X: -1 - gap/2}), moved(box(), spatial.Vec{X: 1 + gap/2}).Triangles...)
	}
	back := box()
	turn(back, slices.Collect(func(yield func(int) bool) {
		for i := range back.Triangles {
			if !yield(i) {
				return
			}
		}
	})...)
	for _, c := range []struct {
		name   string
		f      *mesh.STL
		same   *mesh.STL // that it has the field of
		report string    // empty: nothing
	}{
		{"no flaw", box(), box(), ""},
		{"a triangle twice", add(box(), box().Triangles[7]), box(), "1 triangle that repeats another one is dropped, triangle 49"},
		{"a triangle twice, turned", turn(add(box(), box().Triangles[7]), 48), box(), "1 triangle that repeats another one is dropped, triangle 49"},
		{"all twice", add(box(), box().Triangles...), box(), "48 triangles that repeat others are dropped, the first is triangle 49"},
		{"both sides", add(box(), back.Triangles...), box(), "48 triangles that repeat others are dropped, the first is triangle 49"},
		{"two turned", turn(box(), 7, 31), box(), "2 triangles are turned round, the first is triangle 8"},
		{"one in a point", add(box(), mesh.Triangle{{X: 1, Y: 1, Z: 1}, {X: 1, Y: 1, Z: 1}, {X: 1, Y: 1, Z: 1}}), box(), "1 degenerate triangle is dropped, triangle 49"},
		{"a needle", needle(box()), divided(box(), 0), "1 degenerate triangle is dropped, triangle 50; 1 triangle is divided where a corner of another one is on its edge"},
		{"a corner on an edge", divided(box(), 0), box(), "1 triangle is divided where a corner of another one is on its edge"},
		{"a corner beside an edge", divided(box(), 1e-4), box(), "1 triangle is divided where a corner of another one is on its edge"},
		{"gaps by round-off", apart(box(), 3e-6), box(), "beside those of their neighbours are moved there"},
		{"folded in its plane", folded(mesh.Box(4)), nil, "triangles are folded back onto their neighbours and left so"},
		{"boxes with a common face", two(0), two(0), "16 triangles between touching bodies are dropped"},
		{"boxes with a common edge", add(moved(box(), spatial.Vec{X: -1, Y: -1}), moved(box(), spatial.Vec{X: 1, Y: 1}).Triangles...), nil, "corners where sheets of the surface touch are split"},
		{"boxes with a common corner", add(moved(box(), spatial.Vec{X: -1, Y: -1, Z: -1}), moved(box(), spatial.Vec{X: 1, Y: 1, Z: 1}).Triangles...), nil, "1 corner where sheets of the surface touch is split"},
		{"boxes that overlap", add(box(), moved(box(), spatial.Vec{X: 1.3, Y: 0.3, Z: 0.2}).Triangles...), nil, "triangles are crossed by others and left so (unite bodies"},
	} {
		o := mesh.Options{Scale: 0.01, Reach: 0.001}
		m, err := mesh.New(c.f, o)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if got := mesh.Describe(c.f, m.Findings()); (got == "") != (c.report == "") || !strings.Contains(got, c.report) {
			t.Errorf("%s: report %q, want %q", c.name, got, c.report)
		}
		// inside of a solid the field is negative, outside positive
		wide := 1.0
		if strings.HasPrefix(c.name, "boxes") {
			wide = 2
		}
		if c.same == nil {
			continue
		}
		r := mesh.NewRand()
		for range 3000 {
			x := spatial.Vec{X: 0.013 * wide * (2*r.Float64() - 1), Y: 0.013 * (2*r.Float64() - 1), Z: 0.013 * (2*r.Float64() - 1)}
			at, ok := m.Place(x)
			a := spatial.Vec{X: math.Abs(x.X) - 0.01*wide, Y: math.Abs(x.Y) - 0.01, Z: math.Abs(x.Z) - 0.01}
			want := spatial.Vec{X: max(a.X, 0), Y: max(a.Y, 0), Z: max(a.Z, 0)}.Norm() + min(0, max(a.X, a.Y, a.Z))
			if ok && want > -0.002 && want < 0.001 && math.Abs(at.D-want) > 0.5*m.Spacing() {
				t.Errorf("%s: at %v: %g m, want %g", c.name, x, at.D, want)
				break
			}
		}
	}
}

// TestFacesDividedInTwoWays: two bodies that touch along a face which each divides in its own way are refused, with a cure.
func TestFacesDividedInTwoWays(t *testing.T) {
	box := func(at spatial.Vec) *mesh.STL { return moved(mesh.Box(2), at) }
	turned := box(spatial.Vec{X: 1})
	for i := 0; i < len(turned.Triangles); i += 2 { // the other diagonal of each square
		a, b := &turned.Triangles[i], &turned.Triangles[i+1]
		for k := range 3 {
			p, q, r := a[k], a[(k+1)%3], a[(k+2)%3]
			for _, s := range b {
				if !slices.Contains(a[:], s) && slices.Contains(b[:], p) && slices.Contains(b[:], r) { // a is p q r, b is p r s
					*a, *b = mesh.Triangle{p, q, s}, mesh.Triangle{q, r, s}
				}
			}
		}
	}
	for name, f := range map[string]*mesh.STL{
		"other diagonals": add(box(spatial.Vec{X: -1}), turned.Triangles...),
		"other squares":   add(box(spatial.Vec{X: -1}), box(spatial.Vec{X: 1, Y: 0.4, Z: 0.3}).Triangles...),
	} {
		_, err := mesh.New(f, mesh.Options{Scale: 0.01, Reach: 0.001})
		if err == nil || !strings.Contains(err.Error(), "face others in their plane") || !strings.Contains(err.Error(), "unite them, for example by Boolean Union") {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

// TestTouchingBodiesHaveTwoSides: the field about an edge and a corner that two bodies have in common is that
// of the nearer one.
func TestTouchingBodiesHaveTwoSides(t *testing.T) {
	for name, by := range map[string]spatial.Vec{"edge": {X: 1, Y: 1}, "corner": {X: 1, Y: 1, Z: 1}} {
		f := add(moved(mesh.Box(2), by.Scale(-1)), moved(mesh.Box(2), by).Triangles...)
		m := mesh.Build(t, f, mesh.Options{Scale: 0.01, Reach: 0.001})
		r := mesh.NewRand()
		for range 3000 {
			x := mesh.RandVec(r, 0.02)
			want := math.Inf(1)
			for _, c := range [2]spatial.Vec{by.Scale(-0.01), by.Scale(0.01)} {
				d := x.Sub(c)
				a := spatial.Vec{X: math.Abs(d.X) - 0.01, Y: math.Abs(d.Y) - 0.01, Z: math.Abs(d.Z) - 0.01}
				want = min(want, spatial.Vec{X: max(a.X, 0), Y: max(a.Y, 0), Z: max(a.Z, 0)}.Norm()+min(0, max(a.X, a.Y, a.Z)))
			}
			if at, ok := m.Place(x); ok && want > -0.002 && want < 0.001 && math.Abs(at.D-want) > m.Spacing() {
				t.Fatalf("%s: at %v: %g m, want %g", name, x, at.D, want)
			}
		}
	}
}

// TestAllFlawsInOneMessage demands all kinds of flaws at once, with numbers, places and cures, and what was
// repaired.
func TestAllFlawsInOneMessage(t *testing.T) {
	f := mesh.Box(3)
	f.Triangles = slices.Delete(f.Triangles, 40, 41)                                       // a hole
	f = add(f, mesh.Triangle{f.Triangles[0][0], f.Triangles[0][1], {X: 5}})                // a fin
	f = turn(add(f, f.Triangles[20]), 10)                                                  // one twice, one turned
	f = add(f, mesh.Triangle{{X: 1, Y: 1, Z: 1}, {X: 1, Y: 1, Z: 1}, {X: -1, Y: 1, Z: 1}}) // no width
	_, err := mesh.New(f, mesh.Options{Scale: 1})
	if err == nil {
		t.Fatal("it is taken")
	}
	for _, want := range []string{
		"1 edge of more than two triangles has no two sides: at (", "remove inner walls and fins",
		"1 hole of 3 edges", "close the mesh", "repaired without that: 1 degenerate triangle is dropped",
		"1 triangle that repeats another one is dropped", "1 triangle is turned round, triangle 11",
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("the error lacks %q:\n%v", want, err)
		}
	}
}

// TestRandomFlaws mutilates boxes at random: each is taken or refused, and the field of one that is taken is
// finite.
func TestRandomFlaws(t *testing.T) {
	testsize.SkipInShort(t)
	r := mesh.NewRand()
	taken := 0
	meshes := testsize.Of(15, 30, 60)
	for range meshes {
		f := mesh.Box(1)
		if r.IntN(2) == 0 {
			f = add(f, moved(mesh.Box(1), spatial.Vec{X: float64(r.IntN(3)), Y: float64(r.IntN(3)), Z: float64(r.IntN(3))}).Triangles...)
		}
		for range 1 + r.IntN(3) {
			n := len(f.Triangles)
			i, j := r.IntN(n), r.IntN(n)
			switch r.IntN(7) {
			case 0:
				f = add(f, f.Triangles[i])
			case 1:
				f = turn(f, i)
			case 2:
				f = add(f, mesh.Triangle{f.Triangles[i][0], f.Triangles[j][1], f.Triangles[j][2]})
			case 3:
				f.Triangles = slices.Delete(f.Triangles, i, i+1)
			case 4:
				f.Triangles[i][0] = f.Triangles[i][1].Add(f.Triangles[i][2]).Scale(0.5)
			case 5:
				f = divided(f, 0)
			case 6:
				f = needle(f)
			}
		}
		for _, inside := range []bool{false, true} {
			m, err := mesh.New(f, mesh.Options{Scale: 0.01, Inside: inside, Reach: 0.001})
			if err != nil {
				continue
			}
			taken++
			for range 20 {
				if at, ok := m.Place(mesh.RandVec(r, 0.03)); ok && !(spatial.IsFinite(at.D) && at.N.IsFinite() && at.W.IsFinite()) {
					t.Fatalf("%v: %v", f.Triangles, at)
				}
			}
		}
	}
	if taken < meshes/4 {
		t.Errorf("%d of %d are taken", taken, 2*meshes)
	}
}

// TestSides names the side of points for solids, lumens and shells with thickness.
func TestSides(t *testing.T) {
	testsize.SkipInShort(t)
	shell := add(mesh.Ball(0.01, 6), mesh.Ball(0.008, 6).At(spatial.Vec{}, true).Triangles...)
	for _, c := range []struct {
		name string
		f    *mesh.STL
		o    mesh.Options
		at   spatial.Vec
		want mesh.Side
	}{
		{"in a ball", mesh.Ball(0.01, 6), mesh.Options{Scale: 1}, spatial.Vec{X: 0.005}, mesh.Enclosed},
		{"in a box", mesh.Box(1), mesh.Options{Scale: 0.01}, spatial.Vec{}, mesh.Enclosed},
		{"beside a box", mesh.Box(1), mesh.Options{Scale: 0.01}, spatial.Vec{X: 0.011}, mesh.Beyond},
		{"far away", mesh.Box(1), mesh.Options{Scale: 0.01}, spatial.Vec{X: 3}, mesh.Beyond},
		{"in the cavity of a shell", shell, mesh.Options{Scale: 1, Inside: true}, spatial.Vec{Z: 0.001}, mesh.Surrounded},
		{"in its wall", shell, mesh.Options{Scale: 1, Inside: true}, spatial.Vec{Z: 0.009}, mesh.Enclosed},
		{"in the bore of two open pipes", add(mesh.Pipe{Radius: 0.002, Bend: 0.02, Angle: 1.2}.Mesh(0.001), mesh.Pipe{Radius: 0.003, Bend: 0.02, Angle: 1.2}.Mesh(0.001).Triangles...),
			mesh.Options{Scale: 1, Inside: true}, spatial.Vec{X: 0.02 * math.Sin(0.6), Z: 0.02 - 0.02*math.Cos(0.6)}, mesh.Surrounded},
		{"in an open vessel", mesh.Pipe{Radius: 0.002, Bend: 0.02, Angle: 1.2}.Mesh(0.001), mesh.Options{Scale: 1, Inside: true}, spatial.Vec{X: 0.02 * math.Sin(0.6), Z: 0.02 - 0.02*math.Cos(0.6)}, mesh.UnknownSide},
		{"at an open vessel", mesh.Pipe{Radius: 0.002, Bend: 0.02, Angle: 1.2}.Mesh(0.001), mesh.Options{Scale: 1, Inside: true}, spatial.Vec{}, mesh.UnknownSide},
	} {
		if got := mesh.Build(t, c.f, c.o).SideOf(c.at); got != c.want {
			t.Errorf("%s: side %d, want %d", c.name, got, c.want)
		}
	}
}

// TestFacetDepth: a smooth surface of curvature 1/R bulges over edges of length e by about e²/8R.
func TestFacetDepth(t *testing.T) {
	for _, n := range []int{4, 8} {
		f := mesh.Ball(0.01, n)
		longest := 0.0
		for _, c := range f.Triangles {
			for k := range c {
				longest = max(longest, c[k].Sub(c[(k+1)%3]).Norm())
			}
		}
		want := longest * longest / (8 * 0.01)
		if got := mesh.Build(t, f, mesh.Options{Scale: 1}).FacetDepth(); got < 0.8*want || got > 1.3*want {
			t.Errorf("%d triangles: %g m, want about %g", len(f.Triangles), got, want)
		}
	}
	if got := mesh.Build(t, mesh.Box(2), mesh.Options{Scale: 1}).FacetDepth(); got > 1e-12 {
		t.Errorf("the faces of a box are %g m off", got)
	}
}

// TestOneSidedSurface: a Möbius strip is refused as that.
func TestOneSidedSurface(t *testing.T) {
	const n = 24
	f := &mesh.STL{}
	edge := func(i int) (a, b spatial.Vec) {
		s, c := math.Sincos(2 * math.Pi * float64(i) / n)
		hs, hc := math.Sincos(math.Pi * float64(i) / n)
		at := func(w float64) spatial.Vec { return spatial.Vec{X: (1 + w*hc) * c, Y: (1 + w*hc) * s, Z: w * hs} }
		return at(-0.3), at(0.3)
	}
	for i := range n {
		a, b := edge(i)
		c, d := edge(i + 1)
		f = add(f, mesh.Triangle{a, b, d}, mesh.Triangle{a, d, c})
	}
	if _, err := mesh.New(f, mesh.Options{Scale: 1, Inside: true}); err == nil || !strings.Contains(err.Error(), "where the surface has one side") {
		t.Errorf("the error is %v", err)
	}
}
