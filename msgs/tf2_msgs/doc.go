// Package tf2_msgs holds the ROS message tf2_msgs/TFMessage, which /tf and /tf_static
// carry.
package tf2_msgs
