package viewer

import (
	"errors"
	"fmt"
	"strconv"
	"sync"
	"time"

	"go.uber.org/zap"

	"sinew/msgs"
	"sinew/pkg/ros"
	"sinew/pkg/ros/bounded"
	"sinew/pkg/ros/parameter"
)

// Options configure a Server.
type Options struct {
	// Address is the address to listen on, as in --view; see New.
	Address string
	// Host, if not nil, serves this server below Path, in place of an address of its own.
	Host *Host
	// Path is the path of the page on Host, such as "/arms/left/".
	Path string
	// Node is the absolute name of the node.
	Node string
	// Metadata, if not nil, returns further information about the server for each viewer that
	// connects.
	Metadata func() map[string]string
	// SimTime means that /clock is published: viewers then follow its time.
	SimTime bool
	// Playback, if not nil, is the recording that is served in place of a robot.
	Playback *Playback
	// Recordings, if not nil, returns the path of a complete recording for an arbitrary requested
	// name, and whether there is one.
	Recordings func(name string) (path string, is bool)
	// Log receives warnings and errors for operators. Nil discards them.
	Log *zap.Logger
}

// Bounds of the server.
const (
	maxViewers     = 64
	maxConnections = 128 // from which a request was accepted, viewers among them
	maxPending     = 64  // connections from which none was accepted yet
	maxHeader      = 16 << 10
	headerTimeout  = 5 * time.Second
	idleTimeout    = 30 * time.Second
)

// Server serves viewers. Topics and services are opened, and parameters given, before Start.
type Server struct {
	options  Options
	log      *zap.Logger
	host     *Host
	path     string // of the page
	session  string
	table    *parameter.Table // nil without parameters
	lines    *bounded.RateLimiter[string]
	warnings *bounded.RateLimiter[string]

	channels []*channel
	services []*service
	inboxes  map[string][]*inbox // by topic
	clock    *channel            // /clock, nil without it

	mu      sync.Mutex
	started bool
	ending  bool
	places  int // number of viewers, connecting ones included
	clients map[*client]bool
	gone    sync.WaitGroup // clients
}

var (
	_ ros.SceneViewer     = (*Server)(nil)
	_ ros.LatencyTolerant = (*Server)(nil)
	_ ros.RestoreObserver = (*Server)(nil)
)

// ViewsScenes implements ros.SceneViewer.
func (s *Server) ViewsScenes() {}

// CanWait implements ros.LatencyTolerant.
func (s *Server) CanWait() {}

// New listens; connections wait until Start, or until the start of the host.
func New(o Options) (*Server, error) {
	if o.Log == nil {
		o.Log = zap.NewNop()
	}
	s := &Server{
		options: o, log: o.Log, host: o.Host, path: o.Path, inboxes: map[string][]*inbox{}, clients: map[*client]bool{},
		session: strconv.FormatInt(time.Now().UnixNano(), 36),
	}
	if s.host == nil {
		var err error
		if s.host, err = Listen(o.Address, o.Log); err != nil {
			return nil, err
		}
		s.path = "/"
	}
	s.host.add(s)
	s.lines, s.warnings = newLimiter(linePeriod), newLimiter(warningPeriod)
	return s, nil
}

// linePeriod is the least time between two equal log lines, so that repeated connections do not
// fill the log.
const linePeriod = 100 * time.Millisecond

// warningPeriod is the same for warnings that any peer can cause, at any rate.
const warningPeriod = 10 * time.Second

func newLimiter(period time.Duration) *bounded.RateLimiter[string] {
	begun := time.Now()
	return bounded.NewRateLimiter[string](period, func() time.Duration { return time.Since(begun) })
}

// logOnce writes a log line unless one with the same text was written within linePeriod.
func (s *Server) logOnce(write func(string, ...zap.Field), text string, fields ...zap.Field) {
	logLimited(s.lines, write, text, fields)
}

// warnOnce writes a warning unless one with the same text was written within warningPeriod.
func (s *Server) warnOnce(text string, fields ...zap.Field) {
	logLimited(s.warnings, s.log.Warn, text, fields)
}

