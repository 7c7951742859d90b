package mechanism_test

import (
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"sinew/pkg/sim/mechanism"
	"sinew/pkg/sim/mechanism/joint"
	"sinew/pkg/sim/rod"
	"sinew/pkg/sim/spatial"
)

// goldenEquilibrium is what a static case expects.
type goldenEquilibrium struct {
	Rods map[string]struct {
		Tip         [3]float64 `json:"tip_m"`
		Orientation [4]float64 `json:"tip_xyzw"`
	}
	Bodies map[string]struct {
		Position    [3]float64 `json:"position_m"`
		Orientation [4]float64 `json:"orientation_xyzw"`
	}
	Joints map[string]struct {
		Force      [3]float64 `json:"force_on_child_n"`
		Moment     [3]float64 `json:"moment_on_child_nm"`
		Coordinate *float64
	}
	Stations []struct {
		Rod         string
		At          float64    `json:"s_m"`
		Position    [3]float64 `json:"p_m"`
		Orientation [4]float64 `json:"q_xyzw"`
	}
}

var staticCases = []string{
	"arch_clamped_planar", "arch_clamped_twisted", "beam_clamped_and_ball", "y_tree", "loop_of_two_rods",
	"ring", "ring_heavy", "six_leg_platform", "two_leg_platform", "pendulum_on_beam", "arch_snap_through", "tendon_over_lever", "arm_with_tendon_rod",
}

// positionUnit is the length over which a case gives the errors of positions, in its unit.
var positionUnit = regexp.MustCompile(`positions over ([0-9.]+) m`)

// TestEquilibriaMeetReferences with 10, 20 and 40 elements a rod.
func TestEquilibriaMeetReferences(t *testing.T) {
	for _, name := range staticCases {
		t.Run(name, func(t *testing.T) {
			c := golden(t, name)
			var tolerance map[string]json.RawMessage
			decode(t, c.Tolerance, &tolerance)
			number := func(key string) (x float64) {
				decode(t, tolerance[key], &x)
				return x
			}
			length, err := strconv.ParseFloat(positionUnit.FindStringSubmatch(string(tolerance["unit"]))[1], 64)
			if err != nil {
				t.Fatal(err)
			}
			var last [2]float64 // errors with half as many elements
			for _, n := range []int{10, 20, 40} {
				w := mustWorld(t, c.Robot.parameters(n))
				if err := w.Equilibrate(); err != nil {
					t.Fatal(err)
				}
				position, force := equilibriumErrors(t, &c, w, number(fmt.Sprintf("n%d", n)))
				t.Logf("%d elements: positions off by %.2g of the length, forces by %.2g of the largest", n, position/length, force)
				if most := number(fmt.Sprintf("n%d", n)); !(position <= most*length) {
					t.Errorf("%d elements: positions off by %.3g of the length, allowed %.3g", n, position/length, most)
				}
				if most := number(fmt.Sprintf("force_relative_n%d", n)); !(force <= most) {
					t.Errorf("%d elements: forces off by %.3g of the largest, allowed %.3g", n, force, most)
				}
				for i, off := range [...]float64{position / length, force} {
					const roundOff, least = 1e-9, 3.5
					if order := math.Log2(last[i] / off); last[i] > 0 && off > roundOff && !(order >= least) {
						t.Errorf("%d elements: the error falls from %.3g to %.3g, with order %.2f, want %g", n, last[i], off, order, least)
					}
					last[i] = off
				}
			}
		})
	}
}

