package ros1

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"net"
	"reflect"
	"sync"
	"time"

	"github.com/bluenviron/goroslib/v2/pkg/protocommon"
	"github.com/bluenviron/goroslib/v2/pkg/prototcp"
	"go.uber.org/zap"

	"sinew/msgs"
)

// service is a service of this node.
type service struct {
	name string
	kind *msgs.Service
	node string // name of the node
	log  *zap.Logger

	mu     sync.Mutex // one call of handle at a time
	handle func(request msgs.Message) (response msgs.Message)
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

// serve implements endpoint. It answers requests until the client hangs up,
// which one that only looks at the header (probe=1) does at once, and one that is
// not persistent after the first answer.
func (s *service) serve(c net.Conn, _ string) {
	in := bufio.NewReader(c)
	var request, answer []byte
	for {
		if _, err := in.Peek(1); err != nil { // a client may be idle for ever
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

// appendAnswer appends what the client gets: a byte that is 1 and the response,
// or one that is 0 and a text if the request cannot be parsed, with their length
// between.
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

// respond appends the response to a request. If handle panics or returns
// something else than a response, the client gets a response without success: a
// call of rosservice that is not answered would hang for ever.
func (s *service) respond(dst []byte, request msgs.Message) (out []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	defer func() {
		if p := recover(); p != nil {
			s.log.Error("service failed", zap.String("service", s.name), zap.Any("panic", p), zap.Stack("stack"))
			out = failure(s.kind, fmt.Sprintf("internal error: %v", p)).AppendROS1(dst)
		}
	}()
	response := s.handle(request)
	if response == nil || reflect.ValueOf(response).IsZero() || response.Type() != s.kind.Response {
		panic(fmt.Sprintf("no %s but %T", s.kind.Response.Name, response))
	}
	return response.AppendROS1(dst)
}

// failure is a response of s that says what went wrong, as far as its fields
// allow.
func failure(s *msgs.Service, why string) msgs.Message {
	m := s.Response.New()
	if f := reflect.ValueOf(m).Elem().FieldByName("Message"); f.IsValid() && f.Kind() == reflect.String {
		f.SetString(why)
	}
	return m
}
