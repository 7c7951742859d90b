// Package geometry_msgs holds the ROS messages of geometry_msgs: poses, twists, wrenches and
// transforms. Lengths are in m, angles in rad, forces in N, quaternions in the
// order x, y, z, w (REP 103).
package geometry_msgs
