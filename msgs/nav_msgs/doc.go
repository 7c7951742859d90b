// Package nav_msgs holds the ROS messages nav_msgs/Path and nav_msgs/Odometry.
package nav_msgs
