package msgs

import "time"

// Message is a ROS message as plain Go data, independent of any ROS version.
type Message interface {
	// Type describes the message's type.
	Type() *Type
	// AppendROS1 appends the ROS 1 serialisation to dst.
	AppendROS1(dst []byte) []byte
	// ParseROS1 fills the message from a ROS 1 serialisation. It never panics,
	// allocates no more than a small multiple of len(src), keeps no reference
	// to src, and errors on short or surplus input.
	ParseROS1(src []byte) error
}

// Type is the static description of a message type.
type Type struct {
	Name       string         // for example "geometry_msgs/PoseStamped"
	MD5        string         // ROS 1 checksum, 32 hexadecimal digits
	Definition string         // ROS 1 definition text with all dependencies
	New        func() Message // a zero message of the type
}

// Service is the static description of a service type.
type Service struct {
	Name              string // for example "std_srvs/Trigger"
	MD5               string
	Request, Response *Type
}

// Time is a ROS time stamp: nanoseconds since the Unix epoch.
type Time int64

// At returns the stamp of t, a duration since the Unix epoch.
func At(t time.Duration) Time { return Time(t) }

// Duration is a ROS duration in nanoseconds.
type Duration int64
