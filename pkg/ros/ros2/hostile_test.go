package ros2

import (
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"sinew/msgs"
	"sinew/msgs/std_msgs"
	"sinew/pkg/ros"
	"sinew/pkg/ros/rtps"
)

// TestSlowReceive: while receive hangs, others receive, and of what comes
// meanwhile the newest is kept.
func TestSlowReceive(t *testing.T) {
	const n = 50
	a, _ := node(t, "/a")
	b, _ := node(t, "/b")
	release := make(chan struct{})
	slow := new(collector[string])
	var running atomic.Int32
	err := b.Subscribe(text("/slow"), func(r ros.Received) {
		if running.Add(1) > 1 {
			t.Error("receive runs twice at once")
		}
		<-release
		slow.add(r.Message.(*std_msgs.String).Data)
		running.Add(-1)
	})
	if err != nil {
		t.Fatal(err)
	}
	quick := subscribe(t, b, text("/quick"))
	p, q := advertise(t, a, text("/slow")), advertise(t, a, text("/quick"))
	eventually(t, "match", func() bool { return p.Wanted() && q.Wanted() })
	settle(t, func(text string) { q.Publish(say(text)) }, quick)
	first := quick.len()
	for i := range n {
		p.Publish(say(fmt.Sprint(i)))
		q.Publish(say(fmt.Sprint(i)))
		eventually(t, "the quick topic", func() bool { return quick.len() == first+i+1 })
	}
	close(release)
	last := fmt.Sprint(n - 1)
	eventually(t, "the newest message", func() bool {
		l := slow.list()
		return len(l) > 0 && l[len(l)-1] == last
	})
	if k := slow.len(); k > defaultDepth+2 { // one was held, one may have been on its way
		t.Errorf("%d messages were kept", k)
	}
}

func TestBadMessages(t *testing.T) {
	us, logs := node(t, "/us")
	them := foreign(t)
	got := new(collector[string])
	err := us.Subscribe(text("/bad"), func(r ros.Received) {
		if r.Message.(*std_msgs.String).Data == "panic" {
			panic("on purpose")
		}
		got.add(r.Message.(*std_msgs.String).Data)
	})
	if err != nil {
		t.Fatal(err)
	}
	w, err := them.NewWriter(rtps.WriterOptions{
		Topic: "rt/bad", Type: std_msgs.StringType.DDSName, QoS: rtps.QoS{Reliable: true, Depth: 100},
		UserData: endpointData("RIHS01_" + strings.Repeat("a", 64)),
	})
	if err != nil {
		t.Fatal(err)
	}
	eventually(t, "match", func() bool { return w.Matched() == 2 })
	eventually(t, "good message", func() bool { _ = w.Write(cdrOf("good")); time.Sleep(5 * time.Millisecond); return got.len() > 0 })
	bad := [][]byte{
		{0, 1, 0, 0},                                  // nothing
		{0, 1, 0, 0, 255, 255, 255, 255},              // 4 GB
		append(cdrOf("x"), 1, 2, 3, 4, 5),             // surplus
		{0, 9, 0, 0, 1, 0, 0, 0, 0},                   // unknown encoding
		append([]byte{0, 1, 0, 0}, cdrOf("panic")...), // misplaced
	}
	for i, b := range bad { // one at a time: keep-last drops what a busy machine does not take
		if err := w.Write(b); err != nil {
			t.Fatal(err)
		}
		eventually(t, "a refusal", func() bool { return us.Refused() > uint64(i) })
	}
	for range 3 {
		_ = w.Write(cdrOf("panic"))
	}
	_ = w.Write(cdrOf("last"))
	eventually(t, "message after the bad ones", func() bool { l := got.list(); return l[len(l)-1] == "last" })
	if us.Refused() != uint64(len(bad)) {
		t.Errorf("%d messages refused, want %d", us.Refused(), len(bad))
	}
	for text, want := range map[string]int{"not of the topic's type": 1, "receiving a message failed": 1, "another definition": 1} {
		if l := logs.FilterMessageSnippet(text); l.Len() != want {
			t.Errorf("%q was logged %d times, want %d: %v", text, l.Len(), want, l.All())
		}
	}
}

func TestIncompatible(t *testing.T) {
	us, logs := node(t, "/us")
	subscribe(t, us, text("/number"))
	advertise(t, us, text("/volatile"))
	them := foreign(t)
	if _, err := them.NewWriter(rtps.WriterOptions{Topic: "rt/number", Type: std_msgs.Float64Type.DDSName, QoS: rtps.QoS{Reliable: true}}); err != nil {
		t.Fatal(err)
	}
	_, err := them.NewReader(rtps.ReaderOptions{Topic: "rt/volatile", Type: std_msgs.StringType.DDSName,
		QoS: rtps.QoS{Reliable: true, TransientLocal: true}, Receive: func(rtps.Sample) {}})
	if err != nil {
		t.Fatal(err)
	}
	eventually(t, "two warnings", func() bool { return logs.FilterMessageSnippet("incompatible").Len() == 2 })
	reasons := fmt.Sprint(logs.FilterMessageSnippet("incompatible").All())
	for _, want := range []string{"type: writer has", "durability: writer offers volatile", "/number", "/volatile"} {
		if !strings.Contains(reasons, want) {
			t.Errorf("no %q in %s", want, reasons)
		}
	}
}

func TestRefusals(t *testing.T) {
	us, _ := node(t, "/us")
	unknown := &msgs.Type{Name: "roscpp/Only1"}
	for _, topic := range []ros.Topic{text("relative"), text("/lab/2nd"), text("/a//b"), text("/ä"), text("/"), {Name: "/x", Type: unknown}} {
		if _, err := us.Advertise(topic); err == nil {
			t.Errorf("Advertise(%q) succeeded", topic.Name)
		}
		if err := us.Subscribe(topic, func(ros.Received) {}); err == nil {
			t.Errorf("Subscribe(%q) succeeded", topic.Name)
		}
	}
	if _, err := New(Options{Node: "/us", Discovery: Discovery{Domain: 300}}); err == nil {
		t.Error("domain 300 is accepted")
	}
}

// TestInterfaceToCome: a chosen interface that is not there may come; the log says so.
func TestInterfaceToCome(t *testing.T) {
	_, logs := nodeIn(t, "/us", Discovery{Domain: testDomain, Range: rtps.Subnet, Interfaces: []string{"lo", "nothing0"}, ChosenBy: "--interface"})
	l := logs.FilterMessageSnippet("chosen network interface is not there").All()
	if len(l) != 1 || fmt.Sprint(l[0].ContextMap()["missing"]) != "[nothing0]" || l[0].ContextMap()["chosen by"] != "--interface" {
		t.Errorf("logged %v", l)
	}
}
