package mesh_test

import (
	"math"
	"strings"
	"testing"

	"sinew/pkg/sim/shape/mesh"
	"sinew/pkg/sim/spatial"
	"sinew/test/testsize"
)

// frobenius is the norm of m.
func frobenius(m spatial.Mat3) float64 { return math.Sqrt(m.Mul(m.T()).Trace()) }

// errorsOf are the greatest errors of distance (m), normal and Hessian (1/m).
type errorsOf struct{ d, n, w float64 }

func (e *errorsOf) add(at mesh.Place, d float64, n spatial.Vec, w spatial.Mat3) {
	e.d = max(e.d, math.Abs(at.D-d))
	e.n = max(e.n, at.N.Sub(n).Norm())
	e.w = max(e.w, frobenius(at.W.Sub(w)))
}

// TestPipeAgainstTheExactTube compares meshes of a bent tube of 2 mm with the tube itself,
// where a rod touches, away from the open ends.
func TestPipeAgainstTheExactTube(t *testing.T) {
	p := mesh.Pipe{Radius: 0.002, Bend: 0.02, Angle: 1.2}
	r := mesh.NewRand()
	for _, c := range []struct {
		size float64 // of edges, m
		most errorsOf
	}{
		{0.001, errorsOf{d: 4e-6, n: 0.02, w: 150}}, // flat triangles are 62e-6 m off, and 0.25 of normals
		{0.0005, errorsOf{d: 5e-7, n: 2e-3, w: 15}},
	} {
		f := mesh.Build(t, p.Mesh(c.size), mesh.Options{Inside: true, Scale: 1, Reach: 0.0005})
		var got errorsOf
		for range 5000 {
			rho := 0.0012 + 0.001*r.Float64()
			x, n, w := p.At(0.1+0.8*r.Float64(), rho, 7*r.Float64())
			at, ok := f.Place(x)
			if !ok {
				t.Fatalf("nothing at %v", x)
			}
			got.add(at, p.Radius-rho, n, w)
		}
		t.Logf("edges of %g m, grid of %.3g m: %+v", c.size, f.Spacing(), got)
		if got.d > c.most.d || got.n > c.most.n || got.w > c.most.w {
			t.Errorf("edges of %g m: errors %+v, at most %+v are allowed", c.size, got, c.most)
		}
	}
}

// TestBallAgainstTheExactSphere is the same from outside.
func TestBallAgainstTheExactSphere(t *testing.T) {
	const radius = 0.01
	r := mesh.NewRand()
	f := mesh.Build(t, mesh.Ball(radius, 8), mesh.Options{Scale: 1, Reach: 0.002})
	var got errorsOf
	for range 5000 {
		n := mesh.RandVec(r, 1).Unit()
		d := 0.004*r.Float64() - 0.002
		x := n.Scale(radius + d)
		at, ok := f.Place(x)
		if !ok {
			t.Fatalf("nothing at %v", x)
		}
		got.add(at, d, n, spatial.Identity3().Sub(spatial.Outer(n, n)).Scale(1/(radius+d)))
	}
	t.Logf("%+v", got)
	if got.d > 6e-6 || got.n > 0.012 || got.w > 35 {
		t.Errorf("errors %+v", got)
	}
}

// TestBoxKeepsItsFacesAndEdges: faces are exact, edges are rounded by about the spacing.
func TestBoxKeepsItsFacesAndEdges(t *testing.T) {
	r := mesh.NewRand()
	f := mesh.Build(t, mesh.Box(1), mesh.Options{Scale: 0.01, Reach: 0.001})
	exact := func(x spatial.Vec) float64 {
		a := spatial.Vec{X: math.Abs(x.X), Y: math.Abs(x.Y), Z: math.Abs(x.Z)}.Sub(spatial.Vec{X: 0.01, Y: 0.01, Z: 0.01})
		out := spatial.Vec{X: max(a.X, 0), Y: max(a.Y, 0), Z: max(a.Z, 0)}
		return out.Norm() + min(0, max(a.X, a.Y, a.Z))
	}
	for range 5000 {
		x := spatial.Vec{X: 0.014 * (2*r.Float64() - 1), Y: 0.014 * (2*r.Float64() - 1), Z: 0.009 + 0.003*r.Float64()}
		at, ok := f.Place(x)
		if !ok {
			if exact(x) < 0.001 {
				t.Fatalf("nothing at %v", x)
			}
			continue
		}
		off := math.Abs(at.D - exact(x))
		if flat := max(math.Abs(x.X), math.Abs(x.Y)) < 0.01-7*f.Spacing() && // farther from the edges than the spline looks
			x.Z > 0.0095; flat && (off > 1e-9 || at.N.Sub(spatial.Vec{Z: 1}).Norm() > 1e-5) {
			t.Fatalf("over a face at %v: %g m off, N = %v", x, off, at.N)
		}
		if off > 0.5*f.Spacing() {
			t.Fatalf("at %v: %g m off, the spacing is %g m", x, off, f.Spacing())
		}
	}
}

