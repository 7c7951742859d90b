// Package msgs holds the ROS messages that Sinew speaks.
//
// The field lists in <package>/<msg|srv>/*.msg are the only source. The
// generator in msgs/gen writes from them, per ROS package, one neutral Go struct
// for each message with the encoder, parser, checksum and definition text of
// ROS 1 and of ROS 2. Package catalog lists all types. This package has what the
// generated code shares; the primitives of the ROS 2 form are in msgs/cdr.
//
// Names follow ROS: geometry_msgs/PoseStamped is geometry_msgs.PoseStamped, its
// description geometry_msgs.PoseStampedType, its frame_id FrameID; a field called
// type is Kind in Go, because Type is a method of every message. A struct has the
// fields of both ROS versions; the encoder of one leaves out those that only the
// other knows.
package msgs

//go:generate go run ./gen -dir .
