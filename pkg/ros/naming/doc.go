// Package naming determines the name and the settings of a ROS node from command line, environment,
// namespaces, remappings and parameters, in the syntax of ROS 1 and ROS 2.
package naming