// equilibriumErrors returns the largest error of positions, m, and of forces and moments, in N and N m,
// over the largest of the case. Angles of joints and orientations are checked to ten times the given tolerance.
func equilibriumErrors(t *testing.T, c *goldenCase, w *mechanism.World, angle float64) (position, force float64) {
	t.Helper()
	var want goldenEquilibrium
	decode(t, c.Expected, &want)
	compare := func(what string, g spatial.Pose, p [3]float64, q [4]float64) {
		position = max(position, g.P.Sub(vec(p)).Norm())
		if d := g.R.TMul(pose(p, &q).R).Log().Norm(); !(d <= 30*angle) {
			t.Errorf("%s: orientation off by %.3g rad", what, d)
		}
	}
	for i, r := range c.Robot.Rods {
		nodes := w.NodePoses(i)
		tip := want.Rods[r.Name]
		compare(r.Name, nodes[len(nodes)-1], tip.Tip, tip.Orientation)
		for _, s := range want.Stations {
			if s.Rod != r.Name {
				continue
			}
			for k, at := range w.Nodes(i) {
				if math.Abs(at-s.At) < 1e-9 {
					compare(r.Name, nodes[k], s.Position, s.Orientation)
				}
			}
		}
	}
	for i, b := range c.Robot.Bodies {
		compare(b.Name, w.BodyPose(i), want.Bodies[b.Name].Position, want.Bodies[b.Name].Orientation)
	}
	largest, off := 0.0, 0.0
	for i, j := range c.Robot.Joints {
		e, got := want.Joints[j.Name], w.Reaction(i)
		largest = max(largest, vec(e.Force).Norm(), vec(e.Moment).Norm())
		off = max(off, got.Force.Sub(vec(e.Force)).Norm(), got.Moment.Sub(vec(e.Moment)).Norm())
		if e.Coordinate != nil {
			if d := math.Abs(w.Coordinates(i)[0] - *e.Coordinate); !(d <= 10*angle) {
				t.Errorf("%s: coordinate %.9g, want %.9g", j.Name, w.Coordinates(i)[0], *e.Coordinate)
			}
		}
	}
	return position, off / largest
}

// cut returns the parameters of a heavy cantilever of 0.4 m, whole or of three rods that fixed joints weld.
func cut(whole bool) mechanism.Parameters {
	weld := func(r *mechanism.Rod, length float64, elements int) {
		r.Parameters = rod.Params{
			Length: length, Elements: elements, Order: 4, Section: rod.Circle(0.004),
			Material: rod.Material{YoungsModulus: 5e6, ShearModulus: 1.8e6, Density: 1100, ShearCorrection: rod.CircleShearCorrection},
		}
	}
	p := mechanism.Parameters{Gravity: spatial.Vec{X: -9.80665, Y: 2}, Rods: []mechanism.Rod{{Name: "a"}}}
	clamp := mechanism.Joint{Name: "clamp", Type: joint.Fixed, Child: mechanism.JointSide{Link: "a"}}
	p.Joints = []mechanism.Joint{clamp}
	if whole {
		weld(&p.Rods[0], 0.4, 16)
		return p
	}
	p.Rods = append(p.Rods, mechanism.Rod{Name: "b"}, mechanism.Rod{Name: "c"})
	weld(&p.Rods[0], 0.15, 6)
	weld(&p.Rods[1], 0.075, 3)
	weld(&p.Rods[2], 0.175, 7)
	p.Joints = append(p.Joints, mechanism.Joint{
		Name: "weld", Type: joint.Fixed, Parent: mechanism.JointSide{Link: "a", At: 0.15}, Child: mechanism.JointSide{Link: "b"},
	}, mechanism.Joint{ // from the far end of the next rod to the near one
		Name: "second weld", Type: joint.Fixed, Parent: mechanism.JointSide{Link: "c"}, Child: mechanism.JointSide{Link: "b", At: 0.075},
	})
	return p
}

// TestWeldedRodsAreOne: in motion and in equilibrium, three rods that fixed joints weld are the whole rod.
func TestWeldedRodsAreOne(t *testing.T) {
	for _, damping := range []float64{0, 0.02} {
		given := func(whole bool) *mechanism.World {
			p := cut(whole)
			for i := range p.Rods {
				p.Rods[i].KelvinVoigt = damping
			}
			return mustWorld(t, p)
		}
		a, b := given(true), given(false)
		compare := func(what string) {
			t.Helper()
			nodes := a.NodePoses(0)
			for k, first := range []int{0, 6, 9} {
				for i, g := range b.NodePoses(k) {
					if d := g.P.Sub(nodes[first+i].P).Norm(); !(d <= 1e-10) {
						t.Fatalf("%s, damping %g s: node %d of rod %d is %.3g m off, allowed 1e-10 m", what, damping, i, k+1, d)
					}
				}
			}
			if d := a.Reaction(0).Force.Sub(b.Reaction(0).Force).Norm(); d > 1e-6 {
				t.Errorf("%s, damping %g s: the reactions differ by %.3g N", what, damping, d)
			}
		}
		march(t, a, 0.001, 0, 0.1)
		march(t, b, 0.001, 0, 0.1)
		compare("motion")
		for _, w := range []*mechanism.World{a, b} {
			if err := w.Equilibrate(); err != nil {
				t.Fatal(err)
			}
		}
		compare("equilibrium")
		march(t, a, 0.001, 0, 0.05)
		march(t, b, 0.001, 0, 0.05)
		compare("rest")
		if kinetic, _, _ := b.Energy(); kinetic > 1e-16 {
			t.Errorf("the rod at rest has a kinetic energy of %.3g J", kinetic)
		}
	}
}

