package mechanism_test

import (
	"math"
	"testing"

	"sinew/pkg/sim/mechanism"
	"sinew/pkg/sim/mechanism/joint"
	"sinew/pkg/sim/spatial"
)

// TestRigidLoopsCloseBesideRods: two hinged bodies whose end is fixed where the hinges are at two given angles, and nowhere on the
// way there, in a mechanism with a rod.
func TestRigidLoopsCloseBesideRods(t *testing.T) {
	angles := [...]float64{0.04, -0.03}
	end := spatial.Pose{R: spatial.Identity3(), P: spatial.Vec{Z: 0.2}}
	x, y := spatial.Vec{X: 1}, spatial.Vec{Y: 1}
	turn := func(v spatial.Vec, angle float64) spatial.Pose {
		return spatial.Pose{R: spatial.ExpRot(v.Scale(angle))}
	}
	p := cut(true)
	p.Bodies = []mechanism.Body{thin("b", 0.1, 0.2), thin("c", 0.1, 0.2)}
	closed := turn(y, angles[0]).Mul(end).Mul(turn(x, angles[1])).Mul(end)
	p.Joints = append(p.Joints,
		mechanism.Joint{Name: "first", Type: joint.Revolute, Axis: y, Child: mechanism.JointSide{Link: "b"}},
		mechanism.Joint{Name: "second", Type: joint.Revolute, Axis: x, Parent: mechanism.JointSide{Link: "b", Frame: end}, Child: mechanism.JointSide{Link: "c"}},
		mechanism.Joint{Name: "end", Type: joint.Fixed, Parent: mechanism.JointSide{Frame: closed}, Child: mechanism.JointSide{Link: "c", Frame: end}},
	)
	w := mustWorld(t, p)
	if w.IsOpen() {
		t.Fatal("the loop is open, although no rod is part of it")
	}
	for range 2 {
		for i, want := range angles {
			if q := w.Coordinates(1 + i)[0]; math.Abs(q-want) > 1e-9 {
				t.Errorf("hinge %d is at %.12g rad; the loop closes at %g rad", i+1, q, want)
			}
		}
		if err := w.Equilibrate(); err != nil {
			t.Fatal(err)
		}
	}
}

// TestLoopsCloseWithinStops: a four-bar that could close at any angle of its crank does it at the stop that is on the way to the
// nearest one.
func TestLoopsCloseWithinStops(t *testing.T) {
	p := fourBar()
	p.Joints[0].Position = nil
	free := mustWorld(t, p).Coordinates(0)[0]
	stop := 0.8 * free
	p.Joints[0].Limits = []mechanism.Limits{{Min: min(stop, -stop), Max: max(stop, -stop)}}
	w := mustWorld(t, p)
	if q := w.Coordinates(0)[0]; math.Abs(q-stop) > 1e-7 || math.Abs(free) < 0.01 || w.IsOpen() {
		t.Errorf("the crank is at %.9g rad, its stop at %.9g rad, and without one it is at %.9g rad", q, stop, free)
	}
}

// TestLargeFollowerForce: the force F on the end of a clamped rod, which stays across it, with F L²/EI = 3. The sum of
// ½ M²/EI and of the component of F along the rod is the same everywhere, and 0 at the end.
func TestLargeFollowerForce(t *testing.T) {
	p := cut(true)
	p.Gravity = spatial.Vec{}
	r := &p.Rods[0]
	stiffness := r.Parameters.Material.YoungsModulus * math.Pi / 4 * math.Pow(0.004, 4)
	force := 3 * stiffness / (0.4 * 0.4)
	r.Loads = []mechanism.RodLoad{{At: 0.4, Wrench: spatial.Wrench{Force: spatial.Vec{X: force}}, IsFollower: true}}
	w := mustWorld(t, p)
	if err := w.Equilibrate(); err != nil {
		t.Fatal(err)
	}
	bending := w.Reaction(0).Moment.Norm2() / (2 * stiffness)
	if along := math.Abs(w.Reaction(0).Force.Z); math.Abs(bending-along) > 1e-3*force {
		t.Errorf("½ M²/EI is %.6g N at the clamp, and the force along the rod %.6g N", bending, along)
	}
}
