// Package motion steps the equations of a rod and its force elements in time: BDF2 with variable steps, each
// step solved by Newton's method with a merit function, the method of chords where the wrenches are smooth.
//
// A step consists of begin, predict, solve, check and commit. One that does not converge is divided; one that fails
// even so leaves the state as it was. The package knows the elements by the contract of package equations alone.
// The page docs/theory.md has the equations of a step.
//
// Reading order: stepper.go (a step, and one that is divided), iteration.go (the equations of a step for
// integrate.Newton), history.go (formula and extrapolation), time_error.go (error of the length of the steps), rest.go (stability at
// rest), counters.go (gauges
// and the saved state), linearise.go.
//
// References: rod and formula, E. Hairer and G. Wanner, Solving Ordinary Differential Equations II, on BDF methods of
// variable steps; the incremental potential, M. Ortiz and L. Stainier, Comput. Methods Appl. Mech. Engrg. 171 (1999) 419.
package motion
