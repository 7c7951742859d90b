package viewer

import (
	"fmt"
	"sync"
	"sync/atomic"

	"sinew/msgs"
	"sinew/pkg/ros"
)

// service is a service of the node.
type service struct {
	id     uint32
	name   string
	kind   *msgs.Service
	handle ros.Handler
}

// Bounds on the queue of one viewer: calls of one service, or sets of parameters, and the bytes of
// all of them.
const (
	maxWaiting      = 16
	maxWaitingBytes = 2 << 20
)

// call queues a call. Calls of one service by one viewer are answered one after the other, and
// delay nothing else.
func (c *client) call(m call) {
	i := int64(m.service) - 1
	if i < 0 || i >= int64(len(c.server.services)) {
		c.fail(m, fmt.Sprintf("there is no service %d", m.service))
		return
	}
	s := c.server.services[i]
	if m.encoding != encodingCDR {
		c.fail(m, fmt.Sprintf("%s: the encoding is %.40q; allowed: %q", s.name, m.encoding, encodingCDR))
		return
	}
	request, err := s.parse(m.data)
	if err != nil {
		c.fail(m, fmt.Sprintf("%s: %v", s.name, err))
		return
	}
	l := c.lanes[s.id]
	if l == nil {
		l = &lane{held: &c.held}
		c.lanes[s.id] = l
	}
	respond := ros.HandleRequest(s.name, s.kind, request, s.handle, c.log)
	if !l.do(len(m.data), func() { c.replyBinary(appendReply(nil, m, respond().AppendCDR(nil))) }) {
		c.fail(m, fmt.Sprintf("%s: %d calls or %d bytes are waiting, the most allowed; "+ros.Unanswered, s.name, maxWaiting, maxWaitingBytes))
	}
}

// cdrHeader is the length of an encapsulation header.
const cdrHeader = 4

// parse reads a request. Viewers send a request without fields without the byte that ROS 2
// requires.
func (s *service) parse(data []byte) (msgs.Message, error) {
	request := s.kind.Request.New()
	if s.kind.Request.Schema == "" && len(data) <= cdrHeader {
		return request, nil
	}
	return request, request.ParseCDR(data)
}

// fail answers that a call has failed.
func (c *client) fail(m call, why string) {
	c.replyJSON(map[string]any{"op": "serviceCallFailure", "serviceId": m.service, "callId": m.id, "message": why})
}

// lane executes work one after the other, in a goroutine that exists while there is any.
type lane struct {
	held *atomic.Int64 // bytes queued in all lanes of a viewer

	mu      sync.Mutex
	running bool
	waiting []work
}

// work is a function and the bytes that it holds until it is done.
type work struct {
	do    func()
	bytes int
}

// do queues f, which holds some bytes until it is done. It reports whether there was room.
func (l *lane) do(bytes int, f func()) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.waiting) >= maxWaiting || l.held.Load()+int64(bytes) > maxWaitingBytes { // one goroutine adds
		return false
	}
	l.held.Add(int64(bytes))
	l.waiting = append(l.waiting, work{f, bytes})
	if !l.running {
		l.running = true
		go l.run()
	}
	return true
}

func (l *lane) run() {
	for {
		l.mu.Lock()
		if len(l.waiting) == 0 {
			l.running = false
			l.mu.Unlock()
			return
		}
		w := l.waiting[0]
		l.waiting[0] = work{}
		l.waiting = l.waiting[1:]
		l.mu.Unlock()
		w.do()
		l.held.Add(-int64(w.bytes))
	}
}
