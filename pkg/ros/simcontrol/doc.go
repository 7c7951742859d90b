// Package simcontrol serves simulation_interfaces, the standard interface of simulators in ROS 2,
// as far as it applies to a simulator of one robot: features, state, steps, reset, and the pose of
// the robot.
//
// The states are those of simulated time: PLAYING while it advances, which it does in the operating
// states ENABLED, DISABLED and FAULT; PAUSED; and STOPPED, which is paused at the initial state.
package simcontrol
