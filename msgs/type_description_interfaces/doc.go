// Package type_description_interfaces holds the ROS messages of type_description_interfaces,
// with which nodes of ROS 2 tell what their messages are made of (REP 2016).
package type_description_interfaces
