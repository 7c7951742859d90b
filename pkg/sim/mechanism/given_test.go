package mechanism_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"sinew/pkg/sim/mechanism"
	"sinew/pkg/sim/mechanism/joint"
	"sinew/pkg/sim/spatial"
)

// TestVelocityOfPlacedLinks is that of the place where the joint puts the link.
func TestVelocityOfPlacedLinks(t *testing.T) {
	b := thin("b", 1, 0.4)
	b.CenterOfMass = spatial.Vec{X: 0.2}
	b.Velocity = &spatial.Twist{Angular: spatial.Vec{Z: 1}}
	w := mustWorld(t, mechanism.Parameters{Bodies: []mechanism.Body{b}, Joints: []mechanism.Joint{{
		Name: "table", Type: joint.Planar, Axis: spatial.Vec{Z: 1}, Child: mechanism.JointSide{Link: "b"}, Position: []float64{1, 2, math.Pi / 2},
	}}})
	if v := w.BodyVelocity(0); v.Linear.Norm() > 1e-9 || v.Angular.Sub(spatial.Vec{Z: 1}).Norm() > 1e-9 {
		t.Errorf("given 0 m/s and 1 rad/s, moves with %v", v)
	}
	if p := w.BodyPose(0).P; p.Sub(spatial.Vec{X: 1, Y: 2}).Norm() > 1e-12 {
		t.Errorf("a planar joint about z with the coordinates 1 m and 2 m is at %v", p)
	}
	q := pendulum(0.8)
	q.Bodies[0].Velocity = &spatial.Twist{Angular: spatial.Vec{Y: 1}}
	mustWorld(t, q)
	p := cut(true)
	p.Joints[0].Type, p.Joints[0].Axis = joint.Revolute, spatial.Vec{Y: 1}
	p.Rods[0].Velocity = &spatial.Twist{Angular: spatial.Vec{Y: 3}}
	given := cut(true)
	at := spatial.IdentityPose()
	given.Joints, given.Rods[0].Start, given.Rods[0].Velocity = p.Joints, &at, p.Rods[0].Velocity
	k, _, _ := mustWorld(t, p).Energy()
	if want, _, _ := mustWorld(t, given).Energy(); !(k > 0) || math.Abs(k-want) > 1e-9*want {
		t.Errorf("a rod on a hinge with 3 rad/s has a kinetic energy of %g J, with a given start %g J", k, want)
	}
}

// chain are three links of 0.2 m on hinges, of which the first turns with 1 rad/s and the last one slides on a plane.
func chain() mechanism.Parameters {
	y, end := spatial.Vec{Y: 1}, spatial.Pose{P: spatial.Vec{Z: -0.2}}
	a := thin("a", 0.1, 0.2)
	a.Velocity = &spatial.Twist{Angular: y}
	return mechanism.Parameters{Bodies: []mechanism.Body{a, thin("b", 0.1, 0.2), thin("c", 0.1, 0.2)}, Joints: []mechanism.Joint{
		{Name: "0a", Type: joint.Revolute, Axis: y, Child: mechanism.JointSide{Link: "a"}},
		{Name: "ab", Type: joint.Revolute, Axis: y, Parent: mechanism.JointSide{Link: "a", Frame: end}, Child: mechanism.JointSide{Link: "b"}},
		{Name: "bc", Type: joint.Revolute, Axis: y, Parent: mechanism.JointSide{Link: "b", Frame: end}, Child: mechanism.JointSide{Link: "c"}},
		{Name: "c0", Type: joint.Planar, Axis: y, Parent: mechanism.JointSide{Frame: spatial.Pose{P: spatial.Vec{Z: -0.6}}}, Child: mechanism.JointSide{Link: "c", Frame: end}},
	}}
}

// TestLinksMoveWithTheirNeighbours, whatever the order of joints and of their sides: as one rigid body about the first hinge.
func TestLinksMoveWithTheirNeighbours(t *testing.T) {
	for k, p := range []mechanism.Parameters{chain(), mirrored(chain()), reversed(chain())} {
		w := mustWorld(t, p)
		for i := range p.Bodies {
			v, at := w.BodyVelocity(i), w.BodyPose(i).P
			want := spatial.Vec{Y: 1}.Cross(at)
			if v.Angular.Sub(spatial.Vec{Y: 1}).Norm() > 1e-9 || v.Linear.Sub(want).Norm() > 1e-9 {
				t.Errorf("list %d: %q moves with %v, want 1 rad/s about y and %v m/s", k, p.Bodies[i].Name, v, want)
			}
		}
	}
}

// TestGivenRestBesideMotion: one link stands still, and another turns on it.
func TestGivenRestBesideMotion(t *testing.T) {
	p := pendulum(0.7)
	g := spatial.Pose{R: spatial.ExpRot(spatial.Vec{X: 0.3, Y: -1, Z: 0.5}), P: spatial.Vec{X: 0.1, Y: 0.3}}
	p.Bodies = append(p.Bodies, thin("base", 1, 0.3))
	p.Bodies[0].Velocity, p.Bodies[1].Velocity = &spatial.Twist{Angular: spatial.Vec{Y: 2}}, &spatial.Twist{}
	p.Bodies[1].Pose = &g
	p.Joints[0].Parent = mechanism.JointSide{Link: "base", Frame: g}
	w := mustWorld(t, p)
	if v := w.BodyVelocity(0).Angular; v.Sub(spatial.Vec{Y: 2}).Norm() > 1e-9 {
		t.Errorf("turns with %v", v)
	}
}

