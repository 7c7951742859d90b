package mechanism_test

import (
	"math"
	"testing"

	"sinew/pkg/sim/mechanism"
	"sinew/pkg/sim/mechanism/joint"
	"sinew/pkg/sim/spatial"
)

// TestEnergiesAndMomenta of a body in a given state are those of textbooks.
func TestEnergiesAndMomenta(t *testing.T) {
	g := spatial.Pose{R: spatial.ExpRot(spatial.Vec{X: 0.3, Y: -1, Z: 0.5}), P: spatial.Vec{X: 1, Y: 2, Z: 3}}
	b := mechanism.Body{
		Name: "b", Mass: 2, CenterOfMass: spatial.Vec{X: 0.1, Y: -0.2, Z: 0.3}, Inertia: [6]float64{0.3, 0.3, 0.3}, Pose: &g,
		Velocity: &spatial.Twist{Linear: spatial.Vec{X: 0.5, Y: 1, Z: -1}, Angular: spatial.Vec{X: 1, Y: 2, Z: 3}},
	}
	w := mustWorld(t, mechanism.Parameters{Gravity: spatial.Vec{Z: -10}, Bodies: []mechanism.Body{b}})
	if v := w.BodyVelocity(0); v.Linear.Sub(b.Velocity.Linear).Norm() > 1e-12 || v.Angular.Sub(b.Velocity.Angular).Norm() > 1e-12 {
		t.Errorf("given %v, moves with %v", *b.Velocity, v)
	}
	omega := g.R.Apply(b.Velocity.Angular)
	p := b.Velocity.Linear.Add(omega.Cross(g.R.Apply(b.CenterOfMass))).Scale(b.Mass)
	l := g.Apply(b.CenterOfMass).Cross(p).Add(omega.Scale(0.3))
	linear, angular := w.Momentum()
	if linear.Sub(p).Norm() > 1e-12 || angular.Sub(l).Norm() > 1e-12 {
		t.Errorf("momenta %v and %v, want %v and %v", linear, angular, p, l)
	}
	kinetic, weight, elastic := w.Energy()
	wantKinetic, wantWeight := p.Norm2()/(2*b.Mass)+0.5*0.3*omega.Norm2(), 2*10*g.Apply(b.CenterOfMass).Z
	if math.Abs(kinetic-wantKinetic) > 1e-12 || math.Abs(weight-wantWeight) > 1e-12 || elastic != 0 {
		t.Errorf("energies %g, %g and %g J, want %g, %g and 0 J", kinetic, weight, elastic, wantKinetic, wantWeight)
	}
}

// TestEnergyOfSpringsAndWeightOfRods, by hand.
func TestEnergyOfSpringsAndWeightOfRods(t *testing.T) {
	p := slider()
	p.Joints[0].Position, p.Joints[0].Spring = []float64{0.3}, []mechanism.Spring{{Stiffness: 50, Rest: -0.1}}
	if _, _, elastic := mustWorld(t, p).Energy(); math.Abs(elastic-0.5*50*0.4*0.4) > 1e-12 {
		t.Errorf("a spring of 50 N/m that is stretched by 0.4 m has %g J", elastic)
	}
	q := cut(true)
	low, high := spatial.IdentityPose(), spatial.Pose{R: spatial.Identity3(), P: spatial.Vec{Z: 2}}
	q.Joints, q.Gravity, q.Rods[0].Start = nil, spatial.Vec{Z: -10}, &low
	_, below, _ := mustWorld(t, q).Energy()
	q.Rods[0].Start = &high
	_, above, _ := mustWorld(t, q).Energy()
	// the mass follows from the first: the undeformed rod is uniform, and its center is at half its length
	mass := (above - below) / (2 * 10)
	if want := mass * 10 * 0.2; !(mass > 0) || math.Abs(below-want) > 1e-9*want {
		t.Errorf("a rod of 0.4 m that stands on z = 0 has %g J of weight, want %g J with its mass of %g kg", below, want, mass)
	}
}

// TestEffortOfEachCoordinate: motors of a cylindrical joint that prescribe both drive with what each needs.
func TestEffortOfEachCoordinate(t *testing.T) {
	b := mechanism.Body{Name: "b", Mass: 2, Inertia: [6]float64{0.1, 0.1, 0.1}, Loads: []mechanism.Load{{Wrench: spatial.Wrench{Force: spatial.Vec{Z: 5}, Moment: spatial.Vec{Z: -0.7}}}}}
	m := mechanism.Motor{Kind: mechanism.PrescribedMotor}
	w := mustWorld(t, mechanism.Parameters{Bodies: []mechanism.Body{b}, Joints: []mechanism.Joint{{
		Name: "screw", Type: joint.Cylindrical, Axis: spatial.Vec{Z: 1}, Child: mechanism.JointSide{Link: "b"}, Motor: []mechanism.Motor{m, m}}}})
	march(t, w, 0.001, 0, 0.01)
	if f, n := w.Effort(0, 0), w.Effort(0, 1); math.Abs(f+5) > 1e-7 || math.Abs(n-0.7) > 1e-7 {
		t.Errorf("motors drive with %.9g N and %.9g N m, want -5 and 0.7", f, n)
	}
}

// TestPlacesLinksByTurnedFrames: a joint with frames that are off and turned on both sides brings them together.
func TestPlacesLinksByTurnedFrames(t *testing.T) {
	onWorld := spatial.Pose{R: spatial.ExpRot(spatial.Vec{X: 1, Y: 0.2}), P: spatial.Vec{X: 0.1, Z: 0.4}}
	onBody := spatial.Pose{R: spatial.ExpRot(spatial.Vec{Y: -0.7, Z: 0.4}), P: spatial.Vec{Y: 0.3}}
	for _, swap := range []bool{false, true} {
		j := mechanism.Joint{Name: "j", Type: joint.Fixed, Parent: mechanism.JointSide{Frame: onWorld}, Child: mechanism.JointSide{Link: "b", Frame: onBody}}
		if swap {
			j.Parent, j.Child = j.Child, j.Parent
		}
		w := mustWorld(t, mechanism.Parameters{Bodies: []mechanism.Body{thin("b", 1, 0.3)}, Joints: []mechanism.Joint{j}})
		got, want := w.BodyPose(0), onWorld.Mul(onBody.Inv())
		if got.P.Sub(want.P).Norm() > 1e-12 || got.R.TMul(want.R).Log().Norm() > 1e-12 {
			t.Errorf("swapped %t: at %v, want %v", swap, got, want)
		}
	}
}
