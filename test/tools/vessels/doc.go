// Package vessels makes lumens of tubes that branch, for robots to be pushed through: the
// vessel of launch/worlds and those of tests. A Lumen is known by its centre lines alone;
// Surface is its wall as triangles, and Excess says how far a point is outside without them.
//
// The vessel of launch/worlds is written anew, from the top of the repository, by
//
//	go test ./test/tools/vessels -args -write
package vessels
