package ros2

import (
	"fmt"
	"reflect"
	"runtime"
	"sync"
	"testing"
	"time"

	"sinew/msgs"
	"sinew/msgs/geometry_msgs"
	"sinew/msgs/std_msgs"
	"sinew/pkg/ros"
	"sinew/pkg/ros/rtps"
)

func TestTwoNodes(t *testing.T) {
	a, _ := node(t, "/lab/left")
	b, _ := node(t, "/lab/right")
	topic := ros.Topic{Name: "/lab/pose", Type: geometry_msgs.PoseStampedType}
	got := new(collector[ros.Received])
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
	if m := got.list()[0].Message; !reflect.DeepEqual(m, msgs.Message(want)) {
		t.Errorf("got %+v, want %+v", m, want)
	}
	select {
	case <-a.Done():
		t.Error("Done is closed")
	default:
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
			settle(t, func(text string) { _ = w.Write(cdrOf(text)); p.Publish(say(text)) }, got, heard)
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

// TestOneShot: a publisher that sends once, as soon as it has a subscription, is
// heard, whether it comes before or after the subscription.
func TestOneShot(t *testing.T) {
	for _, late := range []bool{true, false} {
		us, _ := node(t, "/us")
		topic := text(fmt.Sprintf("/once_%v", late))
		var got *collector[string]
		if late {
			got = subscribe(t, us, topic)
		}
		matched := make(chan rtps.Endpoint, 10)
		them, err := rtps.NewParticipant(rtps.Options{Domain: testDomain, Notify: func(e rtps.Event) {
			if e.Kind == rtps.Matched && e.Remote.Topic == "rt"+topic.Name {
				matched <- e.Remote
			}
		}})
		if err != nil {
			t.Fatal(err)
		}
		defer them.Close()
		w, err := them.NewWriter(rtps.WriterOptions{Topic: "rt" + topic.Name, Type: topic.Type.DDSName, QoS: rtps.QoS{Reliable: true, Depth: 1}})
		if err != nil {
			t.Fatal(err)
		}
		if !late {
			got = subscribe(t, us, topic)
		}
		eventually(t, "match", func() bool { return len(matched) > 0 })
		if first := <-matched; !first.Reliable {
			t.Errorf("late %v: the first reader that a writer meets is best effort", late)
		}
		if err := w.Write(cdrOf("once")); err != nil {
			t.Fatal(err)
		}
		eventually(t, "the message", func() bool { return got.len() == 1 })
	}
}

// settle sends until all sides have heard the last text, after which nothing more comes: the
// order is kept.
func settle(t *testing.T, send func(text string), sides ...*collector[string]) {
	t.Helper()
	n := 0
	eventually(t, "the last message of the beginning", func() bool {
		n++
		text := fmt.Sprint("hello ", n)
		send(text)
		heard := func() bool {
			for _, side := range sides {
				if all := side.list(); len(all) == 0 || all[len(all)-1] != text {
					return false
				}
			}
			return true
		}
		for i := 0; i < 50 && !heard(); i++ {
			time.Sleep(5 * time.Millisecond)
		}
		return heard()
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
	if err := a.Subscribe(text("/x"), func(ros.Received) {}); err != nil {
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
			_ = a.Subscribe(text(fmt.Sprintf("/y%d", i)), func(ros.Received) {})
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

// TestDepartures: whoever asks for it is told when a writer ends, reliable or not.
func TestDepartures(t *testing.T) {
	us, _ := node(t, "/us")
	for _, lossy := range []bool{false, true} {
		topic := text(fmt.Sprintf("/departures%v", lossy))
		got := new(collector[ros.Received])
		asking := topic
		asking.Departures = true
		if err := us.Subscribe(asking, got.add); err != nil {
			t.Fatal(err)
		}
		them, err := New(Options{Node: "/them", Discovery: Discovery{Domain: testDomain}})
		if err != nil {
			t.Fatal(err)
		}
		topic.Lossy = lossy
		p := advertise(t, them, topic)
		eventually(t, "a message", func() bool { p.Publish(say("hello")); return got.len() > 0 })
		first := got.list()[0]
		if err := them.Close(); err != nil {
			t.Error(err)
		}
		eventually(t, "the departure", func() bool { all := got.list(); return all[len(all)-1].Gone })
		all := got.list()
		if last := all[len(all)-1]; last.Message != nil || last.Sender.Endpoint != first.Sender.Endpoint {
			t.Errorf("%+v after %+v", last, first)
		}
	}
}

// TestDepartureOfTheLast: a participant whose second writer of a topic is left has not left.
func TestDepartureOfTheLast(t *testing.T) {
	us, _ := node(t, "/us")
	got := new(collector[ros.Received])
	topic := text("/departures/last")
	topic.Departures = true
	if err := us.Subscribe(topic, got.add); err != nil {
		t.Fatal(err)
	}
	them := foreign(t)
	var writers []*rtps.Writer
	for _, reliable := range []bool{true, false, true} { // the readers are different
		w, err := them.NewWriter(rtps.WriterOptions{Topic: "rt/departures/last", Type: topic.Type.DDSName, QoS: rtps.QoS{Reliable: reliable, Depth: 1}})
		if err != nil {
			t.Fatal(err)
		}
		before := got.len()
		eventually(t, "a message", func() bool { _ = w.Write(cdrOf("hello")); return got.len() > before })
		writers = append(writers, w)
	}
	departures := func() (n int) {
		for _, r := range got.list() {
			if r.Gone {
				n++
			}
		}
		return n
	}
	for i, w := range writers {
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if i < len(writers)-1 {
			time.Sleep(200 * time.Millisecond)
			if n := departures(); n != 0 {
				t.Fatalf("%d departures after the %d. writer of %d", n, i+1, len(writers))
			}
		}
	}
	eventually(t, "the departure", func() bool { return departures() > 0 })
}
