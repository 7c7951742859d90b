// Package std_msgs holds the ROS messages of std_msgs that others build on.
package std_msgs
