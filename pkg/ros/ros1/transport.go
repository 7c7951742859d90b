package ros1

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"go.uber.org/zap"

	"sinew/msgs"
	"sinew/pkg/ros"
	"sinew/pkg/ros/bounded"
	"sinew/pkg/ros/naming"
	"sinew/pkg/ros/xmlrpc"
)

// Options configure a Transport: the node and its network.
type Options struct {
	Node   string        // absolute name, such as "/lab/left"
	Master naming.Master // need not run yet
	// Host is the advertised name or address; see naming.Names. Without it, the address from which
	// the master is reached is advertised.
	Host string
	// HostFrom names the setting of Host, such as "ROS_IP", for the log.
	HostFrom string
	// Log receives warnings and errors. Nil discards them.
	Log *zap.Logger
}

// Transport is one ROS 1 node.
type Transport struct {
	node      string
	log       *zap.Logger
	server    *server
	slave     *slave
	xmlrpc    *xmlrpc.Server // of slave
	registrar *registrar
	bad       atomic.Uint64 // messages that could not be parsed

	end      sync.Once
	done     chan struct{}
	closing  sync.Once
	closeErr error

	mu            sync.Mutex
	subscriptions map[string]*subscription // by topic; nil once closed
}

var _ ros.Transport = (*Transport)(nil)

// New starts a node. It does not wait for the master: the node registers as soon as the master
// answers.
func New(o Options) (*Transport, error) { return start(o, usual) }

// start is New with other times.
func start(o Options, times timing) (*Transport, error) {
	if !strings.HasPrefix(o.Node, "/") || strings.HasSuffix(o.Node, "/") {
		return nil, fmt.Errorf("ROS 1: node name %q is not absolute", o.Node)
	}
	if o.Log == nil {
		o.Log = zap.NewNop()
	}
	h, slaveListener, tcprosListener, err := listen(o.Host, o.Master, o.Log.With(zap.String("given by", cmp.Or(o.HostFrom, "the way to the master"))))
	if err != nil {
		return nil, fmt.Errorf("ROS 1: no ports for node %s: %w", o.Node, err)
	}
	slaveListener = bounded.LogErrors(slaveListener, "slave API", o.Log)
	tcprosListener = bounded.LogErrors(tcprosListener, "TCPROS", o.Log)
	t := &Transport{node: o.Node, log: o.Log, done: make(chan struct{}), subscriptions: map[string]*subscription{}}
	t.server = newServer(o.Node, tcprosListener, times.frozen, o.Log)
	t.registrar = newRegistrar(o, newSources(o.Node, t.setPublishers, o.Log), func() (slave, tcpros string, err error) {
		if slave, err = h.uri("http", slaveListener); err == nil {
			tcpros, err = h.uri("rosrpc", tcprosListener)
		}
		return slave + "/", tcpros, err
	}, t.finish)
	t.slave = &slave{
		master: o.Master.URI(), host: h, tcpros: port(tcprosListener),
		server: t.server, registrar: t.registrar, shutdown: t.finish,
	}
	t.server.start()
	t.xmlrpc = xmlrpc.Serve(slaveListener, t.slave.handle, xmlrpc.Access{
		Names: func() []string { return []string{h.advertised()} },
		Refused: func(reason, peer string) {
			o.Log.Warn("slave API: call refused", zap.String("node", o.Node), zap.String("peer", peer), zap.String("reason", reason))
		},
	})
	t.registrar.start(times.watch)
	return t, nil
}

// Done is closed when rosnode kill, or a new node of the same name, ends this one.
func (t *Transport) Done() <-chan struct{} { return t.done }

// finish closes Done.
func (t *Transport) finish(reason string) {
	t.end.Do(func() {
		t.log.Info("ROS 1: shutting down on request", zap.String("reason", reason))
		close(t.done)
	})
}

// Dropped returns the number of messages that were dropped because a subscriber was too slow,
// counted once for each such subscriber.
func (t *Transport) Dropped() uint64 {
	var n uint64
	for _, p := range t.server.allPublications() {
		n += p.lost()
	}
	return n
}

