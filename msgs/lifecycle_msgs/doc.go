// Package lifecycle_msgs holds the ROS messages of lifecycle_msgs, with which ROS 2 brings
// nodes into and out of service.
package lifecycle_msgs
