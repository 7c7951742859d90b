package ros

import (
	"encoding/hex"

	"sinew/msgs"
	"sinew/pkg/sim"
)

// Received is a message that arrived on a topic, or word that no more will come.
type Received struct {
	Message msgs.Message // nil when Gone
	Sender  Sender
	// Latched says that the publisher kept the message from before this
	// subscription.
	Latched bool
	// Gone says that the sender publishes the topic no longer. Only subscriptions that
	// ask for Topic.Departures are told.
	Gone bool
	// Refused, if not nil, takes why a command was not taken, or not as it was given, for
	// the people at the sender: the name of the sim.CommandStatus, and what was wrong. It does not wait.
	Refused func(verdict, why string)
}

// Sender says who published a message, as far as the network tells. It may be the
// key of a map; a sender whose node is told of later is then another key.
type Sender struct {
	// Node is the absolute name of the node. It is empty while it is not known:
	// ROS 2 tells the names of nodes apart from their messages.
	Node string
	// Endpoint is the GUID of the writer in ROS 2, and zero in ROS 1.
	Endpoint [16]byte
}

// source returns who commands: in ROS 1 the node, in ROS 2 the participant, which all
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
