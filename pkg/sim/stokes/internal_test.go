package stokes

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/integrate/quad"

	"sinew/pkg/sim/shape"
	"sinew/pkg/sim/spatial"
	"sinew/test/testsize"
)

// Tests of what has no exported name.

// In a corner of two planes both react, and neither pulls.
func TestCornerHoldsTheSphere(t *testing.T) {
	// the second wall leans over: pushing on one presses into the other
	lean := spatial.Vec{X: 1, Z: -0.5}.Unit()
	w := MustWalls(t, []Plane{{Normal: spatial.Vec{Z: 1}}, {Normal: lean}}, nil, 1e-2)
	hull := Hull{Ellipsoid: spatial.Identity3()}
	x := w.PushOut(spatial.Vec{X: 1, Z: 0.9}, &hull)
	if gap := w.Gap(x, &hull); math.Abs(gap-1e-2) > 2e-3 {
		t.Fatalf("gap %g", gap)
	}
	x = w.corner(x, &hull)
	m := w.Mobility(x, 1, 1)
	got, _ := w.React(x, &hull, &m, m.Apply(spatial.Wrench{Force: spatial.Vec{X: -1, Z: -1}}))
	if v := got.Linear; v.Z < -1e-9 || v.Dot(lean) < -1e-9 {
		t.Errorf("moves with %v, into a wall", v)
	}
}

// corner moves x by alternating pushes until it touches both.
func (w *Walls) corner(x spatial.Vec, hull *Hull) spatial.Vec {
	for range 100 {
		for i := range w.count() {
			h, n := w.nearest(i, x)
			x = x.AddScaled(w.roughness-h+hull.HalfWidth(n), n)
		}
	}
	return x
}

// The reference solves Lighthill's equations on segments as long as their cut-off.
// Halving the segments moves its coupling by 1.4 %, because those equations are
// ill-posed for short waves, its drag and torque by 0.4 %. Ours move by 0.1 %.
func TestHelixAgainstLighthill(t *testing.T) {
	testsize.SkipInShort(t)
	var g struct {
		Rows []struct {
			Length float64 `json:"L_over_R"`
			Pitch  float64 `json:"lambda_over_R"`
			Wire   float64 `json:"a_over_R"`
			SBT    struct{ D, F, T float64 }
		}
	}
	ReadJSON(t, "helix_resistance.json", &g)
	if len(g.Rows) != 5 {
		t.Fatalf("%d rows", len(g.Rows))
	}
	for _, row := range g.Rows {
		c := Coil{Length: row.Length, Radius: 1, Pitch: row.Pitch, WireRadius: row.Wire}
		s := MustHelix(t, c)
		w := c.wire()
		r := s.Resistance
		Close1(t, "drag", r.Trans.XX, row.SBT.D, 0.004)
		Close1(t, "coupling", r.Coupling.XX, row.SBT.F, 0.012)
		// the reference leaves out the spin of the wire
		Close1(t, "torque", r.Rot.XX-w.spin().XX, row.SBT.T, 0.004)
		if err := r.Check(); err != nil {
			t.Error(err)
		}
	}
}

// The points converge, at first order because of the wire's ends: short coils, whose
// ends count most, across their axis.
func TestHelixConverges(t *testing.T) {
	c := Coil{Length: 10, Radius: 1, Pitch: 5, WireRadius: 0.1}
	axial := func(n int) []float64 {
		w := c.wire()
		w.length, w.n = w.step*float64(w.n), n
		w.step, w.advance = w.length/float64(n), c.Length/float64(n)
		w.turn = 2 * math.Pi * w.advance / c.Pitch
		l := w.solve()
		return []float64{l[0].Force.X, l[3].Force.X, l[3].Moment.X, l[1].Force.Y, l[4].Moment.Y, l[4].Force.Y}
	}
	n := c.wire().n
	best := axial(4 * n)
	got, coarser := axial(n), axial(n/2)
	for i := range best {
		Close1(t, "fine", got[i], best[i], 5e-3)
		Close1(t, "coarse", coarser[i], best[i], 1.1e-2)
		if i < 3 { // along the axis
			Close1(t, "fine, along the axis", got[i], best[i], 2.5e-3)
		}
	}
}

// Block Levinson against the equations that it solves.
func TestToeplitzSolves(t *testing.T) {
	c := Coil{Length: 3, Radius: 1, Pitch: 2, WireRadius: 0.1}
	w := c.wire()
	k := w.kernel()
	s := newToeplitz(k)
	for i := range w.n {
		p, _ := w.point(i)
		s.extend(field(p))
	}
	for i := range w.n {
		p, _ := w.point(i)
		want := field(p)
		var got [motions]spatial.Vec
		for j := range w.n {
			m := k[max(i-j, j-i)]
			if j > i {
				m = m.T()
			}
			for n := range got {
				got[n] = got[n].Add(m.Apply(s.x[j][n]))
			}
		}
		Near(t, "T x", FlatV(got[:]...), FlatV(want[:]...), 1e-10)
	}
}

