package mechanism_test

import (
	"math"
	"strings"
	"testing"

	"sinew/pkg/sim/mechanism"
	"sinew/pkg/sim/mechanism/joint"
	"sinew/pkg/sim/spatial"
)

// thin returns a body with its origin at one end of a thin rod along −z.
func thin(name string, mass, length float64) mechanism.Body {
	j := mass * length * length / 12
	return mechanism.Body{Name: name, Mass: mass, CenterOfMass: spatial.Vec{Z: -length / 2}, Inertia: [6]float64{j, j, j / 100}}
}

// pendulum returns a thin rod on a hinge about y at the world's origin, at rest at the given angle.
func pendulum(angle float64) mechanism.Parameters {
	return mechanism.Parameters{
		Gravity: spatial.Vec{Z: -9.80665},
		Bodies:  []mechanism.Body{thin("bob", 0.5, 0.4)},
		Joints: []mechanism.Joint{{
			Name: "hinge", Type: joint.Revolute, Child: mechanism.JointSide{Link: "bob"},
			Axis: spatial.Vec{Y: 1}, Position: []float64{angle},
		}},
	}
}

// TestReactionFromTheFirstStep: the reaction of a pendulum, which is the multiplier of its hinge, has an
// error that falls with the square of the step, also after the first steps.
func TestReactionFromTheFirstStep(t *testing.T) {
	const m, l, g, at = 0.5, 0.4, 9.80665, 0.04
	last := 0.0
	for _, h := range []float64{0.005, 0.0025, 0.00125} {
		w := mustWorld(t, pendulum(1.2))
		worst := 0.0
		for now := 0.0; now < at-h/2; now += h {
			if err := w.Step(h); err != nil {
				t.Fatal(err)
			}
			if now < 0.005-h/2 {
				continue // the error of the very first step is of order 1
			}
			// along the rod m (g cos θ + ω² l/2) with ω² = 3 g/l (cos θ − cos θ₀)
			c := math.Cos(w.Coordinates(0)[0])
			want := m * (g*c + 1.5*g*(c-math.Cos(1.2)))
			along := w.BodyPose(0).R.ApplyT(w.Reaction(0).Force).Z
			worst = max(worst, math.Abs(along-want))
		}
		if last != 0 && worst > last/3 {
			t.Errorf("step %g s: the reaction is wrong by %.3g N after %.3g N with the double step", h, worst, last)
		}
		last = worst
	}
	if last > 1e-3 {
		t.Errorf("the reaction is wrong by %.3g N of 5 N", last)
	}
}

// TestMomentaOfFreeSystems: joints between free bodies, and a rod between them, change no momentum.
func TestMomentaOfFreeSystems(t *testing.T) {
	for _, hasRod := range []bool{false, true} {
		testMomenta(t, hasRod)
	}
}

func testMomenta(t *testing.T, hasRod bool) {
	drift := func(h float64) (linear, angular float64) {
		a, b := thin("a", 0.5, 0.4), thin("b", 0.3, 0.2)
		a.Pose = &spatial.Pose{R: spatial.Identity3()}
		a.Velocity = &spatial.Twist{Linear: spatial.Vec{X: 0.3, Y: 0.1}, Angular: spatial.Vec{X: 1, Y: -2, Z: 3}}
		params := mechanism.Parameters{Bodies: []mechanism.Body{a, b}, Joints: []mechanism.Joint{{
			Name: "hinge", Type: joint.Universal, Axis: spatial.Vec{X: 1}, SecondAxis: spatial.Vec{Y: 1},
			Parent: mechanism.JointSide{Link: "a", Frame: spatial.Pose{P: spatial.Vec{Z: -0.4}}}, Child: mechanism.JointSide{Link: "b"},
			Position: []float64{0.5, -0.7},
		}}}
		if hasRod {
			params.Rods = cut(true).Rods
			params.Rods[0].KelvinVoigt = 0.01
			params.Joints[0].Parent = mechanism.JointSide{Link: "a", At: 0.4}
			params.Joints = append(params.Joints, mechanism.Joint{Name: "root", Type: joint.Fixed, Parent: mechanism.JointSide{Link: "a"}, Child: mechanism.JointSide{Link: "a"}})
			params.Bodies[0].Name = "base"
			params.Joints[1].Parent.Link = "base"
		}
		w := mustWorld(t, params)
		p, l := w.Momentum()
		march(t, w, h, 0, 1)
		q, k := w.Momentum()
		return q.Sub(p).Norm() / p.Norm(), k.Sub(l).Norm() / l.Norm()
	}
	linear, angular := drift(0.002)
	halfLinear, halfAngular := drift(0.001)
	if linear > 1e-9 || halfLinear > 1e-9 {
		t.Errorf("linear momentum changes by %.3g and %.3g of itself", linear, halfLinear)
	}
	t.Logf("angular momentum changes by %.3g of itself, and by %.3g with half the step", angular, halfAngular)
	if angular > 1e-3 || halfAngular > angular/3 {
		t.Errorf("angular momentum changes by %.3g of itself, and %.3g with half the step", angular, halfAngular)
	}
}

