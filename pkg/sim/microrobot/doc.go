// Package microrobot is the magnetic robot: a rigid body in viscous fluid, moved by
// a magnetic field, as a sim.Model.
//
// A Robot holds what never changes; a Model is a robot and its state, and any number
// of models of one robot can be stepped at once. The motion is overdamped: at every
// moment the drag balances the magnetic force and torque, weight less buoyancy and
// the external loads,
//
//	(v, w) = M (F, T) + what the fluid carries along,
//
// with the mobility M, F and T in body axes. What answers the field turns the body
// within the alignment time τ = ζ/(mB) = 1/(2π f), f the step-out frequency; steps
// are divided so that none is longer than τ/2, and when that would take too many,
// the body follows the field at once.
//
// Frames: "world"; "body", the body axes at the reference point.
package microrobot
