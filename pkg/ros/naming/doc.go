// Package naming knows how a ROS node is named and told what to do: command line,
// environment, namespaces, remappings and parameters, as ROS 1 and ROS 2 write them.
package naming
