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
//   - Contact, Contacts: where a rod touches walls: the wall, the place along the rod and the gap
//     (m), the normal force (N), the point on the rod, the normal from the wall and the friction
//     on the rod (N).
//   - FieldGradient: magnetic field (T) and its five independent gradients xx, xy,
//     xz, yy, yz (T/m); zz = -xx - yy.
//   - RotatingField: a field of the given amplitude (T) that turns about axis with
//     frequency (Hz), plus offset (T) along axis.
//   - CoilCurrents: one current (A) per coil, in the order of the coil file.
//   - OperatingState: DISABLED, ENABLED, PAUSED or FAULT, and why.
//   - RecordingState: active while a recording is written. The other fields are of that one, or of the
//     last: file is its path, duration how long it was written (s), messages how many of them, bytes the size
//     of the file, lost how many messages are missing in it and reason why, and empty where none are.
//     downloads are the paths, below the address of the page, of the recordings that are complete, oldest
//     first.
//   - SimStats: counted steps, overruns and unconverged steps (divided or failed)
//     since the start; simulated time (s), real-time factor, control rate (Hz), and the median and
//     99th percentile of a step's duration and of a period's lateness (s).
//   - Scene: what the robot looks like, scale times larger than life about the origin of
//     header.frame_id. Each of shapes are all of a kind that look alike: kind is 1 for a tube of
//     radius size.x (m) along a line of points, 2 for disks of radius size.x and thickness
//     size.z about the z axes of poses, 3 for ellipsoids with the semi-axes size at poses, 4 for
//     a line of width size.x through points, 5 for an arrow of radius size.x from one point
//     to another, 6 for triangles at a pose. data are the points x y z (m) or the poses x y z (m) qx qy qz qw. radii
//     are those of a tube at its points (m), empty where all are size.x. The triangles come once and when they change, on
//     the topic meshes beside scene: there data of the same shapes of kind 6, in the same order, are their
//     corners, three points each, in axes at the pose.
//   - Step: advances a paused simulation by so many control periods.
package sinew_msgs
