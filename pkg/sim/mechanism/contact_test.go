package mechanism_test

import (
	"math"
	"strings"
	"testing"

	"sinew/pkg/sim/mechanism"
	"sinew/pkg/sim/mechanism/joint"
	"sinew/pkg/sim/rod"
	"sinew/pkg/sim/shape"
	"sinew/pkg/sim/shape/mesh"
	"sinew/pkg/sim/spatial"
	"sinew/test/testsize"
)

const earth = 9.80665

func sphere(t testing.TB, radius float64) shape.Shape {
	t.Helper()
	s, err := shape.NewSphere(spatial.Vec{}, radius)
	return must(t, s, err)
}

func boxed(t testing.TB, size spatial.Vec) shape.Shape {
	t.Helper()
	s, err := mechanism.NewBox(size, spatial.IdentityPose())
	return must(t, s, err)
}

func floor(t testing.TB, friction float64) mechanism.Wall {
	t.Helper()
	s, err := shape.NewPlane(spatial.Vec{}, spatial.Vec{Z: 1})
	return mechanism.Wall{Name: "floor", Shape: must(t, s, err), Friction: friction}
}

// handOfThree holds a ball with three elastic fingers, whose jaws a force presses inwards.
func handOfThree(t testing.TB, friction, force float64) mechanism.Parameters {
	const radius, finger, mass = 0.02, 0.002, 0.05
	p := mechanism.Parameters{Gravity: spatial.Vec{Z: -earth}}
	for i, name := range []string{"1", "2", "3"} {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / 3)
		out := spatial.Vec{X: cos, Y: sin}
		at := spatial.Pose{R: spatial.ExpRot(spatial.Vec{Z: 2 * math.Pi * float64(i) / 3}), P: out.Scale(radius + finger).Add(spatial.Vec{Z: 0.05})}
		p.Bodies = append(p.Bodies, mechanism.Body{
			Name: "jaw " + name, Mass: 0.02, Inertia: [6]float64{1e-5, 1e-5, 1e-5}, Pose: &at,
			Loads: []mechanism.Load{{Wrench: spatial.Wrench{Force: out.Scale(-force)}}},
		})
		p.Rods = append(p.Rods, mechanism.Rod{
			Name: "finger " + name, KelvinVoigt: 1e-4, Friction: friction,
			Parameters: rod.Params{
				Length: 0.08, Elements: 5, Order: 4, Section: rod.Circle(finger),
				Material: rod.Material{YoungsModulus: 60e9, ShearModulus: 23e9, Density: 6450, ShearCorrection: 0.96},
			},
		})
		p.Joints = append(p.Joints, mechanism.Joint{
			Name: "slide " + name, Type: joint.Prismatic, Axis: spatial.Vec{X: 1}, Spring: []mechanism.Spring{{Damping: 2}},
			Parent: mechanism.JointSide{Frame: at}, Child: mechanism.JointSide{Link: "jaw " + name},
		}, mechanism.Joint{
			Name: "clamp " + name, Type: joint.Fixed,
			Parent: mechanism.JointSide{Link: "jaw " + name, Frame: spatial.Pose{R: spatial.ExpRot(spatial.Vec{X: math.Pi})}}, Child: mechanism.JointSide{Link: "finger " + name},
		})
	}
	p.Bodies = append(p.Bodies, mechanism.Body{
		Name: "ball", Mass: mass, Inertia: [6]float64{8e-6, 8e-6, 8e-6}, Friction: friction, Pose: &spatial.Pose{R: spatial.Identity3()},
		Shapes: []mechanism.Shape{{Shape: sphere(t, radius)}},
	})
	return p
}