// TestEnergyOfLinkages does not rise, and the closed four-bar keeps it to the order of the step.
func TestEnergyOfLinkages(t *testing.T) {
	for _, name := range []string{"double_pendulum", "spatial_double_pendulum", "four_bar", "four_bar_redundant"} {
		c := golden(t, name)
		w := mustWorld(t, c.Robot.parameters(20))
		total := func() float64 {
			kinetic, weight, elastic := w.Energy()
			return kinetic + weight + elastic
		}
		start := total()
		var expected struct {
			Energy float64 `json:"energy_j"`
		}
		decode(t, c.Expected, &expected)
		if math.Abs(start-expected.Energy) > 1e-9 {
			t.Errorf("%s: energy %.12g J at t = 0, want %.12g J", name, start, expected.Energy)
		}
		most := start
		for range 1000 {
			if err := w.Step(0.001); err != nil {
				t.Fatal(err)
			}
			most = max(most, total())
		}
		if most > start+2e-4*math.Abs(start) || math.Abs(total()-start) > 0.01*math.Abs(start) {
			t.Errorf("%s: energy %.6g J at t = 0, at most %.6g J, %.6g J at the end", name, start, most, total())
		}
	}
}

// TestRedundantJointsMoveNothing: a four-bar with three joint rows too many moves as the one without.
func TestRedundantJointsMoveNothing(t *testing.T) {
	one := golden(t, "four_bar")
	other := golden(t, "four_bar_redundant")
	a, b := mustWorld(t, one.Robot.parameters(20)), mustWorld(t, other.Robot.parameters(20))
	for step := range 500 {
		if err := a.Step(0.001); err != nil {
			t.Fatal(err)
		}
		if err := b.Step(0.001); err != nil {
			t.Fatal(err)
		}
		for i := range 3 {
			if d := a.BodyPose(i).P.Sub(b.BodyPose(i).P).Norm(); d > 1e-8 {
				t.Fatalf("step %d: body %d differs by %.3g m", step, i, d)
			}
		}
	}
}

