package ros1

import (
	"reflect"
	"sync"
	"time"

	"github.com/bluenviron/goroslib/v2"

	"sinew/msgs"
	"sinew/msgs/goros"
	"sinew/pkg/ros"
	"sinew/pkg/ros/bounded"
)

// publisher sends the messages of one topic from a goroutine of its own.
type publisher struct {
	topic ros.Topic
	offer *offer
	out   *goroslib.Publisher
	seq   []int // index of header.seq in goroslib's struct; nil without a header
	queue *bounded.Queue[numbered]
	ended chan struct{}

	mu     sync.Mutex
	count  uint32
	closed bool
}

// numbered is a message with its place in the sequence of the topic.
type numbered struct {
	message msgs.Message
	seq     uint32
}

func newPublisher(topic ros.Topic, f *offer, out *goroslib.Publisher) *publisher {
	p := &publisher{
		topic: topic, offer: f, out: out,
		seq:   seqField(reflect.TypeOf(goros.Prototype(topic.Type)).Elem()),
		queue: bounded.NewQueue[numbered](publishQueue),
		ended: make(chan struct{}),
	}
	go p.run()
	return p
}

// seqField finds header.seq.
func seqField(t reflect.Type) []int {
	h, ok := t.FieldByName("Header")
	if !ok {
		return nil
	}
	s, ok := h.Type.FieldByName("Seq")
	if !ok {
		return nil
	}
	return append(h.Index, s.Index...)
}

// Wanted reports whether the topic has a subscriber.
func (p *publisher) Wanted() bool { return p.offer.users.Load() > 0 }

// Publish sends a message. The number in its header, if it has one, counts the
// calls from 1, whether or not somebody listens; gaps show what was dropped.
func (p *publisher) Publish(s *ros.Sample) {
	m := s.Message()
	if m.Type() != p.topic.Type {
		panic("ros1: " + m.Type().Name + " published on " + p.topic.Name + ", which has " + p.topic.Type.Name)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.count++
	if p.closed || !p.topic.Latched && !p.Wanted() {
		return
	}
	p.queue.Put(numbered{m, p.count})
}

// portion is how many messages may reach goroslib at once: half of what it keeps
// for a subscriber before it drops the newest.
const portion = 32

func (p *publisher) run() {
	defer close(p.ended)
	burst := 0
	for {
		n, ok := p.queue.Take()
		if !ok {
			return
		}
		g := goros.From(n.message)
		if p.seq != nil {
			reflect.ValueOf(g).Elem().FieldByIndex(p.seq).SetUint(uint64(n.seq))
		}
		p.out.Write(g)
		if burst++; p.queue.Len() == 0 {
			burst = 0
		} else if burst == portion {
			burst = 0
			time.Sleep(time.Millisecond)
		}
	}
}

// close ends the topic; what is queued still goes out.
func (p *publisher) close() {
	p.mu.Lock()
	if !p.closed {
		p.closed = true
		p.queue.Close()
	}
	p.mu.Unlock()
	<-p.ended
	p.out.Close()
}
