// Package lint finds suspicious values in a robot file: allowed ones that are probably
// mistakes, such as a magnet stronger than any material, a load that tears the rod, or degrees in
// a quaternion.
//
// Each finding has a stable name, with which the key accept of a robot file silences it. The
// estimates have one significant digit and follow the formulas in the comments: they distinguish a
// wrong unit from an unusual robot. Findings about motion, such as the Reynolds number, are
// estimated from the loads at t = 0; models measure the same quantities as gauges.
package lint