// TestThreeFingersHoldABall for a minute where 3 μ F exceeds its weight, and let it slip below.
func TestThreeFingersHoldABall(t *testing.T) {
	testsize.SkipInShort(t)
	const force = 2.0
	critical := 0.05 * earth / (3 * force)
	for _, c := range []struct{ h, duration float64 }{{0.01, 60}, {0.002, 3}} {
		h := c.h
		w := mustWorld(t, handOfThree(t, 1.1*critical, force))
		march(t, w, h, 0, 1)
		at := w.BodyPose(3)
		march(t, w, h, 1, c.duration)
		end := w.BodyPose(3)
		creep, turn := end.P.Sub(at.P).Norm(), at.R.TMul(end.R).Log().Norm()
		t.Logf("step %g s: falls by %.3g m while the jaws close, then creeps by %.3g m and %.3g rad", h, -at.P.Z, creep, turn)
		if at.P.Z < -0.002 || creep > 5e-5 || turn > 1e-3 {
			t.Errorf("step %g s: the ball falls by %.3g m, allowed 2e-3 m, and creeps by %.3g m and %.3g rad, allowed 5e-5 m and 1e-3 rad", h, -at.P.Z, creep, turn)
		}
		w = mustWorld(t, handOfThree(t, 0.9*critical, force))
		march(t, w, h, 0, 0.3) // it falls out of the fingers, which then meet
		if fallen := -w.BodyPose(3).P.Z; fallen < 0.02 {
			t.Errorf("step %g s: friction of 0.9 of the critical one lets the ball slip by %.3g m in 0.3 s", h, fallen)
		}
	}
}

// TestBoxStaysOnASlope for a minute above the critical friction, and slides below.
func TestBoxStaysOnASlope(t *testing.T) {
	c := golden(t, "box_stays")
	critical := math.Tan(0.4)
	slope := func(mu float64) mechanism.Parameters {
		p := c.Robot.parameters(1)
		p.Bodies[0].Friction, p.Walls[0].Friction = mu, 1
		return p
	}
	w := mustWorld(t, slope(1.02*critical))
	march(t, w, 0.01, 0, 1)
	at := w.BodyPose(0).P
	march(t, w, 0.01, 1, 60)
	if creep := w.BodyPose(0).P.Sub(at).Norm(); creep > 1e-6 {
		t.Errorf("the box creeps by %.3g m", creep)
	}
	w = mustWorld(t, slope(0.98*critical))
	march(t, w, 0.01, 0, 1)
	if d, want := w.BodyPose(0).P.Sub(at).Norm(), 0.5*earth*0.02*math.Sin(0.4); math.Abs(d/want-1) > 0.1 {
		t.Errorf("the box slides by %.4g m, want %.4g m", d, want)
	}
}

// TestStackOfBoxes: each contact carries what is above it, and the stack stays.
func TestStackOfBoxes(t *testing.T) {
	p := mechanism.Parameters{Gravity: spatial.Vec{Z: -earth}, Walls: []mechanism.Wall{floor(t, 0.5)}}
	for i, name := range []string{"low", "middle", "top"} {
		b := shaped(name, boxed(t, spatial.Vec{X: 0.06, Y: 0.05, Z: 0.04}), spatial.Vec{X: 0.004 * float64(i), Z: 0.02 + 0.04*float64(i)}, spatial.Vec{Z: 0.5 * float64(i)})
		p.Bodies = append(p.Bodies, b)
	}
	w := mustWorld(t, p)
	march(t, w, 0.002, 0, 1)
	at := w.BodyPose(2)
	march(t, w, 0.002, 1, 2)
	if d := w.BodyPose(2).P.Sub(at.P).Norm(); d > 1e-6 || math.Abs(at.P.Z-0.1) > 1e-4 {
		t.Errorf("the top is at %.6g m, want 0.1 m, and creeps by %.3g m", at.P.Z, d)
	}
	force := map[string]float64{}
	for _, o := range w.AppendContacts(nil) {
		names := []string{o.A, o.B}
		for i, n := range names {
			force[n] += o.Force.Z * float64(1-2*i)
		}
	}
	for name, want := range map[string]float64{"floor": -0.3 * earth, "low": 0.1 * earth, "middle": 0.1 * earth, "top": 0.1 * earth} {
		if math.Abs(force[name]-want) > 1e-4*earth {
			t.Errorf("contacts push %s by %.6g N, want %.6g N", name, force[name], want)
		}
	}
}

