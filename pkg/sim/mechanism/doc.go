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
// and opens joints by less than counts as open. Joints and laws that contradict each other open further, which
// is an error. The matrix is factorised by package blocks.
//
// A step is BDF2 with φ = 0 at its end (index 3): positions do not drift, velocities meet G v = 0 to
// second order. The level before t = 0, which BDF2 needs, follows from the accelerations at t = 0,
// which are those of the same equations with φ differentiated twice (index 1). Without them the
// multipliers of the first steps are wrong whatever the step is (Lötstedt and Petzold, "Numerical
// solution of nonlinear differential equations with algebraic constraints", Math. Comp. 46 (1986)
// 491). At a load that ends, such a level begins anew. Where stiffness and damping resist those accelerations more
// than inertia does, as at light sections of stiff rods, they pass within the step, which then is of order 1.
//
// In equilibria β = 0, and Newton's method goes downhill: the matrix is shifted until the number of its
// negative eigenvalues is that of the rows, so that the energy has a positive definite Hessian along
// the constraints (Nocedal and Wright, "Numerical Optimization", 2nd edition, chapter 16 and theorem
// 16.3). ρ Gᵀ G is added to it, which changes no solution, since links that only joints hold have
// a singular K. An equilibrium with further negative eigenvalues is left along one of them. SI units.
//
// Contact has no multipliers: its normal forces are those of package contact, with the same hardness, and
// friction is an elastic deflection of each contact point that is part of the state (bristle). Surfaces
// are made of colliders: elements of rods, spheres and capsules are axes with a radius, of which any two have
// closest points; planes, boxes, tubes and meshes are signed distance fields, which axes and the
// corners of boxes touch. A body of given mass has the stiffness that carries its weight at a gap of 0.
// Contact points whose nodes the matrix does not couple make a new matrix; at rest there is none. An increment ends
// where the energy along it is least, with contact as it is and all else in second order. A step
// that does not converge is divided.
//
// Reading order: parameters.go (what a mechanism is made of), check.go (what is refused), world.go (construction), placement.go
// (where undeformed parts are at t = 0), link.go (what rods and bodies have in common), body.go,
// body_link.go, rod_link.go, connection.go, motor.go and tendon.go (wrenches and tangents), law.go
// (stops, friction, prescribed coordinates), solve.go (one iteration), step.go and start.go (motion),
// statics.go, scale.go, saddle.go and neutral.go (equilibria), collider.go (surfaces), contact_list.go (broad phase),
// contact_point.go (closest points), contact_friction.go, contact_assembly.go, contact_limits.go and
// contact_step.go, time_error.go, output.go, save.go, errors.go.
package mechanism
