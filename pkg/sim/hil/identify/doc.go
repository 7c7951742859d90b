// Package identify finds the numbers of a robot file with which the robot moves as
// measured.
//
// A [Trial] is what was commanded and where tip and markers were measured then: a motion, or
// equilibria. [Resolve] finds the numbers that are to be free. A [Problem] predicts
// the trials with models made from the robot file, lets package fit change the free
// numbers, and writes what was found as an overlay of the robot file.
//
// Positions are in m, rotations in rad, times in s. A residual is prediction minus
// measurement in world axes.
package identify
