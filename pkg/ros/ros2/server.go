package ros2

import (
	"errors"
	"fmt"
	"math"
	"sync"
	"sync/atomic"
	"time"

	"go.uber.org/zap"

	"sinew/msgs"
	"sinew/pkg/ros"
	"sinew/pkg/ros/rtps"
)

// Bounds on what clients can make a service store.
const (
	// serviceDepth is how many replies the writer keeps for retransmission, and how many requests
	// wait for the server: more than the 10 of the default profile of ROS 2, with which a burst of
	// calls loses replies.
	serviceDepth     = 256
	maxRequest       = 1 << 20 // bytes of a request, as on ROS 1
	maxWaiting       = 256     // requests of all clients of a service
	maxWaitingBytes  = 4 << 20
	maxCallerWaiting = 32 // requests of one client
	maxCallers       = 256
)

// server answers the requests to one service. It answers the requests of one client in their order,
// and those of different clients concurrently.
type server struct {
	name     string
	kind     *msgs.Service
	handle   ros.Handler
	writer   *rtps.Writer
	warnings *warnings
	log      *zap.Logger
	bad      *atomic.Uint64

	mu      sync.Mutex
	callers map[rtps.GUID]*caller // by the writer of their requests
	taken   uint64                // number of requests so far
	waiting int                   // number of requests that wait
	bytes   int                   // size of them
}

// caller is a client of a service. It is kept after it has gone, because a client that was only
// silent sends its stored requests again.
type caller struct {
	last    int64     // sequence number of the newest request
	written time.Time // source timestamp of that request
	taken   uint64    // position of that request among those of all clients
	queue   []request
	running bool // a goroutine answers
}

// isOld reports whether a request has been taken before. It compares timestamps as well as numbers,
// because a new process may have the GUID of an old one and counts from 1.
func (c *caller) isOld(s rtps.Sample) bool {
	return s.Sequence <= c.last && !s.Source.After(c.written)
}

// request is a request that waits for its response.
type request struct {
	call    call
	message bodied
	size    int
	respond func() msgs.Message // nil before it was taken
}

// open makes the endpoints on the participant. They share an id by which clients match them.
func (s *server) open(t *Transport, requests, replies string) (writer, reader rtps.GUID, err error) {
	id := serviceID + pairID(t.participant)
	err = t.opening(ros.Topic{Name: s.name, Type: s.kind.Response}, func() (made []rtps.GUID, err error) {
		s.writer, err = t.participant.NewWriter(rtps.WriterOptions{
			Topic: replies, Type: s.kind.Response.DDSName, QoS: serviceQoS, UserData: serviceData(s.kind.Response.Hash, id),
		})
		if err != nil {
			return nil, err
		}
		t.keep(s.writer)
		writer = s.writer.GUID()
		return []rtps.GUID{writer}, nil
	})
	if err != nil {
		return writer, reader, err
	}
	err = t.opening(ros.Topic{Name: s.name, Type: s.kind.Request}, func() (made []rtps.GUID, err error) {
		r, err := t.participant.NewReader(rtps.ReaderOptions{
			Topic: requests, Type: s.kind.Request.DDSName, QoS: serviceQoS, UserData: serviceData(s.kind.Request.Hash, id),
			Receive: s.take, Order: t.order,
		})
		if err != nil {
			return nil, err
		}
		t.keep(r)
		reader = r.GUID()
		return []rtps.GUID{reader}, nil
	})
	return writer, reader, err
}

// take accepts a request. It never waits for a response.
func (s *server) take(sample rtps.Sample) {
	c, m, err := parseRequest(s.kind.Request, sample)
	if err != nil {
		s.bad.Add(1)
		s.warnings.add(warning{"request dropped: it is not of the service's type", s.name},
			zap.Error(err), zap.Stringer("writer", sample.Writer))
		return
	}
	size := len(sample.Payload)
	why := fmt.Sprintf("the request has %d bytes, at most %d are allowed", size, maxRequest)
	if size <= maxRequest {
		why = s.queue(sample, request{call: c, message: m, size: size})
	}
	if why != "" {
		s.bad.Add(1)
		s.warnings.add(warning{"request refused", s.name}, zap.String("reason", why), zap.Stringer("writer", sample.Writer))
		if refusal, tells := ros.Failure(s.kind, why); tells {
			s.send(&c, refusal)
		}
	}
}

// queue passes a request to the handler, in the order of arrival, and queues its response after
// those to earlier requests of its client. If the response cannot be queued it returns the reason;
// the handler gets the request nevertheless, because it may stop the robot.
func (s *server) queue(sample rtps.Sample, r request) (refused string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.callers[sample.Writer]
	if c == nil {
		if len(s.callers) >= maxCallers && !s.evictCaller() {
			return fmt.Sprintf("%d clients are being answered", len(s.callers))
		}
		c = new(caller)
		s.callers[sample.Writer] = c
	}
	if c.isOld(sample) {
		return ""
	}
	s.taken++
	c.last, c.written, c.taken = sample.Sequence, sample.Source, s.taken
	r.respond = ros.HandleRequest(s.name, s.kind, r.message, s.handle, s.log)
	switch {
	case len(c.queue) >= maxCallerWaiting:
		return fmt.Sprintf("%d calls of this client are waiting, the most allowed; "+ros.Unanswered+"; wait for the answers before you call again", len(c.queue))
	case s.waiting >= maxWaiting, s.bytes+r.size > maxWaitingBytes:
		return fmt.Sprintf("%d calls with %d bytes are waiting at this service; "+ros.Unanswered+"; call again later", s.waiting, s.bytes)
	}
	s.waiting, s.bytes = s.waiting+1, s.bytes+r.size
	c.queue = append(c.queue, r)
	if !c.running {
		c.running = true
		go s.answer(c)
	}
	return ""
}

// next removes the oldest request of a client from its queue.
func (s *server) next(c *caller) (r request, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(c.queue) == 0 {
		c.queue, c.running = nil, false
		return r, false
	}
	r = c.queue[0]
	c.queue[0] = request{}
	c.queue = c.queue[1:]
	s.waiting, s.bytes = s.waiting-1, s.bytes-r.size
	return r, true
}

// answer responds to the requests of a client until its queue is empty.
func (s *server) answer(c *caller) {
	for {
		r, ok := s.next(c)
		if !ok {
			return
		}
		s.send(&r.call, r.respond())
	}
}

// send sends a response to its client only.
func (s *server) send(c *call, response msgs.Message) {
	o, payload := c.reply(response.(bodied))
	if err := s.writer.WriteWith(o, payload); err != nil && !errors.Is(err, rtps.ErrClosed) {
		s.warnings.add(warning{"reply not sent", s.name}, zap.Error(err))
	}
}

// gone drops the requests of a client that has ended, except one that is being answered.
func (s *server) gone(writer rtps.GUID) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.callers[writer]
	if c == nil {
		return
	}
	for _, r := range c.queue {
		s.waiting, s.bytes = s.waiting-1, s.bytes-r.size
	}
	c.queue = nil
}

// evictCaller removes the client whose last call is oldest, to make room for another one; it reports
// false if all clients wait for responses.
func (s *server) evictCaller() bool {
	var oldest rtps.GUID
	least := uint64(math.MaxUint64)
	for g, c := range s.callers {
		if !c.running && c.taken < least {
			oldest, least = g, c.taken
		}
	}
	delete(s.callers, oldest)
	return least < math.MaxUint64
}
