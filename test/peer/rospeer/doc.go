// Package rospeer is the node of a test beside a robot, in ROS 1 or in ROS 2: it commands
// the robot and observes what comes of it.
package rospeer
