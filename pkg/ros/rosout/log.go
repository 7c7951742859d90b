package rosout

import (
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"sinew/msgs"
	"sinew/msgs/rcl_interfaces"
	"sinew/msgs/rosgraph_msgs"
	"sinew/pkg/ros"
)

// The numbers of lines that rclcpp keeps for late subscribers, and their lifespan.
const (
	depth    = 1000
	lifespan = 10 * time.Second
)

// At most maxLines are published in a window; beyond them maxErrors errors, which a flood of other
// lines must not hide, and one line with the number of omitted lines.
const (
	maxLines  = 100
	maxErrors = 20
	window    = time.Second
)

// maxWaiting bounds the queue of lines; its last places, as many as there may be errors in a
// window, are for errors.
const maxWaiting = 1000

// Log publishes the lines of a node. All methods may be called from any goroutine, Start
// and Close once.
type Log struct {
	node  string
	topic string
	lines chan line
	lost  atomic.Uint64 // lines that did not fit into the queue

	outlets []outlet // belongs to run, once that is started
	now     func() time.Duration
	budget  int // lines that may still be published in the window; belongs to run
	reserve int // errors that may be published beyond them; belongs to run
	left    int // lines omitted in the window; belongs to run

	started atomic.Bool
	closing sync.Once
	stop    chan struct{}
	ended   chan struct{}
}

// outlet is the topic on one network.
type outlet struct {
	publisher ros.Publisher
	form      form
}

// New returns the Log of a node (absolute name) on a topic, which is /rosout unless it is
// remapped.
func New(node, topic string) *Log {
	return &Log{
		node: node, topic: topic, lines: make(chan line, maxWaiting), budget: maxLines, reserve: maxErrors,
		stop: make(chan struct{}), ended: make(chan struct{}),
	}
}

// put queues a line, or counts it.
func (l *Log) put(n line) {
	if !n.level.isError() && len(l.lines) >= maxWaiting-maxErrors {
		l.lost.Add(1)
		return
	}
	select {
	case l.lines <- n:
	default:
		l.lost.Add(1)
	}
}

// AddROS1 publishes on a transport in the form of ROS 1. It is called before Start.
func (l *Log) AddROS1(t ros.Transport) error {
	return l.add(t, ros.Topic{Type: rosgraph_msgs.LogType}, inROS1)
}

// AddROS2 publishes on a transport in the form of ROS 2. It is called before Start.
func (l *Log) AddROS2(t ros.Transport) error {
	return l.add(t, ros.Topic{Type: rcl_interfaces.LogType, Depth: depth, Lifespan: lifespan}, inROS2)
}

func (l *Log) add(t ros.Transport, topic ros.Topic, f form) error {
	topic.Name, topic.Latched = l.topic, true
	p, err := t.Advertise(topic)
	if err != nil {
		return fmt.Errorf("cannot publish %s: %w", topic.Name, err)
	}
	l.outlets = append(l.outlets, outlet{p, f})
	return nil
}

// Start begins to publish, queued lines first. now is the clock of the stamps, since the Unix
// epoch.
func (l *Log) Start(now func() time.Duration) {
	l.now = now
	l.started.Store(true)
	go l.run()
}

// Close publishes the queued lines and ends. Later lines are not published.
func (l *Log) Close() {
	l.closing.Do(func() { close(l.stop) })
	if l.started.Load() {
		<-l.ended
	}
}

// run publishes until Close.
func (l *Log) run() {
	defer close(l.ended)
	ticker := time.NewTicker(window)
	defer ticker.Stop()
	for {
		select {
		case n := <-l.lines:
			l.pass(n)
		case <-ticker.C:
			l.renew()
		case <-l.stop:
			for len(l.lines) > 0 {
				l.pass(<-l.lines)
			}
			l.renew()
			return
		}
	}
}

// pass publishes a line or counts it.
func (l *Log) pass(n line) {
	switch {
	case l.budget > 0:
		l.budget--
	case n.level.isError() && l.reserve > 0:
		l.reserve--
	default:
		l.left++
		return
	}
	l.publish(n)
}

// renew begins a window, and publishes the number of lines omitted in the last one.
func (l *Log) renew() {
	left := uint64(l.left) + l.lost.Swap(0)
	l.left, l.budget, l.reserve = 0, maxLines, maxErrors
	if left > 0 {
		l.publish(line{at: time.Now(), level: warn, text: fmt.Sprintf(
			"%d lines suppressed: at most %d in %v are published, and %d more that are errors; stderr has them", left, maxLines, window, maxErrors)})
	}
}

func (l *Log) publish(n line) {
	now := msgs.At(l.now())
	for _, o := range l.outlets {
		s := ros.NewSample(o.form(n, l.node, now))
		s.Time = now
		o.publisher.Publish(s)
	}
}
