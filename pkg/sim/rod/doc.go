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
// # Discretisation
//
// n elements e = 0 … n−1 join the nodes k = 0 … n. Nodes carry position, velocity
// and mass; elements carry directors, angular velocity and rotary inertia. The
// Voronoi domain between two elements carries curvature and bending moment.
//
// # Frames
//
// The body axes of a cross-section are its directors: d1 and d2 span the section,
// d3 is the tangent, base to tip. Strain, stress and angular velocity are in body
// axes: shear along d1 and d2 and stretch along d3; curvature about d1 and d2 and
// twist about d3. Positions, velocities and forces are in world axes. SI units.
package rod
