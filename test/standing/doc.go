// Package standing checks searches for equilibria on generated robots: standing, leaning and hanging
// rods up to three times as heavy as what buckles them, with payloads, follower forces, moments,
// transverse forces, tensions, pulls, precurvature, magnets and walls.
//
// The end of a damped motion from the straight rod is the reference: an equilibrium may be
// another one only if a motion from it, disturbed, comes back to it. Of planar rods under dead and
// follower loads, shooting lists all equilibria.
//
//	go test -v ./test/standing
//	go test -v ./test/standing -standing.first 5000 -standing.count 1000
package standing
