package mechanism

import (
	"errors"
	"fmt"

	"sinew/pkg/sim/rod"
	"sinew/pkg/sim/spatial"
)

// Nodes returns the arc lengths of the nodes of rod i, m.
func (w *World) Nodes(i int) []float64 { return w.rods[i].mesh.ArcLengths }

// Mesh returns the discretised rod i, to be read only.
func (w *World) Mesh(i int) *rod.Rod { return w.rods[i].mesh }

// NodePoses returns the poses of the nodes of rod i in the world. They are valid until the next step.
func (w *World) NodePoses(i int) []spatial.Pose { return w.rods[i].state.Pose }

// NodeTwist returns velocity (m/s) and angular velocity (rad/s) of a node of rod i, world axes.
func (w *World) NodeTwist(i, node int) spatial.Twist { return w.rods[i].state.NodeTwist(node) }

// StrainAt returns the strain of a cross-section of rod i; see strain.State.
func (w *World) StrainAt(i int, c rod.Place) spatial.Twist {
	return w.rods[i].state.StrainAt(c.Node, c.Share)
}

// BodyPose returns the pose of the origin of body i in the world.
func (w *World) BodyPose(i int) spatial.Pose { return w.bodies[i].pose }

// BodyVelocity returns the velocity of the origin of body i, m/s in world axes and rad/s in body axes.
func (w *World) BodyVelocity(i int) spatial.Twist {
	b := w.bodies[i]
	return spatial.Twist{Linear: b.velocity.Sub(b.pose.R.Apply(b.omega.Cross(b.CenterOfMass))), Angular: b.omega}
}

// Coordinates returns the coordinates of joint i, m or rad; see joint.Joint. They are valid until the
// next step.
func (w *World) Coordinates(i int) []float64 { return w.connections[i].coordinate }

// Reaction returns the wrench of joint i on its child, world axes, about the origin of the joint's
// frame on the child, in N and N m. Springs, dampers, motors, stops and
// friction are part of it.
func (w *World) Reaction(i int) spatial.Wrench {
	c := w.connections[i]
	c.update(w.pose)
	var sum spatial.Vec6
	add := func(s float64, d *spatial.Vec6) {
		for k := range d {
			sum[k] += s * d[k]
		}
	}
	for k := range c.geometry.Size() {
		add(-c.lambda[k], &c.rows.OnChild[k])
	}
	for k := range c.coordinate {
		_, child := c.geometry.Gradient(k, &c.relative)
		effort, _ := c.effort(k)
		add(-effort, &child)
	}
	for k := range c.laws.list {
		_, child := c.geometry.Gradient(c.laws.list[k].coordinate, &c.relative)
		add(-c.laws.list[k].multiplier, &child)
	}
	g := c.child.pose(w.pose)
	return spatial.Wrench{Force: g.R.Apply(sum.Linear()), Moment: g.R.Apply(sum.Angular())}
}

// Energy returns the kinetic energy, the potential energy of weight, and the elastic energy of rods, springs,
// tendons and contacts, J. The work of what acts from outside, which is loads, motors and tendons of given tension, is not part
// of it.
func (w *World) Energy() (kinetic, weight, elastic float64) {
	for _, l := range w.links {
		k, p, e := l.energy()
		kinetic, weight, elastic = kinetic+k, weight+p, elastic+e
	}
	for _, c := range w.connections {
		for i, s := range c.Spring {
			d := c.coordinate[i] - s.Rest
			elastic += 0.5 * s.Stiffness * d * d
		}
	}
	for _, t := range w.tendons {
		if t.pulls {
			elastic += 0.5 * t.compliance() * t.law.multiplier * t.law.multiplier
		}
	}
	for _, p := range w.contacts.listed {
		if p.isNear {
			elastic += p.law.Potential(p.gap)
		}
	}
	return kinetic, weight, elastic
}

// Substeps returns the number of substeps into which the last step was divided, 1 for none.
func (w *World) Substeps() int { return w.parts }

// Iterations returns the number of iterations of the last step, of all its parts and trials.
func (w *World) Iterations() int { return w.iterations }

// ConstraintViolation returns the largest constraint violation of a joint, in parts of the length of the mechanism or in rad.
func (w *World) ConstraintViolation() float64 {
	worst, _ := w.openings()
	return worst
}

// Momentum returns the linear momentum, and the angular momentum about the origin of the world, in world axes, N s and N m s.
func (w *World) Momentum() (linear, angular spatial.Vec) {
	for _, l := range w.rods {
		p, k := l.state.Momentum()
		linear, angular = linear.Add(p), angular.Add(k)
	}
	for _, b := range w.bodies {
		if b.node < 0 {
			continue
		}
		p := b.velocity.Scale(b.Mass)
		linear = linear.Add(p)
		angular = angular.Add(b.center().Cross(p)).Add(b.pose.R.Apply(b.inertia.Apply(b.omega)))
	}
	return linear, angular
}

// Rate returns the rate of coordinate k of joint i, m/s or rad/s; 0 in an equilibrium and before the first step.
func (w *World) Rate(i, k int) float64 {
	c := w.connections[i]
	return c.gamma * (c.branch(c.coordinate, c.hat, k) - c.hat[k])
}

// JointFrame returns the pose of the frame of joint i on its child in the world.
func (w *World) JointFrame(i int) spatial.Pose { return w.connections[i].child.pose(w.pose) }

// ParentFrame returns the pose of the frame of joint i on its parent in the world.
func (w *World) ParentFrame(i int) spatial.Pose { return w.connections[i].parent.pose(w.pose) }

// HolePosition returns the position of hole k of tendon i in the world.
func (w *World) HolePosition(i, k int) spatial.Vec { return w.tendons[i].hole[k].pose(w.pose).P }

// IsOpen reports whether some joint is open. Such a mechanism cannot be stepped; Equilibrate closes it.
func (w *World) IsOpen() bool { return w.isOpen }

// OpenJoint returns an error that names the joint that is open most, or the failed search that left the mechanism open; nil unless IsOpen.
func (w *World) OpenJoint() error {
	if !w.isOpen {
		return nil
	}
	worst, at := w.openings()
	if !(worst > closedStart) {
		return errors.New("the last search for an equilibrium ended at smaller loads")
	}
	return fmt.Errorf("joint %q is open by %.3g (in rad, or in the mechanism's length of %.3g m), allowed %g", at.Name, worst, w.size, closedStart)
}

// Length returns the length of the mechanism, m: its largest link, or the largest distance of a joint from the origin or the centre
// of mass of a body.
func (w *World) Length() float64 { return w.size }