// TestParentAndChildAreAlike: with both swapped and the coordinates mirrored, the motion is the same.
func TestParentAndChildAreAlike(t *testing.T) {
	p := pendulum(0.8)
	lower := thin("lower", 0.2, 0.3)
	hinge := mechanism.Joint{
		Name: "elbow", Type: joint.Revolute, Axis: spatial.Vec{X: 1}, Position: []float64{0.4},
		Parent: mechanism.JointSide{Link: "bob", Frame: spatial.Pose{P: spatial.Vec{Z: -0.4}}}, Child: mechanism.JointSide{Link: "lower"},
		Spring: []mechanism.Spring{{Stiffness: 2, Damping: 0.01, Rest: 0.1}},
	}
	p.Bodies, p.Joints = append(p.Bodies, lower), append(p.Joints, hinge)
	swapped := p
	hinge.Parent, hinge.Child, hinge.Position = hinge.Child, hinge.Parent, []float64{-0.4}
	hinge.Spring = []mechanism.Spring{{Stiffness: 2, Damping: 0.01, Rest: -0.1}}
	swapped.Joints = []mechanism.Joint{p.Joints[0], hinge}
	swapped.Bodies = []mechanism.Body{lower, p.Bodies[0]}
	a, b := mustWorld(t, p), mustWorld(t, swapped)
	march(t, a, 0.001, 0, 0.5)
	march(t, b, 0.001, 0, 0.5)
	if d := a.BodyPose(1).P.Sub(b.BodyPose(0).P).Norm(); d > 1e-9 {
		t.Errorf("the lower body differs by %.3g m", d)
	}
	if d := a.Coordinates(1)[0] + b.Coordinates(1)[0]; math.Abs(d) > 1e-9 {
		t.Errorf("the coordinates %g and %g are not mirrored", a.Coordinates(1)[0], b.Coordinates(1)[0])
	}
}

// TestLoadsTurnOrStay: a follower force on the arm of a hinge gives a constant torque, a dead force the
// torque of a weight.
func TestLoadsTurnOrStay(t *testing.T) {
	p := pendulum(0.3)
	p.Gravity = spatial.Vec{}
	p.Bodies[0].Loads = []mechanism.Load{{At: spatial.Vec{Z: -0.3}, Wrench: spatial.Wrench{Force: spatial.Vec{X: 0.2}}, IsFollower: true}}
	w := mustWorld(t, p)
	march(t, w, 0.001, 0, 0.5)
	j := 0.5 * 0.4 * 0.4 / 3
	if want := 0.3 - 0.5*0.06/j*0.25; math.Abs(w.Coordinates(0)[0]-want) > 1e-6 { // of order 2 in the step, since the centre moves on a circle
		t.Errorf("follower force: %.12g rad, want %.12g rad", w.Coordinates(0)[0], want)
	}
	p.Bodies[0].Loads = []mechanism.Load{{At: spatial.Vec{Z: -0.2}, Wrench: spatial.Wrench{Force: spatial.Vec{Z: -0.5 * 9.80665}}}}
	dead, heavy := mustWorld(t, p), mustWorld(t, pendulum(0.3))
	march(t, dead, 0.001, 0, 0.5)
	march(t, heavy, 0.001, 0, 0.5)
	if d := dead.Coordinates(0)[0] - heavy.Coordinates(0)[0]; math.Abs(d) > 1e-10 {
		t.Errorf("a dead load of the weight differs from the weight by %.3g rad", d)
	}
}

// TestLoopsClose from poses that are off.
func TestLoopsClose(t *testing.T) {
	c := golden(t, "four_bar_redundant")
	p := c.Robot.parameters(20)
	for i := range p.Bodies {
		p.Bodies[i].Velocity = nil
	}
	off := *p.Bodies[1].Pose
	off.P.X += 0.01
	p.Bodies[1].Pose = &off
	w := mustWorld(t, p)
	end := w.BodyPose(1).Apply(spatial.Vec{X: 0.28})
	if d := end.Sub(w.BodyPose(2).Apply(spatial.Vec{X: 0.22})).Norm(); d > 1e-11 {
		t.Errorf("the loop is open by %.3g m", d)
	}
}

