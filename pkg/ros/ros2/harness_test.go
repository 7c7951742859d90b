package ros2

import (
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
	"go.uber.org/zap/zaptest/observer"

	"sinew/msgs/geometry_msgs"
	"sinew/msgs/std_msgs"
	"sinew/pkg/ros"
	"sinew/pkg/ros/rtps"
)

// Patience is how long a test waits for what must happen; it is not a
// measurement, and long enough for a busy machine under the race detector.
const Patience = time.Minute

// Domain keeps the tests of one run from hearing those of another; package
// rtps and the end-to-end tests have other ranges.
var Domain = 1 + rand.IntN(19)

// Node starts a node that is closed with the test.
func Node(t *testing.T, name string) (*Transport, *observer.ObservedLogs) {
	t.Helper()
	return NodeIn(t, name, Discovery{Domain: Domain})
}

func NodeIn(t *testing.T, name string, d Discovery) (*Transport, *observer.ObservedLogs) {
	t.Helper()
	core, logs := observer.New(zapcore.DebugLevel)
	tr, err := New(Options{Node: name, Discovery: d, Log: zap.New(core)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := tr.Close(); err != nil {
			t.Error(err)
		}
	})
	return tr, logs
}

// Foreign joins the domain as a participant that knows nothing of this package.
func Foreign(t *testing.T) *rtps.Participant {
	t.Helper()
	p, err := rtps.NewParticipant(rtps.Options{Domain: Domain})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close() })
	return p
}

func Eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(Patience); time.Now().Before(end); time.Sleep(2 * time.Millisecond) {
		if ok() {
			return
		}
	}
	t.Fatalf("%s: not within %v", what, Patience)
}

// Collector keeps what arrives.
type Collector[T any] struct {
	mu  sync.Mutex
	all []T
}

func (c *Collector[T]) Add(v T) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.all = append(c.all, v)
}

func (c *Collector[T]) List() []T {
	c.mu.Lock()
	defer c.mu.Unlock()
	return append([]T(nil), c.all...)
}

func (c *Collector[T]) Len() int { return len(c.List()) }

// Subscribe collects the data of the strings that arrive on a topic.
func Subscribe(t *testing.T, tr *Transport, topic ros.Topic) *Collector[string] {
	t.Helper()
	c := new(Collector[string])
	err := tr.Subscribe(topic, func(r ros.Received) { c.Add(r.Message.(*std_msgs.String).Data) })
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func Advertise(t *testing.T, tr *Transport, topic ros.Topic) ros.Publisher {
	t.Helper()
	p, err := tr.Advertise(topic)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func Text(name string) ros.Topic { return ros.Topic{Name: name, Type: std_msgs.StringType} }

func Say(s string) *ros.Sample { return ros.NewSample(&std_msgs.String{Data: s}) }

func CdrOf(s string) []byte { return (&std_msgs.String{Data: s}).AppendCDR(nil) }

// Pose is a message with all kinds of numbers in it.
func Pose() *geometry_msgs.PoseStamped {
	m := &geometry_msgs.PoseStamped{}
	m.Header.Stamp, m.Header.FrameID = 1_234_567_890_123_456_789, "world"
	m.Pose.Position = geometry_msgs.Point{X: 1, Y: -2, Z: 3.5}
	m.Pose.Orientation = geometry_msgs.Quaternion{X: .5, Y: .5, Z: -.5, W: .5}
	return m
}
