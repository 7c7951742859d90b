// Package magnetics is where magnetic fields come from and what they do to a small
// body: sources of flux density, and the moment, force and torque that answer.
//
// # Conventions
//
// B is flux density in tesla, G its gradient dB_i/dx_j in T/m. Where no current
// flows G is symmetric and traceless, so that five numbers describe it, and B and
// H = B/µ0 are the same thing but for the unit. Moments are in A m², lengths in
// metres. A body is a point dipole m to the field: force G m = (∇B)ᵀ m, torque
// m × B about the point where the field is taken.
//
// Sources are values with a method At that gives field and gradient at a point;
// those that depend on time take what drives them: a phase or coil currents.
package magnetics