// The sums over tiles are those of the definition, every sphere with every other by
// itself: of any number of spheres, in any number of parts.
func TestInteractionIsThatOfEveryPair(t *testing.T) {
	for _, n := range []int{1, 2, 3, 4, 5, 63, 64, 65, 150, 200} {
		for _, box := range []float64{3, 100} {
			s, x, loads := SwarmOf(t, n, box)
			want := make([]spatial.Twist, n)
			for i := range x {
				want[i] = s.Alone(i, loads[i])
				for j := range x {
					if r := x[i].Sub(x[j]); i != j {
						p := newPair(r.Norm2(), s.radii[i], s.radii[j]).times(s.scale)
						want[i] = p.add(want[i], r, &loads[j])
					}
				}
			}
			for _, parts := range []int{1, 3, 4, 7} {
				got := make([]spatial.Twist, n)
				for i := range got {
					got[i] = s.Alone(i, loads[i])
				}
				for part := range parts {
					s.AddInteraction(got, x, loads, part, parts)
				}
				Near(t, "motions", FlatT(got), FlatT(want), 1e-14)
			}
		}
	}
}

// Spheres of radius 1, over 1/(6πη): along and across the line of centres.
func TestRotnePragerNumbers(t *testing.T) {
	for _, c := range []struct{ r, along, across float64 }{
		{3, 3./6 - 1./27, 1./4 + 1./54},
		{2, 0.625, 0.4375},
		{1, 0.8125, 0.71875},
		{1e-9, 1, 1},
	} {
		p := newPair(c.r*c.r, 1, 1)
		Close1(t, "along", 0.75*(p.tt+p.th*c.r*c.r), c.along, 1e-8)
		Close1(t, "across", 0.75*p.tt, c.across, 1e-8)
	}
	// far away: the torque's flow T × r/(8πηr³), and half its curl
	p := newPair(16, 1, 1)
	Near(t, "rotation", []float64{p.tr, p.rt, p.rr, p.rr + 16*p.rh}, []float64{1. / 64, 1. / 64, -1. / 128, 1. / 64}, 1e-14)
}

// flowOf returns the flow (times 8πη) at r from the centre of a sphere of radius b
// that force f and torque m act on, spread evenly over its surface.
func flowOf(r spatial.Vec, b float64, f, m spatial.Vec) spatial.Vec {
	r2 := r.Norm2()
	if r2 <= b*b { // inside, it moves as one
		return f.Scale(4/(3*b)).AddScaled(1/(b*b*b), m.Cross(r))
	}
	d := math.Sqrt(r2)
	u := f.Scale(1/d).AddScaled(r.Dot(f)/(d*r2), r)
	// b²/6 of the Laplacian of the Oseen tensor
	u = u.AddScaled(b*b/(3*d*r2), f).AddScaled(-b*b*r.Dot(f)/(d*r2*r2), r)
	return u.AddScaled(1/(d*r2), m.Cross(r))
}

// Rotne, Prager and Yamakawa's mobility is the mean of that flow over the surface
// of the other sphere, and 3/(2a) of the mean of n × flow: by quadrature, for
// spheres apart, overlapping and inside each other.
func TestPairIsTheSurfaceMean(t *testing.T) {
	rnd := NewRand()
	for _, c := range []struct {
		name    string
		r, a, b float64
	}{
		{"apart", 3.7, 1, 1.5},
		{"overlapping", 1.3, 1, 1},
		{"deep", 0.2, 1, 1},
		{"small in large", 0.9, 0.7, 1.4},
		{"inside", 0.3, 0.5, 1.2},
		{"around", 0.3, 1.2, 0.5},
		{"nearly touching", 2.6999, 1.2, 1.5},
	} {
		t.Run(c.name, func(t *testing.T) {
			f, m := RandVec(rnd), RandVec(rnd)
			rot := RandRot(rnd)
			r := rot.Col3().Scale(c.r)
			v, w := surfaceMean(c.a, c.b, r, rot, f, m)
			p := newPair(c.r*c.r, c.a, c.b)
			got := p.add(spatial.Twist{}, r, &spatial.Wrench{Force: f, Moment: m})
			Near(t, "velocity", FlatV(got.Linear), FlatV(v), 1e-9)
			Near(t, "spin", FlatV(got.Angular), FlatV(w), 1e-9)
		})
	}
}

