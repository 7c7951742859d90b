// Package visualization_msgs holds the ROS messages from which rviz and other viewers draw
// markers.
package visualization_msgs
