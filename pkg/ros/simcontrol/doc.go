// Package simcontrol serves simulation_interfaces, the standard interface of simulators in
// ROS 2, as far as it fits a simulator of one robot: features, state, steps, reset, and the
// pose of the robot.
//
// The states are those of time: PLAYING while it goes on, which it does in the operating
// states ENABLED, DISABLED and FAULT, PAUSED, and STOPPED, which is paused at the beginning.
package simcontrol
