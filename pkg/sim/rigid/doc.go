// Package rigid is the inertial rigid body: mass, inertia about any reference point and
// centre of mass anywhere, free or on a spherical joint, its equations of motion in three
// formulations, and what there is to know of any of its points.
//
// # Symbols
//
// P is the reference point in the world, R the rotation from body to world axes, c the
// centre of mass and J the inertia about the reference point, both in body axes; v and ω
// are the velocity of the reference point and the angular velocity, a and α their
// accelerations, f and τ the load about the reference point:
//
//	m (a + α × c + ω × (ω × c)) = f
//	J α + ω × J ω + m c × a = τ
//
// # Formulations
//
// System is the body as explicit methods step it: for CG4 its first-order form on SE(3) ×
// R⁶ in body axes, for RKMK4 and splitting its centre and its rotation about it. A spherical
// joint is solved for, so that it holds to round-off. Inertial,
// EulerParameters and TaitBryan are the constrained forms for generalised-alpha and
// trapezoidal steps: the residual and the tangents of Kynema in world axes, and the mass
// matrix and quadratic velocity terms of Exudyn for two sets of rotation coordinates.
package rigid
