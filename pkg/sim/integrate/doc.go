// Package integrate has methods of time integration and Newton's method for the equations of an
// implicit step, one file per method. It depends on no model: models implement its small
// interfaces.
//
// Symbols: t is time and h a step length, s; x a state, q coordinates, v and w velocity and angular
// velocity; R⁶ and SE(3) as usual. A Placement is a point of SO(3) × R³, a Motion one of SE(3) ×
// R⁶. SI units. Each method names its source.
//
// Reading order: verlet.go has PositionVerlet, which steps an Oscillator explicitly. kinematics.go
// has Kinematics, a first-order system of a rigid body, which lie_euler.go, crouch_grossman.go and
// rkmk4.go step, and multibody.go for many bodies at once. motion.go and mass_properties.go have
// rigid bodies with inertia, which crouch_grossman.go, rkmk4_body.go and splitting.go step.
// constrained.go has bodies with constraints, which newmark.go steps by the generalised-alpha
// method or the trapezoidal rule. stepper.go has Stepper, the interface of all these. bdf.go is the
// formula of implicit steps with positions as unknowns. newton.go has Newton for their equations,
// given as a System with a merit function, and descent.go Descent for equilibria; contraction.go and
// broyden.go save iterations. skyline.go and dense.go factor matrices.
//
// Nothing allocates after construction, and equal input gives equal output to the bit.
package integrate
