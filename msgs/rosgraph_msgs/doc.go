// Package rosgraph_msgs holds the ROS messages of rosgraph_msgs: the simulated clock and the
// ROS 1 log.
package rosgraph_msgs
