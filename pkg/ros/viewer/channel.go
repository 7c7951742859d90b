package viewer

import (
	"sync"
	"sync/atomic"
	"time"

	"sinew/pkg/ros"
)

// clockTopic is the topic of simulated time.
const clockTopic = "/clock"

// channel is a topic that viewers can subscribe to.
type channel struct {
	id     uint32
	topic  ros.Topic
	wanted atomic.Int64 // subscriptions

	mu            sync.Mutex
	subscriptions map[*subscription]bool
	last          frame // of a latched topic
	any           bool  // last is set
}

// frame is a message on its way to viewers. All share the bytes.
type frame struct {
	stamp uint64 // ns
	data  []byte
}

var _ ros.Publisher = (*channel)(nil)

// Publish implements ros.Publisher.
func (c *channel) Publish(s *ros.Sample) {
	f := frame{stamp: uint64(max(s.Time, 0))}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.topic.Latched {
		f.data = s.CDR()
		c.last, c.any = f, true
	}
	now := time.Now()
	for to := range c.subscriptions {
		if c.topic.Lossy && !to.pace.due(now) {
			continue
		}
		f.data = s.CDR() // made once
		to.outbox.put(to, f)
	}
}

// pace bounds the rate of a subscription; the zero value does not. Its times lie on a grid, and a
// tenth of a period early is in time, so that jitter does not halve a rate that equals the bound.
// Subscriptions with one grid are due at the same time, so that messages that are made together are
// written together.
type pace struct {
	period time.Duration
	grid   time.Time // a time of the grid
	next   time.Time
}

// due reports whether a frame is due, and counts it as sent.
func (p *pace) due(now time.Time) bool {
	if p.period == 0 {
		return true
	}
	early := p.next.Sub(now)
	if early > p.period/10 {
		return false
	}
	if p.next = p.next.Add(p.period); early < -p.period {
		half := now.Add(p.period / 2).Sub(p.grid) // the next is half a period to one and a half away
		p.next = p.grid.Add(half - half%p.period + p.period)
	}
	return true
}

// HasSubscribers implements ros.Publisher.
func (c *channel) HasSubscribers() bool { return c.wanted.Load() > 0 }

// subscribe begins a subscription, with the last message of a latched topic.
func (c *channel) subscribe(to *subscription) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.subscriptions[to] = true
	c.wanted.Add(1)
	if c.any {
		to.outbox.put(to, c.last)
	}
}

// unsubscribe ends a subscription.
func (c *channel) unsubscribe(to *subscription) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.subscriptions[to] {
		delete(c.subscriptions, to)
		c.wanted.Add(-1)
	}
}

// clockPublisher publishes /clock and sends its time to viewers.
type clockPublisher struct {
	*channel
	server *Server
}

// Publish implements ros.Publisher.
func (p clockPublisher) Publish(s *ros.Sample) {
	now := uint64(max(s.Time, 0))
	p.server.eachGreeted(func(c *client) { c.outbox.putTime(now) })
	p.channel.Publish(s)
}

// HasSubscribers implements ros.Publisher.
func (p clockPublisher) HasSubscribers() bool {
	return p.channel.HasSubscribers() || p.server.Viewers() > 0
}
