// Package msgs holds the ROS messages that Sinew speaks.
//
// The field lists in <package>/<msg|srv>/*.msg are the only source. The
// generator in msgs/gen writes from them, per ROS package, one neutral Go struct
// for each message with its ROS 1 encoder, parser, checksum and definition, and
// in msgs/goros the structs and conversions that goroslib needs.
package msgs

//go:generate go run ./gen