// TestFieldIsSmooth compares normals and Hessians with differences of distances and normals
// everywhere, also across cells, blocks and facets.
func TestFieldIsSmooth(t *testing.T) {
	const step = 1e-7
	r := mesh.NewRand()
	p := mesh.Pipe{Radius: 0.002, Bend: 0.02, Angle: 1.2}
	f := mesh.Build(t, p.Mesh(0.001), mesh.Options{Inside: true, Scale: 1, Reach: 0.0005})
	for range 5000 {
		x, _, _ := p.At(r.Float64(), 0.0022*math.Sqrt(r.Float64()), 7*r.Float64())
		at, ok := f.Place(x)
		if !ok {
			continue
		}
		for _, e := range [3]spatial.Vec{{X: step}, {Y: step}, {Z: step}} {
			more, ok1 := f.Place(x.Add(e))
			less, ok2 := f.Place(x.Sub(e))
			if !ok1 || !ok2 {
				continue
			}
			if got, want := (more.D-less.D)/(2*step), at.N.Dot(e)/step; math.Abs(got-want) > 1e-5 {
				t.Fatalf("at %v: dD/dx is %g by differences, N says %g", x, got, want)
			}
			got, want := more.N.Sub(less.N).Scale(1/(2*step)), at.W.Apply(e).Scale(1/step)
			if d := got.Sub(want).Norm(); d > 1 {
				t.Fatalf("at %v: dN/dx is %v by differences, W says %v", x, got, want)
			}
		}
	}
}

// TestVesselOfTheContract walks down its lumen and up to its wall.
func TestVesselOfTheContract(t *testing.T) {
	m := mesh.Build(t, mesh.Vessel(t), mesh.Options{Inside: true, Scale: 1, Reach: 0.00018})
	if len(m.Triangles()) != 4999 {
		t.Errorf("%d triangles", len(m.Triangles()))
	}
	// The free surface is where the triangles are.
	var off []float64
	for _, tri := range m.Triangles() {
		c := tri[0].Add(tri[1]).Add(tri[2]).Scale(1.0 / 3)
		at, ok := m.Place(c)
		if !ok {
			t.Errorf("nothing at the wall at %v", c)
		}
		off = append(off, math.Abs(at.D))
	}
	worst, sum := 0.0, 0.0
	for _, x := range off {
		worst, sum = max(worst, x), sum+x
	}
	t.Logf("spacing %.3g m, convex radius %.3g m; centres of triangles are %.3g m from the smooth wall, at most %.3g m", m.Spacing(), m.MinRadius(), sum/float64(len(off)), worst)
	if mean := sum / float64(len(off)); mean > 5e-5 || worst > 2e-4 {
		t.Errorf("centres of triangles are %g m off the wall, at most %g m", mean, worst)
	}
	// In front of the inlet and down the first straight part is free space all along.
	for x := -0.02; x < 0.02; x += 1e-4 {
		at, ok := m.Place(spatial.Vec{X: x, Y: 0, Z: 0.002})
		if ok && at.D < 0 {
			t.Fatalf("at x = %g m the lumen is in the wall by %g m", x, -at.D)
		}
	}
	// Far out in the wall the way back is known.
	for _, x := range []spatial.Vec{{X: 0.02, Y: 0.006}, {X: 0.02, Y: -0.005}, {X: 0.02, Z: -0.006}} {
		at, ok := m.Place(x)
		if !ok || at.D > -0.001 {
			t.Fatalf("at %v, outside: %v %v", x, at, ok)
		}
		if back, ok := m.Place(x.AddScaled(0.001-at.D, at.N)); !ok || back.D < 0 {
			t.Errorf("from %v along %v by %g m: %v", x, at.N, 0.001-at.D, back.D)
		}
	}
}

