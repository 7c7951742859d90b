package xmlrpc

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"mime"
	"net"
	"net/http"
	"strconv"
	"time"

	"sinew/pkg/ros/bounded"
)

// Handler answers a call. It may be called from many goroutines at once. An
// error is sent as a fault, with its code if it is a *Fault.
type Handler func(ctx context.Context, method string, args []any) (any, error)

// Bounds on what peers can make a server store.
const (
	maxHeader      = 16 << 10
	maxConnections = 512
	// smallBody is the size that an ordinary request does not exceed. At most maxLarge larger
	// requests are read at a time; further ones wait, and are refused after largeWait.
	smallBody = 64 << 10
	maxLarge  = 4
	largeWait = 3 * time.Second
)

// discardLog keeps net/http from writing to the standard error: mistakes of peers are reported to
// them, in the reply. Listeners wrapped in bounded.LogErrors log connections that cannot be
// accepted.
var discardLog = log.New(io.Discard, "", 0)

// timeouts of a connection: for sending the header and the whole request, for reading the reply,
// and between requests.
type timeouts struct{ header, read, write, idle time.Duration }

var usual = timeouts{header: 5 * time.Second, read: 10 * time.Second, write: 10 * time.Second, idle: time.Minute}

// Server is a running XML-RPC server.
type Server struct {
	handle  Handler
	access  Access
	reports *bounded.RateLimiter[int] // by status
	http    http.Server
	large   chan struct{}
	ended   chan struct{}
}

// Serve answers the calls that arrive at l, on any path, until Close, as far as a permits. It
// closes connections that are slow or idle.
func Serve(l net.Listener, h Handler, a Access) *Server { return serve(l, h, a, usual) }

func serve(l net.Listener, h Handler, a Access, t timeouts) *Server {
	s := &Server{
		handle:  h,
		access:  a,
		reports: newReports(),
		large:   make(chan struct{}, maxLarge),
		ended:   make(chan struct{}),
	}
	s.http = http.Server{
		Handler:           s,
		ReadHeaderTimeout: t.header,
		ReadTimeout:       t.read,
		WriteTimeout:      t.write,
		IdleTimeout:       t.idle,
		MaxHeaderBytes:    maxHeader,
		ErrorLog:          discardLog,
	}
	go func() {
		defer close(s.ended)
		_ = s.http.Serve(bounded.NewListener(l, maxConnections))
	}()
	return s
}

// Close stops the server. Calls under way get half a second to end.
func (s *Server) Close() error {
	ctx, cancel := context.WithTimeout(context.Background(), 500*time.Millisecond)
	defer cancel()
	err := s.http.Shutdown(ctx)
	if errors.Is(err, context.DeadlineExceeded) {
		err = s.http.Close()
	}
	<-s.ended
	return err
}

// ServeHTTP answers one request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, status, err := s.read(r)
	if status == http.StatusForbidden || status == http.StatusMisdirectedRequest {
		s.report(status, err, r.RemoteAddr)
	}
	if err != nil {
		// The rest of the body is not read.
		w.Header().Set("Connection", "close")
		http.Error(w, err.Error(), status)
		return
	}
	reply, err := s.answer(r.Context(), body)
	if err != nil {
		reply = AppendFault(nil, asFault(err))
	}
	w.Header().Set("Content-Type", "text/xml")
	w.Header().Set("Content-Length", strconv.Itoa(len(reply)))
	_, _ = w.Write(reply) // the peer may have disconnected
}

// report reports a request that Access refuses.
func (s *Server) report(status int, err error, peer string) {
	if s.access.Refused == nil {
		return
	}
	if held, pass := s.reports.Pass(status); pass && held > 0 {
		s.access.Refused(fmt.Sprintf("%v (%d more since the last report)", err, held), peer)
	} else if pass {
		s.access.Refused(err.Error(), peer)
	}
}

// read returns the request's body, or the HTTP status that refuses it. Requiring a content type of
// XML keeps browsers from calling on behalf of a web page.
func (s *Server) read(r *http.Request) (body []byte, status int, err error) {
	if status, reason := s.access.refuse(r); status != 0 {
		return nil, status, errors.New(reason)
	}
	if r.Method != http.MethodPost {
		return nil, http.StatusMethodNotAllowed, errors.New("XML-RPC calls are POST requests")
	}
	kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if kind != "text/xml" && kind != "application/xml" {
		return nil, http.StatusUnsupportedMediaType, errors.New("XML-RPC calls have the content type text/xml")
	}
	if r.ContentLength > smallBody || r.ContentLength < 0 {
		select {
		case s.large <- struct{}{}:
			defer func() { <-s.large }()
		case <-time.After(largeWait):
			return nil, http.StatusServiceUnavailable, errors.New("too many large requests at once")
		}
	}
	body, err = readBody(r.Body, r.ContentLength)
	switch {
	case errors.Is(err, errBody):
		return nil, http.StatusRequestEntityTooLarge, err
	case err != nil:
		return nil, http.StatusBadRequest, err
	}
	return body, 0, nil
}

// answer never panics: a fault is better than the end of the node.
func (s *Server) answer(ctx context.Context, body []byte) (reply []byte, err error) {
	method, args, err := DecodeCall(body)
	if err != nil {
		return nil, err
	}
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%s: internal error: %v", method, p)
		}
	}()
	v, err := s.handle(ctx, method, args)
	if err != nil {
		return nil, err
	}
	return AppendReply(nil, v)
}

func asFault(err error) *Fault {
	var f *Fault
	if errors.As(err, &f) {
		return f
	}
	return &Fault{Code: 1, Message: err.Error()}
}
