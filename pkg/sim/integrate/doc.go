// Package integrate is time stepping and the solution of the equations of a step,
// one file per method. It knows no model: it declares the small interfaces that
// models satisfy.
//
// PositionVerlet steps an Oscillator explicitly. LieEuler, CG4 and RKMK4 step a
// Kinematics, a first-order system of a rigid body. CG4Motion, RKMK4Body and Splitting
// step a rigid body with inertia; Newmark steps one with constraints by generalised-alpha
// or the trapezoidal rule. A Stepper is any of these. BDF is the formula of an implicit
// step with positions as unknowns. Newton solves its equations and those of equilibrium,
// given as a System with a merit function that an increment should not raise. Skyline
// holds and factors their matrix.
//
// Nothing here allocates after construction, and the same numbers in give the
// same bits out.
package integrate
