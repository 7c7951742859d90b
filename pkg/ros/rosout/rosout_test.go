package rosout_test

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"

	"sinew/msgs"
	"sinew/msgs/rcl_interfaces"
	"sinew/msgs/rosgraph_msgs"
	"sinew/pkg/ros"
	"sinew/pkg/ros/rosout"
)

// network keeps what is published.
type network struct {
	ros.Transport
	topic   ros.Topic
	publish func(*ros.Sample) // called for every message, if not nil

	mu  sync.Mutex
	all []*ros.Sample
}

func (n *network) Advertise(t ros.Topic) (ros.Publisher, error) {
	n.topic = t
	return n, nil
}

func (n *network) HasSubscribers() bool { return true }

func (n *network) Publish(s *ros.Sample) {
	if n.publish != nil {
		n.publish(s)
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	n.all = append(n.all, s)
}

// logs are the messages of the topic.
func logs[M msgs.Message](n *network) (all []M) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, s := range n.all {
		all = append(all, s.Message().(M))
	}
	return all
}

// nodeTime is the time of the node in these tests.
const nodeTime = 90 * time.Second

// open returns a Log, a logger that writes to nothing else, and both networks.
func open(t *testing.T) (log *rosout.Log, to *zap.Logger, one, two *network) {
	t.Helper()
	log, one, two = rosout.New("/lab/left", "/rosout"), new(network), new(network)
	if err := errors.Join(log.AddROS1(one), log.AddROS2(two)); err != nil {
		t.Fatal(err)
	}
	return log, zap.New(log.Core(zap.DebugLevel), zap.AddCaller()), one, two
}

func start(l *rosout.Log) { l.Start(func() time.Duration { return nodeTime }) }

// Each network gets a line in its own form, with level, logger, text and source.
func TestForms(t *testing.T) {
	log, to, one, two := open(t)
	begun := time.Now()
	to.Debug("fine")
	to.Info("usual", zap.String("topic", "/lab/left/servo_jf"))
	to.With(zap.Int("n", 3)).Warn("odd", zap.Error(errors.New("x")))
	to.Error("wrong")
	to.Log(zapcore.DPanicLevel, "broken")
	start(log)
	log.Close()
	a, b := logs[*rosgraph_msgs.Log](one), logs[*rcl_interfaces.Log](two)
	want := []struct {
		one, two byte
		text     string
	}{{1, 10, "fine"}, {2, 20, `usual {"topic": "/lab/left/servo_jf"}`}, {4, 30, `odd {"n": 3, "error": "x"}`}, {8, 40, "wrong"}, {16, 50, "broken"}}
	if len(a) != len(want) || len(b) != len(want) {
		t.Fatalf("%d and %d messages of %d", len(a), len(b), len(want))
	}
	for i, w := range want {
		if m := a[i]; m.Level != w.one || m.Msg != w.text || m.Name != "/lab/left" || m.Header.Stamp != msgs.At(nodeTime) {
			t.Errorf("ROS 1: %+v, want %+v", m, w)
		}
		m := b[i]
		if m.Level != w.two || m.Msg != w.text || m.Name != "lab.left" || m.Stamp < msgs.Time(begun.UnixNano()) || m.Stamp > msgs.Time(time.Now().UnixNano()) {
			t.Errorf("ROS 2: %+v, want %+v", m, w)
		}
		if m.File != "pkg/ros/rosout_test/rosout_test.go" || !strings.HasSuffix(m.Function, ".TestForms") || m.Line == 0 || a[i].Line != m.Line || a[i].File != m.File || a[i].Function != m.Function {
			t.Errorf("source %s, %s, line %d; ROS 1: %s, %s, line %d", m.File, m.Function, m.Line, a[i].File, a[i].Function, a[i].Line)
		}
	}
	if got := two.topic; !got.Latched || got.Depth != 1000 || got.Lifespan != 10*time.Second || got.Name != "/rosout" || !one.topic.Latched {
		t.Errorf("topics %+v, %+v; want those of rclcpp and roscpp", one.topic, got)
	}
	if at := two.all[0].Time; at != msgs.At(nodeTime) {
		t.Errorf("a recording has the line at %v, want the time of the node", at)
	}
}

// A flood is bounded, and what is left out is logged, once.
func TestFlood(t *testing.T) {
	log, to, _, two := open(t)
	const n = 5000
	for i := range n {
		to.Warn(fmt.Sprint("line ", i))
	}
	start(log)
	log.Close()
	all := logs[*rcl_interfaces.Log](two)
	if len(all) != 101 || all[99].Msg != "line 99" {
		t.Fatalf("%d messages of %d, want 100 and one about the others", len(all), n)
	}
	if last := all[100]; last.Level != rcl_interfaces.LogWarn || !strings.HasPrefix(last.Msg, "4900 lines suppressed: at most 100 in 1s") {
		t.Errorf("last line %+v", last)
	}
}

