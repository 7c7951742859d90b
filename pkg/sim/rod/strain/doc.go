// Package strain is the implicitly stepped Cosserat rod of strain elements on SE(3), after
// Sonneville, Cardona and Brüls, "Geometrically exact beam finite element formulated on the special
// Euclidean group SE(3)", CMAME 268 (2014) 451. The strains are the coordinates here, so rotations
// cannot drift and a moving base is a prescribed pose. Elements of order 2 have constant strain.
// Elements of order 4 have a strain that is linear along the element; its slope is condensed within
// the element, see linear_strain.go. The material law is rod.Linear.
//
// Every node k = 0 … n has a pose g_k = (R_k, p_k), mass and rotary inertia. Element e joins the
// nodes e and e+1. Its coordinates are x = l (v, u), its rest length l times shears and stretch v
// and curvatures and twist u, with g_{e+1} = g_e exp(x). The coordinates of all elements and the
// pose of the base are the configuration.
//
// Wrenches on a node are in its body axes, about the node. A body increment η = (δ, w) of a node is
// a displacement in body axes (m) and a rotation vector (rad): p ← p + R δ, R ← R exp([w]×).
// 6-vectors have the linear part first. [w]× is the matrix of the cross product with w, also
// written [w]. A hat and a tilde are known reference values of the BDF of a step: the velocity of a
// node is γ (p − p̂) and its acceleration β (p − p̃), see integrate.BDF. SI units.
//
// Reading order: state.go has the configuration and its history, step.go the course of a step or an
// equilibrium. element.go is the law of one element and element_tangent.go its tangent;
// linear_strain.go, condensation.go and blocks.go extend both to order 4. maxwell.go and jenkins.go
// have viscoelasticity and internal friction, eccentric_masses.go bodies beside the centre line,
// distributed_mass.go the mass of elements of order 4, and midpoint_loads.go loads on the middles of
// elements. equations.go assembles the nodes' equations. strain_displacement.go maps node increments
// to strains, inextensible_coordinates.go adds them, extrapolation.go and level_increments.go use the
// history, time_error.go carries the error of the steps along, and output.go and history.go save
// it.
package strain
