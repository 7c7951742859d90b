package stokes_test

import (
	"math"
	"testing"

	"sinew/pkg/sim/shape"
	"sinew/pkg/sim/spatial"
	"sinew/pkg/sim/stokes"
	"sinew/test/testsize"
)

// surfacePoints returns points all over the surface of a hull, its corners and rims among them.
func surfacePoints(h *stokes.Hull) (all []spatial.Vec) {
	const n = 8
	shares := func(sweeps int) (list [][3]float64) {
		list = [][3]float64{{}}
		for i := range sweeps {
			var next [][3]float64
			for _, s := range list {
				for k := range n + 1 {
					s[i] = 2*float64(k)/n - 1
					next = append(next, s)
				}
			}
			list = next
		}
		return list
	}
	directions := []spatial.Vec{{}} // on the unit sphere, mapped to the ellipsoid
	if h.Ellipsoid != (spatial.Mat3{}) {
		directions = nil
		for i := range 2*n + 1 {
			for j := range 4 * n {
				sin, cos := math.Sincos(math.Pi * float64(i) / (2 * n))
				sj, cj := math.Sincos(math.Pi * float64(j) / (2 * n))
				u := spatial.Vec{X: cos, Y: sin * cj, Z: sin * sj}
				if b := math.Sqrt(u.Dot(h.Ellipsoid.Apply(u))); b > 0 {
					for k := range 5 { // on the rim of a disk, and within it
						directions = append(directions, h.Ellipsoid.Apply(u).Scale((1-0.25*float64(k))/b))
					}
				}
			}
		}
	}
	for _, s := range shares(h.Sweeps) {
		for _, d := range directions {
			p := d
			for i := range h.Sweeps {
				p = p.AddScaled(s[i], h.Edges[i])
			}
			all = append(all, p)
		}
	}
	return all
}

// hulls are a brick, a cube, a rod and a coin.
func hulls(t *testing.T) map[string]stokes.Hull {
	t.Helper()
	all := map[string]stokes.Hull{}
	add := func(name string, s stokes.Shape, err error) {
		if err != nil {
			t.Fatal(err)
		}
		all[name] = s.Hull
	}
	s, err := stokes.Cuboid(spatial.Vec{X: 0.5, Y: 0.3, Z: 0.2})
	add("brick", s, err)
	s, err = stokes.Cuboid(spatial.Vec{X: 0.3, Y: 0.3, Z: 0.3})
	add("cube", s, err)
	s, err = stokes.SolidCylinder(1, 0.2)
	add("rod", s, err)
	s, err = stokes.SolidCylinder(0.2, 0.4)
	add("coin", s, err)
	return all
}

// TestGapOfEdgedBodies: the gap of bodies with edges is that of the nearest of many points of their
// surface, beside a floor, in vessels, beside a ball and a thin rod.
func TestGapOfEdgedBodies(t *testing.T) {
	testsize.SkipInShort(t)
	r := stokes.NewRand()
	ball, err1 := shape.NewSphere(spatial.Vec{}, 1)
	rod, err2 := shape.NewCapsule(spatial.Vec{X: -5}, spatial.Vec{X: 5}, 0.2)
	tube, err3 := shape.NewTube([]spatial.Vec{{X: -5}, {}, {X: 3, Y: 3}}, []float64{1}, false)
	for _, c := range []struct {
		name  string
		walls *stokes.Walls
		about spatial.Vec
	}{
		{"floor", stokes.MustWalls(t, []stokes.Plane{{Normal: spatial.Vec{X: 0.3, Z: 1}}}, nil, 0), spatial.Vec{Z: 0.8}},
		{"vessel", stokes.MustWalls(t, nil, []stokes.Cylinder{{Axis: spatial.Vec{X: 1, Y: 2, Z: 3}, Radius: 1}}, 0), spatial.Vec{}},
		{"ball", stokes.SurfacesOf(t, ball, err1), spatial.Vec{Z: 1.4}},
		{"thin rod", stokes.SurfacesOf(t, rod, err2), spatial.Vec{X: 0.5, Z: 0.5}},
		{"bent tube", stokes.SurfacesOf(t, tube, err3), spatial.Vec{X: -2, Y: 0.1}},
	} {
		for name, body := range hulls(t) {
			worst := 0.0
			for range 12 {
				rot := stokes.RandRot(r)
				hull := body.Rotated(&rot)
				x := c.about.AddScaled(0.2, stokes.RandVec(r))
				least := math.Inf(1)
				for _, p := range surfacePoints(&hull) {
					dot := stokes.Hull{}
					least = min(least, c.walls.Gap(x.Add(p), &dot))
				}
				got := c.walls.Gap(x, &hull)
				if least > -0.05 && !math.IsInf(least, 1) {
					worst = max(worst, least-got)
				}
				if got > least+1e-3 && least > -0.05 {
					t.Errorf("%s, %s: gap %g, least of points %g", c.name, name, got, least)
				}
			}
			if t.Logf("%s, %s: below the gap of points by %.2g", c.name, name, worst); worst > 0.02 {
				t.Errorf("%s, %s: below the gap of points by %g", c.name, name, worst)
			}
		}
	}
}

// TestBodiesStand: under a force toward the floor, bodies on a face or on the side
// of a cylinder neither move nor turn, within what the iterations of contact leave, and a moment that the
// face cannot balance tips them over.
func TestBodiesStand(t *testing.T) {
	floor := stokes.MustWalls(t, []stokes.Plane{{Normal: spatial.Vec{Z: 1}}}, nil, 0)
	m := stokes.Mobility{Trans: spatial.Identity3(), Rot: spatial.Identity3()}
	for name, body := range hulls(t) {
		for _, up := range []spatial.Mat3{
			spatial.Identity3(),
			spatial.FromColumns(spatial.Vec{Z: 1}, spatial.Vec{X: 1}, spatial.Vec{Y: 1}),
			spatial.FromColumns(spatial.Vec{X: math.Sqrt(0.5), Y: math.Sqrt(0.5)}, spatial.Vec{X: -math.Sqrt(0.5), Y: math.Sqrt(0.5)}, spatial.Vec{Z: 1}),
		} {
			hull := body.Rotated(&up)
			x := spatial.Vec{Z: hull.HalfWidth(spatial.Vec{Z: 1})}
			down := spatial.Wrench{Force: spatial.Vec{Z: -1}}
			got, reaction := floor.React(x, &hull, &m, m.Apply(down))
			if v := got.Linear.Norm() + got.Angular.Norm(); v > 1e-4 || math.Abs(reaction.Force.Z-1) > 1e-4 {
				t.Errorf("%s: moves with %v under its weight, reaction %v", name, got, reaction)
			}
			// a moment that its base cannot balance tips it over
			tip := spatial.Wrench{Force: down.Force, Moment: spatial.Vec{Y: 2}}
			if got, _ := floor.React(x, &hull, &m, m.Apply(tip)); got.Angular.Y <= 0 {
				t.Errorf("%s: a moment leaves it at rest: %v", name, got)
			}
		}
	}
}
