// Package tendon computes the loads of tendons on a rod. A tendon runs from the base plate through
// holes in disks, in straight chords from hole to hole, and ends at its last disk.
//
// Symbols: T is a tension, N; u the unit direction of a chord, world axes; r a hole in the body
// axes of its cross-section, m; d1, d2, d3 the directors of package rod; β the wrap angle at a
// disk, rad; μ the friction coefficient; η a body increment of a node. SI units.
//
// Reading order: route.go has Route, the immutable path of one tendon through the rod, and disk.go
// the disks. For the rod of package strain, bundle.go has Bundle, all tendons of a robot,
// gap_sums.go its wrenches and exact tangent at constant tensions, gradients.go the low-rank parts
// of the tangent for variable tensions, and clearance.go the distance of disks. friction.go has
// Friction, the capstan friction of one tendon in motion, and friction_equilibrium.go that in a
// series of equilibria. For the rod of package staggered, original.go reproduces the TendonForces
// module for PyElastica with its faults, and corrected.go has the corrected loads.
package tendon
