package ros

import (
	"errors"
	"time"

	"sinew/msgs"
)

// ErrNoServices is the error of Transport.Serve on networks without services.
var ErrNoServices = errors.New("this transport has no services")

// ErrUnknownType is the error of networks that do not have a type or a service, because only
// the other version of ROS has it.
var ErrUnknownType = errors.New("this version of ROS does not have the type")

// Transport connects the bridge to one ROS network. Names are resolved and
// absolute ("/tendonsim/measured_cp"). All methods may be called from any
// goroutine.
type Transport interface {
	// Advertise opens a topic for publishing.
	Advertise(t Topic) (Publisher, error)
	// Subscribe calls receive, from one goroutine at a time, with each message
	// that arrives on the topic. The message belongs to receive.
	Subscribe(t Topic, receive func(Received)) error
	// Serve answers a service. A transport without services, or without this one,
	// returns ErrNoServices or ErrUnknownType.
	//
	// handle is called from any goroutine, on ROS 2 for several clients at once. It
	// may wait: that holds up later calls of the same service by the same client
	// (on ROS 1: by all clients), and never another service. The request belongs to
	// handle and the response, which must be of the service's type and not nil, to
	// the transport. A handle that panics or returns anything else is logged, and
	// the client gets a response without success, as Respond makes it. Whoever
	// called may have gone before handle returns.
	Serve(name string, s *msgs.Service, handle func(request msgs.Message) (response msgs.Message)) error
	// Done is closed when the network asked this node to end, as rosnode kill
	// does.
	Done() <-chan struct{}
	// Close says good-bye to the network. It returns within two seconds.
	Close() error
}

// Topic is a named stream of messages of one type.
type Topic struct {
	Name string
	Type *msgs.Type
	// Latched topics give their last message to late subscribers (ROS 2:
	// transient local). In ROS 2 a latched subscription hears latched publishers
	// only, and any other gets nothing from before it.
	Latched bool
	// Depth is how many messages a latched topic keeps for late subscribers in ROS 2,
	// where 0 is one; in ROS 1 it is always one. Lifespan is how long it keeps them, 0 for
	// ever.
	Depth    int
	Lifespan time.Duration
	// Lossy topics may drop samples rather than wait. Both networks drop what a
	// slow subscriber does not take, on all topics. In ROS 2 a lossy subscription is
	// best effort and keeps the newest sample.
	Lossy bool
	// Departures asks a subscription to tell of senders that publish the topic no
	// longer, by Received.Gone.
	Departures bool
}

// Publisher sends the messages of one topic.
type Publisher interface {
	// Publish sends s to all subscribers without waiting for any of them. It is
	// called by one goroutine at a time and asks for the serialised form that it
	// needs before it returns.
	Publish(s *Sample)
	// Wanted reports whether anybody listens now. It is cheap.
	Wanted() bool
}
