// Package typedescription serves the service get_type_description of ROS 2 (REP 2016), which
// describes the message types of a node, from the definition texts of the catalog.
package typedescription
