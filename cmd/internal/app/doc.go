// Package app is the command line that all Sinew programs share: the verbs, the
// robot file's way into the program, the run loop's wiring to ROS. A program
// adds a Robot, which names its files and makes its models.
package app
