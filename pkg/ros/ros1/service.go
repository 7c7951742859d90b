package ros1

import (
	"bufio"
	"encoding/binary"
	"net"
	"sync"
	"time"

	"github.com/bluenviron/goroslib/v2/pkg/protocommon"
	"github.com/bluenviron/goroslib/v2/pkg/prototcp"
	"go.uber.org/zap"

	"sinew/msgs"
	"sinew/pkg/ros"
)

// service is a service of this node.
type service struct {
	name string
	kind *msgs.Service
	node string // name of the node
	log  *zap.Logger

	mu     sync.Mutex // one response at a time
	handle ros.Handler
}

// signature implements endpoint.
func (s *service) signature() (kind, md5 string) { return s.kind.Name, s.kind.MD5 }

// header implements endpoint.
func (s *service) header() protocommon.Header {
	return &prototcp.HeaderServiceProvider{
		Callerid: s.node, Md5sum: s.kind.MD5, Type: s.kind.Name,
		RequestType: s.kind.Request.Name, ResponseType: s.kind.Response.Name,
	}
}

// serve implements endpoint. It answers requests until the client closes the connection. A client
// that only reads the header (probe=1) does that at once, one that is not persistent after the
// first answer.
func (s *service) serve(c net.Conn, _ string) {
	in := bufio.NewReader(c)
	var request, answer []byte
	for {
		if _, err := in.Peek(1); err != nil { // a client may be idle without limit
			return
		}
		_ = c.SetDeadline(time.Now().Add(callTime))
		var err error
		if request, err = readFrame(in, request, maxRequest); err != nil {
			s.log.Debug("service client cut", zap.String("service", s.name), zap.Error(err))
			return
		}
		answer = s.appendAnswer(answer[:0], request)
		_ = c.SetDeadline(time.Now().Add(callTime))
		if _, err := c.Write(answer); err != nil {
			return
		}
		_ = c.SetDeadline(time.Time{})
	}
}

// appendAnswer appends the answer: a byte 1 and the response, or a byte 0 and an error message if
// the request cannot be parsed, each with its length in between.
func (s *service) appendAnswer(dst, request []byte) []byte {
	r := s.kind.Request.New()
	if err := r.ParseROS1(request); err != nil {
		return msgs.AppendString(append(dst, 0), err.Error())
	}
	dst = append(dst, 1, 0, 0, 0, 0)
	start := len(dst)
	dst = s.respond(dst, r)
	binary.LittleEndian.PutUint32(dst[start-4:], uint32(len(dst)-start))
	return dst
}

// respond appends the response to a request.
func (s *service) respond(dst []byte, request msgs.Message) []byte {
	respond := ros.HandleRequest(s.name, s.kind, request, s.handle, s.log)
	s.mu.Lock()
	defer s.mu.Unlock()
	return respond().AppendROS1(dst)
}
