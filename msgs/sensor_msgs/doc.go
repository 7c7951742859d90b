// Package sensor_msgs holds the ROS messages of sensor_msgs that the robots speak. Units
// are SI: effort in N or N m, magnetic field in T.
package sensor_msgs
