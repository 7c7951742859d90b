package mechanism_test

import (
	"errors"
	"math"
	"slices"
	"testing"

	"sinew/pkg/sim/mechanism"
	"sinew/pkg/sim/mechanism/joint"
	"sinew/pkg/sim/rod"
	"sinew/pkg/sim/spatial"
)

// TestMovedBody hangs a pendulum, with a damper, on a body that is moved, and on a cart whose rail prescribes the same motion.
func TestMovedBody(t *testing.T) {
	const h = 0.001
	way := func(t float64) float64 { return 0.05 * (1 - math.Cos(20*t)) }
	hinge := func(parent string) mechanism.Parameters {
		p := pendulum(0.3)
		p.Joints[0].Parent = mechanism.JointSide{Link: parent}
		p.Joints[0].Spring = []mechanism.Spring{{Damping: 0.01}}
		p.Bodies[0].Loads = []mechanism.Load{{Until: 0.1, Wrench: spatial.Wrench{Force: spatial.Vec{X: 0.5}}}}
		return p
	}
	moved := hinge("hand")
	at := spatial.IdentityPose()
	moved.Bodies = append(moved.Bodies, mechanism.Body{Name: "hand", IsFixed: true, Pose: &at})
	on := hinge("cart")
	on.Bodies = append(on.Bodies, mechanism.Body{Name: "cart", Mass: 1, Inertia: [6]float64{1, 1, 1}})
	on.Joints = append(on.Joints, mechanism.Joint{
		Name: "rail", Type: joint.Prismatic, Axis: spatial.Vec{X: 1}, Child: mechanism.JointSide{Link: "cart"}, Motor: []mechanism.Motor{{Kind: mechanism.PrescribedMotor}},
	})
	a, b := mustWorld(t, moved), mustWorld(t, on)
	saved := make([]float64, a.StateLen())
	worst := 0.0
	for k := range 400 {
		end := h * float64(k+1)
		to := spatial.IdentityPose()
		to.P.X = way(end)
		a.MoveBody(1, to)
		b.Command(1, 0, way(end))
		if err := a.Step(h); err != nil {
			t.Fatal(err)
		}
		if err := b.Step(h); err != nil {
			t.Fatal(err)
		}
		worst = max(worst, math.Abs(a.Coordinates(0)[0]-b.Coordinates(0)[0]))
		if k == 200 { // a state includes where the body is
			a.Save(saved)
			a.MoveBody(1, spatial.IdentityPose())
			a.Restore(saved)
		}
	}
	if swing := math.Abs(a.Coordinates(0)[0] - 0.3); swing < 0.05 {
		t.Fatalf("the pendulum has moved by %.3g rad only", swing)
	}
	if worst > 2e-6 {
		t.Errorf("the angles differ by %.3g rad", worst)
	}
	if d := a.BodyPose(1).P.X - way(0.4); math.Abs(d) > 1e-15 {
		t.Errorf("the body is %.3g m beside its command", d)
	}
}

// TestRodLoadEnds compares a load on the end of a rod that ends with the same on a nearly massless body there.
func TestRodLoadEnds(t *testing.T) {
	const h, until = 0.0005, 0.02
	wrench := spatial.Wrench{Force: spatial.Vec{X: 0.2}}
	clamped := func() mechanism.Parameters {
		return mechanism.Parameters{
			Rods: []mechanism.Rod{{Name: "rod", Parameters: rod.Params{
				Length: 0.2, Elements: 6, Order: 4, Section: rod.Ring(0.001, 0),
				Material: rod.Material{YoungsModulus: 60e9, ShearModulus: 23e9, Density: 6450, ShearCorrection: 27. / 28},
			}}},
			Joints: []mechanism.Joint{{Name: "clamp", Type: joint.Fixed, Child: mechanism.JointSide{Link: "rod"}}},
		}
	}
	direct, carried := clamped(), clamped()
	direct.Rods[0].Loads = []mechanism.RodLoad{{Until: until, At: 0.2, Wrench: wrench}}
	carried.Bodies = []mechanism.Body{{Name: "tip", Mass: 1e-8, Inertia: [6]float64{1e-14, 1e-14, 1e-14}, Loads: []mechanism.Load{{Until: until, Wrench: wrench}}}}
	carried.Joints = append(carried.Joints, mechanism.Joint{
		Name: "end", Type: joint.Fixed, Parent: mechanism.JointSide{Link: "rod", At: 0.2}, Child: mechanism.JointSide{Link: "tip"},
	})
	a, b := mustWorld(t, direct), mustWorld(t, carried)
	most, worst := 0.0, 0.0
	for range 120 {
		for _, w := range [...]*mechanism.World{a, b} {
			if err := w.Step(h); err != nil {
				t.Fatal(err)
			}
		}
		x, y := a.NodePoses(0)[6].P, b.NodePoses(0)[6].P
		most, worst = max(most, x.X), max(worst, x.Sub(y).Norm())
	}
	if most < 1e-4 || worst > 1e-4*most { // the body has 2e-6 of the mass of the rod, at its end
		t.Errorf("of %.3g m the deflections differ by %.3g m", most, worst)
	}
}

// TestMotorsThatALoopHolds: motors of a loop that cannot move are named at any command, and the mechanism stays as it was.
func TestMotorsThatALoopHolds(t *testing.T) {
	end := spatial.Pose{P: spatial.Vec{Z: -0.2}}
	motor := []mechanism.Motor{{Kind: mechanism.PrescribedMotor}}
	for _, command := range []float64{0.002, 0.05, 0.3} {
		w := mustWorld(t, mechanism.Parameters{
			Bodies: []mechanism.Body{thin("a", 0.01, 0.2), thin("b", 0.1, 0.2), thin("c", 0.001, 0.2)},
			Joints: []mechanism.Joint{
				{Name: "wa", Type: joint.Revolute, Axis: spatial.Vec{X: 0.7, Y: 0.5, Z: 0.5}, Child: mechanism.JointSide{Link: "a"}, Motor: motor},
				{Name: "ab", Type: joint.Revolute, Axis: spatial.Vec{X: 0.7, Y: -0.5, Z: 0.5}, Parent: mechanism.JointSide{Link: "a", Frame: end}, Child: mechanism.JointSide{Link: "b"}},
				{Name: "bc", Type: joint.Revolute, Axis: spatial.Vec{X: 0.5, Y: 0.7, Z: -0.5}, Parent: mechanism.JointSide{Link: "b", Frame: end}, Child: mechanism.JointSide{Link: "c"}, Motor: motor},
				{Name: "cw", Type: joint.Fixed, Parent: mechanism.JointSide{Link: "c", Frame: end}, Child: mechanism.JointSide{Frame: spatial.Pose{P: spatial.Vec{Z: -0.6}}}},
			},
		})
		before, after := make([]float64, w.StateLen()), make([]float64, w.StateLen())
		w.Command(2, 0, command)
		w.Save(before)
		var e *mechanism.ContradictionError
		err := w.Step(0.001)
		if !errors.As(err, &e) {
			t.Errorf("commanded to %g rad: %v", command, err)
		}
		if w.Save(after); !slices.Equal(before, after) {
			t.Errorf("commanded to %g rad: the step that fails changes the state", command)
		}
	}
}
