// Package equilibrium finds the equilibria of a rod and its force elements, at rest, and their derivatives.
//
// The search is a list of named strategies (strategies.go), tried in their order until one ends in a stable
// equilibrium: each starts from the shape before the search, the unbent shape or the stress-free shape, and ends with
// integrate.Descent on the equations at full load: Newton's method with a trust radius and a shift that makes the tangent
// positive definite, which leaves saddles along their lowest mode. The error of a search names the strategies and the
// residual of each.
//
// Reading order: solver.go (the search), strategies.go (the list), transient.go (pseudo-transient continuation and
// insertion), iteration.go (the equations for integrate.Descent), saddle.go (escape from saddles), stability.go (modes and
// stability), path.go (continuation in arc length), jacobian.go (derivatives), nearby.go (equilibria of robots nearby, by
// their derivative).
//
// Friction of tendons makes an equilibrium history-dependent: the first one is that of tendons that slide toward their
// motors, those after it follow the friction from the one before. Friction of walls has no part in equilibria.
//
// The page docs/theory.md lists the strategies, when each applies, and how stability is decided.
package equilibrium