func TestRefusesMechanisms(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(p *mechanism.Parameters)
		want   string
	}{
		{"mass", func(p *mechanism.Parameters) { p.Bodies[0].Mass = 0 }, `body "bob" has a mass of 0 kg`},
		{"inertia", func(p *mechanism.Parameters) { p.Bodies[0].Inertia[1] = -1 }, "moment of inertia 2"},
		{"link", func(p *mechanism.Parameters) { p.Joints[0].Child.Link = "nobody" }, `"nobody", which is no link`},
		{"both sides", func(p *mechanism.Parameters) { p.Joints[0].Child.Link = "" }, "both sides"},
		{"position", func(p *mechanism.Parameters) { p.Joints[0].Position = []float64{1, 2} }, "has 1 coordinates"},
		{"spring", func(p *mechanism.Parameters) { p.Joints[0].Spring = make([]mechanism.Spring, 3) }, "3 springs"},
		{"pose", func(p *mechanism.Parameters) {
			g := spatial.IdentityPose()
			p.Bodies[0].Pose = &g
		}, "remove or correct one of them"},
		{"velocity", func(p *mechanism.Parameters) {
			p.Bodies[0].Velocity = &spatial.Twist{Linear: spatial.Vec{X: 1}}
		}, `velocity of "bob" at t = 0 contradicts`},
		{"open", func(p *mechanism.Parameters) {
			p.Joints = append(p.Joints, mechanism.Joint{
				Name: "far", Type: joint.Spherical, Parent: mechanism.JointSide{Frame: spatial.Pose{P: spatial.Vec{X: 3}}}, Child: mechanism.JointSide{Link: "bob"},
			})
		}, "does not close"},
	} {
		p := pendulum(0.3)
		c.change(&p)
		if _, err := mechanism.New(p); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want one with %q", c.name, err, c.want)
		}
	}
	w := mustWorld(t, pendulum(0.3))
	if err := w.Step(-1); err == nil {
		t.Error("a negative step is accepted")
	}
}

// stepWithoutAllocation fails where a step allocates.
func stepWithoutAllocation(t *testing.T, w *mechanism.World) {
	t.Helper()
	march(t, w, 0.001, 0, 0.01)
	if n := testing.AllocsPerRun(20, func() {
		if err := w.Step(0.001); err != nil {
			t.Fatal(err)
		}
	}); n != 0 {
		t.Errorf("%v allocations in a step", n)
	}
}

func TestStepsAllocateNothing(t *testing.T) {
	c := golden(t, "four_bar_redundant")
	w := mustWorld(t, c.Robot.parameters(20))
	stepWithoutAllocation(t, w)
}

// TestStepsOfRodsAllocateNothing, with limits and friction in the joint.
func TestStepsOfRodsAllocateNothing(t *testing.T) {
	c := golden(t, "flexible_pendulum")
	p := c.Robot.parameters(10)
	p.Joints[0].Limits, p.Joints[0].Friction = []mechanism.Limits{{Min: -2, Max: 2}}, []float64{1e-4}
	w := mustWorld(t, p)
	stepWithoutAllocation(t, w)
}

// TestStepsWithContactAllocateNothing: a ball in the grasp of two rods, one that slips in it, and boxes.
func TestStepsWithContactAllocateNothing(t *testing.T) {
	for _, name := range []string{"grasp_holds", "box_stays", "box_slides", "ball_rolls"} {
		c := golden(t, name)
		w := mustWorld(t, c.Robot.parameters(10))
		march(t, w, 0.001, 0, 0.3)
		stepWithoutAllocation(t, w)
	}
}

// BenchmarkGrasp is one step of two rods of twenty elements that hold a ball.
func BenchmarkGrasp(b *testing.B) {
	c := golden(b, "grasp_holds")
	w := mustWorld(b, c.Robot.parameters(20))
	march(b, w, 0.001, 0, 0.2)
	for b.Loop() {
		if err := w.Step(0.001); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkPlatform is one step of a platform on six legs of ten elements, at rest.
func BenchmarkPlatform(b *testing.B) {
	c := golden(b, "six_leg_platform")
	w := mustWorld(b, c.Robot.parameters(10))
	if err := w.Equilibrate(); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if err := w.Step(0.001); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkFourBar is one step of a closed linkage of three bodies.
func BenchmarkFourBar(b *testing.B) {
	c := golden(b, "four_bar_redundant")
	w := mustWorld(b, c.Robot.parameters(20))
	for b.Loop() {
		if err := w.Step(0.001); err != nil {
			b.Fatal(err)
		}
	}
}
