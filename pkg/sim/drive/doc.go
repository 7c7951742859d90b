// Package drive models motor joints that wind up tendons: the delay, lag, gain and backlash between
// a commanded angle and the pulley, and the compliance of the joints and the plate that carries
// them. docs/drives.md has the equations.
//
// Symbols: u is the commanded angle, v the delayed command, φ the angle of the motor, rad. SI
// units.
//
// Reading order: joint.go has Joint and its State in time, state.go saves it, and coupling.go has
// the compliance that tendons share.
package drive
