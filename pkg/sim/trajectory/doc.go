// Package trajectory is recorded motion: poses, tendons, shapes, markers and commands as
// samples over time, and the columns by which a CSV names them. Comparison,
// identification, replay, the viewer and --commands all use it.
//
// Times are in s, ascending, on one clock per [Trajectory]. Positions are in m and
// rotations map body to world. Between samples positions are interpolated linearly and
// rotations along the geodesic; commands hold until the next.
//
// What a column of a CSV holds is its [Kind]: columns.go has the names and units, csv.go
// reads a trajectory of any robot, csv_robot.go one whose columns must belong to a certain
// robot, commands_csv.go the commands of --commands. Other files are read by package
// trajectoryfile of the programs, since nothing here knows messages.
package trajectory
