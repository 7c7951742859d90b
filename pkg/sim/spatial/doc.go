// Package spatial is the geometry that every model shares: vectors, rotations
// and rigid motions as plain values, and the maps between them.
//
// # Conventions
//
// All numbers are SI and float64. Frames are right-handed. A rotation matrix R
// maps body coordinates to world coordinates, x_world = R x_body, so that its
// columns are the body axes seen from the world. A pose (R, P) maps
// x_world = P + R x_body. Six-vectors have their linear part first: a twist is
// (v, w), a wrench (force, moment). [u]× denotes the matrix with [u]× a = u × a.
//
// Quaternions are Hamilton's, W + X i + Y j + Z k, unit, body to world; on the
// wire ROS orders them x, y, z, w.
//
// Values are structs of float64 fields, not arrays: the compiler keeps them in
// registers, which made the same rigid-body step 3.5 times faster than
// [3]float64. Vec converts to and from gonum's r3.Vec, and Quat to and from
// quat.Number, at no cost; exported borders may use either.
package spatial
