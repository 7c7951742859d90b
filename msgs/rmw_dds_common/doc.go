// Package rmw_dds_common has the messages by which ROS 2 participants tell each
// other which nodes and endpoints they hold, on the topic ros_discovery_info.
package rmw_dds_common
