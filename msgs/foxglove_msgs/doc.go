// Package foxglove_msgs holds the ROS message foxglove_msgs/PoseInFrame, of which Foxglove has forms in protobuf and JSON, too.
package foxglove_msgs
