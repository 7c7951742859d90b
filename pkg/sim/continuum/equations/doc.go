// Package equations assembles and solves the equations of the nodes of a rod: K x = r, with r the
// wrenches on the nodes and K = −∂r/∂x, x the increments of the nodes in body axes.
//
// What acts on the nodes is a list of force elements behind one contract, Element. The package
// knows no tendon, no magnet and no wall. An Element adds wrenches, tangent and potential; what else
// it has, it says by the further interfaces of element.go: off-diagonal blocks (Coupler), columns
// of low rank (LowRank), unilateral constraints with multipliers (Constrained) or with a law of
// their gap (Regularised), a history (Stateful), obstacles that the rod cannot pass (Obstacle).
//
// Reading order: element.go (the contract), system.go (assembly and solution), columns.go (low rank,
// Woodbury), constraints.go (the active set of unilateral constraints), correction.go (increments by
// the laws of regularised constraints, such as contact), iterate.go (increments, merit, history),
// derivative.go (the equations by their inputs). The page docs/theory.md has all equations: unknowns,
// force elements, tangent, constraints, derivatives.
//
// One iteration calls System in this order: Assemble (residual and tangent at the iterate), Factor (of the
// blocks), AddColumns (low rank, rows of constraints), Solve, in a step CorrectIncrement (contact),
// TakeIncrement (strains, multipliers, size), Move; Merit before and after a Move, and Undo where it rose.
//
// Symbols: r wrenches (N, N m, body axes of the node), K tangent (N/m, N, N m), x increments (m, rad,
// body axes), B C Aᵀ the part of K of low rank, λ multipliers (N), G = Aᵀ K⁻¹ B.
package equations
