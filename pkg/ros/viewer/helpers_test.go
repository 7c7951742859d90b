package viewer

import (
	"context"
	"encoding/json"
	"math"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"

	"sinew/msgs"
	"sinew/msgs/std_msgs"
	"sinew/msgs/std_srvs"
	"sinew/pkg/ros"
	"sinew/pkg/ros/parameter"
)

// fakeNode is a node with a latched topic, a topic, a command, a service and parameters.
type fakeNode struct {
	*Server
	Latched, Stream, lossy ros.Publisher

	mu       sync.Mutex
	received []ros.Received
	rate     float64
	Refuse   string        // why commands are refused, if they are
	Block    chan struct{} // what the service waits for, if not nil
}

func NewFakeNode(t *testing.T) *fakeNode {
	t.Helper()
	s, err := New(Options{Address: "127.0.0.1:0", Node: "/robot"})
	Must(t, err)
	n := &fakeNode{Server: s, rate: 1}
	n.Latched, err = s.Advertise(ros.Topic{Name: "/state", Type: std_msgs.StringType, Latched: true})
	Must(t, err)
	n.Stream, err = s.Advertise(ros.Topic{Name: "/stream", Type: std_msgs.StringType})
	Must(t, err)
	n.lossy, err = s.Advertise(ros.Topic{Name: "/lossy", Type: std_msgs.StringType, Lossy: true})
	Must(t, err)
	Must(t, s.Subscribe(ros.Topic{Name: "/command", Type: std_msgs.Float64MultiArrayType, ReportsSenderLeft: true}, func(got ros.Received) {
		n.mu.Lock()
		defer n.mu.Unlock()
		n.received = append(n.received, got)
		if got.Refused != nil && n.Refuse != "" {
			got.Refused("out_of_range", n.Refuse)
		}
	}))
	Must(t, s.Serve("/reset", std_srvs.Trigger, ros.Deferred(func(msgs.Message) msgs.Message {
		if n.Block != nil {
			<-n.Block
		}
		return &std_srvs.TriggerResponse{Success: true, Message: "done"}
	})))
	Must(t, s.Serve("/e_stop", std_srvs.Trigger, ros.Deferred(func(msgs.Message) msgs.Message {
		return &std_srvs.TriggerResponse{Success: true, Message: "stopped"}
	})))
	s.SetParameters(parameter.NewTable(parameter.Options{
		List: func() []parameter.Parameter {
			n.mu.Lock()
			defer n.mu.Unlock()
			return []parameter.Parameter{
				{Name: "rate", Value: n.rate}, {Name: "name", Value: "rod", Fixed: "fixed while the robot runs", Constraints: "above 0", Bounded: true, Max: math.Inf(1)}, {Name: "offset", Value: []float64{1, 2}},
			}
		},
		Apply: func(list []parameter.Assignment) error {
			n.mu.Lock()
			defer n.mu.Unlock()
			n.rate = list[0].Value.(float64)
			return nil
		},
		Now: func() time.Duration { return 0 },
	}))
	s.Start()
	t.Cleanup(func() { _ = s.Close() })
	return n
}

// Got returns what the node has received.
func (n *fakeNode) Got() []ros.Received {
	n.mu.Lock()
	defer n.mu.Unlock()
	return append([]ros.Received(nil), n.received...)
}

// Say publishes a text.
func Say(p ros.Publisher, text string, at msgs.Time) {
	s := ros.NewSample(&std_msgs.String{Data: text})
	s.Time = at
	p.Publish(s)
}

// Peer is a viewer.
type Peer struct {
	*websocket.Conn
	T *testing.T
}

// Connect is a viewer that has heard what there is.
func (n *fakeNode) Connect(t *testing.T) *Peer { return n.connectTo(t, n.Socket()) }

// connectTo is a viewer by another address.
func (n *fakeNode) connectTo(t *testing.T, socket string) *Peer {
	t.Helper()
	conn, _, err := websocket.Dial(t.Context(), socket, &websocket.DialOptions{Subprotocols: subprotocols})
	Must(t, err)
	conn.SetReadLimit(64 << 20)
	p := &Peer{conn, t}
	t.Cleanup(func() { _ = conn.CloseNow() })
	for _, op := range []string{"serverInfo", "advertise", "advertiseServices"} {
		if m := p.Json(); m["op"] != op {
			t.Fatalf("%v instead of %s", m, op)
		}
	}
	return p
}

// Next is the next message.
func (p *Peer) Next() (websocket.MessageType, []byte) {
	p.T.Helper()
	ctx, cancel := context.WithTimeout(p.T.Context(), Patience)
	defer cancel()
	kind, data, err := p.Read(ctx)
	Must(p.T, err)
	return kind, data
}

// Json is the next message, which is text.
func (p *Peer) Json() (m map[string]any) {
	p.T.Helper()
	kind, data := p.Next()
	if kind != websocket.MessageText {
		p.T.Fatalf("binary message % x", data)
	}
	Must(p.T, json.Unmarshal(data, &m))
	return m
}

func (p *Peer) Text(s string) {
	p.T.Helper()
	Must(p.T, p.Write(p.T.Context(), websocket.MessageText, []byte(s)))
}

func (p *Peer) Binary(b []byte) {
	p.T.Helper()
	Must(p.T, p.Write(p.T.Context(), websocket.MessageBinary, b))
}

// Told expects a status with a text.
func (p *Peer) Told(text string) {
	p.T.Helper()
	m := p.Json()
	if got, _ := m["message"].(string); m["op"] != "status" || !strings.Contains(got, text) {
		p.T.Fatalf("%v, want a status with %q", m, text)
	}
}

func Must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// Patience is how long what is to come may take, on a machine that does much else.
const Patience = time.Minute

func Until(t *testing.T, what string, done func() bool) {
	t.Helper()
	for deadline := time.Now().Add(Patience); !done(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("not within %v: %s", Patience, what)
		}
	}
}
