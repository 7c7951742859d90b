// Package lint finds numbers of a robot file that are allowed and hardly meant: a
// magnet stronger than any material, a load that tears the rod, degrees in a quaternion.
//
// Each finding has a name that stays the same, with which the key accept of a robot file
// silences it. Estimates are of one significant digit, by formulas that the comments give:
// they tell a wrong unit from an unusual robot, and no more. Findings about motion, such as
// the Reynolds number, are estimated here from what acts at t = 0; models measure the same
// as gauges while they run.
package lint
