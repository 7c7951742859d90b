package mechanism_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"sinew/pkg/sim/spatial"
)

// contactTolerance are tolerances of statics with contact, in parts.
func contactTolerance(t *testing.T, c *goldenCase, elements int) (position, force float64) {
	t.Helper()
	var all map[string]any
	decode(t, c.Tolerance, &all)
	return all[fmt.Sprintf("n%d", elements)].(float64), all[fmt.Sprintf("force_relative_n%d", elements)].(float64)
}

// TestCrossingCantilevers: two rods that cross press on each other.
func TestCrossingCantilevers(t *testing.T) {
	c := golden(t, "crossing_cantilevers")
	var want struct {
		Force    float64    `json:"contact_force_n"`
		Normal   [3]float64 `json:"normal"`
		Above    float64    `json:"s_above_m"`
		Below    float64    `json:"s_below_m"`
		Point    [3]float64 `json:"point_m"`
		TipAbove [3]float64 `json:"tip_above_m"`
		TipBelow [3]float64 `json:"tip_below_m"`
	}
	decode(t, c.Expected, &want)
	for _, n := range []int{10, 20, 40} {
		position, force := contactTolerance(t, &c, n)
		w := mustWorld(t, c.Robot.parameters(n))
		if err := w.Equilibrate(); err != nil {
			t.Fatal(err)
		}
		touching := w.AppendContacts(nil)
		if len(touching) == 0 {
			t.Fatalf("%d elements: nothing touches", n)
		}
		var sum spatial.Vec
		for _, o := range touching {
			sum = sum.Add(o.Force)
		}
		above, below := w.NodePoses(0)[n].P.Sub(vec(want.TipAbove)).Norm()/0.2, w.NodePoses(1)[n].P.Sub(vec(want.TipBelow)).Norm()/0.2
		d := math.Abs(sum.Norm()/want.Force - 1)
		t.Logf("%d elements: tips off by %.2g and %.2g of the length, force by %.2g, point by %.2g m, normal by %.2g, penetration %.2g m, %d points", n, above, below, d,
			touching[0].Point.Sub(vec(want.Point)).Norm(), touching[0].Normal.Sub(vec(want.Normal)).Norm(), -touching[0].Gap, len(touching))
		if !(max(above, below) <= position) {
			t.Errorf("%d elements: tips off by %.3g and %.3g of the length, allowed %.3g", n, above, below, position)
		}
		if !(d <= force) {
			t.Errorf("%d elements: contact force off by %.3g, allowed %.3g", n, d, force)
		}
	}
}

// TestBallInAV: a ball rests between two elastic rods; nothing resists its spin.
func TestBallInAV(t *testing.T) {
	c := golden(t, "ball_in_a_v")
	var want struct {
		Ball  [3]float64 `json:"ball_position_m"`
		Force float64    `json:"contact_force_n"`
		Tip   [3]float64 `json:"tip_right_m"`
	}
	decode(t, c.Expected, &want)
	for _, n := range []int{10, 20, 40} {
		position, force := contactTolerance(t, &c, n)
		w := mustWorld(t, c.Robot.parameters(n))
		if err := w.Equilibrate(); err != nil {
			t.Fatal(err)
		}
		ball, tip := w.BodyPose(0).P.Sub(vec(want.Ball)).Norm()/0.1, w.NodePoses(0)[n].P.Sub(vec(want.Tip)).Norm()/0.1
		var sum [2]spatial.Vec
		for _, o := range w.AppendContacts(nil) {
			side := 0
			if o.A == "left" || o.B == "left" {
				side = 1
			}
			sum[side] = sum[side].Add(o.Force)
		}
		d := max(math.Abs(sum[0].Norm()/want.Force-1), math.Abs(sum[1].Norm()/want.Force-1))
		t.Logf("%d elements: ball off by %.2g of the length, tip by %.2g, force by %.2g; %q", n, ball, tip, d, w.NeutralMotion())
		if !(max(ball, tip) <= position) {
			t.Errorf("%d elements: ball off by %.3g of the length, tip by %.3g, allowed %.3g", n, ball, tip, position)
		}
		if !(d <= force) {
			t.Errorf("%d elements: contact forces off by %.3g, allowed %.3g", n, d, force)
		}
		if want := `coordinate 3 of joint "guide"`; w.NeutralMotion() != want {
			t.Errorf("%d elements: the neutral motion is %q, want %q", n, w.NeutralMotion(), want)
		}
	}
}

