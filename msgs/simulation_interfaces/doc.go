// Package simulation_interfaces holds the ROS messages of simulation_interfaces, the standard
// interface of simulators, as far as they fit a simulator of one robot. Features that no such
// simulator has are not listed.
package simulation_interfaces
