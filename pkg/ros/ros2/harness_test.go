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

// patience is how long a test waits for what must happen; it is not a
// measurement, and long enough for a busy machine under the race detector.
const patience = time.Minute

// testDomain keeps the tests of one run from hearing those of another; package
// rtps and the end-to-end tests have other ranges.
var testDomain = 1 + rand.IntN(19)

// node starts a node that is closed with the test.
func node(t *testing.T, name string) (*Transport, *observer.ObservedLogs) {
	t.Helper()
	return nodeIn(t, name, Discovery{Domain: testDomain})
}

func nodeIn(t *testing.T, name string, d Discovery) (*Transport, *observer.ObservedLogs) {
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

// foreign joins the domain as a participant that knows nothing of this package.
func foreign(t *testing.T) *rtps.Participant {
	t.Helper()
	p, err := rtps.NewParticipant(rtps.Options{Domain: testDomain})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close() })
	return p
}

func eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(2 * time.Millisecond) {
		if ok() {
			return
		}
	}
	t.Fatalf("%s: not within %v", what, patience)
}

// collector keeps what arrives.
type collector[T any] struct {
	mu  sync.Mutex
	all []T
}

func (c *collector[T]) add(v T) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.all = append(c.all, v)
}

func (c *collector[T]) list() []T {
	c.mu.Lock()
	defer c.mu.Unlock()
	return append([]T(nil), c.all...)
}

func (c *collector[T]) len() int { return len(c.list()) }

// subscribe collects the data of the strings that arrive on a topic.
func subscribe(t *testing.T, tr *Transport, topic ros.Topic) *collector[string] {
	t.Helper()
	c := new(collector[string])
	err := tr.Subscribe(topic, func(r ros.Received) { c.add(r.Message.(*std_msgs.String).Data) })
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func advertise(t *testing.T, tr *Transport, topic ros.Topic) ros.Publisher {
	t.Helper()
	p, err := tr.Advertise(topic)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func text(name string) ros.Topic { return ros.Topic{Name: name, Type: std_msgs.StringType} }

func say(s string) *ros.Sample { return ros.NewSample(&std_msgs.String{Data: s}) }

func cdrOf(s string) []byte { return (&std_msgs.String{Data: s}).AppendCDR(nil) }

// pose is a message with all kinds of numbers in it.
func pose() *geometry_msgs.PoseStamped {
	m := &geometry_msgs.PoseStamped{}
	m.Header.Stamp, m.Header.FrameID = 1_234_567_890_123_456_789, "world"
	m.Pose.Position = geometry_msgs.Point{X: 1, Y: -2, Z: 3.5}
	m.Pose.Orientation = geometry_msgs.Quaternion{X: .5, Y: .5, Z: -.5, W: .5}
	return m
}
