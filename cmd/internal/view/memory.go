package view

import (
	"slices"
	"sort"
	"time"

	"sinew/cmd/internal/cli"
	"sinew/msgs"
	"sinew/pkg/ros"
	"sinew/pkg/ros/record"
)

// Memory is a recording in memory: messages on some topics, each made when it is shown.
type Memory struct {
	channels []channel
	// flat means that its poses have no attitude, flatNodes that the nodes of its rod have none.
	// Messages that need an attitude have the identity, which is not drawn.
	flat, flatNodes bool
}

// channel is a topic with the times of its messages, ascending.
type channel struct {
	topic   record.Topic
	times   []time.Duration // since 1970
	message func(i int) msgs.Message
}

// Add adds a topic with messages at ascending times since 1970. The function message makes message
// i. Without messages the topic is left out.
func (m *Memory) Add(topic string, t *msgs.Type, times []time.Duration, message func(i int) msgs.Message) {
	if len(times) > 0 {
		m.channels = append(m.channels, channel{record.Topic{Name: topic, TypeName: t.Name, Type: t}, times, message})
	}
}

// Topics implements messageSource.
func (m *Memory) Topics() (list []record.Topic) {
	for _, c := range m.channels {
		list = append(list, c.topic)
	}
	return list
}

// Span implements messageSource.
func (m *Memory) Span() (first, last time.Duration, ok bool) {
	for i, c := range m.channels {
		from, to := c.times[0], c.times[len(c.times)-1]
		if i == 0 {
			first, last = from, to
		}
		first, last = min(first, from), max(last, to)
	}
	return first, last, len(m.channels) > 0
}

// after returns the number of messages up to and including t.
func (c *channel) after(t time.Duration) int {
	return sort.Search(len(c.times), func(i int) bool { return c.times[i] > t })
}

// place identifies a message of a channel.
type place struct {
	c *channel
	i int
}

// At implements messageSource.
func (m *Memory) At(t time.Duration, visit func(record.Message)) error {
	var due []place
	for k := range m.channels {
		if c := &m.channels[k]; c.after(t) > 0 {
			due = append(due, place{c, c.after(t) - 1})
		}
	}
	visitAll(due, visit)
	return nil
}

// Between implements messageSource.
func (m *Memory) Between(from, to time.Duration, visit func(record.Message)) error {
	var due []place
	for k := range m.channels {
		c := &m.channels[k]
		for i := c.after(from); i < len(c.times) && c.times[i] <= to; i++ {
			due = append(due, place{c, i})
		}
	}
	visitAll(due, visit)
	return nil
}

// Next implements messageSource.
func (m *Memory) Next(after time.Duration) (at time.Duration, ok bool) {
	for i := range m.channels {
		c := &m.channels[i]
		if k := c.after(after); k < len(c.times) && (!ok || c.times[k] < at) {
			at, ok = c.times[k], true
		}
	}
	return at, ok
}

// visitAll calls visit with messages in the order of time.
func visitAll(due []place, visit func(record.Message)) {
	slices.SortStableFunc(due, func(a, b place) int { return int(a.c.times[a.i] - b.c.times[b.i]) })
	for _, d := range due {
		visit(record.Message{Topic: d.c.topic.Name, Type: d.c.topic.Type, Time: d.c.times[d.i], Message: d.c.message(d.i)})
	}
}

// Close implements messageSource.
func (m *Memory) Close() error { return nil }

// Collector is a transport that collects what is published in a Memory.
type Collector struct {
	cli.NoTransport
	Memory Memory
}

// collected is a topic of a Collector.
type collected struct {
	memory *Memory
	topic  ros.Topic
	times  []time.Duration
	all    []msgs.Message
	at     int // index of the channel, −1 before the first message
}

// Advertise implements ros.Transport.
func (c *Collector) Advertise(t ros.Topic) (ros.Publisher, error) {
	return &collected{memory: &c.Memory, topic: t, at: -1}, nil
}

// HasSubscribers implements ros.Publisher.
func (c *collected) HasSubscribers() bool { return true }

// Publish implements ros.Publisher.
func (c *collected) Publish(s *ros.Sample) {
	c.times, c.all = append(c.times, time.Duration(s.Time)), append(c.all, s.Message())
	if c.at < 0 {
		c.at = len(c.memory.channels)
		c.memory.Add(c.topic.Name, c.topic.Type, c.times, func(i int) msgs.Message { return c.all[i] })
	}
	c.memory.channels[c.at].times = c.times
}
