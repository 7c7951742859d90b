package ros1

import (
	"net"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/bluenviron/goroslib/v2/pkg/protocommon"
	"github.com/bluenviron/goroslib/v2/pkg/prototcp"

	"sinew/pkg/ros"
)

// publication is a topic that this node publishes. It implements ros.Publisher.
type publication struct {
	topic    ros.Topic
	server   *server
	numbered bool         // messages begin with a Header, whose seq numbers them
	wanted   atomic.Int32 // subscribers

	mu          sync.Mutex
	count       uint32 // messages published
	latched     bool   // last is the newest message of a latched topic
	last        message
	subscribers []*subscriberConn
	dropped     uint64 // by subscribers that have left
	closed      bool
}

// message is a message for a subscriber. All subscribers share body, which is never changed; seq
// replaces the number in its Header when it is sent.
type message struct {
	body []byte
	seq  uint32
}

func newPublication(topic ros.Topic, s *server) *publication {
	return &publication{topic: topic, server: s, numbered: beginsWithHeader(topic.Type.Definition)}
}

// beginsWithHeader reports whether the first field of a definition is a Header.
func beginsWithHeader(definition string) bool {
	for line := range strings.Lines(definition) {
		line = strings.TrimSpace(line)
		if line != "" && !strings.Contains(line, "=") { // neither empty nor a constant
			return line == "std_msgs/Header header" || line == "Header header"
		}
	}
	return false
}

// HasSubscribers reports whether the topic has a subscriber.
func (p *publication) HasSubscribers() bool { return p.wanted.Load() > 0 }

// Publish implements ros.Publisher. The number in the message's header, if it has one, counts the
// calls from 1, with or without subscribers; gaps show dropped messages.
func (p *publication) Publish(s *ros.Sample) {
	if t := s.Message().Type(); t != p.topic.Type {
		panic("ros1: " + t.Name + " published on " + p.topic.Name + ", which has " + p.topic.Type.Name)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.count++
	if p.closed || !p.topic.Latched && len(p.subscribers) == 0 {
		return
	}
	m := message{s.ROS1(), p.count}
	if p.topic.Latched {
		p.latched, p.last = true, m
	}
	for _, c := range p.subscribers {
		c.queue.Put(m)
	}
}

// signature implements endpoint.
func (p *publication) signature() (kind, md5 string) { return p.topic.Type.Name, p.topic.Type.MD5 }

// header implements endpoint.
func (p *publication) header() protocommon.Header {
	h := &prototcp.HeaderPublisher{
		Topic: p.topic.Name, Type: p.topic.Type.Name, Md5sum: p.topic.Type.MD5,
		Callerid: p.server.node, MessageDefinition: p.topic.Type.Definition,
	}
	if p.topic.Latched {
		h.Latching = 1
	}
	return h
}

// serve implements endpoint.
func (p *publication) serve(c net.Conn, caller string) {
	s := newSubscriberConn(p, c, caller)
	if !p.join(s) {
		return
	}
	go s.write(p.numbered, p.server.frozen)
	s.awaitEnd()
	p.leave(s)
	_ = c.Close() // ends a write that is under way
	<-s.written
}

// join adds a subscriber, which gets the latched message first.
func (p *publication) join(c *subscriberConn) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return false
	}
	if p.latched {
		c.queue.Put(p.last)
	}
	p.subscribers = append(p.subscribers, c)
	p.wanted.Add(1)
	return true
}

// leave removes a subscriber.
func (p *publication) leave(c *subscriberConn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.subscribers = slices.DeleteFunc(p.subscribers, func(x *subscriberConn) bool { return x == c })
	p.dropped += c.queue.Dropped()
	p.wanted.Add(-1)
	c.queue.Discard()
}

// connections lists the subscribers in the order of their connection.
func (p *publication) connections() []*subscriberConn {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.subscribers)
}

// lost returns the number of messages that were dropped because subscribers were too slow.
func (p *publication) lost() uint64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	n := p.dropped
	for _, c := range p.subscribers {
		n += c.queue.Dropped()
	}
	return n
}

// close ends the topic and waits until the queues of its subscribers are sent.
func (p *publication) close() {
	p.mu.Lock()
	p.closed = true
	p.mu.Unlock()
	subscribers := p.connections()
	for _, c := range subscribers {
		c.queue.Close()
	}
	for _, c := range subscribers {
		<-c.written
	}
}
