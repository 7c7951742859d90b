// Package boundary is the boundary-element method for the Stokes flow around a rigid body in
// unbounded fluid: its resistance, and what straining fluid exerts on it.
//
// The velocity on the surface of the body is that of a single layer of Stokeslets (Pozrikidis,
// "Boundary Integral and Singularity Methods for Linearized Viscous Flow", 1992, section 4.1),
//
//	8πη u(x) = ∫ G(x − y) f(y) dS(y),  G(r) = 1/|r| + r rᵀ/|r|³,
//
// which is required at the centres of flat panels of constant density f. The integrals over a panel
// are exact. A body that is its own image in planes through its reference point has unknowns on one
// part of its surface alone.
package boundary
