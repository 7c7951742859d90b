// Package motion steps the equations of a rod and its force elements in time: BDF2 with variable steps, each
// step solved by Newton's method with a merit function, the method of chords where the wrenches are smooth.
//
// A step reads begin, predict, solve, check, commit (stepper.go). One that does not converge is divided
// (divide.go); one that fails even so leaves the state as it was. The package knows the elements by the contract of
// package equations alone.
//
// Reading order: stepper.go, iteration.go (the equations of a step for integrate.Newton), history.go (formula and
// extrapolation), divide.go, counters.go, linearise.go.
//
// References: rod and formula, E. Hairer and G. Wanner, Solving Ordinary Differential Equations II, on BDF methods of
// variable steps; the incremental potential, M. Ortiz and L. Stainier, Comput. Methods Appl. Mech. Engrg. 171 (1999) 419.
package motion
