package msgs

import (
	"errors"
	"time"
)

// Message is a ROS message as plain Go data, independent of any ROS version. A
// message that one version does not have appends nothing in that version's form,
// and parsing it fails with [ErrNotInROS1] or [ErrNotInROS2].
type Message interface {
	// Type describes the message's type.
	Type() *Type
	// AppendROS1 appends the ROS 1 serialisation to dst.
	AppendROS1(dst []byte) []byte
	// ParseROS1 fills the message from a ROS 1 serialisation. It never panics,
	// allocates no more than a small multiple of len(src), keeps no reference
	// to src, and errors on short or surplus input.
	ParseROS1(src []byte) error
	// AppendCDR appends the ROS 2 serialisation to dst: the encapsulation header
	// of little-endian plain CDR and the body, as RTPS, MCAP and Foxglove carry
	// it. What dst holds has no part in the alignment.
	AppendCDR(dst []byte) []byte
	// ParseCDR fills the message from a ROS 2 serialisation with its header, in
	// either byte order. It is as careful as ParseROS1.
	ParseCDR(src []byte) error
}

// Stamped is a message that begins with a header.
type Stamped interface {
	Message
	// HeaderStamp returns the time in the header; 0 where it has none.
	HeaderStamp() Time
}

// The errors of parsing a message in the form of a ROS version without it.
var (
	ErrNotInROS1 = errors.New("ROS 1 does not have this message")
	ErrNotInROS2 = errors.New("ROS 2 does not have this message")
)

// Type is the static description of a message type. MD5 and Definition are empty
// for a message that ROS 1 does not have; ROS2Name, DDSName, Hash and Schema for
// one that ROS 2 does not have.
type Type struct {
	Name       string // package and name, as ROS 1 writes it: "geometry_msgs/PoseStamped"
	MD5        string // ROS 1 checksum, 32 hexadecimal digits
	Definition string // ROS 1 definition text with all dependencies

	ROS2Name string // as ROS 2 writes it: "geometry_msgs/msg/PoseStamped"
	DDSName  string // in DDS discovery: "geometry_msgs::msg::dds_::PoseStamped_"
	// Hash is the REP-2011 type hash: "RIHS01_" and the 64 hexadecimal digits of
	// a SHA-256, as ROS 2 Iron and later announce it.
	Hash string
	// Schema is the ROS 2 definition text with all dependencies: the data of an
	// MCAP or Foxglove schema named ROS2Name with the encoding "ros2msg".
	Schema string

	New func() Message // a zero message of the type
}

// Service is the static description of a service type. MD5 is empty for a service that
// ROS 1 does not have, Hash for one that ROS 2 does not have.
type Service struct {
	Name              string // for example "std_srvs/Trigger"
	MD5               string // ROS 1 checksum, 32 hexadecimal digits
	Hash              string // REP-2011 type hash, as in Type
	Request, Response *Type
}

// Time is a ROS time stamp: nanoseconds since the Unix epoch.
type Time int64

// At returns the stamp of t, a duration since the Unix epoch.
func At(t time.Duration) Time { return Time(t) }

// Duration is a ROS duration in nanoseconds.
type Duration int64
