// Package rosout publishes the log of a node on /rosout, in the form of each network:
// rcl_interfaces/Log in ROS 2, rosgraph_msgs/Log in ROS 1.
//
// A Log receives lines through its zap core without blocking: one goroutine publishes the queued
// lines, a bounded number per second, and the number of omitted ones. Lines from before the
// networks are joined are published afterwards. Lines about /rosout itself are not published on it.
package rosout
