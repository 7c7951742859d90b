// Package continuum is the tendon-driven continuum robot: an elastic rod, clamped
// at its base and pulled by tendons through disks, as a sim.Model.
//
// A Robot holds what never changes; a Model is a robot and its state, and any
// number of models of one robot can be stepped at once. What steps the state is
// an engine, one per method: reference reproduces PyElastica 0.3.2 with
// TendonForces, faults included; explicit is the same scheme with its first-order
// faults corrected; implicit takes large steps.
//
// Frames: "world"; "base", the base plate, its z axis the tangent d3 of the rod
// and x the director d1, which moves under method implicit; "tip", the end of the
// rod, with the axes of the cross-section there.
package continuum