// TestBallOnASlope rolls or slides, as its friction is.
func TestBallOnASlope(t *testing.T) {
	for _, name := range []string{"ball_rolls", "ball_slides", "ball_skids_then_rolls"} {
		c := golden(t, name)
		var want struct {
			Speed *float64 `json:"speed_m_per_s"`
			Table []tableRow
		}
		decode(t, c.Expected, &want)
		for _, h := range []float64{0.001, 0.0005} {
			w := mustWorld(t, c.Robot.parameters(20))
			start := w.BodyPose(0).P
			march(t, w, h, 0, c.Duration)
			end := want.Table[len(want.Table)-1]
			way := end.point(t, "ball_position_m").Sub(start)
			moved := w.BodyPose(0).P.Sub(start)
			across := moved.Sub(way.Scale(moved.Dot(way) / way.Norm2())).Norm()
			d := moved.Norm()/way.Norm() - 1
			t.Logf("%s, step %g s: way off by %.2g, across by %.2g m", name, h, d, across)
			if math.Abs(d) > 0.01 || across > 0.01*way.Norm() {
				t.Errorf("%s, step %g s: the way is off by %.3g, and %.3g m across, allowed 0.01", name, h, d, across)
			}
			if want.Speed != nil {
				if v := w.BodyVelocity(0).Linear.Norm(); math.Abs(v / *want.Speed - 1) > 0.01 {
					t.Errorf("%s, step %g s: speed %.5g m/s, want %.5g m/s", name, h, v, *want.Speed)
				}
				continue
			}
			// the angle: ω is constant times t
			angle := 0.5 * w.BodyVelocity(0).Angular.Norm() * c.Duration
			if a := end.number(t, "angle_rad"); math.Abs(angle/a-1) > 0.01 {
				t.Errorf("%s, step %g s: turned by %.5g rad, want %.5g rad", name, h, angle, a)
			}
		}
	}
}

// TestBoxOnASlope stays or slides, as its friction is.
func TestBoxOnASlope(t *testing.T) {
	for _, h := range []float64{0.001, 0.0005} {
		c := golden(t, "box_stays")
		w := mustWorld(t, c.Robot.parameters(20))
		start := w.BodyPose(0).P
		march(t, w, h, 0, 0.3)
		at := w.BodyPose(0).P
		march(t, w, h, 0.3, c.Duration)
		moves, creep := w.BodyPose(0).P.Sub(start).Norm(), w.BodyPose(0).P.Sub(at).Norm()
		t.Logf("step %g s: stays within %.2g m, creeps by %.2g m", h, moves, creep)
		if moves > 1e-4 || creep > 1e-6 {
			t.Errorf("step %g s: the box moves by %.3g m, allowed 1e-4 m, and creeps by %.3g m, allowed 1e-6 m", h, moves, creep)
		}

		c = golden(t, "box_slides")
		w = mustWorld(t, c.Robot.parameters(20))
		start = w.BodyPose(0).P
		march(t, w, h, 0, c.Duration)
		var want struct {
			Distance float64 `json:"distance_m"`
		}
		decode(t, c.Expected, &want)
		d := w.BodyPose(0).P.Sub(start).Norm()/want.Distance - 1
		t.Logf("step %g s: slides by %.2g too far", h, d)
		if math.Abs(d) > 0.02 {
			t.Errorf("step %g s: the box slides by %.3g too far, allowed 0.02", h, d)
		}
	}
}

// TestEquilibriaWithFriction: what friction holds is in equilibrium near where it is, and stays there; what it does not
// hold is refused.
func TestEquilibriaWithFriction(t *testing.T) {
	for _, c := range []struct{ name, err string }{
		{"box_stays", ""}, {"grasp_holds", ""},
		{"box_slides", "friction does not hold"}, {"grasp_slips", "friction does not hold"}, {"ball_rolls", "nothing holds \"ball\""},
	} {
		g := golden(t, c.name)
		w := mustWorld(t, g.Robot.parameters(10))
		last := len(g.Robot.Bodies) - 1
		at := w.BodyPose(last).P
		err := w.Equilibrate()
		if c.err != "" {
			if err == nil || !strings.Contains(err.Error(), c.err) {
				t.Errorf("%s: error %v, want one with %q", c.name, err, c.err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		moved := w.BodyPose(last).P
		march(t, w, 0.001, 0, 0.3)
		if falls, creep := moved.Sub(at).Norm(), w.BodyPose(last).P.Sub(moved).Norm(); falls > 1e-4 || creep > 1e-6 {
			t.Errorf("%s: the equilibrium is %.3g m away, and moves by %.3g m", c.name, falls, creep)
		}
	}
}

// TestGrasp: two elastic fingers hold a ball, or let it slip, as the friction is.
func TestGrasp(t *testing.T) {
	for _, n := range []int{10, 20} {
		c := golden(t, "grasp_holds")
		w := mustWorld(t, c.Robot.parameters(n))
		start := w.BodyPose(2).P
		march(t, w, 0.0005, 0, 0.3)
		at := w.BodyPose(2).P
		march(t, w, 0.0005, 0.3, c.Duration)
		falls, creep := start.Z-w.BodyPose(2).P.Z, at.Sub(w.BodyPose(2).P).Norm()
		t.Logf("%d elements: falls by %.3g m, creeps by %.3g m", n, falls, creep)
		if math.Abs(falls) > 0.002 || creep > 5e-5 {
			t.Errorf("%d elements: the ball falls by %.3g m, allowed 2e-3 m, and creeps by %.3g m, allowed 5e-5 m", n, falls, creep)
		}

		c = golden(t, "grasp_slips")
		w = mustWorld(t, c.Robot.parameters(n))
		march(t, w, 0.0005, 0, c.Duration)
		var want struct {
			Falls float64 `json:"ball_falls_m"`
		}
		decode(t, c.Expected, &want)
		falls = start.Z - w.BodyPose(2).P.Z
		t.Logf("%d elements: slips by %.5g m, want %.5g m", n, falls, want.Falls)
		if math.Abs(falls/want.Falls-1) > 0.2 {
			t.Errorf("%d elements: the ball slips by %.4g m, want %.4g m to a fifth", n, falls, want.Falls)
		}
	}
}
