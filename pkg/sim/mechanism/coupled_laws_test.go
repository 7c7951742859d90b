package mechanism_test

import (
	"fmt"
	"math"
	"testing"

	"sinew/pkg/sim/mechanism"
	"sinew/pkg/sim/mechanism/joint"
	"sinew/pkg/sim/spatial"
)

// arm is a chain of four links on hinges that hangs from the world, the first of them at the given angle.
func arm(angle float64) mechanism.Parameters {
	p := pendulum(angle)
	length := 0.4
	for i, name := range []string{"b", "c", "d"} {
		p.Bodies = append(p.Bodies, thin(name, 0.3, 0.3))
		p.Joints = append(p.Joints, mechanism.Joint{
			Name: fmt.Sprint("hinge of ", name), Type: joint.Revolute, Axis: spatial.Vec{Y: 1},
			Parent: mechanism.JointSide{Link: p.Bodies[i].Name, Frame: spatial.Pose{P: spatial.Vec{Z: -length}}}, Child: mechanism.JointSide{Link: name},
		})
		length = 0.3
	}
	return p
}

// TestImpactsSoonAfterEachOther are plastic, also where the links have nothing to do with each other.
func TestImpactsSoonAfterEachOther(t *testing.T) {
	for _, gap := range []float64{0, 0.001, 0.002, 0.003} {
		p := slider()
		p.Bodies[0].Velocity = &spatial.Twist{Linear: spatial.Vec{X: 1}}
		second, rail := p.Bodies[0], p.Joints[0]
		second.Name, rail.Name, rail.Child.Link = "second", "second rail", "second"
		rail.Limits = []mechanism.Limits{{Min: math.Inf(-1), Max: 0.0105 + gap}}
		p.Joints[0].Limits = []mechanism.Limits{{Min: math.Inf(-1), Max: 0.0105}}
		p.Bodies, p.Joints = append(p.Bodies, second), append(p.Joints, rail)
		w := mustWorld(t, p)
		march(t, w, 0.001, 0, 0.1)
		for i := range 2 {
			if v, q := w.BodyVelocity(i).Linear.X, w.Coordinates(i)[0]; math.Abs(v) > 1e-9 || math.Abs(q-p.Joints[i].Limits[0].Max) > 1e-9 {
				t.Errorf("stops %g m apart: cart %d is at %.9g m with %.3g m/s", gap, i+1, q, v)
			}
		}
	}
}

// TestFrictionInSeveralJoints: what friction takes, work of the weight has given; the arm comes to rest, and stays there.
func TestFrictionInSeveralJoints(t *testing.T) {
	for _, friction := range []float64{0.01, 0.1} {
		for _, h := range []float64{0.0005, 0.002} {
			p := arm(1)
			for i := range p.Joints {
				p.Joints[i].Friction = []float64{friction}
			}
			w := mustWorld(t, p)
			last := math.Inf(1)
			for range int(3 / h) {
				if err := w.Step(h); err != nil {
					t.Fatalf("friction %g N m, step %g s: %v", friction, h, err)
				}
				kinetic, weight, _ := w.Energy()
				if now := kinetic + weight; now > last+1e-4 {
					t.Fatalf("friction %g N m, step %g s: the energy rises by %.3g J", friction, h, now-last)
				} else {
					last = now
				}
			}
		}
	}
}

// TestFrictionOfAPlanarJoint brings a body on springs to rest.
func TestFrictionOfAPlanarJoint(t *testing.T) {
	j := mechanism.Joint{Name: "table", Type: joint.Planar, Axis: spatial.Vec{X: 0.6, Y: 0.8}, Child: mechanism.JointSide{Link: "bob"}, Position: []float64{0.4, 0.5, 0.3}}
	for range 3 {
		j.Friction = append(j.Friction, 0.05)
		j.Spring = append(j.Spring, mechanism.Spring{Stiffness: 8})
	}
	w := mustWorld(t, mechanism.Parameters{Gravity: spatial.Vec{Z: -9.8}, Bodies: []mechanism.Body{thin("bob", 0.5, 0.4)}, Joints: []mechanism.Joint{j}})
	march(t, w, 0.01, 0, 3)
}

// TestSaturatedServos: four servos at their largest efforts follow, and hold an equilibrium within them.
func TestSaturatedServos(t *testing.T) {
	for _, most := range []float64{0.05, 0.5, 3} {
		p := arm(0)
		for i := range p.Joints {
			p.Joints[i].Motor = []mechanism.Motor{{Kind: mechanism.PositionMotor, Stiffness: 1000, Damping: 50, MaxEffort: most}}
		}
		w := mustWorld(t, p)
		for n := range 1000 {
			for i := range 4 {
				w.Command(i, 0, 0.8*math.Sin(0.003*float64(n)+float64(i)))
			}
			if err := w.Step(0.001); err != nil {
				t.Fatalf("largest effort %g N m: step %d: %v", most, n, err)
			}
			for i := range 4 {
				if e := w.Effort(i, 0); math.Abs(e) > most*(1+1e-12) {
					t.Fatalf("largest effort %g N m: motor %d drives with %.9g N m", most, i+1, e)
				}
			}
		}
	}
}

// TestNarrowStops: links that hit both stops of their hinges, one after the other, stay between them.
func TestNarrowStops(t *testing.T) {
	p := arm(1.5)
	for i := range p.Joints {
		p.Joints[i].Limits, p.Joints[i].Spring = []mechanism.Limits{{Min: -0.05, Max: 0.05}}, []mechanism.Spring{{Damping: 0.05}}
	}
	p.Joints[0].Limits[0] = mechanism.Limits{Min: 1, Max: 2}
	w := mustWorld(t, p)
	for n := range 1000 {
		if err := w.Step(0.002); err != nil {
			t.Fatalf("step %d: %v", n, err)
		}
		for i := 1; i < 4; i++ {
			if q := w.Coordinates(i)[0]; math.Abs(q) > 0.05+1e-9 {
				t.Fatalf("step %d: hinge %d is at %.9g rad, beyond its stop at 0.05 rad", n, i+1, q)
			}
		}
	}
}

// TestStopWithFriction: friction, however little, and the stop of one coordinate act together.
func TestStopWithFriction(t *testing.T) {
	for _, friction := range []float64{1e-6, 1} {
		p := slider()
		p.Bodies[0].Velocity = &spatial.Twist{Linear: spatial.Vec{X: 1}}
		p.Joints[0].Limits, p.Joints[0].Friction = []mechanism.Limits{{Min: -1, Max: 0.0203}}, []float64{friction}
		w := mustWorld(t, p)
		march(t, w, 0.001, 0, 0.1)
		if q := w.Coordinates(0)[0]; math.Abs(q-0.0203) > 1e-9 {
			t.Errorf("friction %g N: at %.9g m, want the stop at 0.0203 m", friction, q)
		}
	}
}

// TestFastLinksFlyFar: a ball of 1 cm flies ten times its radius in a step.
func TestFastLinksFlyFar(t *testing.T) {
	w := mustWorld(t, mechanism.Parameters{Bodies: []mechanism.Body{{
		Name: "ball", Mass: 0.03, Inertia: [6]float64{1.2e-6, 1.2e-6, 1.2e-6}, Velocity: &spatial.Twist{Linear: spatial.Vec{X: 10}},
	}}})
	march(t, w, 0.01, 0, 0.01)
	if x := w.BodyPose(0).P.X; math.Abs(x-0.1) > 1e-12 || w.Iterations() > 3 {
		t.Errorf("at %.12g m after %d iterations, want 0.1 m after 3", x, w.Iterations())
	}
}
