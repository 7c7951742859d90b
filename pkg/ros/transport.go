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
	// handle is called from any goroutine, with the requests of one client, to all
	// services, in the order in which they arrive, and must not wait. What it returns may
	// wait: that holds up later responses of the same service to the same client (on
	// ROS 1: to all clients), and never another service. The request belongs to handle
	// and the response, which must be of the service's type and not nil, to the
	// transport. A handle that panics or gives anything else is logged, and the client
	// gets a response without success, as Take makes it. The caller may have gone
	// before there is a response, and then none may be asked for.
	Serve(name string, s *msgs.Service, handle Handler) error
	// Done is closed when the network asked this node to end, as rosnode kill
	// does.
	Done() <-chan struct{}
	// Close leaves the network. It returns within two seconds.
	Close() error
}

// Handler handles a request to a service when it arrives, and returns the function that makes the response.
type Handler func(request msgs.Message) (respond func() (response msgs.Message))

// Deferred is the Handler of a service whose requests may be handled in any order: it
// does everything when the response is made.
func Deferred(handle func(request msgs.Message) (response msgs.Message)) Handler {
	return func(request msgs.Message) func() msgs.Message {
		return func() msgs.Message { return handle(request) }
	}
}

// SceneViewer is a Transport whose peers draw scenes themselves: they get the topics ~scene and ~meshes.
type SceneViewer interface {
	Transport
	// ViewsScenes does nothing; it marks a SceneViewer.
	ViewsScenes()
}

// LatencyTolerant is a Transport whose peers tolerate a delay of a few hundredths of a second: messages to them may be sent
// together with later ones.
type LatencyTolerant interface {
	Transport
	// CanWait does nothing; it marks a LatencyTolerant.
	CanWait()
}

// RestoreObserver is a Transport whose peers repeat a command until a person ends it. They have to stop when the state of the robot is
// replaced by one for which nothing was commanded: it would jump.
type RestoreObserver interface {
	Transport
	// Restored says that the state of the robot of a node, given by its absolute name, has been replaced by an earlier one. It
	// does not wait.
	Restored(node string)
}

// sceneViewers returns the transports that are SceneViewers.
func sceneViewers(transports []Transport) (all []Transport) {
	for _, t := range transports {
		if v, ok := t.(SceneViewer); ok {
			all = append(all, v)
		}
	}
	return all
}

// Topic is a named stream of messages of one type.
type Topic struct {
	Name string
	Type *msgs.Type
	// Original is the name before remapping, empty if it is Name. Recordings keep it.
	Original string
	// Latched topics give their last message to late subscribers (ROS 2:
	// transient local). In ROS 2 a latched subscription receives from latched publishers
	// only, and other subscriptions receive no earlier messages.
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
	// Ordered makes the messages of a subscription be received in the order in which
	// they arrive among the requests to services and the messages of other such
	// subscriptions, as far as the network keeps an order. receive must not wait then.
	Ordered bool
	// ReportsSenderLeft makes a subscription report, by Received.SenderLeft, senders that no
	// longer publish the topic: in ROS 1 of nodes, in ROS 2 of participants, whose last
	// publisher of the topic has ended.
	ReportsSenderLeft bool
}

// Publisher sends the messages of one topic.
type Publisher interface {
	// Publish sends s to all subscribers without waiting for any of them. It is
	// called by one goroutine at a time and asks for the serialised form that it
	// needs before it returns.
	Publish(s *Sample)
	// HasSubscribers reports whether the topic has subscribers. It is cheap.
	HasSubscribers() bool
}
