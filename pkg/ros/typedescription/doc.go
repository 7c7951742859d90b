// Package typedescription tells ROS 2 what the messages of a node are made of, with the
// service get_type_description (REP 2016), from the definition texts of the catalog.
package typedescription