// A flood of warnings hides no error, whether it has used up the second or fills the queue, and
// a flood of errors is bounded.
func TestErrorInFlood(t *testing.T) {
	log, to, one, two := open(t)
	for i := range 3000 {
		to.Warn(fmt.Sprint("line ", i))
	}
	to.Error("broken")
	to.Log(zapcore.DPanicLevel, "at an end")
	for range 3000 {
		to.Info("and on")
		to.Error("again")
	}
	start(log)
	log.Close()
	all := logs[*rcl_interfaces.Log](two)
	var errs []string
	for _, m := range all {
		if m.Level >= rcl_interfaces.LogError {
			errs = append(errs, m.Msg)
		}
	}
	if len(errs) != 20 || errs[0] != "broken" || errs[1] != "at an end" || len(all) != 100+20+1 {
		t.Errorf("%d messages with %d errors, %.60q; want 100, 20 errors that begin with the first two, and a word on the rest", len(all), len(errs), errs)
	}
	if last := all[len(all)-1].Msg; !strings.HasPrefix(last, "8882 lines suppressed: at most 100 in 1s are published, and 20 more that are errors") {
		t.Errorf("last line %q", last)
	}
	if got := len(logs[*rosgraph_msgs.Log](one)); got != len(all) {
		t.Errorf("%d messages on ROS 1, %d on ROS 2", got, len(all))
	}
}

// The bound holds for each second anew.
func TestFloodGoesOn(t *testing.T) {
	log, to, _, two := open(t)
	start(log)
	defer log.Close()
	suppressions := func() (n int) {
		for _, m := range logs[*rcl_interfaces.Log](two) {
			if strings.Contains(m.Msg, "lines suppressed") {
				n++
			}
		}
		return n
	}
	begun := time.Now()
	for suppressions() < 2 {
		if time.Since(begun) > 30*time.Second {
			t.Fatal("no line of what is suppressed")
		}
		for range 10 {
			to.Info("again")
		}
		time.Sleep(time.Millisecond)
	}
	all, seconds := len(logs[*rcl_interfaces.Log](two)), time.Since(begun).Seconds()
	if most := 101 * (int(seconds) + 2); all > most || all < 200 {
		t.Errorf("%d messages in %.1f s, at least 200 and at most %d are right", all, seconds, most)
	}
}

// Every line that is left out is counted once, also those that found the queue full.
func TestLeftOutIsCountedOnce(t *testing.T) {
	log, to, _, two := open(t)
	goOn := make(chan struct{})
	two.publish = func(*ros.Sample) { <-goOn }
	start(log)
	defer log.Close()
	const n = 3000 // the queue has 1000
	for range n {
		to.Info("x")
	}
	close(goOn)
	published, left := 0, 0
	count := func() int {
		published, left = 0, 0
		for _, m := range logs[*rcl_interfaces.Log](two) {
			if number := 0; strings.Contains(m.Msg, "suppressed") {
				_, _ = fmt.Sscan(m.Msg, &number)
				left += number
			} else {
				published++
			}
		}
		return published + left
	}
	begun := time.Now()
	for count() < n && time.Since(begun) < time.Minute {
		time.Sleep(10 * time.Millisecond)
	}
	windows := int(time.Since(begun).Seconds()) + 2
	time.Sleep(1200 * time.Millisecond) // another window
	if count() != n || published > 100*windows {
		t.Errorf("%d published and %d left out in %d windows, want %d together", published, left, windows, n)
	}
}

// A network that hangs delays no logging.
func TestNetworkHangs(t *testing.T) {
	log, to, _, two := open(t)
	goOn := make(chan struct{})
	two.publish = func(*ros.Sample) { <-goOn }
	start(log)
	done := make(chan struct{})
	go func() {
		for range 10000 {
			to.Info("x")
		}
		close(done)
	}()
	select {
	case <-done:
	case <-time.After(30 * time.Second):
		t.Fatal("who logs waits for a network")
	}
	close(goOn)
	log.Close()
}

// A failure to publish a line is not published: it would cause the next.
func TestNoFeedback(t *testing.T) {
	log, to, _, two := open(t)
	two.publish = func(*ros.Sample) {
		to.Warn("message not sent", zap.String("topic", "/rosout"))
		to.With(zap.String("topic", "/rosout")).Warn("message not sent")
	}
	start(log)
	to.Info("first")
	for range 200 {
		if len(logs[*rcl_interfaces.Log](two)) > 0 {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	time.Sleep(20 * time.Millisecond)
	log.Close()
	if all := logs[*rcl_interfaces.Log](two); len(all) != 1 || all[0].Msg != "first" {
		t.Errorf("%d messages, want the first alone", len(all))
	}
}

// A line of any length is shortened to what a network carries with ease.
func TestLongLine(t *testing.T) {
	log, to, _, two := open(t)
	to.Info(strings.Repeat("é", 10000))
	to.Info("x" + strings.Repeat("é", 10000)) // cut within a letter
	start(log)
	log.Close()
	for _, m := range logs[*rcl_interfaces.Log](two) {
		if got := m.Msg; len(got) > 8200 || !strings.HasSuffix(got, "é…") {
			t.Errorf("%d bytes, ends in %q", len(got), got[len(got)-8:])
		}
	}
}

// A Log that was never started ends at once.
func TestNeverStarted(t *testing.T) {
	log, to, _, _ := open(t)
	to.Info("x")
	log.Close()
	log.Close()
}
