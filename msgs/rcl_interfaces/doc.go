// Package rcl_interfaces holds the ROS messages of rcl_interfaces, with which nodes of ROS 2
// tell of their parameters, take new values, and log.
package rcl_interfaces
