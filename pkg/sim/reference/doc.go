// Package reference generates reference trajectories between commands: of the poses of rigid
// bodies, such as the base of a rod and magnets, of coordinates of joints, and of the magnetic
// field around a robot.
package reference