func TestMeshesThatAreRefused(t *testing.T) {
	testsize.SkipInShort(t)
	turned := func(f *mesh.STL, i int) *mesh.STL {
		f.Triangles[i][1], f.Triangles[i][2] = f.Triangles[i][2], f.Triangles[i][1]
		return f
	}
	without := func(f *mesh.STL, i int) *mesh.STL {
		f.Triangles = append(f.Triangles[:i], f.Triangles[i+1:]...)
		return f
	}
	with := func(f *mesh.STL, i, k int, p spatial.Vec) *mesh.STL {
		f.Triangles[i][k] = p
		return f
	}
	p := mesh.Pipe{Radius: 0.002, Bend: 0.02, Angle: 1.2}
	wall := p.Mesh(0.001)
	middle := len(wall.Triangles) / 2
	sheet := mesh.Box(1)
	sheet.Triangles = append(sheet.Triangles[:2:2], turned(&mesh.STL{Triangles: append([]mesh.Triangle{}, sheet.Triangles[:2]...)}, 0).Triangles[0], sheet.Triangles[1])
	crowd := mesh.Box(1)
	crowd.Triangles = append(crowd.Triangles, mesh.Triangle{crowd.Triangles[0][0], crowd.Triangles[0][1], {X: 5}})
	for _, c := range []struct {
		name string
		f    *mesh.STL
		o    mesh.Options
		want string
	}{
		{"nothing", &mesh.STL{}, mesh.Options{Scale: 1}, "there are no triangles"},
		{"many", &mesh.STL{Triangles: make([]mesh.Triangle, mesh.MaxTriangles+1)}, mesh.Options{Scale: 1}, "500001 triangles; at most 500000"},
		{"scale", mesh.Box(1), mesh.Options{}, "scale is 0; it must be finite and above 0"},
		{"reach", mesh.Box(1), mesh.Options{Scale: 1, Reach: math.NaN()}, "reach is NaN m"},
		{"NaN", with(mesh.Box(1), 3, 1, spatial.Vec{Y: math.NaN()}), mesh.Options{Scale: 1}, "1 corner is not finite: at (0, NaN, 0) of triangle 4; export the mesh again"},
		{"far", mesh.Box(1), mesh.Options{Scale: 1e5}, "36 corners are too far away: at (1, -1, -1) of triangle 1, (1, 1, -1) of triangle 1, (1, 1, 1) of triangle 1 …; times the scale 100000 coordinates must be from -10000 to 10000 m: give the scale"},
		{"point", with(mesh.Box(1), 5, 1, mesh.Box(1).Triangles[5][0]), mesh.Options{Scale: 1}, "1 hole of 3 edges"},
		{"point", with(mesh.Box(1), 5, 1, mesh.Box(1).Triangles[5][0]), mesh.Options{Scale: 1}, "repaired without that: 1 degenerate triangle is dropped, triangle 6"},
		{"hole", without(mesh.Box(2), 7), mesh.Options{Scale: 1}, "1 hole of 3 edges, 1.14 m wide: at (1, 0.353553, 0.646447) of triangle 4; "},
		{"hole", without(mesh.Box(2), 7), mesh.Options{Scale: 1}, "only with inside: true may a mesh be open"},
		{"hole in a wall", without(p.Mesh(0.001), middle), mesh.Options{Scale: 1, Inside: true}, "it is within the wall and not at the end of a vessel"},
		{"open from outside", p.Mesh(0.001), mesh.Options{Scale: 1}, "hole of 13 edges"},
		{"crowded", crowd, mesh.Options{Scale: 1}, "1 edge of more than two triangles has no two sides: at (1, 0, -1) of triangle 13; remove inner walls"},
		{"sheet", sheet, mesh.Options{Scale: 1}, "1 hole of 4 edges"},
		{"hair", mesh.Box(1), mesh.Options{Scale: 1, Reach: 1e-7}, ""},
	} {
		_, err := mesh.New(c.f, c.o)
		if c.want == "" {
			if err != nil {
				t.Errorf("%s: %v", c.name, err)
			}
			continue
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want one with %q", c.name, err, c.want)
		}
	}
}

// TestAllTurnedIsAccepted: which way all triangles are turned does not matter.
func TestAllTurnedIsAccepted(t *testing.T) {
	p := mesh.Pipe{Radius: 0.002, Bend: 0.02, Angle: 1.2}
	f := p.Mesh(0.001)
	a := mesh.Build(t, f, mesh.Options{Inside: true, Scale: 1})
	for i := range f.Triangles {
		f.Triangles[i][0], f.Triangles[i][1] = f.Triangles[i][1], f.Triangles[i][0]
	}
	b := mesh.Build(t, f, mesh.Options{Inside: true, Scale: 1})
	r := mesh.NewRand()
	for range 1000 {
		x, _, _ := p.At(r.Float64(), 0.0015+0.0005*r.Float64(), 7*r.Float64())
		at, ok := a.Place(x)
		turned, ok2 := b.Place(x)
		if ok != ok2 || math.Abs(at.D-turned.D) > 1e-6 {
			t.Fatalf("at %v: %v %v, turned %v %v", x, at.D, ok, turned.D, ok2)
		}
	}
}

// TestFineFacesKeepTheirEdges divides the faces of a box finely: its edges stay as sharp as those of one
// of twelve triangles.
func TestFineFacesKeepTheirEdges(t *testing.T) {
	testsize.SkipInShort(t)
	for _, n := range []int{1, 8, 72} {
		m := mesh.Build(t, mesh.Box(n), mesh.Options{Scale: 0.01, Reach: 0.001})
		if r := m.MinRadius(); !(r <= 2*m.Spacing()) {
			t.Errorf("%d triangles: the edges have a radius of %g m, and the spacing is %g m", len(mesh.Box(n).Triangles), r, m.Spacing())
		}
	}
}

