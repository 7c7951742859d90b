// Package staggered is the explicitly stepped Cosserat rod on a staggered mesh, of
// Gazzola, Dudte, McCormick and Mahadevan, "Forward and inverse problems in the
// mechanics of soft filaments", R. Soc. Open Sci. 5 (2018) 171628, as PyElastica
// 0.3.2 codes it, or with its first-order faults corrected.
//
// n elements e = 0 … n−1 join the nodes k = 0 … n. Nodes carry position, velocity
// and mass; elements carry directors, angular velocity and rotary inertia. The
// Voronoi domain between two elements carries curvature and bending moment.
//
// Positions, velocities and forces are in world axes; strain, stress, angular
// velocity and couples in the body axes of package rod. SI units.
package staggered
