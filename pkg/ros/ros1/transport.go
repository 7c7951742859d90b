package ros1

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"sync"
	"time"

	"github.com/bluenviron/goroslib/v2"
	"go.uber.org/zap"

	"sinew/msgs/goros"
	"sinew/pkg/ros"
	"sinew/pkg/ros/naming"
	"sinew/pkg/ros/xmlrpc"
)

// Options say which node joins which network.
type Options struct {
	Node   string        // absolute name, such as "/lab/left"
	Master naming.Master // need not run yet
	// Host is the name or address to tell other nodes; see naming.Names. Without
	// it, the address from which the master is reached.
	Host string
	// Log takes what happens; nil is nobody.
	Log *zap.Logger
}

// Transport is one ROS 1 node.
type Transport struct {
	log       *zap.Logger
	offers    *offers
	box       *box
	guard     *guard
	slave     *slave
	server    *xmlrpc.Server // of slave
	registrar *registrar

	end      sync.Once
	done     chan struct{}
	closing  sync.Once
	closeErr error

	mu         sync.Mutex
	publishers []*publisher
}

var _ ros.Transport = (*Transport)(nil)

// New starts a node. It does not wait for the master: the node shows up there as
// soon as both can be reached.
func New(o Options) (*Transport, error) { return start(o, usual) }

// start is New with other times.
func start(o Options, times timing) (*Transport, error) {
	if !strings.HasPrefix(o.Node, "/") || strings.HasSuffix(o.Node, "/") {
		return nil, fmt.Errorf("ROS 1: node name %q is not absolute", o.Node)
	}
	if o.Log == nil {
		o.Log = zap.NewNop()
	}
	t := &Transport{log: o.Log, offers: newOffers(), done: make(chan struct{})}
	h, slaveListener, tcprosListener, err := listen(o.Host, o.Master)
	if err != nil {
		return nil, fmt.Errorf("ROS 1: no ports for node %s: %w", o.Node, err)
	}
	if t.box, err = newBox(o.Node, o.Log); err != nil {
		slaveListener.Close()
		tcprosListener.Close()
		return nil, fmt.Errorf("ROS 1: node %s: %w", o.Node, err)
	}
	t.guard = newGuard(tcprosListener, t.box.tcpros, t.offers, times.frozen, o.Log)
	t.registrar = newRegistrar(o, t.box, func() (slave, tcpros string, err error) {
		if slave, err = h.uri("http", slaveListener); err == nil {
			tcpros, err = h.uri("rosrpc", tcprosListener)
		}
		return slave + "/", tcpros, err
	}, t.finish)
	t.slave = &slave{
		master: o.Master.URI(), host: h, tcpros: port(tcprosListener),
		offers: t.offers, registrar: t.registrar, shutdown: t.finish,
	}
	t.server = xmlrpc.Serve(slaveListener, t.slave.handle)
	t.registrar.start(times.watch)
	return t, nil
}

// Done is closed when rosnode kill, or a new node of the same name, ends this
// one.
func (t *Transport) Done() <-chan struct{} { return t.done }

// finish closes Done.
func (t *Transport) finish(reason string) {
	t.end.Do(func() {
		t.log.Info("ROS 1 node is told to end", zap.String("reason", reason))
		close(t.done)
	})
}

// Dropped counts the messages that were dropped because they were published too
// fast, or because a subscriber was too slow: once for each such subscriber.
func (t *Transport) Dropped() uint64 {
	n := t.offers.lost()
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, p := range t.publishers {
		n += p.queue.Dropped()
	}
	return n
}

// Advertise opens a topic for publishing.
func (t *Transport) Advertise(topic ros.Topic) (ros.Publisher, error) {
	prototype := goros.Prototype(topic.Type)
	if err := check(topic.Name, prototype, topic.Type.Name); err != nil {
		return nil, err
	}
	f := &offer{name: topic.Name, kind: topic.Type.Name, md5: topic.Type.MD5}
	var p *publisher
	err := t.box.add(func() (func(), error) {
		out, err := goroslib.NewPublisher(goroslib.PublisherConf{
			Node: t.box.node, Topic: topic.Name, Msg: prototype, Latch: topic.Latched,
		})
		if err != nil {
			return nil, err
		}
		p = newPublisher(topic, f, out)
		return p.close, nil
	})
	if err != nil {
		return nil, fmt.Errorf("ROS 1: publishing %s: %w", topic.Name, err)
	}
	t.mu.Lock()
	t.publishers = append(t.publishers, p)
	t.mu.Unlock()
	t.offers.add(f)
	t.registrar.add(publication, topic.Name, topic.Type.Name)
	return p, nil
}

// Subscribe calls receive, from one goroutine at a time, with each message that
// arrives. While receive runs, further messages wait at their publishers.
func (t *Transport) Subscribe(topic ros.Topic, receive func(ros.Received)) error {
	prototype := goros.Prototype(topic.Type)
	if err := check(topic.Name, prototype, topic.Type.Name); err != nil {
		return err
	}
	err := t.box.add(func() (func(), error) {
		in, err := goroslib.NewSubscriber(goroslib.SubscriberConf{
			Node: t.box.node, Topic: topic.Name, Callback: t.receiver(topic.Name, prototype, receive),
		})
		if err != nil {
			return nil, err
		}
		return in.Close, nil
	})
	if err != nil {
		return fmt.Errorf("ROS 1: subscribing to %s: %w", topic.Name, err)
	}
	t.registrar.add(subscription, topic.Name, topic.Type.Name)
	return nil
}

// receiver makes the function of the type that goroslib expects.
func (t *Transport) receiver(topic string, prototype any, receive func(ros.Received)) any {
	kind := reflect.FuncOf([]reflect.Type{reflect.TypeOf(prototype)}, nil, false)
	return reflect.MakeFunc(kind, func(args []reflect.Value) []reflect.Value {
		defer func() {
			// what a peer sends must never end the simulator
			if p := recover(); p != nil {
				t.log.Error("receiving a message failed", zap.String("topic", topic), zap.Any("panic", p), zap.Stack("stack"))
			}
		}()
		receive(ros.Received{Message: goros.To(args[0].Interface())})
		return nil
	}).Interface()
}

// check refuses what would fail obscurely later.
func check(name string, prototype any, kind string) error {
	if !strings.HasPrefix(name, "/") {
		return fmt.Errorf("ROS 1: name %q is not absolute", name)
	}
	if prototype == nil {
		return fmt.Errorf("ROS 1: %s: type %s is not known", name, kind)
	}
	return nil
}

// Close takes the node out of the network. It returns within two seconds, even
// if the master or other nodes hang; what they hold up ends later by itself.
func (t *Transport) Close() error {
	t.closing.Do(func() {
		closed := make(chan struct{})
		go func() {
			defer close(closed)
			t.registrar.close()
			var all sync.WaitGroup
			all.Go(t.box.close)
			all.Go(func() { _ = t.server.Close() })
			all.Wait()
			t.guard.close()
		}()
		select {
		case <-closed:
		case <-time.After(closeTime):
			t.closeErr = errors.New("ROS 1: other nodes hang; left without waiting for them")
		}
	})
	return t.closeErr
}