// logLimited writes a log line if a rate limiter passes its text.
func logLimited(limiter *bounded.RateLimiter[string], write func(string, ...zap.Field), text string, fields []zap.Field) {
	held, ok := limiter.Pass(text)
	if !ok {
		return
	}
	if held > 0 {
		fields = append(fields, zap.Int("unlogged_before", held))
	}
	write(text, fields...)
}

// Start begins to serve, on a host of several servers as soon as that starts.
func (s *Server) Start() {
	s.mu.Lock()
	s.started = true
	s.mu.Unlock()
	if s.options.Host == nil {
		s.host.Start()
	}
}

// SetParameters serves the parameters of a table.
func (s *Server) SetParameters(t *parameter.Table) {
	s.table = t
	t.Watch(s.parametersChanged)
}

// errStarted is the error of calls after Start that must precede it.
var errStarted = errors.New("viewers are being served already")

// opening returns an error after Start, or if ROS 2 does not have the type.
func (s *Server) opening(kind, hash string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.started {
		return errStarted
	}
	if hash == "" {
		return fmt.Errorf("%s: %w", kind, ros.ErrUnknownType)
	}
	return nil
}

// Advertise implements ros.Transport.
func (s *Server) Advertise(t ros.Topic) (ros.Publisher, error) {
	if err := s.opening(t.Type.Name, t.Type.Hash); err != nil {
		return nil, err
	}
	ch := &channel{id: uint32(len(s.channels) + 1), topic: t, subscriptions: map[*subscription]bool{}}
	s.channels = append(s.channels, ch)
	if s.options.SimTime && t.Name == clockTopic {
		s.clock = ch
		return clockPublisher{ch, s}, nil
	}
	return ch, nil
}

// Subscribe implements ros.Transport.
func (s *Server) Subscribe(t ros.Topic, receive func(ros.Received)) error {
	if err := s.opening(t.Type.Name, t.Type.Hash); err != nil {
		return err
	}
	s.inboxes[t.Name] = append(s.inboxes[t.Name], &inbox{topic: t, receive: receive})
	return nil
}

// Serve implements ros.Transport.
func (s *Server) Serve(name string, kind *msgs.Service, handle ros.Handler) error {
	if err := s.opening(kind.Name, kind.Hash); err != nil {
		return err
	}
	s.services = append(s.services, &service{id: uint32(len(s.services) + 1), name: name, kind: kind, handle: handle})
	return nil
}

// Done implements ros.Transport; viewers do not end the node.
func (s *Server) Done() <-chan struct{} { return nil }

// closeTimeout is how long viewers have to answer a good-bye.
const closeTimeout = 500 * time.Millisecond

// Close implements ros.Transport.
func (s *Server) Close() error {
	s.mu.Lock()
	s.started, s.ending = true, true
	for c := range s.clients {
		go c.closeForShutdown()
	}
	s.mu.Unlock()
	var err error
	s.host.remove(s)
	if s.options.Host == nil {
		err = s.host.Close()
	}
	left := make(chan struct{})
	go func() {
		s.gone.Wait()
		close(left)
	}()
	select {
	case <-left:
	case <-time.After(closeTimeout):
		s.each(func(c *client) { c.cancel() })
	}
	return err
}

// each calls f with every viewer.
func (s *Server) each(f func(*client)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for c := range s.clients {
		f(c)
	}
}

// eachGreeted calls f with each viewer that has been sent what the server offers, which comes
// first.
func (s *Server) eachGreeted(f func(*client)) {
	s.each(func(c *client) {
		if c.greeted.Load() {
			f(c)
		}
	})
}

// reserve reserves the place of a viewer; it reports false if there are too many.
func (s *Server) reserve() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ending || s.places >= maxViewers {
		return false
	}
	s.places++
	return true
}

// release releases a place.
func (s *Server) release() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.places--
}

// join adds a viewer. It reports whether the server is open.
func (s *Server) join(c *client) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ending {
		return false
	}
	s.clients[c] = true
	s.gone.Add(1)
	return true
}

// leave removes a viewer.
func (s *Server) leave(c *client) {
	s.mu.Lock()
	delete(s.clients, c)
	s.mu.Unlock()
	s.gone.Done()
}

func (s *Server) isEnding() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.ending
}

// Viewers returns the number of viewers.
func (s *Server) Viewers() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.clients)
}
