package ros2

import (
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"sinew/msgs"
	"sinew/msgs/geometry_msgs"
	"sinew/msgs/std_msgs"
	"sinew/msgs/std_srvs"
	"sinew/pkg/ros"
	"sinew/pkg/ros/rtps"
)

func TestTwoNodes(t *testing.T) {
	a, _ := node(t, "/lab/left")
	b, _ := node(t, "/lab/right")
	topic := ros.Topic{Name: "/lab/pose", Type: geometry_msgs.PoseStampedType}
	got := new(collector[msgs.Message])
	if err := b.Subscribe(topic, got.add); err != nil {
		t.Fatal(err)
	}
	p := advertise(t, a, topic)
	eventually(t, "match", p.Wanted)
	want := pose()
	eventually(t, "pose", func() bool {
		p.Publish(ros.NewSample(want)) // volatile: the other side may still be matching
		return got.len() > 0
	})
	if m := got.list()[0]; !reflect.DeepEqual(m, msgs.Message(want)) {
		t.Errorf("got %+v, want %+v", m, want)
	}
	select {
	case <-a.Done():
		t.Error("Done is closed")
	default:
	}
	if err := a.Serve("/lab/left/reset", std_srvs.Trigger, nil); !errors.Is(err, ros.ErrNoServices) {
		t.Errorf("Serve: %v", err)
	}
}

// TestReliability: publishers of either reliability are heard, each message once
// and in order, and our publishers are heard by subscriptions of either.
func TestReliability(t *testing.T) {
	const n = 20
	us, logs := node(t, "/us")
	them := foreign(t)
	for _, reliable := range []bool{true, false} {
		t.Run(fmt.Sprintf("reliable %v", reliable), func(t *testing.T) {
			name := fmt.Sprintf("/matrix_%v", reliable)
			q := rtps.QoS{Reliable: reliable, Depth: n}
			got := subscribe(t, us, text(name+"/in"))
			w, err := them.NewWriter(rtps.WriterOptions{Topic: "rt" + name + "/in", Type: std_msgs.StringType.DDSName, QoS: q})
			if err != nil {
				t.Fatal(err)
			}
			// a reliable writer matches both readers of the subscription, of which
			// one passes its samples on
			wantMatched := 1
			if reliable {
				wantMatched = 2
			}
			eventually(t, "match", func() bool { return w.Matched() == wantMatched })
			heard := new(collector[string])
			_, err = them.NewReader(rtps.ReaderOptions{
				Topic: "rt" + name + "/out", Type: std_msgs.StringType.DDSName, QoS: q,
				Receive: func(s rtps.Sample) {
					m := new(std_msgs.String)
					if err := m.ParseCDR(s.Payload); err != nil {
						t.Error(err)
					}
					heard.add(m.Data)
				},
			})
			if err != nil {
				t.Fatal(err)
			}
			p := advertise(t, us, ros.Topic{Name: name + "/out", Type: std_msgs.StringType, Lossy: true})
			eventually(t, "match", p.Wanted)
			settle(t, func() { _ = w.Write(cdrOf("hello")); p.Publish(say("hello")) }, got, heard)
			first, firstHeard := got.len(), heard.len()
			var want []string
			for i := range n {
				want = append(want, fmt.Sprint(i))
				if err := w.Write(cdrOf(want[i])); err != nil {
					t.Fatal(err)
				}
				p.Publish(say(want[i]))
				// one at a time: a busy machine must not make keep-last drop any
				eventually(t, "message in", func() bool { return got.len()-first > i })
				eventually(t, "message out", func() bool { return heard.len()-firstHeard > i })
			}
			if in, out := got.list()[first:], heard.list()[firstHeard:]; !reflect.DeepEqual(in, want) || !reflect.DeepEqual(out, want) {
				t.Errorf("in %q, out %q", in, out)
			}
		})
	}
	if l := logs.FilterMessageSnippet("incompatible"); l.Len() > 0 {
		t.Errorf("logged %v", l.All())
	}
}

// settle sends until both sides hear, and waits until nothing more comes.
func settle(t *testing.T, send func(), sides ...*collector[string]) {
	t.Helper()
	eventually(t, "first messages", func() bool {
		send()
		time.Sleep(5 * time.Millisecond)
		return sides[0].len() > 0 && sides[1].len() > 0
	})
	count := -1
	eventually(t, "silence", func() bool {
		before := count
		count = sides[0].len() + sides[1].len()
		time.Sleep(100 * time.Millisecond)
		return before == count
	})
}

