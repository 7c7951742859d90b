// Package staggered is the explicitly stepped Cosserat rod on a staggered mesh of Gazzola, Dudte,
// McCormick and Mahadevan, "Forward and inverse problems in the mechanics of soft filaments", R.
// Soc. Open Sci. 5 (2018) 171628, as in PyElastica 0.3.2 (scheme Original), or with its first-order
// errors corrected (scheme Corrected).
//
// n elements e = 0 … n−1 join the nodes k = 0 … n. Nodes have position, velocity and mass; elements
// have directors, angular velocity and rotary inertia. The Voronoi domain between two elements has
// curvature and bending moment. Positions, velocities and forces are in world axes; strain, stress,
// angular velocity and couples in the body axes of package rod.
//
// Symbols: Q is the matrix whose rows are the directors; ω an angular velocity, body axes; σ shear
// and stretch; κ curvature and twist, 1/m; τ a bending moment, N m; e the stretch of an element. SI
// units.
//
// Reading order: state.go and motion.go have the state, new.go the constants. A Verlet step is
// Drift (drift.go) and Kick (kick.go); original.go and corrected.go have the loads of the two
// schemes. directors.go has rotations, damping.go the dampers, loads.go external loads,
// adjacent_elements.go the cross-sections at nodes. stability.go bounds the time step, and
// accessors.go and save.go give access to the state.
package staggered
