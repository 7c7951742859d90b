package viewer

import (
	"fmt"
	"sync"

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

// maxWaiting is how many calls of one service by one viewer may wait.
const maxWaiting = 16

// call takes a call; calls of one service by one viewer are answered one after the other, and hold up
// nothing else.
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
		l = new(lane)
		c.lanes[s.id] = l
	}
	respond := ros.Take(s.name, s.kind, request, s.handle, c.log)
	if !l.do(func() { c.replyBinary(appendReply(nil, m, respond().AppendCDR(nil))) }) {
		c.fail(m, fmt.Sprintf("%s: more than %d calls wait", s.name, maxWaiting))
	}
}

// cdrHeader is the length of an encapsulation header.
const cdrHeader = 4

// parse reads a request. Viewers send one without fields without the byte that ROS 2 puts there.
func (s *service) parse(data []byte) (msgs.Message, error) {
	request := s.kind.Request.New()
	if s.kind.Request.Schema == "" && len(data) <= cdrHeader {
		return request, nil
	}
	return request, request.ParseCDR(data)
}

// fail answers that a call cannot be done.
func (c *client) fail(m call, why string) {
	c.replyJSON(map[string]any{"op": "serviceCallFailure", "serviceId": m.service, "callId": m.id, "message": why})
}

// lane does work one after the other, in a goroutine that is there while there is any.
type lane struct {
	mu      sync.Mutex
	running bool
	waiting []func()
}

// do has f done. It reports whether there was room.
func (l *lane) do(f func()) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.waiting) >= maxWaiting {
		return false
	}
	l.waiting = append(l.waiting, f)
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
		f := l.waiting[0]
		l.waiting = l.waiting[1:]
		l.mu.Unlock()
		f()
	}
}