// TestFallsAreRefused: a load that turns with a free hinge has no equilibrium.
func TestFallsAreRefused(t *testing.T) {
	p := pendulum(0.3)
	p.Gravity = spatial.Vec{}
	p.Bodies[0].Loads = []mechanism.Load{{At: spatial.Vec{Z: -0.3}, Wrench: spatial.Wrench{Force: spatial.Vec{X: 0.2}}, IsFollower: true}}
	w := mustWorld(t, p)
	if err := w.Equilibrate(); err == nil || !strings.Contains(err.Error(), `nothing holds coordinate 1 of joint "hinge"`) {
		t.Errorf("a follower force on a free hinge: error %v", err)
	}
}

// TestNeutralMotionsAreNamed: a rod between ball joints spins about its chord, and a cart without load
// stays where it is.
func TestNeutralMotionsAreNamed(t *testing.T) {
	p := cut(true)
	p.Joints[0].Type = joint.Spherical
	p.Joints = append(p.Joints, mechanism.Joint{
		Name: "far", Type: joint.Spherical, Parent: mechanism.JointSide{Frame: spatial.Pose{P: spatial.Vec{Z: 0.39}}}, Child: mechanism.JointSide{Link: "a", At: 0.4},
	})
	p.Gravity = spatial.Vec{}
	w := mustWorld(t, p)
	if err := w.Equilibrate(); err != nil {
		t.Fatal(err)
	}
	if got := w.NeutralMotion(); !strings.Contains(got, "joint") {
		t.Errorf("the neutral motion of a rod between ball joints is %q", got)
	}
	q := pendulum(0)
	q.Bodies[0].CenterOfMass = spatial.Vec{}
	q.Joints[0].Type, q.Joints[0].Position = joint.Prismatic, []float64{0.3}
	w = mustWorld(t, q)
	if err := w.Equilibrate(); err != nil {
		t.Fatal(err)
	}
	if got := w.NeutralMotion(); got != `coordinate 1 of joint "hinge"` || math.Abs(w.Coordinates(0)[0]-0.3) > 1e-9 {
		t.Errorf("neutral motion %q at %.9g m", got, w.Coordinates(0)[0])
	}
	hanging := mustWorld(t, pendulum(0.3))
	if err := hanging.Equilibrate(); err != nil {
		t.Fatal(err)
	}
	if got := hanging.NeutralMotion(); got != "" {
		t.Errorf("a hanging pendulum has the neutral motion %q", got)
	}
}

// TestPendulumHangs from any angle, also from the unstable one.
func TestPendulumHangs(t *testing.T) {
	for _, angle := range []float64{0, 0.3, -1.5, 3, math.Pi} {
		w := mustWorld(t, pendulum(angle))
		if err := w.Equilibrate(); err != nil {
			t.Fatalf("from %g rad: %v", angle, err)
		}
		if s := math.Sin(w.Coordinates(0)[0] / 2); math.Abs(s) > 1e-9 {
			t.Errorf("from %g rad it hangs at %g rad", angle, w.Coordinates(0)[0])
		}
		if f := w.Reaction(0).Force.Z; math.Abs(f-0.5*9.80665) > 1e-9 {
			t.Errorf("from %g rad the hinge carries %g N", angle, f)
		}
	}
}

// TestArchSnapsThrough: up to the limit load the middle stays above, and beyond it the arch is on the other
// side.
func TestArchSnapsThrough(t *testing.T) {
	c := golden(t, "arch_snap_through")
	middle := func(force float64) spatial.Vec {
		t.Helper()
		p := c.Robot.parameters(20)
		p.Rods[0].Loads[0].Wrench.Force.Z = -force
		w := mustWorld(t, p)
		if err := w.Equilibrate(); err != nil {
			t.Fatalf("with %g N: %v", force, err)
		}
		return w.NodePoses(0)[10].P
	}
	limit := c.LimitPoints.Upper.Force
	if z := middle(limit * 0.998).Z; z < 0.0008 {
		t.Errorf("just below the limit load the middle is at a height of %.3g m", z)
	}
	if z := middle(limit * 1.002).Z; z > -0.0003 {
		t.Errorf("just above the limit load the middle is at a height of %.3g m", z)
	}
	after := c.LimitPoints.AfterSnap
	if d := middle(after.Force).Sub(vec(after.Middle)).Norm(); d > 0.3*4e-6 {
		t.Errorf("after the snap the middle is off by %.3g m", d)
	}
}
