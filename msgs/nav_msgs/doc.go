// Package nav_msgs holds the ROS message nav_msgs/Path.
package nav_msgs
