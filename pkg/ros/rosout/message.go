package rosout

import (
	"strings"
	"time"

	"go.uber.org/zap/zapcore"

	"sinew/msgs"
	"sinew/msgs/rcl_interfaces"
	"sinew/msgs/rosgraph_msgs"
	"sinew/msgs/std_msgs"
)

// line is one line of the log.
type line struct {
	at             time.Time
	level          severity
	text           string
	file, function string
	number         uint32 // in file
}

// severity is a level of both networks.
type severity struct{ ros1, ros2 byte }

var (
	debug   = severity{rosgraph_msgs.LogDebug, rcl_interfaces.LogDebug}
	info    = severity{rosgraph_msgs.LogInfo, rcl_interfaces.LogInfo}
	warn    = severity{rosgraph_msgs.LogWarn, rcl_interfaces.LogWarn}
	failure = severity{rosgraph_msgs.LogError, rcl_interfaces.LogError}
	fatal   = severity{rosgraph_msgs.LogFatal, rcl_interfaces.LogFatal}
)

// isError reports whether a line is an error, or the shutdown that follows one.
func (s severity) isError() bool { return s.ros2 >= failure.ros2 }

// severityOf maps the levels of zap; those that end a program are fatal.
func severityOf(l zapcore.Level) severity {
	switch {
	case l < zapcore.InfoLevel:
		return debug
	case l == zapcore.InfoLevel:
		return info
	case l == zapcore.WarnLevel:
		return warn
	case l == zapcore.ErrorLevel:
		return failure
	}
	return fatal
}

// form makes the message of one network. node is the absolute name, now the present time of the
// stamps.
type form func(l line, node string, now msgs.Time) msgs.Message

// inROS1 returns a message with a stamp in the time of the node, as in rospy and roscpp.
func inROS1(l line, node string, now msgs.Time) msgs.Message {
	return &rosgraph_msgs.Log{
		Header: std_msgs.Header{Stamp: now}, Level: l.level.ros1, Name: node, Msg: l.text,
		File: l.file, Function: l.function, Line: l.number,
	}
}

// inROS2 returns a message with a stamp of the computer's clock, independent of the time of the
// node, and with the name of the node's logger, as in rclcpp and rclpy.
func inROS2(l line, node string, _ msgs.Time) msgs.Message {
	return &rcl_interfaces.Log{
		Stamp: msgs.Time(l.at.UnixNano()), Level: l.level.ros2, Name: strings.ReplaceAll(strings.Trim(node, "/"), "/", "."), Msg: l.text,
		File: l.file, Function: l.function, Line: l.number,
	}
}
