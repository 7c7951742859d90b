package rospeer

import (
	"maps"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"sinew/msgs"
	"sinew/msgs/diagnostic_msgs"
	"sinew/msgs/sensor_msgs"
	"sinew/msgs/sinew_msgs"
	"sinew/pkg/ros"
	"sinew/pkg/ros/naming"
	"sinew/pkg/ros/ros1"
	"sinew/pkg/ros/ros2"
	"sinew/pkg/ros/rtps"
)

// waitLimit is how long a peer waits for what it should see.
const waitLimit = time.Minute

// Peer is a node beside a tendonsim that has the name /tendonsim.
type Peer struct {
	t    *testing.T
	node ros.Transport
	made map[string]ros.Publisher

	mu   sync.Mutex
	seen Observation
}

// Observation is what a peer has seen of the robot.
type Observation struct {
	Effort float64 // N, of the first tendon, as applied
	State  string
	Reason string // of the state
	// Warnings are the messages of diagnostics above OK that came so far.
	Warnings map[string]bool
	// Diagnosis is the newest message of diagnostics by name, without the node's.
	Diagnosis map[string]Diagnosis
}

// Diagnosis is one status of /diagnostics.
type Diagnosis struct {
	Level   byte
	Message string
	Values  map[string]string
}

// ROS1 is a peer in ROS 1, of the master at uri.
func ROS1(t *testing.T, uri, name string) *Peer {
	t.Helper()
	u, err := url.Parse(uri)
	if err != nil {
		t.Fatal(err)
	}
	port, _ := strconv.Atoi(u.Port())
	node, err := ros1.New(ros1.Options{Node: name, Master: naming.Master{Host: "127.0.0.1", Port: port}, Host: "127.0.0.1"})
	if err != nil {
		t.Fatal(err)
	}
	return newPeer(t, node)
}

// ROS2 is a peer in ROS 2, on this host.
func ROS2(t *testing.T, domain int, name string) *Peer {
	t.Helper()
	node, err := ros2.New(ros2.Options{Node: name, Discovery: ros2.Discovery{Domain: domain, Range: rtps.Host}})
	if err != nil {
		t.Fatal(err)
	}
	return newPeer(t, node)
}

func newPeer(t *testing.T, node ros.Transport) *Peer {
	t.Helper()
	t.Cleanup(func() { node.Close() })
	s := &Peer{t: t, node: node, made: map[string]ros.Publisher{}}
	s.seen.Warnings, s.seen.Diagnosis = map[string]bool{}, map[string]Diagnosis{}
	s.Subscribe("/tendonsim/setpoint_js", sensor_msgs.JointStateType, s.see)
	s.Subscribe("/diagnostics", diagnostic_msgs.DiagnosticArrayType, s.see)
	if err := node.Subscribe(ros.Topic{Name: "/tendonsim/operating_state", Type: sinew_msgs.OperatingStateType, Latched: true}, s.see); err != nil {
		t.Fatal(err)
	}
	return s
}

// Subscribe calls take, from one goroutine, with each message on a topic.
func (s *Peer) Subscribe(topic string, kind *msgs.Type, take func(ros.Received)) {
	s.t.Helper()
	if err := s.node.Subscribe(ros.Topic{Name: topic, Type: kind}, take); err != nil {
		s.t.Fatal(err)
	}
}

func (s *Peer) see(got ros.Received) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch m := got.Message.(type) {
	case *sensor_msgs.JointState:
		s.seen.Effort = m.Effort[0]
	case *sinew_msgs.OperatingState:
		s.seen.State, s.seen.Reason = m.State, m.Reason
	case *diagnostic_msgs.DiagnosticArray:
		for _, st := range m.Status {
			if st.Level > diagnostic_msgs.DiagnosticStatusOk {
				s.seen.Warnings[st.Message] = true
			}
			d := Diagnosis{Level: st.Level, Message: st.Message, Values: map[string]string{}}
			for _, v := range st.Values {
				d.Values[v.Key] = v.Value
			}
			s.seen.Diagnosis[strings.TrimPrefix(st.Name, "tendonsim: ")] = d
		}
	}
}

// Observed is what the peer has seen so far.
func (s *Peer) Observed() Observation {
	s.mu.Lock()
	defer s.mu.Unlock()
	seen := s.seen
	seen.Warnings, seen.Diagnosis = maps.Clone(seen.Warnings), maps.Clone(seen.Diagnosis)
	return seen
}

// Await waits until what the peer sees is as wanted.
func (s *Peer) Await(what string, want func(Observation) bool) {
	s.t.Helper()
	for end := time.Now().Add(waitLimit); !want(s.Observed()); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			s.t.Fatalf("%s: not within %v; the peer has seen %+v", what, waitLimit, s.Observed())
		}
	}
}

// AwaitState waits for an operating state.
func (s *Peer) AwaitState(state string) {
	s.t.Helper()
	s.Await(state, func(seen Observation) bool { return seen.State == state })
}

// AwaitWarning waits for a warning of diagnostics that has a text.
func (s *Peer) AwaitWarning(text string) {
	s.t.Helper()
	s.Await("a warning of "+text, func(seen Observation) bool {
		for w := range seen.Warnings {
			if strings.Contains(w, text) {
				return true
			}
		}
		return false
	})
}

// AwaitTension waits for a tension of the first tendon, in newtons.
func (s *Peer) AwaitTension(tension float64) {
	s.t.Helper()
	s.Await(strconv.FormatFloat(tension, 'g', -1, 64)+" N", func(seen Observation) bool { return seen.Effort == tension })
}

// ExpectTension fails when the tension leaves a value within a time.
func (s *Peer) ExpectTension(tension float64, d time.Duration) {
	s.t.Helper()
	for end := time.Now().Add(d); time.Now().Before(end); time.Sleep(time.Millisecond) {
		s.mu.Lock()
		got := s.seen.Effort
		s.mu.Unlock()
		if got != tension {
			s.t.Fatalf("%g N instead of %g N", got, tension)
		}
	}
}

// Leave takes the peer out of the network. A test that ends does so too.
func (s *Peer) Leave() { s.node.Close() }