// TestCollisionsKeepMomentum: two balls meet off centre, with friction.
func TestCollisionsKeepMomentum(t *testing.T) {
	last := math.Inf(1)
	for _, h := range []float64{0.0005, 0.00025, 0.000125} {
		a := shaped("a", sphere(t, 0.02), spatial.Vec{X: -0.03}, spatial.Vec{})
		b := shaped("b", sphere(t, 0.01), spatial.Vec{X: 0.01, Y: 0.012}, spatial.Vec{})
		a.Velocity = &spatial.Twist{Linear: spatial.Vec{X: 1}, Angular: spatial.Vec{Y: 5, Z: 3}}
		b.Velocity = &spatial.Twist{}
		w := mustWorld(t, mechanism.Parameters{Bodies: []mechanism.Body{a, b}})
		p0, l0 := w.Momentum()
		k0, _, _ := w.Energy()
		hit := false
		for range int(0.05 / h) {
			march(t, w, h, 0, h)
			hit = hit || len(w.AppendContacts(nil)) > 0
		}
		p, l := w.Momentum()
		k, _, _ := w.Energy()
		if !hit || w.BodyVelocity(1).Linear.Norm() < 0.1 {
			t.Fatal("the balls do not meet")
		}
		if d := p.Sub(p0).Norm(); d > 1e-9 {
			t.Errorf("momentum changes by %.3g of %.3g N s", d, p0.Norm())
		}
		// of order 1 in the step, since velocities turn within the step of the impact
		d := l.Sub(l0).Norm()
		if d > 0.03*l0.Norm() || d > 0.65*last {
			t.Errorf("step %g s: angular momentum changes by %.3g of %.3g N m s, and by %.3g with twice the step", h, d, l0.Norm(), last)
		}
		last = d
		if !(k < k0) {
			t.Errorf("kinetic energy grows from %.6g to %.6g J", k0, k)
		}
	}
}

// TestImpactsArePlastic: a ball falls on the floor and stays, whatever the step is.
func TestImpactsArePlastic(t *testing.T) {
	for _, h := range []float64{0.005, 0.002, 0.001, 0.0005, 0.0003, 0.0002, 0.0001} {
		w := mustWorld(t, mechanism.Parameters{
			Gravity: spatial.Vec{Z: -earth}, Walls: []mechanism.Wall{floor(t, 0.5)},
			Bodies: []mechanism.Body{shaped("ball", sphere(t, 0.02), spatial.Vec{Z: 0.1}, spatial.Vec{})},
		})
		low, high := math.Inf(1), 0.0
		for i := range int(0.4 / h) {
			march(t, w, h, 0, h)
			z := w.BodyPose(0).P.Z
			low = min(low, z)
			if float64(i)*h > math.Sqrt(2*0.08/earth)+3*h {
				high = max(high, z)
			}
		}
		t.Logf("step %g s: at least %.3g m within, back up by %.3g m", h, 0.02-low, high-0.02)
		if 0.02-low > 0.01*0.02 || high-0.02 > 1e-4*0.08 {
			t.Errorf("step %g s: the ball goes %.3g m into the floor, and back up by %.3g m", h, 0.02-low, high-0.02)
		}
	}
}

// TestRodFallsOnARod and on the floor, and comes to rest on both.
func TestRodFallsOnARod(t *testing.T) {
	make := func(name string, at, turn spatial.Vec) mechanism.Rod {
		r := shortRod(name, at, turn)
		r.Parameters.Elements, r.KelvinVoigt = 6, 2e-3
		r.Parameters.Material.YoungsModulus, r.Parameters.Material.ShearModulus = 1e7, 4e6
		return r
	}
	w := mustWorld(t, mechanism.Parameters{
		Gravity: spatial.Vec{Z: -earth}, Walls: []mechanism.Wall{floor(t, 0.5)},
		Rods: []mechanism.Rod{make("a", spatial.Vec{X: -0.05, Z: 0.004}, spatial.Vec{Y: math.Pi / 2}), make("b", spatial.Vec{Y: 0.045, Z: 0.03}, spatial.Vec{X: math.Pi / 2})},
	})
	march(t, w, 0.001, 0, 1.5)
	for i := range 2 {
		for _, g := range w.NodePoses(i) {
			if g.P.Z < 0.004-1e-4 {
				t.Errorf("a node of rod %d is at %.4g m, %.3g m within the floor", i, g.P.Z, 0.004-g.P.Z)
			}
		}
	}
	var floors float64
	isCrossed := false
	for _, o := range w.AppendContacts(nil) {
		if o.A == "floor" {
			floors -= o.Force.Z
		}
		if o.B == "floor" {
			floors += o.Force.Z
		}
		isCrossed = isCrossed || o.A == "a" && o.B == "b"
	}
	if want := 2 * 1000 * math.Pi * 0.004 * 0.004 * 0.1 * earth; math.Abs(floors/want-1) > 0.01 {
		t.Errorf("the floor carries %.4g N of %.4g N", floors, want)
	}
	if !isCrossed {
		t.Error("the rods do not touch")
	}
}

