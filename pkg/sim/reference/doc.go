// Package reference is what commands prescribe that is no force on the robot: poses of
// rigid things and the magnetic field around it, on their way from one command to the
// next.
package reference
