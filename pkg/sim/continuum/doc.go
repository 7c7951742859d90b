// Package continuum is the tendon-driven continuum robot: an elastic rod, clamped
// at its base and pulled by tendons through disks, as a sim.Model.
//
// A Robot holds what never changes; a Model is a robot and its state, and any
// number of models of one robot can be stepped at once. What steps the state is
// an engine, one per method: reference reproduces PyElastica 0.3.2 with
// TendonForces, faults included; explicit is the same scheme with its first-order
// faults corrected; implicit takes large steps.
//
// The solver of method implicit is in the packages below: equations has the
// equations of the nodes and the contract of force elements, force the elements,
// motion the time steps, equilibrium the search for equilibria. The page
// docs/theory.md has their equations. Package continuum builds the elements from
// the robot file and hands commands to them.
//
// Reading order: robot.go and rod_options.go make the constants of a robot from
// its file. model.go, model_ports.go and model_state.go are the sim.Model.
// engine.go is the contract of the methods, which implicit.go and explicit.go
// implement. drives.go, magnets.go and environment.go make the parts around the
// rod; derivatives.go, scene.go, markers.go and report.go show the state.
//
// Frames: "world"; "base", the base plate, its z axis the tangent d3 of the rod
// and x the director d1, which moves under method implicit; "tip", the end of the
// rod, with the axes of the cross-section there.
package continuum
