// Package mechanism simulates rods and rigid bodies that joints connect to each other and to the world,
// with any number of closed loops: their motion and their equilibria.
//
// Unknowns are the poses of nodes and the multipliers of joints. A body is one node, a rod the chain of
// nodes of package strain with a free start; joints hold it at nodes. A body increment η = (δ, w) of a
// node is a displacement in body axes (m) and a rotation vector (rad): p ← p + R δ, R ← R exp([w]×).
// Wrenches r on a node are in its body axes, about the node, and K = −∂r/∂η. Joints have rows φ = 0 with
// multipliers λ and derivatives G; see package joint. Every iteration of Newton's method solves
//
//	[K + H  Gᵀ] [η ]   [r − Gᵀ λ]
//	[G     −C ] [Δλ] = [−φ + C λ]
//
// with the curvature H of the rows: it makes the Lagrangian E + λ φ − ½ C λ² stationary, so φ = C λ. C is
// 1e-9 of the compliance that the matrix gives the rows. It makes the multipliers of redundant joints unique,
// and leaves errors of joints below their tolerance. Errors above it are those of joints and laws that contradict
// each other, and end the step. The matrix is factorised by package blocks.
//
// A step is BDF2 with φ = 0 at its end (index 3): positions do not drift, velocities meet G v = 0 to
// second order. The level before t = 0, which BDF2 needs, follows from the accelerations at t = 0,
// which are those of the same equations with φ differentiated twice (index 1). Without them the
// multipliers of the first steps are wrong whatever the step is (Lötstedt and Petzold, "Numerical
// solution of nonlinear differential equations with algebraic constraints", Math. Comp. 46 (1986)
// 491). Where a load ends, such a level is computed anew. Where stiffness and damping resist those accelerations more
// than inertia does, as at light sections of stiff rods, they decay within the step, which then has growing parts, the first of order 1.
//
// Equilibria have no inertia, and Newton's method takes descent directions: the matrix is shifted until the number of
// its negative eigenvalues is that of the rows, so that the energy has a positive definite Hessian along
// the constraints (Nocedal and Wright, "Numerical Optimization", 2nd edition, chapter 16 and theorem
// 16.3). ρ Gᵀ G is added to it, which changes no solution, since links that only joints hold have
// a singular K. An equilibrium with further negative eigenvalues is a saddle, which the search leaves along the most negative one. Where only
// the shift resists a motion, as of a round column around its axis, increments are round-off over the shift, and the energy that they
// change says when the search ends. SI units.
//
// Tendons under length control have their tension as the multiplier of a law whose row couples all nodes of their
// holes. Friction of holes that sticks is a stiffness of low rank: a further unknown for each. In equilibria
// friction depends on the tension, which leaves a tangent that is not symmetric; there it is that of the last iterate.
//
// Contact is compliant and has no multipliers: its normal forces are those of package contact, with the same hardness, and
// friction is an elastic deflection of each contact point that is part of the state (bristle). Surfaces
// are made of colliders: elements of rods, spheres and capsules are axes with a radius, of which any two have
// closest points; planes, boxes, tubes and meshes are signed distance fields, which axes and the
// corners of boxes touch. A body of given mass has the stiffness that carries its weight at a gap of 0.
// A contact point whose nodes the matrix does not couple needs a new matrix; at rest no step does. A line search along
// each increment minimises the energy, with contact exact and all else in second order. A step
// that does not converge is divided.
//
// Reading order: parameters.go (what a mechanism is made of), check.go (what is refused), world.go (construction), placement.go
// (where undeformed parts are at t = 0), link.go (what rods and bodies have in common), body.go,
// body_link.go, rod_link.go, connection.go, motor.go and tendon.go (wrenches and tangents), commanded.go (bodies that are moved), law.go
// (stops, friction, prescribed coordinates), solve.go (one iteration), external.go (wrenches from outside), step.go and start.go (motion),
// statics.go, path.go, scale.go, saddle.go and neutral.go (equilibria), collider.go (surfaces), contact_list.go (broad phase),
// contact_point.go (closest points), contact_friction.go, contact_assembly.go, contact_limits.go and
// contact_step.go, time_error.go, sensitivity.go, friction_tangent.go and linearise.go
// (derivatives of equilibria and of steps), output.go, save.go, errors.go.
package mechanism
