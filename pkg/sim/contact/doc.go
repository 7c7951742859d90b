// Package contact computes the contact of a rod with walls and with itself: which places touch,
// with which forces, and how these forces enter the equations of the nodes.
//
// Contact with walls is tested at contact points (ContactPoint). These are all nodes but the base,
// and places between nodes where a wall is more curved than an element is long. A contact point is
// a fixed material point of the rod, so forces do not jump when the rod slides. Beside a convex
// wall, a contact point covers an interval of its element, and its normal force acts at the point
// of the interval that is closest to the wall. At a distance x from that point, the force would
// have a component along the rod of x over the wall's radius.
//
// A rim, the edge of an open end, is a surface of its own, with one such contact point in each
// element (see surface).
//
// The normal force (NormalLaw) is a penalty force with a smooth onset. At rest it depends on the
// gap alone. Within a step, impactDamping damps the approach to a wall, so that an impact does not
// bounce, whatever the length of the step. Friction is Coulomb friction with an elastic deflection
// at each contact point, which is part of the state, so a contact below its friction limit sticks
// without creep. The friction of a step uses the normal forces of the end of the step before, or,
// where these have changed, those of a first solution of the step. It then has a potential, steps
// minimise a merit function, and the tangent is symmetric and banded.
//
// Self-contact acts between pairs of elements, each at the two points where the surfaces are
// closest, without friction. It depends on the present shape alone. It couples nodes that are far
// apart along the rod, so its tangent is a low-rank change of the banded matrix.
//
// Package continuum/force makes the contacts a force element; the page docs/theory.md says how a
// step and an equilibrium treat them.
//
// Symbols: g is a gap, negative in penetration, m; n the unit normal from the wall to the rod,
// world axes; f a normal force, N; z the distance below the activation gap, m; η a body increment
// of a node. Positions and forces are in world axes, unless a comment says otherwise. SI units.
//
// Reading order: points.go lists the contact points and law.go has the force laws. contacts.go has
// the state of all contacts and the course of a step; broad_phase.go culls elements that are far
// from a wall, closest_point.go finds closest points, rim.go has rims, base_contact.go treats the base, walls.go
// moves walls, friction.go and impact.go have friction and damping. equations.go assembles wrenches
// and tangents. reduced_correction.go selects active contacts, limits.go limits increments, and
// penetration.go checks for penetration. self.go, element_pair.go, self_equations.go and
// self_limits.go are the same for self-contact. report.go has what a user sees, and state.go saves
// and restores the state.
package contact