// surfaceMean integrates over the sphere of radius a at r = |r| rot.Col3, in parts
// inside and outside of the other.
func surfaceMean(a, b float64, r spatial.Vec, rot spatial.Mat3, f, m spatial.Vec) (v, w spatial.Vec) {
	const nodes, around = 60, 12
	d := r.Norm()
	split := max(-1, min(1, (b*b-a*a-d*d)/(2*a*d)))
	for _, part := range [][2]float64{{-1, split}, {split, 1}} {
		z, weight := make([]float64, nodes), make([]float64, nodes)
		if part[0] == part[1] {
			continue
		}
		quad.Legendre{}.FixedLocations(z, weight, part[0], part[1])
		for i := range z {
			for k := range around {
				sin, cos := math.Sincos(2 * math.Pi * float64(k) / around)
				s := math.Sqrt(1 - z[i]*z[i])
				n := rot.Apply(spatial.Vec{X: s * cos, Y: s * sin, Z: z[i]})
				u := flowOf(r.AddScaled(a, n), b, f, m)
				v = v.AddScaled(0.5*weight[i]/around, u)
				w = w.AddScaled(0.5*weight[i]/around*1.5/a, n.Cross(u))
			}
		}
	}
	return v, w
}

// The gap of an ellipsoid is the least distance of all its points, in any wall.
func TestGapOfEllipsoid(t *testing.T) {
	rnd := NewRand()
	bend := []spatial.Vec{{}, {X: 4, Y: 0.3}, {X: 7, Y: 2}, {X: 8, Y: 6}}
	ball, err1 := shape.NewSphere(spatial.Vec{}, 0.7)
	rod, err2 := shape.NewCapsule(spatial.Vec{X: -1}, spatial.Vec{X: 2, Y: 1}, 0.05)
	tube, err3 := shape.NewTube(bend, []float64{1.2}, true)
	for _, w := range []struct {
		name  string
		walls *Walls
		about spatial.Vec
	}{
		{"ball", SurfacesOf(t, ball, err1), spatial.Vec{Z: 1.5}},
		{"thin capsule", SurfacesOf(t, rod, err2), spatial.Vec{X: 0.5, Z: 0.6}},
		{"bent tube", SurfacesOf(t, tube, err3), spatial.Vec{X: 4, Y: 0.3}},
	} {
		for range 30 {
			rot := RandRot(rnd)
			axes := rot.Mul(spatial.Diag3(spatial.Vec{X: 0.8, Y: 0.3, Z: 0.2}))
			hull := Hull{Ellipsoid: axes.MulT(axes)}
			x := w.about.AddScaled(0.3, RandVec(rnd))
			least := math.Inf(1)
			const n = 60
			for i := range n {
				for j := range 2 * n {
					sin, cos := math.Sincos(math.Pi * (float64(i) + 0.5) / n)
					sj, cj := math.Sincos(math.Pi * float64(j) / n)
					var hint shape.Hint
					if at, ok := w.walls.surfaces[0].Shape.At(x.Add(axes.Apply(spatial.Vec{X: cos, Y: sin * cj, Z: sin * sj})), &hint); ok {
						least = min(least, at.D)
					}
				}
			}
			got := w.walls.Gap(x, &hull)
			if got > least+1e-9 || got < least-2e-3 && least > -0.03 && !math.IsInf(least, 1) {
				t.Errorf("%s: gap %g, least of points %g", w.name, got, least)
			}
		}
	}
}

// A needle across a tube is held at both ends, and cannot turn into the wall.
func TestNeedleAcrossATube(t *testing.T) {
	s, err := shape.NewTube([]spatial.Vec{{X: -5}, {X: 5}}, []float64{1}, false)
	w, hull := SurfacesOf(t, s, err), Needle
	var buffer [maxTouches]contact
	ends := [2]bool{}
	points := w.points(&buffer, 0, spatial.Vec{Y: 0.05}, &hull)
	for _, c := range points {
		if c.gap < 0.01 {
			ends[0], ends[1] = ends[0] || c.arm.Z > 0.9, ends[1] || c.arm.Z < -0.9
		}
	}
	if ends != [2]bool{true, true} {
		t.Fatalf("touches at %+v", points)
	}
	m := Mobility{Trans: spatial.Identity3(), Rot: spatial.Identity3()}
	v := w.Restrain(spatial.Vec{Y: 0.05}, &hull, &m, spatial.Twist{Linear: spatial.Vec{Y: 5}}, 0.01)
	for i := range points {
		c := &points[i]
		if closing := v.Linear.Add(v.Angular.Cross(c.arm)).Dot(c.normal); closing < -c.gap/0.01-1e-9 {
			t.Errorf("point %d goes into the wall at %g, gap %g", i, -closing, c.gap)
		}
	}
}