// TestWhatDoesNotTouch: joined links and ignored pairs go through each other.
func TestWhatDoesNotTouch(t *testing.T) {
	two := func() mechanism.Parameters {
		return mechanism.Parameters{Bodies: []mechanism.Body{
			shaped("a", sphere(t, 0.02), spatial.Vec{}, spatial.Vec{}), shaped("b", sphere(t, 0.02), spatial.Vec{X: 0.039}, spatial.Vec{}),
		}}
	}
	p := two()
	if n := len(mustWorld(t, p).AppendContacts(nil)); n != 1 {
		t.Errorf("two balls have %d contacts, want 1", n)
	}
	p.Joints = []mechanism.Joint{{Name: "j", Type: joint.Spherical, Parent: mechanism.JointSide{Link: "a"}, Child: mechanism.JointSide{Link: "b", Frame: spatial.Pose{R: spatial.Identity3(), P: spatial.Vec{X: -0.039}}}}}
	if n := len(mustWorld(t, p).AppendContacts(nil)); n != 0 {
		t.Errorf("joined balls have %d contacts", n)
	}
	for _, names := range [][2]string{{"a", "b"}, {"b", "a"}, {"a.cap", "b"}} {
		p = two()
		p.Bodies[0].Shapes[0].Name = "cap"
		p.Ignore = [][2]string{names}
		if n := len(mustWorld(t, p).AppendContacts(nil)); n != 0 {
			t.Errorf("ignored %q: %d contacts", names, n)
		}
	}
	p = two()
	p.Ignore = [][2]string{{"a", "nobody"}}
	if _, err := mechanism.New(p); err == nil || !strings.Contains(err.Error(), `"nobody" is no wall, rod or body with shapes`) {
		t.Errorf("error %v", err)
	}
	p = two()
	p.Bodies[1].Pose.P.X = 0.025
	if _, err := mechanism.New(p); err == nil || !strings.Contains(err.Error(), `"a" and "b" overlap by 0.015 m`) {
		t.Errorf("error %v", err)
	}
	p = two()
	p.Bodies[0].Friction = -1
	if _, err := mechanism.New(p); err == nil || !strings.Contains(err.Error(), "friction coefficient of -1") {
		t.Errorf("error %v", err)
	}
}

// TestPairFriction comes before that of the links: a box whose own friction would hold it slides.
func TestPairFriction(t *testing.T) {
	c := golden(t, "box_stays")
	p := c.Robot.parameters(1)
	p.Pairs = []mechanism.PairFriction{{Of: [2]string{"slope", "box"}, Friction: 0.3}}
	w := mustWorld(t, p)
	start := w.BodyPose(0).P
	march(t, w, 0.001, 0, 0.5)
	if d, want := w.BodyPose(0).P.Sub(start).Norm(), 0.1386415684437; math.Abs(d/want-1) > 0.02 {
		t.Errorf("the box slides by %.5g m, want %.5g m", d, want)
	}
	p.Pairs[0].Friction = -1
	if _, err := mechanism.New(p); err == nil || !strings.Contains(err.Error(), "coefficient of -1") {
		t.Errorf("error %v", err)
	}
	p.Pairs[0].Of[0] = "nobody"
	if _, err := mechanism.New(p); err == nil || !strings.Contains(err.Error(), `friction pair "nobody", "box": "nobody" is no wall`) {
		t.Errorf("error %v", err)
	}
}

