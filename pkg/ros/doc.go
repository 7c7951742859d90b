// Package ros serves any sim.Model to ROS networks.
//
// Bridge maps each kind of port to its message type once, publishes the
// simulator's snapshots with their frames, markers and diagnostics, and turns
// arriving messages into commands. It speaks through Transport, behind which
// stand ROS 1 (package ros1) and later ROS 2. Names resolves namespaces,
// private names and remappings as ROS does.
package ros
