package ros1

import (
	"context"
	"encoding/binary"
	"maps"
	"net"
	"sync/atomic"
	"testing"
	"time"

	"github.com/bluenviron/goroslib/v2"
	ggeometry "github.com/bluenviron/goroslib/v2/pkg/msgs/geometry_msgs"

	"sinew/msgs/geometry_msgs"
	"sinew/msgs/std_msgs"
	"sinew/pkg/ros"
	"sinew/pkg/ros/masterclient"
	"sinew/pkg/ros/xmlrpc"
)

// Unexported names for the external tests.
const (
	Growth          = growth
	MaxKept         = maxKept
	MaxMessage      = maxMessage
	MaxName         = maxName
	SubscriberQueue = subscriberQueue
)

var (
	BeginsWithHeader = beginsWithHeader
	ErrPeer          = errPeer
	LoopbackOf       = loopbackOf
	ReadFrame        = readFrame
	ReadHeader       = readHeader
)

func Frame(body string) string {
	return string(binary.LittleEndian.AppendUint32(nil, uint32(len(body)))) + body
}

// FakePublisher publishes one topic of Float64MultiArray with what a test writes.
type FakePublisher struct {
	Client masterclient.Client
	topic  string
	slave  string // URI
	asked  atomic.Int32
	answer atomic.Pointer[[]any] // to requestTopic
	conns  chan net.Conn         // after the subscriber's header
}

func (m *Master) FakePublisher(name, topic string) *FakePublisher {
	m.Helper()
	api, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		m.Fatal(err)
	}
	tcpros, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		m.Fatal(err)
	}
	p := &FakePublisher{
		Client: masterclient.Client{URI: m.RosMaster().URI(), Caller: name},
		topic:  topic, slave: "http://" + api.Addr().String() + "/", conns: make(chan net.Conn),
	}
	p.answer.Store(&[]any{1, "", []any{"TCPROS", "127.0.0.1", port(tcpros)}})
	server := xmlrpc.Serve(api, func(_ context.Context, method string, _ []any) (any, error) {
		if method == "requestTopic" {
			p.asked.Add(1)
			return *p.answer.Load(), nil
		}
		return []any{1, "", 0}, nil
	}, xmlrpc.Access{})
	go func() {
		for {
			c, err := tcpros.Accept()
			if err != nil {
				return
			}
			if _, err := readHeader(c); err == nil {
				p.conns <- c
			}
		}
	}()
	m.Cleanup(func() {
		tcpros.Close()
		server.Close()
	})
	return p
}

func (p *FakePublisher) Register(t *testing.T) {
	t.Helper()
	if _, err := p.Client.RegisterPublisher(t.Context(), p.topic, std_msgs.Float64MultiArrayType.Name, p.slave); err != nil {
		t.Fatal(err)
	}
}

func (p *FakePublisher) Unregister(t *testing.T) {
	t.Helper()
	if err := p.Client.UnregisterPublisher(t.Context(), p.topic, p.slave); err != nil {
		t.Fatal(err)
	}
}

// Accept takes the next connection of the subscriber.
func (p *FakePublisher) Accept(t *testing.T) net.Conn {
	t.Helper()
	select {
	case c := <-p.conns:
		t.Cleanup(func() { c.Close() })
		return c
	case <-time.After(patience):
		t.Fatal("no subscriber connects")
		return nil
	}
}

// Header is a good reply, with further or other fields.
func (p *FakePublisher) Header(other Header) []byte {
	h := Header{"callerid": p.Client.Caller, "type": std_msgs.Float64MultiArrayType.Name, "md5sum": std_msgs.Float64MultiArrayType.MD5}
	maps.Copy(h, other)
	return h.Append(nil)
}

func Tension(v float64) []byte {
	body := (&std_msgs.Float64MultiArray{Data: []float64{v}}).AppendROS1(nil)
	return append(binary.LittleEndian.AppendUint32(nil, uint32(len(body))), body...)
}

// Receive subscribes a transport to a topic of Float64MultiArray and collects all
// that arrives.
func (m *Master) Receive(t *Transport, topic string) *Collector[ros.Received] {
	m.Helper()
	c := &Collector[ros.Received]{}
	if err := t.Subscribe(ros.Topic{Name: topic, Type: std_msgs.Float64MultiArrayType}, c.Add); err != nil {
		m.Fatal(err)
	}
	return c
}

func Done(t *testing.T, node *Transport) {
	t.Helper()
	select {
	case <-node.Done():
	case <-time.After(patience):
		t.Error("Done is not closed")
	}
}

// OpenAndClose returns how long a node that has a subscriber takes to leave, after which the
// master does not know it and everything is refused.
func (m *Master) OpenAndClose(peer *goroslib.Node) time.Duration {
	t := m.T
	node, err := New(Options{Node: "/sim", Master: m.RosMaster()})
	if err != nil {
		t.Fatal(err)
	}
	out := m.Advertise(node, PoseTopic("/sim/measured_cp"))
	m.Command(node, "/sim/tensions")
	s, err := goroslib.NewSubscriber(goroslib.SubscriberConf{
		Node: peer, Topic: "/sim/measured_cp", Callback: func(*ggeometry.PoseStamped) {},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	Eventually(t, "a subscriber", out.HasSubscribers)
	begin := time.Now()
	err = node.Close()
	took := time.Since(begin)
	if err != nil && took < closeTime {
		t.Error(err)
	}
	if uri := m.Lookup("/sim"); uri != "" {
		if took < goodbyeTime/2 {
			t.Errorf("still registered at %s", uri)
		}
		took += patience // the master was not in time, or was not asked
	}
	if again := node.Close(); again != err {
		t.Errorf("second Close: %v", again)
	}
	out.Publish(ros.NewSample(&geometry_msgs.PoseStamped{})) // is harmless
	if _, err := node.Advertise(PoseTopic("/sim/x")); err == nil {
		t.Error("advertised after Close")
	}
	return took
}
