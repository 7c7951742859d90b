package viewer

import (
	"slices"
	"sync"
	"time"

	"github.com/coder/websocket"

	"sinew/pkg/ros/bounded"
)

// Bounds on the queue of a viewer.
const (
	maxFrames     = 16        // of one subscription
	maxFrameBytes = 256 << 10 // of one subscription, or one frame
	maxReplies    = 1024
	maxReplyBytes = 4 << 20
)

// subscription is a channel to which a viewer has subscribed. Its frames belong to the outbox.
type subscription struct {
	id      uint32
	channel *channel
	outbox  *outbox
	pace    pace // belongs to the channel

	frames bounded.Ring[frame]
	bytes  int
	ready  bool // in the outbox's list
	ends   bool // its frames are the last of messages that are made together: pictures
}

func newSubscription(id uint32, ch *channel, o *outbox) *subscription {
	return &subscription{id: id, channel: ch, outbox: o, frames: bounded.NewRing[frame](maxFrames)}
}

// outbox is the queue of one viewer. Putting something into it never blocks.
//
// Replies are sent in order and not lost: a viewer with too many of them is disconnected. If a
// subscription has too many frames, all but the newest are dropped, so that a viewer that does not
// keep up shows the present.
//
// The writer is woken when a batch is due, not by each message, since each wake-up costs time.
// Messages that belong to a picture wait for it without a timer of their own, which would wake
// another thread.
type outbox struct {
	due *time.Timer   // fires when the queue is to be written
	now chan struct{} // the queue is to be written now; capacity 1

	mu       sync.Mutex
	armed    urgency   // of the queue
	written  time.Time // time of the last batch
	replies  []message
	bytes    int // of replies
	full     bool
	ready    []*subscription // subscriptions with frames, the next one first
	time     uint64          // ns
	timeDue  bool
	dirty    map[string]bool // parameters that have changed
	dropped  uint64          // frames
	pictures int             // subscriptions to pictures
}

// message is one message of the WebSocket.
type message struct {
	kind websocket.MessageType
	data []byte
}

func newOutbox() *outbox {
	o := &outbox{due: time.NewTimer(time.Hour), now: make(chan struct{}, 1), dirty: map[string]bool{}}
	o.due.Stop()
	return o
}

// urgency is the delay after which a batch is due.
type urgency int

const (
	idle      urgency = iota // nothing is queued
	unhurried                // with the next picture
	soon                     // within batchDelay
	pressing                 // now
)

// notify makes a batch due. The caller holds the lock.
func (o *outbox) notify(u urgency) {
	pause := batchPeriod - time.Since(o.written)
	if u == pressing && pause > 0 {
		u = soon
	}
	if u <= o.armed {
		return
	}
	o.armed = u
	switch u {
	case unhurried:
		o.due.Reset(pictureDelay)
	case soon:
		o.due.Reset(max(batchDelay, pause))
	case pressing:
		o.due.Stop()
		select {
		case o.now <- struct{}{}:
		default:
		}
	}
}

// begin is called when the writer has been woken.
func (o *outbox) begin() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.armed = idle
	o.due.Stop()
}

// end is called when a batch has been written; it makes another due if the queue is not empty.
func (o *outbox) end() {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.written = time.Now(); len(o.replies) > 0 || o.timeDue || len(o.dirty) > 0 || len(o.ready) > 0 {
		o.notify(soon)
	}
}

// put adds a frame of a subscription.
func (o *outbox) put(s *subscription, f frame) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if n := s.frames.Len(); n > 0 && (s.frames.Full() || s.bytes+len(f.data) > maxFrameBytes) {
		o.dropped += uint64(n)
		for range n {
			s.frames.Take()
		}
		s.bytes = 0
	}
	s.frames.Put(f)
	s.bytes += len(f.data)
	if !s.ready {
		s.ready = true
		o.ready = append(o.ready, s)
	}
	switch {
	case s.ends:
		o.notify(pressing)
	case o.pictures > 0 && s.channel.topic.Lossy && s.frames.Len() <= maxFrames/4 && s.bytes <= maxFrameBytes/4:
		o.notify(unhurried) // while there is room for further frames until then
	default:
		o.notify(soon)
	}
}

// countPictures adds subscriptions to pictures.
func (o *outbox) countPictures(more int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.pictures += more
}

// remove drops the frames of a subscription.
func (o *outbox) remove(s *subscription) {
	o.mu.Lock()
	defer o.mu.Unlock()
	s.frames.Clear()
	s.bytes = 0
	if s.ready { // the next frame is queued after the earlier ones
		s.ready = false
		o.ready = slices.DeleteFunc(o.ready, func(r *subscription) bool { return r == s })
	}
}

// reply queues a message that is not dropped. It reports whether there was room.
func (o *outbox) reply(kind websocket.MessageType, data []byte) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.full || len(o.replies) >= maxReplies || o.bytes+len(data) > maxReplyBytes {
		o.full = true
		return false
	}
	o.replies = append(o.replies, message{kind, data})
	o.bytes += len(data)
	o.notify(soon)
	return true
}

// putTime queues the time now, in place of an earlier one.
func (o *outbox) putTime(now uint64) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.time, o.timeDue = now, true
	o.notify(soon)
}

// putDirty registers that a parameter has changed.
func (o *outbox) putDirty(name string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.dirty[name] = true
	o.notify(soon)
}

// take returns the next message to write, using buf if it has to be made; dirty are parameters
// whose values are to be written instead. ok is false if there is nothing.
func (o *outbox) take(buf []byte) (m message, dirty map[string]bool, ok bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	switch {
	case len(o.replies) > 0:
		m = o.replies[0]
		o.replies[0] = message{}
		o.replies = o.replies[1:]
		o.bytes -= len(m.data)
		return m, nil, true
	case o.timeDue:
		o.timeDue = false
		return message{websocket.MessageBinary, appendTime(buf[:0], o.time)}, nil, true
	case len(o.dirty) > 0:
		dirty, o.dirty = o.dirty, map[string]bool{}
		return message{}, dirty, true
	}
	for len(o.ready) > 0 {
		s := o.ready[0]
		o.ready = o.ready[1:]
		f, any := s.frames.Take()
		if s.bytes -= len(f.data); s.frames.Len() > 0 {
			o.ready = append(o.ready, s)
		} else {
			s.ready, s.bytes = false, 0
		}
		if any {
			return message{websocket.MessageBinary, appendMessage(buf[:0], s.id, f)}, nil, true
		}
	}
	return message{}, nil, false
}