func TestLatched(t *testing.T) {
	a, _ := node(t, "/a")
	topic := ros.Topic{Name: "/a/state", Type: std_msgs.StringType, Latched: true}
	p := advertise(t, a, topic)
	p.Publish(say("old"))
	p.Publish(say("last"))
	them := foreign(t)
	got := new(collector[string])
	_, err := them.NewReader(rtps.ReaderOptions{
		Topic: "rt/a/state", Type: std_msgs.StringType.DDSName, QoS: rtps.QoS{Reliable: true, TransientLocal: true, Depth: 10},
		Receive: func(s rtps.Sample) { got.add(string(s.Payload)) },
	})
	if err != nil {
		t.Fatal(err)
	}
	eventually(t, "latched message", func() bool { return got.len() > 0 })
	if l := got.list(); len(l) != 1 || l[0] != string(cdrOf("last")) {
		t.Errorf("got %q", l)
	}
}

// TestSlowReceive: while receive hangs, others receive, and of what comes
// meanwhile the newest is kept.
func TestSlowReceive(t *testing.T) {
	const n = 50
	a, _ := node(t, "/a")
	b, _ := node(t, "/b")
	release := make(chan struct{})
	slow := new(collector[string])
	var running atomic.Int32
	err := b.Subscribe(text("/slow"), func(m msgs.Message) {
		if running.Add(1) > 1 {
			t.Error("receive runs twice at once")
		}
		<-release
		slow.add(m.(*std_msgs.String).Data)
		running.Add(-1)
	})
	if err != nil {
		t.Fatal(err)
	}
	quick := subscribe(t, b, text("/quick"))
	p, q := advertise(t, a, text("/slow")), advertise(t, a, text("/quick"))
	eventually(t, "match", func() bool { return p.Wanted() && q.Wanted() })
	settle(t, func() { q.Publish(say("hello")) }, quick, quick)
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
	err := us.Subscribe(text("/bad"), func(m msgs.Message) {
		if m.(*std_msgs.String).Data == "panic" {
			panic("on purpose")
		}
		got.add(m.(*std_msgs.String).Data)
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
	for _, b := range bad {
		if err := w.Write(b); err != nil {
			t.Fatal(err)
		}
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
		if err := us.Subscribe(topic, func(msgs.Message) {}); err == nil {
			t.Errorf("Subscribe(%q) succeeded", topic.Name)
		}
	}
	if _, err := New(Options{Node: "/us", Discovery: Discovery{Domain: 300}}); err == nil {
		t.Error("domain 300 is accepted")
	}
	if _, err := New(Options{Node: "/us", Discovery: Discovery{Domain: testDomain, Interfaces: []string{"nothing0"}}}); err == nil {
		t.Error("interface nothing0 is accepted")
	}
}

// TestClose: nothing runs on after Close, also when Publish and Subscribe are
// called at the same time, and others see the node go.
func TestClose(t *testing.T) {
	watcher := foreign(t)
	before := runtime.NumGoroutine()
	a, err := New(Options{Node: "/a", Discovery: Discovery{Domain: testDomain}})
	if err != nil {
		t.Fatal(err)
	}
	eventually(t, "the node is seen", func() bool { return len(watcher.Remotes()) == 1 })
	p := advertise(t, a, ros.Topic{Name: "/x", Type: std_msgs.StringType, Latched: true})
	if err := a.Subscribe(text("/x"), func(msgs.Message) {}); err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	stop := make(chan struct{})
	all.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
				p.Publish(say("hello"))
				time.Sleep(time.Millisecond)
			}
		}
	})
	all.Go(func() {
		for i := range 20 {
			_ = a.Subscribe(text(fmt.Sprintf("/y%d", i)), func(msgs.Message) {})
		}
	})
	time.Sleep(20 * time.Millisecond)
	for range 2 {
		if err := a.Close(); err != nil {
			t.Error(err)
		}
	}
	close(stop)
	all.Wait()
	if _, err := a.Advertise(text("/late")); err == nil {
		t.Error("Advertise succeeds after Close")
	}
	eventually(t, "good-bye", func() bool { return len(watcher.Remotes()) == 0 })
	eventually(t, "all goroutines end", func() bool { return runtime.NumGoroutine() <= before })
}