// TestPlateCarriesABox: friction on a plate that is moved and turned takes a box along, up to its limit.
func TestPlateCarriesABox(t *testing.T) {
	const h, duration = 0.002, 1.0
	for _, c := range []struct {
		amplitude float64 // of x, m: the acceleration is 20 times as large
		stays     bool
	}{{0.15, true}, {0.3, false}} { // friction gives 0.4 g = 3.9 m/s²
		plate := shaped("plate", boxed(t, spatial.Vec{X: 0.5, Y: 0.3, Z: 0.02}), spatial.Vec{Z: -0.01}, spatial.Vec{})
		plate.IsFixed = true
		box := shaped("box", boxed(t, spatial.Vec{X: 0.05, Y: 0.04, Z: 0.02}), spatial.Vec{X: 0.02, Z: 0.01}, spatial.Vec{Z: 0.4})
		w := mustWorld(t, mechanism.Parameters{Gravity: spatial.Vec{Z: -earth}, Bodies: []mechanism.Body{plate, box}})
		relative := func() spatial.Pose { return w.BodyPose(0).Inv().Mul(w.BodyPose(1)) }
		march(t, w, h, 0, 0.1)
		start, most := relative(), 0.0
		for i := range int(duration / h) {
			now := float64(i+1) * h
			angle := 0.3 * (1 - math.Cos(3*now))
			g := spatial.Pose{R: spatial.ExpRot(spatial.Vec{Z: angle}), P: spatial.Vec{X: c.amplitude * (1 - math.Cos(math.Sqrt(20)*now)), Z: -0.01}}
			w.MoveBody(0, g)
			march(t, w, h, 0, h)
			most = max(most, relative().P.Sub(start.P).Norm())
		}
		if c.stays != (most < 5e-6) || !c.stays && most < 0.01 {
			t.Errorf("amplitude %g m: the box slips by %.3g m on the plate", c.amplitude, most)
		}
		state := make([]float64, w.StateLen())
		w.Save(state)
		at := relative()
		march(t, w, h, 0, 0.1)
		w.Restore(state)
		if relative() != at {
			t.Errorf("amplitude %g m: restored, the box is elsewhere", c.amplitude)
		}
	}
}

// TestRodInATube: a rod falls along a bent tube, and stays within it.
func TestRodInATube(t *testing.T) {
	points := []spatial.Vec{{Z: 0.07}, {Z: 0.05}, {Z: 0.03}, {Z: 0.01}}
	for i := range 31 {
		angle := math.Pi / 2 * float64(i) / 30
		points = append(points, spatial.Vec{X: 0.1 * (1 - math.Cos(angle)), Z: -0.1 * math.Sin(angle)})
	}
	s, err := shape.NewTube(points, []float64{0.01}, false)
	r := shortRod("a", spatial.Vec{X: 0.004, Z: 0.055}, spatial.Vec{X: math.Pi, Y: 0})
	r.Parameters.Elements, r.Parameters.Length, r.KelvinVoigt = 6, 0.06, 2e-3
	r.Parameters.Material.YoungsModulus, r.Parameters.Material.ShearModulus = 1e7, 4e6
	r.Friction = 0.1
	w := mustWorld(t, mechanism.Parameters{
		Gravity: spatial.Vec{Z: -earth}, Rods: []mechanism.Rod{r}, Walls: []mechanism.Wall{{Name: "tube", Shape: must(t, s, err), Friction: 0.1}},
	})
	for range 200 {
		march(t, w, 0.001, 0, 0.001)
		for _, o := range w.AppendContacts(nil) {
			if -o.Gap > 0.01*0.004 {
				t.Fatalf("the rod is %.3g m within the tube at %v", -o.Gap, o.Point)
			}
		}
	}
	for _, g := range w.NodePoses(0) {
		if d := math.Abs(math.Hypot(g.P.X-0.1, g.P.Z) - 0.1); g.P.X < 0.1 && d > 0.006+1e-4 {
			t.Errorf("a node is %.4g m from the centre line, want at most 0.006 m", d)
		}
	}
	if z := w.NodePoses(0)[0].P.Z; z > -0.04 {
		t.Errorf("the start has come to %.3g m", z)
	}
}

// cuboid returns one of triangles.
func cuboid(t testing.TB) shape.Shape {
	t.Helper()
	f := &mesh.STL{}
	h := [3]float64{0.03, 0.025, 0.02}
	for axis := range 3 {
		for _, side := range []float64{-1, 1} {
			corner := func(u, v float64) spatial.Vec {
				var p [3]float64
				p[axis], p[(axis+1)%3], p[(axis+2)%3] = side*h[axis], u*h[(axis+1)%3], side*v*h[(axis+2)%3]
				return vec(p)
			}
			a, b, c, d := corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1)
			f.Triangles = append(f.Triangles, mesh.Triangle{a, b, c}, mesh.Triangle{a, c, d})
		}
	}
	s, err := shape.NewMesh(f, mesh.Options{Scale: 1, Reach: 0.02})
	return must(t, s, err)
}

