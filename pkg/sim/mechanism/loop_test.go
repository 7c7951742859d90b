package mechanism_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"sinew/pkg/sim/mechanism"
	"sinew/pkg/sim/mechanism/joint"
	"sinew/pkg/sim/spatial"
)

// turned turns a mechanism, with its weight, its loads and the world's frames of its joints.
func turned(p mechanism.Parameters, g spatial.Pose) mechanism.Parameters {
	p.Gravity = g.R.Apply(p.Gravity)
	p.Rods, p.Bodies, p.Joints = slices.Clone(p.Rods), slices.Clone(p.Bodies), slices.Clone(p.Joints)
	for i := range p.Rods {
		r := &p.Rods[i]
		if r.Start != nil {
			to := g.Mul(*r.Start)
			r.Start = &to
		}
		r.Loads = slices.Clone(r.Loads)
		for k := range r.Loads {
			o := &r.Loads[k].Wrench
			*o = spatial.Wrench{Force: g.R.Apply(o.Force), Moment: g.R.Apply(o.Moment)}
		}
	}
	for i := range p.Bodies {
		b := &p.Bodies[i]
		b.Loads = slices.Clone(b.Loads)
		for k := range b.Loads {
			o := &b.Loads[k].Wrench
			*o = spatial.Wrench{Force: g.R.Apply(o.Force), Moment: g.R.Apply(o.Moment)}
		}
		if b.Pose != nil {
			to := g.Mul(*b.Pose)
			b.Pose = &to
		}
		if v := b.Velocity; v != nil {
			b.Velocity = &spatial.Twist{Linear: g.R.Apply(v.Linear), Angular: v.Angular}
		}
	}
	for i := range p.Joints {
		for _, s := range [...]*mechanism.JointSide{&p.Joints[i].Parent, &p.Joints[i].Child} {
			if s.Link == "" {
				s.Frame = g.Mul(s.Frame)
			}
		}
	}
	return p
}

// reversed lists links and joints from the last to the first.
func reversed(p mechanism.Parameters) mechanism.Parameters {
	p.Rods, p.Bodies, p.Joints = slices.Clone(p.Rods), slices.Clone(p.Bodies), slices.Clone(p.Joints)
	slices.Reverse(p.Rods)
	slices.Reverse(p.Bodies)
	slices.Reverse(p.Joints)
	return p
}

// mirrored swaps parent and child of every joint.
func mirrored(p mechanism.Parameters) mechanism.Parameters {
	p.Joints = slices.Clone(p.Joints)
	for i := range p.Joints {
		j := &p.Joints[i]
		j.Parent, j.Child = j.Child, j.Parent
	}
	return p
}

// TestLoopsMoveAlikeHoweverTheyAreGiven: the golden four-bar with and without redundant joints, a platform on two rods that is let
// go from equilibrium, a tree of rods and a soft rod on a hinge move alike turned and shifted in the world, with reversed lists,
// and with parents and children swapped.
func TestLoopsMoveAlikeHoweverTheyAreGiven(t *testing.T) {
	g := spatial.Pose{R: spatial.ExpRot(spatial.Vec{X: 0.7, Y: -1.1, Z: 2}), P: spatial.Vec{X: 3, Y: -2, Z: 1}}
	for _, name := range []string{"four_bar", "four_bar_redundant", "two_leg_platform", "y_tree", "flexible_pendulum"} {
		c := golden(t, name)
		given := c.Robot.parameters(8)
		isStatic := len(given.Rods) > 1
		for i := range given.Bodies {
			for k := range given.Bodies[i].Loads {
				given.Bodies[i].Loads[k].Until = 0.005
			}
		}
		for i := range given.Rods {
			for k := range given.Rods[i].Loads {
				given.Rods[i].Loads[k].Until = 0.005
			}
		}
		run := func(p mechanism.Parameters) *mechanism.World {
			w := mustWorld(t, p)
			if isStatic {
				if err := w.Equilibrate(); err != nil {
					t.Fatal(err)
				}
			}
			march(t, w, 0.001, 0, 0.5)
			return w
		}
		want := run(given)
		l, n, m := len(given.Rods), len(given.Bodies), len(given.Joints)
		if kinetic, _, _ := want.Energy(); kinetic < 1e-6 {
			t.Errorf("%s: it is at rest", name)
		}
		for _, v := range []struct {
			what  string
			p     mechanism.Parameters
			pose  spatial.Pose
			index func(i, n int) int
			sign  float64
		}{
			{"turned", turned(given, g), g, func(i, _ int) int { return i }, 1},
			{"reversed", reversed(given), spatial.IdentityPose(), func(i, n int) int { return n - 1 - i }, 1},
			{"mirrored", mirrored(given), spatial.IdentityPose(), func(i, _ int) int { return i }, -1},
			{"turned, reversed and mirrored", mirrored(reversed(turned(given, g))), g, func(i, n int) int { return n - 1 - i }, -1},
		} {
			w := run(v.p)
			worst := 0.0
			for i := range n {
				worst = max(worst, w.BodyPose(v.index(i, n)).P.Sub(v.pose.Apply(want.BodyPose(i).P)).Norm())
			}
			for i := range l {
				for k, o := range w.NodePoses(v.index(i, l)) {
					worst = max(worst, o.P.Sub(v.pose.Apply(want.NodePoses(i)[k].P)).Norm())
				}
			}
			force := 0.0
			for i := range m {
				f := v.pose.R.Apply(want.Reaction(i).Force)
				force = max(force, w.Reaction(v.index(i, m)).Force.Scale(v.sign).Sub(f).Norm())
			}
			t.Logf("%s, %s: %.3g m, reactions %.3g N", name, v.what, worst, force)
			if worst > 1e-9 || force > 1e-4 {
				t.Errorf("%s, %s: links are off by %.3g m, reactions by %.3g N", name, v.what, worst, force)
			}
		}
	}
}

