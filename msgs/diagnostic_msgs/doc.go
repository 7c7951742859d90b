// Package diagnostic_msgs holds the ROS messages of diagnostic_msgs, which /diagnostics
// carries (REP 107).
package diagnostic_msgs
