// Package rod is the Cosserat rod: a slender elastic body that stretches,
// shears, bends and twists.
//
// A Rod holds the constants of a uniform rod and never changes after it is made;
// states are kept apart, so that several can be stepped at once. Explicit is the
// state of the explicitly stepped, staggered rod of Gazzola, Dudte, McCormick and
// Mahadevan, "Forward and inverse problems in the mechanics of soft filaments",
// R. Soc. Open Sci. 5 (2018) 171628, as PyElastica 0.3.2 codes it, or with its
// first-order faults corrected.
//
// Implicit is the state of the implicitly stepped rod, of elements of constant
// strain on SE(3), after Sonneville, Cardona and Brüls, "Geometrically exact beam
// finite element formulated on the special Euclidean group SE(3)", CMAME 268 (2014)
// 451.
//
// # Discretisation of Explicit
//
// n elements e = 0 … n−1 join the nodes k = 0 … n. Nodes carry position, velocity
// and mass; elements carry directors, angular velocity and rotary inertia. The
// Voronoi domain between two elements carries curvature and bending moment.
//
// # Discretisation of Implicit
//
// Every node k = 0 … n carries a pose, mass and rotary inertia; element e between
// the nodes e and e+1 has the coordinates x = l (v, u) with g_{e+1} = g_e exp(x),
// l times its shears and stretch and its curvatures and twist. The coordinates
// and the pose of the base are the configuration. Wrenches on a node are in its
// body axes, about it. Increments of a node are a displacement in body axes and a
// rotation vector: p ← p + R δ, R ← R exp([w]×).
//
// # Frames
//
// The body axes of a cross-section are its directors: d1 and d2 span the section,
// d3 is the tangent, base to tip. Strain, stress and angular velocity are in body
// axes: shear along d1 and d2 and stretch along d3; curvature about d1 and d2 and
// twist about d3. Positions, velocities and forces are in world axes. SI units.
package rod
