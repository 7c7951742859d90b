// Package blocks factorises sparse symmetric indefinite matrices of 6×6 blocks, the KKT matrices of
// mechanisms: nodes with six coordinates each, and the constraints between them.
//
// The factorisation is L D Lᵀ without pivoting, in an order that New chooses once from the pattern.
// Dynamics and regularised statics give quasi-definite matrices, [K, Gᵀ; G, −C] with positive
// definite K and C, of which every order has such a factorisation (Vanderbei, "Symmetric
// quasidefinite matrices", SIAM J. Optim. 5 (1995) 100). The number of negative pivots is that of
// negative eigenvalues (Sylvester's law of inertia), from which the stability of an equilibrium
// follows.
//
// An unknown of fewer than six coordinates, a joint that locks five say, occupies the first entries
// of its block. The others are uncoupled.
package blocks
