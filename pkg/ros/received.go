package ros

import (
	"encoding/hex"

	"sinew/msgs"
)

// Received is a message that arrived on a topic.
type Received struct {
	Message msgs.Message
	Sender  Sender
	// Latched says that the publisher kept the message from before this
	// subscription.
	Latched bool
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

// String is the name of the node or, while that is not known, the GUID in the
// form in which DDS tools print it. It is empty when neither is known.
func (s Sender) String() string {
	if s.Node != "" || s.Endpoint == [16]byte{} {
		return s.Node
	}
	return hex.EncodeToString(s.Endpoint[:12]) + "." + hex.EncodeToString(s.Endpoint[12:])
}
