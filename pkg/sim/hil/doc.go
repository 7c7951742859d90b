// Package hil compares a simulation with hardware: errors, delays and frames of
// two recorded motions, or of two that are going on.
//
// # Conventions
//
// Times are in s on one clock, positions in m in the world frame, rotations map
// body to world. A sample of the hardware is compared with the simulation at the
// same instant, for which the simulation is interpolated: positions linearly,
// rotations along the geodesic. Hardware is never interpolated.
//
// The position error is simulation minus hardware, e = p_sim − p_hw; the rotation
// error is the angle of R_sim R_hwᵀ. Percentages are of the robot's length.
//
// A latency is positive when the hardware is later than the simulation: what the
// simulation shows at t − latency, the hardware shows at t. To remove it, a
// sample of the hardware at t is compared with the simulation at t − latency.
//
// An alignment is a rigid motion, applied to the hardware's poses to bring them
// into the simulation's world frame. Scale is never changed.
//
// [Compare] works on finished recordings, [Live] on samples as they come; both
// use the same interpolation and the same definitions, so that the same data
// give the same numbers.
//
// # References
//
//   - Umeyama, Least-squares estimation of transformation parameters between two
//     point patterns, IEEE TPAMI 13(4), 1991.
//   - Sen, Estimates of the regression coefficient based on Kendall's tau,
//     J. Am. Stat. Assoc. 63(324), 1968, after Theil, 1950.
//   - Knapp, Carter, The generalized correlation method for estimation of time
//     delay, IEEE TASSP 24(4), 1976.
//   - Carlstein, The use of subseries values for estimating the variance of a
//     general statistic from a stationary sequence, Ann. Statist. 14(3), 1986.
//   - Rucker, Webster, Statics and dynamics of continuum robots with general
//     tendon routing and external loading, IEEE T-RO 27(6), 2011.
package hil
