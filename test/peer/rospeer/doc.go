// Package station is a node of a test beside a robot, in ROS 1 or in ROS 2: it commands
// the robot and sees what comes of it.
package rospeer
