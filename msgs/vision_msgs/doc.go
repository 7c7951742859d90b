// Package vision_msgs holds the ROS message vision_msgs/Detection2DArray and what it nests, of noetic in ROS 1 and of humble and later in
// ROS 2.
package vision_msgs
