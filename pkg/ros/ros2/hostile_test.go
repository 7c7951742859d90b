package ros2_test

import (
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"sinew/msgs"
	"sinew/msgs/std_msgs"
	"sinew/pkg/ros"
	"sinew/pkg/ros/ros2"
	"sinew/pkg/ros/rtps"
)

// TestSlowReceive: while receive hangs, others receive, and of what comes
// meanwhile the newest is kept.
func TestSlowReceive(t *testing.T) {
	const n = 50
	a, _ := ros2.Node(t, "/a")
	b, _ := ros2.Node(t, "/b")
	release := make(chan struct{})
	slow := new(ros2.Collector[string])
	var running atomic.Int32
	err := b.Subscribe(ros2.Text("/slow"), func(r ros.Received) {
		if running.Add(1) > 1 {
			t.Error("receive runs twice at once")
		}
		<-release
		slow.Add(r.Message.(*std_msgs.String).Data)
		running.Add(-1)
	})
	if err != nil {
		t.Fatal(err)
	}
	quick := ros2.Subscribe(t, b, ros2.Text("/quick"))
	p, q := ros2.Advertise(t, a, ros2.Text("/slow")), ros2.Advertise(t, a, ros2.Text("/quick"))
	ros2.Eventually(t, "match", func() bool { return p.HasSubscribers() && q.HasSubscribers() })
	settle(t, func(text string) { q.Publish(ros2.Say(text)) }, quick)
	first := quick.Len()
	for i := range n {
		p.Publish(ros2.Say(fmt.Sprint(i)))
		q.Publish(ros2.Say(fmt.Sprint(i)))
		ros2.Eventually(t, "the quick topic", func() bool { return quick.Len() == first+i+1 })
	}
	close(release)
	last := fmt.Sprint(n - 1)
	ros2.Eventually(t, "the newest message", func() bool {
		l := slow.List()
		return len(l) > 0 && l[len(l)-1] == last
	})
	if k := slow.Len(); k > ros2.DefaultDepth+2 { // one was held, one may have been on its way
		t.Errorf("%d messages were kept", k)
	}
}

func TestBadMessages(t *testing.T) {
	us, logs := ros2.Node(t, "/us")
	them := ros2.Foreign(t)
	got := new(ros2.Collector[string])
	err := us.Subscribe(ros2.Text("/bad"), func(r ros.Received) {
		if r.Message.(*std_msgs.String).Data == "panic" {
			panic("on purpose")
		}
		got.Add(r.Message.(*std_msgs.String).Data)
	})
	if err != nil {
		t.Fatal(err)
	}
	w, err := them.NewWriter(rtps.WriterOptions{
		Topic: "rt/bad", Type: std_msgs.StringType.DDSName, QoS: rtps.QoS{Reliable: true, Depth: 100},
		UserData: ros2.EndpointData("RIHS01_" + strings.Repeat("a", 64)),
	})
	if err != nil {
		t.Fatal(err)
	}
	ros2.Eventually(t, "match", func() bool { return w.Matched() == 2 })
	ros2.Eventually(t, "good message", func() bool { _ = w.Write(ros2.CdrOf("good")); time.Sleep(5 * time.Millisecond); return got.Len() > 0 })
	bad := [][]byte{
		{0, 1, 0, 0},                                       // nothing
		{0, 1, 0, 0, 255, 255, 255, 255},                   // 4 GB
		append(ros2.CdrOf("x"), 1, 2, 3, 4, 5),             // surplus
		{0, 9, 0, 0, 1, 0, 0, 0, 0},                        // unknown encoding
		append([]byte{0, 1, 0, 0}, ros2.CdrOf("panic")...), // misplaced
	}
	for i, b := range bad { // one at a time: keep-last drops what a busy machine does not take
		if err := w.Write(b); err != nil {
			t.Fatal(err)
		}
		ros2.Eventually(t, "a refusal", func() bool { return us.Refused() > uint64(i) })
	}
	for range 3 {
		_ = w.Write(ros2.CdrOf("panic"))
	}
	_ = w.Write(ros2.CdrOf("last"))
	ros2.Eventually(t, "message after the bad ones", func() bool { l := got.List(); return l[len(l)-1] == "last" })
	if us.Refused() != uint64(len(bad)) {
		t.Errorf("%d messages refused, want %d", us.Refused(), len(bad))
	}
	ros2.Eventually(t, "the warning, which waits for the name of the node", func() bool { return logs.FilterMessageSnippet("definitions differ").Len() > 0 })
	for text, want := range map[string]int{"not of the topic's type": 1, "receiving a message failed": 1, "definitions differ": 1} {
		if l := logs.FilterMessageSnippet(text); l.Len() != want {
			t.Errorf("%q was logged %d times, want %d: %v", text, l.Len(), want, l.All())
		}
	}
}

func TestIncompatible(t *testing.T) {
	us, logs := ros2.Node(t, "/us")
	ros2.Subscribe(t, us, ros2.Text("/number"))
	ros2.Advertise(t, us, ros2.Text("/volatile"))
	them := ros2.Foreign(t)
	if _, err := them.NewWriter(rtps.WriterOptions{Topic: "rt/number", Type: std_msgs.Float64Type.DDSName, QoS: rtps.QoS{Reliable: true}}); err != nil {
		t.Fatal(err)
	}
	_, err := them.NewReader(rtps.ReaderOptions{Topic: "rt/volatile", Type: std_msgs.StringType.DDSName,
		QoS: rtps.QoS{Reliable: true, TransientLocal: true}, Receive: func(rtps.Sample) {}})
	if err != nil {
		t.Fatal(err)
	}
	ros2.Eventually(t, "two warnings", func() bool { return logs.FilterMessageSnippet("not matched").Len() == 2 })
	reasons := fmt.Sprint(logs.FilterMessageSnippet("not matched").All())
	for _, want := range []string{"type: writer has", "durability: writer offers volatile", "/number", "/volatile"} {
		if !strings.Contains(reasons, want) {
			t.Errorf("no %q in %s", want, reasons)
		}
	}
}

func TestRefusals(t *testing.T) {
	us, _ := ros2.Node(t, "/us")
	unknown := &msgs.Type{Name: "roscpp/Only1"}
	for _, topic := range []ros.Topic{ros2.Text("relative"), ros2.Text("/lab/2nd"), ros2.Text("/a//b"), ros2.Text("/ä"), ros2.Text("/"), {Name: "/x", Type: unknown}} {
		if _, err := us.Advertise(topic); err == nil {
			t.Errorf("Advertise(%q) succeeded", topic.Name)
		}
		if err := us.Subscribe(topic, func(ros.Received) {}); err == nil {
			t.Errorf("Subscribe(%q) succeeded", topic.Name)
		}
	}
	if _, err := ros2.New(ros2.Options{Node: "/us", Discovery: ros2.Discovery{Domain: 300}}); err == nil {
		t.Error("domain 300 is accepted")
	}
}

// TestInterfaceToCome: a chosen interface that is not there may come; the log says so.
func TestInterfaceToCome(t *testing.T) {
	_, logs := ros2.NodeIn(t, "/us", ros2.Discovery{Domain: ros2.Domain, Range: rtps.Subnet, Interfaces: []string{"lo", "nothing0"}, ChosenBy: "--interface"})
	l := logs.FilterMessageSnippet("chosen network interface is not there").All()
	if len(l) != 1 || fmt.Sprint(l[0].ContextMap()["missing"]) != "[nothing0]" || l[0].ContextMap()["chosen by"] != "--interface" {
		t.Errorf("logged %v", l)
	}
}