// TestContradictionsAreRefused: what joints, motors and stops ask for together is impossible.
func TestContradictionsAreRefused(t *testing.T) {
	prescribed := []mechanism.Motor{{Kind: mechanism.PrescribedMotor}}
	two := slider()
	two.Joints[0].Motor = prescribed
	second := two.Joints[0]
	second.Name = "second rail"
	two.Joints = append(two.Joints, second)
	w := mustWorld(t, two)
	w.Command(0, 0, 0.01)
	w.Command(1, 0, -0.01)
	if err := w.Step(0.001); err == nil || !strings.Contains(err.Error(), "rail") {
		t.Errorf("two motors on one coordinate: %v", err)
	}
	w.Command(1, 0, 0.01)
	if err := w.Step(0.001); err != nil {
		t.Errorf("two motors that agree: %v", err)
	}
	stopped := slider()
	stopped.Joints[0].Motor = prescribed
	stopped.Joints[0].Limits = []mechanism.Limits{{Min: -1, Max: 0.005}}
	w = mustWorld(t, stopped)
	w.Command(0, 0, 0.01)
	if err := w.Step(0.001); err == nil || !strings.Contains(err.Error(), `"rail"`) {
		t.Errorf("a motor beyond a stop: %v", err)
	}
	if err := w.Equilibrate(); err == nil || !strings.Contains(err.Error(), `"rail"`) {
		t.Errorf("a motor beyond a stop at rest: %v", err)
	}
}

// slider is a cart of 1 kg on a rail along x, without weight.
func slider() mechanism.Parameters {
	return mechanism.Parameters{
		Bodies: []mechanism.Body{{Name: "cart", Mass: 1, Inertia: [6]float64{0.01, 0.01, 0.01}}},
		Joints: []mechanism.Joint{{Name: "rail", Type: joint.Prismatic, Axis: spatial.Vec{X: 1}, Child: mechanism.JointSide{Link: "cart"}}},
	}
}

// TestErrorsChangeNothing: after a step that fails, the state is what it was to the bit, and a good command goes on.
func TestErrorsChangeNothing(t *testing.T) {
	two := slider()
	two.Joints[0].Motor = []mechanism.Motor{{Kind: mechanism.PrescribedMotor}}
	two.Joints = append(two.Joints, two.Joints[0])
	two.Joints[1].Name = "second rail"
	two.Bodies[0].Loads = []mechanism.Load{{Until: 0.0025, Wrench: spatial.Wrench{Force: spatial.Vec{X: 1}}}}
	w := mustWorld(t, two)
	before, after := make([]float64, w.StateLen()), make([]float64, w.StateLen())
	for n := range 4 {
		for _, bad := range []float64{math.NaN(), math.Inf(1), 1} {
			w.Command(0, 0, bad)
			w.Save(before)
			if err := w.Step(0.001); err == nil {
				t.Fatalf("a command of %g m to one of two motors is accepted", bad)
			}
			w.Save(after)
			for i := range before {
				if math.Float64bits(before[i]) != math.Float64bits(after[i]) {
					t.Fatalf("step %d, command %g m: value %d of the state is %g, before the error %g", n, bad, i, after[i], before[i])
				}
			}
		}
		w.Command(0, 0, 0)
		if err := w.Step(0.001); err != nil {
			t.Fatal(err)
		}
		want := -1.0
		if n >= 2 {
			want = 0
		}
		if e := w.Effort(0, 0) + w.Effort(1, 0); math.Abs(e-want) > 1e-6 {
			t.Errorf("step %d after errors: the motors drive with %.9g N, want %g N", n, e, want)
		}
	}
	if err := w.Step(math.Inf(1)); err == nil {
		t.Error("an infinite step is accepted")
	}
}