// fourBar is a four-bar linkage of which one position is given.
func fourBar() mechanism.Parameters {
	y, end := spatial.Vec{Y: 1}, spatial.Pose{P: spatial.Vec{Z: -0.2}}
	return mechanism.Parameters{Bodies: []mechanism.Body{thin("a", 0.1, 0.2), thin("b", 0.1, 0.2), thin("c", 0.1, 0.2)}, Joints: []mechanism.Joint{
		{Name: "crank", Type: joint.Revolute, Axis: y, Child: mechanism.JointSide{Link: "a"}, Position: []float64{0.6}},
		{Name: "ab", Type: joint.Revolute, Axis: y, Parent: mechanism.JointSide{Link: "a", Frame: end}, Child: mechanism.JointSide{Link: "b"}},
		{Name: "c0", Type: joint.Revolute, Axis: y, Parent: mechanism.JointSide{Frame: spatial.Pose{P: spatial.Vec{X: 0.25}}}, Child: mechanism.JointSide{Link: "c"}},
		{Name: "bc", Type: joint.Revolute, Axis: y, Parent: mechanism.JointSide{Link: "b", Frame: end}, Child: mechanism.JointSide{Link: "c", Frame: end}},
	}}
}

// TestGivenPositionsStay where loops close, and are refused where they do not.
func TestGivenPositionsStay(t *testing.T) {
	p := fourBar()
	if q := mustWorld(t, p).Coordinates(0)[0]; math.Abs(q-0.6) > 1e-9 {
		t.Errorf("the crank is given 0.6 rad, and is at %.9g rad", q)
	}
	p.Joints[2].Position = []float64{3}
	p.Joints[1].Position = []float64{-1}
	var contradicts *mechanism.PositionError
	if _, err := mechanism.New(p); !errors.As(err, &contradicts) {
		t.Errorf("three positions at which a four-bar does not close: %v", err)
	}
	p.Joints[2].Position = nil
	if _, err := mechanism.New(p); !errors.As(err, &contradicts) || math.Abs(contradicts.Posed-contradicts.Position) > 1 {
		t.Errorf("two positions at which a four-bar does not close: %v", err)
	}
}

// TestCrankKeepsItsVelocity, and the other links of the loop take what follows.
func TestCrankKeepsItsVelocity(t *testing.T) {
	p := fourBar()
	p.Bodies[0].Velocity = &spatial.Twist{Angular: spatial.Vec{Y: 1}}
	w := mustWorld(t, p)
	if v := w.BodyVelocity(0).Angular; v.Sub(spatial.Vec{Y: 1}).Norm() > 1e-6 {
		t.Errorf("the crank turns with %.9g rad/s, given 1 rad/s", v)
	}
	tip := func(i int) spatial.Vec { // velocity of the end of a link
		v, r := w.BodyVelocity(i), w.BodyPose(i).R
		return v.Linear.Add(r.Apply(v.Angular.Cross(spatial.Vec{Z: -0.2})))
	}
	if d := tip(1).Sub(tip(2)).Norm(); d > 1e-9 || tip(2).Norm() < 0.01 {
		t.Errorf("the ends of coupler and rocker part with %.3g m/s", d)
	}
}

// TestRefusesWhatCannotBe names what is wrong.
func TestRefusesWhatCannotBe(t *testing.T) {
	opposite := spatial.Pose{R: spatial.ExpRot(spatial.Vec{X: math.Pi})}
	for _, c := range []struct {
		want   string
		change func(p *mechanism.Parameters)
	}{
		{`two links have the name "bob"`, func(p *mechanism.Parameters) { p.Bodies = append(p.Bodies, thin("bob", 9, 0.4)) }},
		{"no name", func(p *mechanism.Parameters) { p.Bodies = append(p.Bodies, thin("", 9, 0.4)) }},
		{`"bob" has the inertia`, func(p *mechanism.Parameters) { p.Bodies[0].Inertia = [6]float64{1, 1, 1, 2, 2, 2} }},
		{`"bob" has the inertia`, func(p *mechanism.Parameters) { p.Bodies[0].Inertia = [6]float64{1, 1, 100} }},
		{"spring", func(p *mechanism.Parameters) { p.Joints[0].Spring = []mechanism.Spring{{Stiffness: math.NaN()}} }},
		{"spring", func(p *mechanism.Parameters) { p.Joints[0].Spring = []mechanism.Spring{{Damping: -1}} }},
		{"gravity", func(p *mechanism.Parameters) { p.Gravity.X = math.NaN() }},
		{"no rotation", func(p *mechanism.Parameters) { p.Joints[0].Child.Frame.R = spatial.Mat3{XX: 2, YY: 1, ZZ: 1} }},
		{"nothing that moves", func(p *mechanism.Parameters) { p.Bodies[0].IsFixed = true }},
		{"beyond its limits", func(p *mechanism.Parameters) { p.Joints[0].Limits = []mechanism.Limits{{Min: -1, Max: 0.2}} }},
		{"beyond its limits", func(p *mechanism.Parameters) { p.Joints[0].Limits = []mechanism.Limits{{Min: 0.4, Max: 1}} }},
		{"opposite", func(p *mechanism.Parameters) { p.Bodies[0].Pose, p.Joints[0].Position = &opposite, nil }},
	} {
		p := pendulum(0.3)
		c.change(&p)
		if _, err := mechanism.New(p); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want one with %q", err, c.want)
		}
	}
}
