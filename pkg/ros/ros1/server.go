package ros1

import (
	"cmp"
	"errors"
	"fmt"
	"net"
	"slices"
	"sync"
	"time"

	"github.com/bluenviron/goroslib/v2/pkg/protocommon"
	"github.com/bluenviron/goroslib/v2/pkg/prototcp"
	"go.uber.org/zap"
)

// endpoint is a topic or a service of this node that peers connect to.
type endpoint interface {
	// signature returns type and checksum, with which the header of a peer must agree.
	signature() (kind, md5 string)
	// header returns the reply to a peer that is accepted.
	header() protocommon.Header
	// serve serves a peer until either side closes the connection.
	serve(c net.Conn, caller string)
}

// server is the node's TCPROS server: subscribers and service clients connect to
// it.
type server struct {
	node     string // name
	listener net.Listener
	frozen   time.Duration
	log      *zap.Logger
	running  sync.WaitGroup

	mu           sync.Mutex
	conns        map[net.Conn]struct{} // nil once closed
	publications map[string]*publication
	services     map[string]*service
	lastID       int // of a connection
}

func newServer(node string, l net.Listener, frozen time.Duration, log *zap.Logger) *server {
	return &server{
		node: node, listener: l, frozen: frozen, log: log,
		conns: map[net.Conn]struct{}{}, publications: map[string]*publication{}, services: map[string]*service{},
	}
}

func (s *server) start() { s.running.Go(s.accept) }

// addPublication adds a topic to which peers can connect.
func (s *server) addPublication(p *publication) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return insert(s.conns != nil, s.publications, p.topic.Name, p, "already published")
}

func (s *server) addService(x *service) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return insert(s.conns != nil, s.services, x.name, x, "already provided")
}

var errClosed = errors.New("the transport is closed")

// insert adds a new key to a map if it is open.
func insert[T any](open bool, m map[string]T, key string, value T, taken string) error {
	if !open {
		return errClosed
	}
	if _, exists := m[key]; exists {
		return errors.New(taken)
	}
	m[key] = value
	return nil
}

// publication returns a topic, nil if there is none.
func (s *server) publication(name string) *publication {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.publications[name]
}

func (s *server) service(name string) *service {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.services[name]
}

// allPublications lists the topics by name.
func (s *server) allPublications() []*publication {
	s.mu.Lock()
	defer s.mu.Unlock()
	var list []*publication
	for _, p := range s.publications {
		list = append(list, p)
	}
	slices.SortFunc(list, func(a, b *publication) int { return cmp.Compare(a.topic.Name, b.topic.Name) })
	return list
}

// nextID returns the next number of a connection, from 1.
func (s *server) nextID() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lastID++
	return s.lastID
}

// close ends the topics, gives subscribers a moment to read their queues, and closes all
// connections.
func (s *server) close() {
	_ = s.listener.Close() // a failure has no remedy
	drained := make(chan struct{})
	go func() {
		defer close(drained)
		for _, p := range s.allPublications() {
			p.close()
		}
	}()
	select {
	case <-drained:
	case <-time.After(goodbyeTime):
	}
	s.mu.Lock()
	for c := range s.conns {
		_ = c.Close()
	}
	s.conns = nil
	s.mu.Unlock()
	s.running.Wait()
}

func (s *server) accept() {
	for {
		c, err := s.listener.Accept()
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err != nil {
			// a temporary failure, such as too many open files
			time.Sleep(100 * time.Millisecond)
			continue
		}
		if !s.hold(c) {
			_ = c.Close()
			continue
		}
		s.running.Go(func() {
			defer s.release(c)
			s.serve(c)
		})
	}
}

// hold adds a connection to those that close closes. Beyond the limit it reports false, so that the
// connection is closed: a peer sees that, but would not see that it has to wait.
func (s *server) hold(c net.Conn) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.conns == nil || len(s.conns) >= maxConnections {
		return false
	}
	s.conns[c] = struct{}{}
	return true
}

func (s *server) release(c net.Conn) {
	_ = c.Close()
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.conns, c)
}

// serve answers one connection from its header to its end.
func (s *server) serve(c net.Conn) {
	_ = c.SetDeadline(time.Now().Add(handshakeTime))
	h, err := readHeader(c)
	if err != nil {
		s.log.Debug("TCPROS client rejected", zap.Stringer("peer", c.RemoteAddr()), zap.Error(err))
		return
	}
	e, err := s.match(h)
	if err != nil {
		s.log.Info("TCPROS client rejected", zap.Stringer("peer", c.RemoteAddr()),
			zap.String("node", h["callerid"]), zap.Error(err))
		_ = writeHeader(c, &prototcp.HeaderError{Error: err.Error()})
		return
	}
	if writeHeader(c, e.header()) != nil {
		return
	}
	_ = c.SetDeadline(time.Time{})
	e.serve(c, h["callerid"])
}

// match finds the topic or service that a connection is for.
func (s *server) match(h protocommon.HeaderRaw) (endpoint, error) {
	var e endpoint
	name, isTopic := h["topic"]
	if isTopic {
		p := s.publication(name)
		if p == nil {
			return nil, fmt.Errorf("this node does not publish %.80s", name)
		}
		e = p
	} else {
		var isService bool
		if name, isService = h["service"]; !isService {
			return nil, errors.New("the header names no topic and no service")
		}
		x := s.service(name)
		if x == nil {
			return nil, fmt.Errorf("this node does not offer %.80s", name)
		}
		e = x
	}
	kind, md5 := e.signature()
	given, anyKind := h["type"], h["type"] == "" || h["type"] == "*"
	if m := h["md5sum"]; m != md5 && (m != "*" || !anyKind && given != kind) {
		return nil, fmt.Errorf("%s is %s with md5sum %s, not %.60s with %.32s", name, kind, md5, given, m)
	}
	return e, nil
}
