// Package joint is the geometry of joints: the constraints by which they lock relative motion,
// their first and second derivatives, and the coordinates of the motion that is left.
//
// A joint has a frame A on its parent and a frame B on its child. Both coincide where all its
// coordinates are 0. The pose of B in A is g = (R, d), and body increments η = (δ, w) of the
// frames change it by
//
//	∂d = R δ_B − δ_A + d × w_A,  ∂R = R [w_B]× − [w_A]× R.
//
// Two kinds of rows, and one for a locked rotation, make all joints:
//
//	P(e): e·d,  O(a, b): a·R b,  L: log R (three rows).
//
// Lengths are in m, angles in rad; the multiplier of a row P is a force in N, that of O and L a
// moment in N m. Vectors of A are in its axes, those of B in the axes of B.
//
// The rows are those of textbooks of multibody dynamics (Haug, "Computer Aided Kinematics and
// Dynamics of Mechanical Systems", 1989, chapter 9), in body increments.
package joint
