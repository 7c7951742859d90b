// Package identify finds the numbers of a robot file with which the robot moves as measured.
//
// A [Trial] has commands and the measured positions of tip and markers: a motion, or equilibria.
// [Resolve] finds the numbers that are free. A [Problem] predicts the trials with models of the
// robot file, varies the free numbers by package fit, and writes the identified numbers as an
// overlay of the robot file.
//
// Positions are in m, rotations in rad, times in s. A residual is prediction minus measurement in
// world axes.
package identify
