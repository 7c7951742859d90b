package viewer

import (
	"slices"
	"sync"
	"time"

	"github.com/coder/websocket"

	"sinew/pkg/ros/bounded"
)

// What may wait for a viewer.
const (
	maxFrames     = 16        // of one subscription
	maxFrameBytes = 256 << 10 // of one subscription, or one frame
	maxReplies    = 1024
	maxReplyBytes = 4 << 20
)

// subscription is a channel that a viewer gets. Its frames belong to the outbox.
type subscription struct {
	id      uint32
	channel *channel
	outbox  *outbox
	pace    pace // belongs to the channel

	frames bounded.Ring[frame]
	bytes  int
	ready  bool // in the outbox's list
	ends   bool // its frames are the last of what is made at once: pictures
}

func newSubscription(id uint32, ch *channel, o *outbox) *subscription {
	return &subscription{id: id, channel: ch, outbox: o, frames: bounded.NewRing[frame](maxFrames)}
}

// outbox is what waits for one viewer. Nobody who puts something in waits.
//
// Replies are sent in order and not lost: a viewer with too many of them is ended. Of the frames of a
// subscription all but the newest are dropped when there are too many, so that a viewer that does
// not keep up sees the present.
//
// The writer is woken when a batch is due, not by what the batch begins with: each wake-up costs. What comes with a picture
// waits for it without a timer of its own, which would wake another thread.
type outbox struct {
	due *time.Timer   // fires when what waits is to be written
	now chan struct{} // that it is to be written now; capacity 1

	mu       sync.Mutex
	armed    urgency   // of what waits
	written  time.Time // when the last batch was
	replies  []message
	bytes    int // of replies
	full     bool
	ready    []*subscription // with frames, the one whose turn it is first
	time     uint64          // ns
	timeDue  bool
	dirty    map[string]bool // parameters that have changed
	dropped  uint64          // frames
	pictures int             // subscriptions to pictures
}

// message is what is written to the WebSocket at once.
type message struct {
	kind websocket.MessageType
	data []byte
}

func newOutbox() *outbox {
	o := &outbox{due: time.NewTimer(time.Hour), now: make(chan struct{}, 1), dirty: map[string]bool{}}
	o.due.Stop()
	return o
}

// urgency is how soon a batch is due.
type urgency int

const (
	idle      urgency = iota // nothing waits
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

// begin says that the writer has been woken.
func (o *outbox) begin() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.armed = idle
	o.due.Stop()
}

// end says that a batch was written, and makes another due if the writer has left something.
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
		o.notify(unhurried) // while there is room for what comes until then
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

// remove forgets what waits of a subscription.
func (o *outbox) remove(s *subscription) {
	o.mu.Lock()
	defer o.mu.Unlock()
	s.frames.Clear()
	s.bytes = 0
	if s.ready { // what comes next has its turn after what came before it
		s.ready = false
		o.ready = slices.DeleteFunc(o.ready, func(r *subscription) bool { return r == s })
	}
}

// reply adds a message that is not lost. It reports whether there was room.
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

// putTime makes now the time to be told.
func (o *outbox) putTime(now uint64) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.time, o.timeDue = now, true
	o.notify(soon)
}

// putDirty notes that a parameter has changed.
func (o *outbox) putDirty(name string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.dirty[name] = true
	o.notify(soon)
}

// take returns what is to be written next, in buf where it is made; dirty are parameters whose
// values are to be written instead. Without either there is nothing.
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
