// Package sinew_msgs holds the ROS messages and services of Sinew's own: what no
// common ROS package has. Units are SI.
//
//   - HilError: how far the simulator is from the hardware. position_error is
//     simulated minus measured position in header.frame_id (m), position_error_norm
//     its length, rotation_error the angle between both orientations (rad),
//     percent_of_length position_error_norm in percent of the robot's length,
//     latency the time by which the measurement lags (s), rmse and max the
//     root mean square and the largest position_error_norm (m) over the last
//     samples measurements.
//   - FieldGradient: magnetic field (T) and its five independent gradients xx, xy,
//     xz, yy, yz (T/m); zz = -xx - yy.
//   - RotatingField: a field of the given amplitude (T) that turns about axis with
//     frequency (Hz), plus offset (T) along axis.
//   - CoilCurrents: one current (A) per coil, in the order of the coil file.
//   - OperatingState: DISABLED, ENABLED, PAUSED or FAULT, and why.
//   - SimStats: counted steps, overruns and unconverged steps (divided or failed)
//     since the start; simulated time (s), real-time factor, control rate (Hz), and the median and
//     99th percentile of a step's duration and of a period's lateness (s).
//   - Step: advances a paused simulation by so many control periods.
package sinew_msgs
