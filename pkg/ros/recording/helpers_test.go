package recording

import (
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"go.uber.org/zap"

	"sinew/msgs"
	"sinew/msgs/sinew_msgs"
	"sinew/msgs/std_msgs"
	"sinew/msgs/std_srvs"
	"sinew/pkg/ros"
	"sinew/pkg/ros/record"
)

// network is a ros.Transport that keeps what is published, and whose services the test calls.
type network struct {
	ros.Transport
	mu       sync.Mutex
	states   []*sinew_msgs.RecordingState
	services map[string]ros.Handler
}

func (n *network) Advertise(ros.Topic) (ros.Publisher, error) { return n, nil }
func (n *network) HasSubscribers() bool                       { return true }

func (n *network) Publish(s *ros.Sample) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.states = append(n.states, s.Message().(*sinew_msgs.RecordingState))
}

func (n *network) Serve(name string, s *msgs.Service, handle ros.Handler) error {
	if n.services == nil {
		n.services = map[string]ros.Handler{}
	}
	n.services[name] = handle
	return nil
}

// Begin takes the place of a call of a service, and returns what waits for the answer.
func (n *network) Begin(name string) func() *std_srvs.TriggerResponse {
	done := n.services["/lab/left/"+name](&std_srvs.TriggerRequest{})
	return func() *std_srvs.TriggerResponse { return done().(*std_srvs.TriggerResponse) }
}

func (n *network) Call(name string) *std_srvs.TriggerResponse { return n.Begin(name)() }

// Shows waits until the newest state is as wanted.
func (n *network) Shows(t *testing.T, what string, is func(*sinew_msgs.RecordingState) bool) *sinew_msgs.RecordingState {
	t.Helper()
	var last *sinew_msgs.RecordingState
	for end := time.Now().Add(5 * time.Second); time.Now().Before(end); time.Sleep(time.Millisecond) {
		n.mu.Lock()
		if i := len(n.states); i > 0 {
			last = n.states[i-1]
		}
		n.mu.Unlock()
		if last != nil && is(last) {
			return last
		}
	}
	t.Fatalf("not within 5 s: %s; %+v", what, last)
	return nil
}

const Stamp = 1700000000 * time.Second

// node is a Control that serves a network, with a latched topic, a topic that keeps its messages for a
// while and one that keeps none.
type node struct {
	*Control
	Net                   *network
	Latched, brief, Plain ros.Publisher
	Began                 int
}

func NewNode(t *testing.T, dir string, change func(*Options)) *node {
	t.Helper()
	n := &node{Net: new(network)}
	o := Options{
		Node: "/lab/left", Dir: dir, Extension: ".mcap", Downloads: "recordings/",
		Describe: func() record.Options {
			return record.Options{Node: "/lab/left", Robot: []byte("rod: {}\n"), RobotName: "robot.yaml"}
		},
		Now: func() time.Duration { return Stamp }, Began: func() { n.Began++ }, Log: zap.NewNop(),
	}
	if change != nil {
		change(&o)
	}
	n.Control = New(o)
	t.Cleanup(func() { _, _ = n.CloseWithin(5 * time.Second) })
	topics := map[*ros.Publisher]ros.Topic{
		&n.Latched: {Name: "/state", Type: std_msgs.StringType, Latched: true},
		&n.brief:   {Name: "/log", Type: std_msgs.StringType, Latched: true, Depth: 10, Lifespan: time.Second},
		&n.Plain:   {Name: "/pose", Type: std_msgs.StringType},
	}
	for p, topic := range topics {
		var err error
		*p, err = n.Transport().Advertise(topic)
		Must(t, err)
	}
	Must(t, n.Serve([]ros.Transport{n.Net}, func(name string) (string, error) { return "/lab/left/" + name[1:], nil }))
	return n
}

// Say publishes a text.
func Say(p ros.Publisher, text string, at time.Duration) {
	s := ros.NewSample(&std_msgs.String{Data: text})
	s.Time = msgs.At(at)
	p.Publish(s)
}

// Texts are what a recording has, by topic, in order.
func Texts(t *testing.T, file string) map[string][]string {
	t.Helper()
	list := map[string][]string{}
	Must(t, record.Read(file, nil, func(m record.Message) error {
		list[m.Topic] = append(list[m.Topic], m.Message.(*std_msgs.String).Data)
		return nil
	}))
	return list
}

func Folder(t *testing.T, dir string) []string {
	t.Helper()
	all, err := filepath.Glob(filepath.Join(dir, "*"))
	Must(t, err)
	return all
}

func Must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// Contents is a file.
func Contents(t *testing.T, file string) string {
	t.Helper()
	b, err := os.ReadFile(file)
	Must(t, err)
	return string(b)
}
