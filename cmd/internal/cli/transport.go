package cli

import (
	"sinew/msgs"
	"sinew/pkg/ros"
)

// NoTransport is a ros.Transport without a network: it discards what is published and
// receives nothing.
type NoTransport struct{}

// Advertise implements ros.Transport.
func (NoTransport) Advertise(ros.Topic) (ros.Publisher, error) { return NoPublisher{}, nil }

// Subscribe implements ros.Transport; nothing ever arrives.
func (NoTransport) Subscribe(ros.Topic, func(ros.Received)) error { return nil }

// Serve implements ros.Transport; no call ever arrives.
func (NoTransport) Serve(string, *msgs.Service, ros.Handler) error { return nil }

// Done implements ros.Transport; it never ends.
func (NoTransport) Done() <-chan struct{} { return nil }

// Close implements ros.Transport.
func (NoTransport) Close() error { return nil }

// NoPublisher publishes nothing.
type NoPublisher struct{}

// Publish implements ros.Publisher.
func (NoPublisher) Publish(*ros.Sample) {}

// HasSubscribers implements ros.Publisher.
func (NoPublisher) HasSubscribers() bool { return false }