// Refused returns the number of messages that could not be parsed.
func (t *Transport) Refused() uint64 { return t.bad.Load() }

// Advertise opens a topic for publishing.
func (t *Transport) Advertise(topic ros.Topic) (ros.Publisher, error) {
	if err := check(topic.Name, topic.Type.Name, topic.Type.MD5); err != nil {
		return nil, err
	}
	p := newPublication(topic, t.server)
	if err := t.server.addPublication(p); err != nil {
		return nil, fmt.Errorf("ROS 1: publishing %s: %w", topic.Name, err)
	}
	t.registrar.add(publishes, topic.Name, topic.Type.Name)
	return p, nil
}

// Subscribe calls receive, from one goroutine at a time, with each message that
// arrives. While receive runs, further messages wait at their publishers.
func (t *Transport) Subscribe(topic ros.Topic, receive func(ros.Received)) error {
	if err := check(topic.Name, topic.Type.Name, topic.Type.MD5); err != nil {
		return err
	}
	s := newSubscription(t.node, topic, receive, &t.bad, t.log)
	t.mu.Lock()
	err := insert(t.subscriptions != nil, t.subscriptions, topic.Name, s, "already subscribed")
	t.mu.Unlock()
	if err != nil {
		return fmt.Errorf("ROS 1: subscribing to %s: %w", topic.Name, err)
	}
	t.registrar.add(subscribes, topic.Name, topic.Type.Name)
	return nil
}

// setPublishers sets the publishers of a subscription.
func (t *Transport) setPublishers(topic string, uris, before []string) {
	t.mu.Lock()
	s := t.subscriptions[topic]
	t.mu.Unlock()
	if s != nil {
		s.setPublishers(uris, before)
	}
}

// Serve answers a service, one call at a time.
func (t *Transport) Serve(name string, s *msgs.Service, handle ros.Handler) error {
	if err := check(name, s.Name, s.MD5); err != nil {
		return err
	}
	if err := t.server.addService(&service{name: name, kind: s, node: t.node, log: t.log, handle: handle}); err != nil {
		return fmt.Errorf("ROS 1: serving %s: %w", name, err)
	}
	t.registrar.add(serves, name, "")
	return nil
}

// WatchParams calls known whenever a master, perhaps a restarted one, has registered that this node
// watches the parameters below a name, and changed when one of them may have changed. Neither may
// wait. It may be called once.
func (t *Transport) WatchParams(name string, known, changed func()) {
	t.slave.paramChanged.Store(&changed)
	t.registrar.addOne(&registration{what: watches, name: name, known: known})
}

// check returns an error for arguments that would fail obscurely later.
func check(name, kind, md5 string) error {
	if !strings.HasPrefix(name, "/") {
		return fmt.Errorf("ROS 1: name %q is not absolute", name)
	}
	if md5 == "" {
		return fmt.Errorf("ROS 1: %s: type %s is not known: %w", name, kind, ros.ErrUnknownType)
	}
	return nil
}

// Close removes the node from the network. It returns within two seconds, even if the master or
// other nodes hang; calls that wait for them end later.
func (t *Transport) Close() error {
	t.closing.Do(func() {
		closed := make(chan struct{})
		go func() {
			defer close(closed)
			t.registrar.close()
			var all sync.WaitGroup
			all.Go(t.server.close)
			all.Go(t.closeSubscriptions)
			all.Go(func() { _ = t.xmlrpc.Close() })
			all.Wait()
		}()
		select {
		case <-closed:
		case <-time.After(closeTime):
			t.closeErr = errors.New("ROS 1: peers did not close their connections in time; shut down without waiting for them")
		}
	})
	return t.closeErr
}

func (t *Transport) closeSubscriptions() {
	t.mu.Lock()
	subscriptions := t.subscriptions
	t.subscriptions = nil
	t.mu.Unlock()
	var all sync.WaitGroup
	for _, s := range subscriptions {
		all.Go(s.close)
	}
	all.Wait()
}
