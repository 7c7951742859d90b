// Package rosout publishes the log of a node on /rosout, in the form of each network:
// rcl_interfaces/Log in ROS 2, rosgraph_msgs/Log in ROS 1.
//
// A Log takes lines through the zap core that it gives, and never makes them wait: they
// queue for one goroutine, which publishes a bounded number in a second and tells how many
// it left out. What is logged before the networks are joined is published then. Lines
// about /rosout itself are not published on it.
package rosout