// TestMeshesDoNotTouchEachOther, or planes: such a pair is refused, with a cure.
func TestMeshesDoNotTouchEachOther(t *testing.T) {
	p := mechanism.Parameters{
		Bodies: []mechanism.Body{shaped("cube", cuboid(t), spatial.Vec{Z: 0.0302}, spatial.Vec{})},
		Walls:  []mechanism.Wall{floor(t, 0.5)},
	}
	if _, err := mechanism.New(p); err == nil || !strings.Contains(err.Error(), `contact of "cube" with "floor" is not supported`) || !strings.Contains(err.Error(), "ignore the pair") {
		t.Errorf("a mesh and a floor: %v", err)
	}
	p.Walls = nil
	p.Bodies = append(p.Bodies, shaped("other", cuboid(t), spatial.Vec{Z: 0.2}, spatial.Vec{}))
	if _, err := mechanism.New(p); err == nil || !strings.Contains(err.Error(), `contact of "other" with "cube" is not supported`) {
		t.Errorf("two meshes: %v", err)
	}
	p.Ignore = [][2]string{{"cube", "other"}}
	mustWorld(t, p)
}

// TestMeshOnBalls: a cube of triangles rests on three balls.
func TestMeshOnBalls(t *testing.T) {
	cube := shaped("cube", cuboid(t), spatial.Vec{Z: 0.0302}, spatial.Vec{})
	p := mechanism.Parameters{Gravity: spatial.Vec{Z: -earth}, Bodies: []mechanism.Body{cube}}
	for i, at := range []spatial.Vec{{X: 0.015}, {X: -0.008, Y: 0.013}, {X: -0.008, Y: -0.013}} {
		b := shaped(string(rune('a'+i)), sphere(t, 0.01), at, spatial.Vec{})
		b.IsFixed = true
		p.Bodies = append(p.Bodies, b)
	}
	w := mustWorld(t, p)
	march(t, w, 0.001, 0, 0.5)
	at := w.BodyPose(0)
	march(t, w, 0.001, 0.5, 1)
	var up float64
	for _, o := range w.AppendContacts(nil) {
		up += math.Abs(o.Force.Z)
	}
	if creep := w.BodyPose(0).P.Sub(at.P).Norm(); math.Abs(at.P.Z-0.03) > 2e-4 || creep > 1e-6 || math.Abs(up-0.1*earth) > 1e-4 {
		t.Errorf("the cube is at %.5g m, want 0.03 m, creeps by %.3g m, and is held by %.5g N of %.5g N", at.P.Z, creep, up, 0.1*earth)
	}
}

// TestSavesAllContacts: more contact points than a saved state has are an error, at t = 0, in a step and in an equilibrium.
func TestSavesAllContacts(t *testing.T) {
	bed := func(count int, height float64) mechanism.Parameters {
		b := mechanism.Body{
			Name: "bed", Mass: 1, Inertia: [6]float64{1, 1, 1}, Friction: 0.5,
			Pose: &spatial.Pose{R: spatial.Identity3(), P: spatial.Vec{Z: height}},
		}
		for i := range count {
			ball, err := shape.NewSphere(spatial.Vec{X: (float64(i%40) - 19.5) * 0.01, Y: (float64(i/40) - 12.5) * 0.01}, 0.004)
			b.Shapes = append(b.Shapes, mechanism.Shape{Shape: must(t, ball, err)})
		}
		return mechanism.Parameters{Gravity: spatial.Vec{Z: -earth}, Bodies: []mechanism.Body{b}, Walls: []mechanism.Wall{floor(t, 0.5)}}
	}
	const want = "1040 contact points act at once, allowed 1024"
	refused := func(what string, err error) {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want one with %q", what, err, want)
		}
	}
	_, err := mechanism.New(bed(1040, 0.004-1e-7))
	refused("at t = 0", err)
	refused("in a step", mustWorld(t, bed(1040, 0.00401)).Step(0.01))
	refused("in an equilibrium", mustWorld(t, bed(1040, 0.00401)).Equilibrate())

	w := mustWorld(t, bed(1000, 0.00401))
	march(t, w, 0.001, 0, 0.05)
	state := make([]float64, w.StateLen())
	w.Save(state)
	other := mustWorld(t, bed(1000, 0.00401))
	other.Restore(state)
	if a, b := len(w.AppendContacts(nil)), len(other.AppendContacts(nil)); a != 1000 || b != a {
		t.Errorf("%d of 1000 contact points act, %d after Restore", a, b)
	}
}
