package ros

import (
	"encoding/hex"
	"time"

	"sinew/msgs"
	"sinew/pkg/sim"
)

// Received is a message that arrived on a topic, or the notice that the sender has left.
type Received struct {
	Message msgs.Message // nil when SenderLeft
	Sender  Sender
	// Latched reports that the publisher kept the message from before this
	// subscription.
	Latched bool
	// Lag is how long ago the message was sent at most, where the transport can tell; otherwise 0.
	Lag time.Duration
	// SenderLeft reports that the sender no longer publishes the topic. Only subscriptions with
	// Topic.ReportsSenderLeft receive it.
	SenderLeft bool
	// Refused, if not nil, is called when a command was refused or clamped, to report that to
	// the people at the sender: the name of the sim.CommandStatus, and what was wrong. It does not wait.
	Refused func(status, why string)
}

// Sender is the publisher of a message, as far as the network identifies it. It may be the
// key of a map; when the name of its node becomes known later, that is another key.
type Sender struct {
	// Node is the absolute name of the node. It is empty while it is not known:
	// ROS 2 announces the names of nodes separately from their messages.
	Node string
	// Endpoint is the GUID of the writer in ROS 2, and zero in ROS 1.
	Endpoint [16]byte
}

// source returns the source of a command: in ROS 1 the node, in ROS 2 the participant, which all
// writers of a node share.
func (s Sender) source() sim.Source {
	from := sim.Source{Name: s.String()}
	copy(from.ID[:], s.Endpoint[:participantSize])
	return from
}

// participantSize is how much of a GUID names the participant, in bytes.
const participantSize = 12

// String is the name of the node or, while that is not known, the GUID in the
// form in which DDS tools print it. It is empty when neither is known.
func (s Sender) String() string {
	if s.Node != "" || s.Endpoint == [16]byte{} {
		return s.Node
	}
	return hex.EncodeToString(s.Endpoint[:participantSize]) + "." + hex.EncodeToString(s.Endpoint[participantSize:])
}
