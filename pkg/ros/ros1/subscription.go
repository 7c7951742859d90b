package ros1

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"

	"sinew/pkg/ros"
	"sinew/pkg/ros/bounded"
)

// subscription is a topic that this node subscribes to. It has a goroutine for
// each publisher.
type subscription struct {
	node    string // name of this node
	topic   ros.Topic
	log     *zap.Logger
	limiter *bounded.RateLimiter[string] // of log lines, by their text
	bad     *atomic.Uint64               // messages that could not be parsed

	receiving sync.Mutex // one call of receive at a time
	receive   func(ros.Received)

	running    sync.WaitGroup
	mu         sync.Mutex
	closed     bool
	publishers map[string]context.CancelFunc // ends each connection, by URI
	heard      map[string]int                // connections by name of the publishing node
}

// logPause is the least time between two equal log lines about a topic.
const logPause = 5 * time.Second

func newSubscription(node string, topic ros.Topic, receive func(ros.Received), bad *atomic.Uint64, log *zap.Logger) *subscription {
	start := time.Now()
	return &subscription{
		node: node, topic: topic, log: log, bad: bad, receive: receive,
		limiter:    bounded.NewRateLimiter[string](logPause, func() time.Duration { return time.Since(start) }),
		publishers: map[string]context.CancelFunc{}, heard: map[string]int{},
	}
}

// logLimited logs an event that peers can cause, with a rate limit so that they cannot fill the log.
func (s *subscription) logLimited(level zapcore.Level, text string, fields ...zap.Field) {
	if held, ok := s.limiter.Pass(text); ok {
		s.log.Log(level, text, append(fields, zap.String("topic", s.topic.Name), zap.Int("unlogged_before", held))...)
	}
}

// setPublishers connects to the publishers of a list and disconnects from others. Those that are
// also in before existed before this node subscribed.
func (s *subscription) setPublishers(uris, before []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return
	}
	for uri, cancel := range s.publishers {
		if !slices.Contains(uris, uri) {
			cancel()
			delete(s.publishers, uri)
		}
	}
	for _, uri := range uris {
		if s.publishers[uri] != nil {
			continue
		}
		ctx, cancel := context.WithCancel(context.Background())
		s.publishers[uri] = cancel
		c := &publisherConn{subscription: s, uri: uri, known: slices.Contains(before, uri)}
		s.running.Go(func() { c.run(ctx) })
	}
}

// take parses a message and passes it on.
func (s *subscription) take(body []byte, from ros.Sender, latched bool) error {
	m := s.topic.Type.New()
	if err := m.ParseROS1(body); err != nil {
		s.bad.Add(1)
		return err
	}
	s.deliver(ros.Received{Message: m, Sender: from, Latched: latched})
	return nil
}

// addConnection registers a connection to a publisher.
func (s *subscription) addConnection(from ros.Sender) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.heard[from.Node]++
}

// removeConnection reports that a publisher has ended its connection, unless the same node has another, as one
// that was restarted.
func (s *subscription) removeConnection(from ros.Sender) {
	s.mu.Lock()
	s.heard[from.Node]--
	left := s.heard[from.Node]
	if left == 0 {
		delete(s.heard, from.Node)
	}
	s.mu.Unlock()
	if s.topic.ReportsSenderLeft && left == 0 {
		s.deliver(ros.Received{Sender: from, SenderLeft: true})
	}
}

// deliver calls receive.
func (s *subscription) deliver(got ros.Received) {
	s.receiving.Lock()
	defer s.receiving.Unlock()
	defer func() {
		// messages of a peer must never end the simulator
		if p := recover(); p != nil {
			s.logLimited(zap.ErrorLevel, "receiving a message failed", zap.Any("panic", p), zap.Stack("stack"))
		}
	}()
	s.receive(got)
}

// close disconnects from all publishers.
func (s *subscription) close() {
	s.mu.Lock()
	s.closed = true
	for _, cancel := range s.publishers {
		cancel()
	}
	s.mu.Unlock()
	s.running.Wait()
}
