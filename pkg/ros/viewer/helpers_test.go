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

// station is a node with a latched topic, a topic, a command, a service and parameters.
type station struct {
	*Server
	latched, stream, lossy ros.Publisher

	mu       sync.Mutex
	received []ros.Received
	rate     float64
	refuse   string        // why commands are refused, if they are
	block    chan struct{} // what the service waits for, if not nil
}

func newStation(t *testing.T) *station {
	t.Helper()
	s, err := New(Options{Address: "127.0.0.1:0", Node: "/robot"})
	must(t, err)
	n := &station{Server: s, rate: 1}
	n.latched, err = s.Advertise(ros.Topic{Name: "/state", Type: std_msgs.StringType, Latched: true})
	must(t, err)
	n.stream, err = s.Advertise(ros.Topic{Name: "/stream", Type: std_msgs.StringType})
	must(t, err)
	n.lossy, err = s.Advertise(ros.Topic{Name: "/lossy", Type: std_msgs.StringType, Lossy: true})
	must(t, err)
	must(t, s.Subscribe(ros.Topic{Name: "/command", Type: std_msgs.Float64MultiArrayType, Departures: true}, func(got ros.Received) {
		n.mu.Lock()
		defer n.mu.Unlock()
		n.received = append(n.received, got)
		if got.Refused != nil && n.refuse != "" {
			got.Refused("out_of_range", n.refuse)
		}
	}))
	must(t, s.Serve("/reset", std_srvs.Trigger, ros.AnyOrder(func(msgs.Message) msgs.Message {
		if n.block != nil {
			<-n.block
		}
		return &std_srvs.TriggerResponse{Success: true, Message: "done"}
	})))
	must(t, s.Serve("/e_stop", std_srvs.Trigger, ros.AnyOrder(func(msgs.Message) msgs.Message {
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

// got returns what the node has received.
func (n *station) got() []ros.Received {
	n.mu.Lock()
	defer n.mu.Unlock()
	return append([]ros.Received(nil), n.received...)
}

// say publishes a text.
func say(p ros.Publisher, text string, at msgs.Time) {
	s := ros.NewSample(&std_msgs.String{Data: text})
	s.Time = at
	p.Publish(s)
}

// peer is a viewer.
type peer struct {
	*websocket.Conn
	t *testing.T
}

// connect is a viewer that has heard what there is.
func (n *station) connect(t *testing.T) *peer { return n.connectTo(t, n.Socket()) }

// connectTo is a viewer by another address.
func (n *station) connectTo(t *testing.T, socket string) *peer {
	t.Helper()
	conn, _, err := websocket.Dial(t.Context(), socket, &websocket.DialOptions{Subprotocols: subprotocols})
	must(t, err)
	conn.SetReadLimit(64 << 20)
	p := &peer{conn, t}
	t.Cleanup(func() { _ = conn.CloseNow() })
	for _, op := range []string{"serverInfo", "advertise", "advertiseServices"} {
		if m := p.json(); m["op"] != op {
			t.Fatalf("%v instead of %s", m, op)
		}
	}
	return p
}

// next is the next message.
func (p *peer) next() (websocket.MessageType, []byte) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.t.Context(), patience)
	defer cancel()
	kind, data, err := p.Read(ctx)
	must(p.t, err)
	return kind, data
}

// json is the next message, which is text.
func (p *peer) json() (m map[string]any) {
	p.t.Helper()
	kind, data := p.next()
	if kind != websocket.MessageText {
		p.t.Fatalf("binary message % x", data)
	}
	must(p.t, json.Unmarshal(data, &m))
	return m
}

func (p *peer) text(s string) {
	p.t.Helper()
	must(p.t, p.Write(p.t.Context(), websocket.MessageText, []byte(s)))
}

func (p *peer) binary(b []byte) {
	p.t.Helper()
	must(p.t, p.Write(p.t.Context(), websocket.MessageBinary, b))
}

// told expects a status with a text.
func (p *peer) told(text string) {
	p.t.Helper()
	m := p.json()
	if got, _ := m["message"].(string); m["op"] != "status" || !strings.Contains(got, text) {
		p.t.Fatalf("%v, want a status with %q", m, text)
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// patience is how long what is to come may take, on a machine that does much else.
const patience = time.Minute

func until(t *testing.T, what string, done func() bool) {
	t.Helper()
	for deadline := time.Now().Add(patience); !done(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("not within %v: %s", patience, what)
		}
	}
}