// TestRoomInALumenIsFree demands that where the field knows no wall, in the middle of a lumen that it
// covers wholly, the room that it tells be free, and more than half of what there is on the axis.
func TestRoomInALumenIsFree(t *testing.T) {
	p := mesh.Pipe{Radius: 0.002, Bend: 0.01, Angle: 1.2}
	f := mesh.Build(t, p.Mesh(0.0004), mesh.Options{Inside: true, Scale: 1, Reach: 0.001})
	random, unknown := mesh.NewRand(), 0
	for range 3000 {
		rho := 0.3 * p.Radius * random.Float64() * random.Float64()
		x, _, _ := p.At(0.2+0.6*random.Float64(), rho, 2*math.Pi*random.Float64())
		var d float64
		var n spatial.Vec
		var w spatial.Mat3
		if f.At(x, &d, &n, &w) {
			continue
		}
		unknown++
		if room := f.Clearance(x); room > p.Radius-rho || room < 0.5*(p.Radius-rho) {
			t.Fatalf("%g m off the axis: room %g m, there are %g m", rho, room, p.Radius-rho)
		}
	}
	if unknown < 20 {
		t.Errorf("the field knows no wall at %d points: too few to prove anything", unknown)
	}
}

// TestHalfPipe: a pipe of which a half was cut away along its length has no lumen; one whose other end is closed has.
func TestHalfPipe(t *testing.T) {
	ball := mesh.Ball(0.01, 8)
	half, deep := &mesh.STL{}, &mesh.STL{}
	for _, tri := range (mesh.Pipe{Radius: 0.002, Bend: 1, Angle: 0.03}).Mesh(0.0005).Triangles {
		if tri[0].Y > -1e-9 && tri[1].Y > -1e-9 && tri[2].Y > -1e-9 {
			half.Triangles = append(half.Triangles, tri)
		}
	}
	for _, tri := range ball.Triangles {
		if middle := tri[0].Add(tri[1]).Add(tri[2]).Scale(1. / 3); middle.Z > -0.004 {
			deep.Triangles = append(deep.Triangles, tri)
		}
	}
	_, err := mesh.New(half, mesh.Options{Inside: true, Scale: 1, Reach: 1e-4})
	if err == nil || !strings.Contains(err.Error(), "an open surface and no lumen: its only opening, of ") {
		t.Errorf("a half pipe: %v", err)
	}
	if _, err := mesh.New(deep, mesh.Options{Inside: true, Scale: 1, Reach: 1e-4}); err != nil {
		t.Errorf("a ball with an opening: %v", err)
	}
}

// TestSlitPipes: a pipe that is slit along its length is an open surface, whatever its length and the angle of the slit, and one
// that is cut at an angle to its axis has open ends.
func TestSlitPipes(t *testing.T) {
	slit := func(length, degrees float64) *mesh.STL {
		f := &mesh.STL{}
		for _, tri := range (mesh.Pipe{Radius: 0.002, Bend: 1, Angle: length}).Mesh(0.0003).Triangles {
			middle := tri[0].Add(tri[1]).Add(tri[2]).Scale(1. / 3)
			if math.Abs(math.Atan2(middle.Y, middle.Z)) > degrees/2*math.Pi/180 {
				f.Triangles = append(f.Triangles, tri)
			}
		}
		return f
	}
	for _, length := range []float64{0.004, 0.01, 0.04} {
		for _, degrees := range []float64{75, 90, 120, 150} {
			for _, inside := range []bool{true, false} {
				_, err := mesh.New(slit(length, degrees), mesh.Options{Inside: inside, Scale: 1, Reach: 1e-4})
				if err == nil || !strings.Contains(err.Error(), " edges") || !strings.Contains(err.Error(), "cut along its length is closed again") {
					t.Errorf("slit by %g degrees, %g m long, inside: %v: %v", degrees, length, inside, err)
				}
			}
		}
	}
	for _, degrees := range []float64{90, 45, 15} {
		f := mesh.Pipe{Radius: 0.002, Bend: 1, Angle: 0.03}.Mesh(0.0003)
		for i := range f.Triangles {
			for k, p := range f.Triangles[i] {
				f.Triangles[i][k].X += p.Y / math.Tan(degrees*math.Pi/180)
			}
		}
		if _, err := mesh.New(f, mesh.Options{Inside: true, Scale: 1, Reach: 1e-4}); err != nil {
			t.Errorf("cut at %g degrees: %v", degrees, err)
		}
	}
}
