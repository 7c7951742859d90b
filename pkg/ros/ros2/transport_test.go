package ros2_test

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
	"sinew/pkg/ros/ros2"
	"sinew/pkg/ros/rtps"
)

func TestTwoNodes(t *testing.T) {
	a, _ := ros2.Node(t, "/lab/left")
	b, _ := ros2.Node(t, "/lab/right")
	topic := ros.Topic{Name: "/lab/pose", Type: geometry_msgs.PoseStampedType}
	got := new(ros2.Collector[ros.Received])
	if err := b.Subscribe(topic, got.Add); err != nil {
		t.Fatal(err)
	}
	p := ros2.Advertise(t, a, topic)
	ros2.Eventually(t, "match", p.HasSubscribers)
	want := ros2.Pose()
	ros2.Eventually(t, "pose", func() bool {
		p.Publish(ros.NewSample(want)) // volatile: the other side may still be matching
		return got.Len() > 0
	})
	if m := got.List()[0].Message; !reflect.DeepEqual(m, msgs.Message(want)) {
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
	us, logs := ros2.Node(t, "/us")
	them := ros2.Foreign(t)
	for _, reliable := range []bool{true, false} {
		t.Run(fmt.Sprintf("reliable %v", reliable), func(t *testing.T) {
			name := fmt.Sprintf("/matrix_%v", reliable)
			q := rtps.QoS{Reliable: reliable, Depth: n}
			got := ros2.Subscribe(t, us, ros2.Text(name+"/in"))
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
			ros2.Eventually(t, "match", func() bool { return w.Matched() == wantMatched })
			heard := new(ros2.Collector[string])
			_, err = them.NewReader(rtps.ReaderOptions{
				Topic: "rt" + name + "/out", Type: std_msgs.StringType.DDSName, QoS: q,
				Receive: func(s rtps.Sample) {
					m := new(std_msgs.String)
					if err := m.ParseCDR(s.Payload); err != nil {
						t.Error(err)
					}
					heard.Add(m.Data)
				},
			})
			if err != nil {
				t.Fatal(err)
			}
			p := ros2.Advertise(t, us, ros.Topic{Name: name + "/out", Type: std_msgs.StringType, Lossy: true})
			ros2.Eventually(t, "match", p.HasSubscribers)
			settle(t, func(text string) { _ = w.Write(ros2.CdrOf(text)); p.Publish(ros2.Say(text)) }, got, heard)
			first, firstHeard := got.Len(), heard.Len()
			var want []string
			for i := range n {
				want = append(want, fmt.Sprint(i))
				if err := w.Write(ros2.CdrOf(want[i])); err != nil {
					t.Fatal(err)
				}
				p.Publish(ros2.Say(want[i]))
				// one at a time: a busy machine must not make keep-last drop any
				ros2.Eventually(t, "message in", func() bool { return got.Len()-first > i })
				ros2.Eventually(t, "message out", func() bool { return heard.Len()-firstHeard > i })
			}
			if in, out := got.List()[first:], heard.List()[firstHeard:]; !reflect.DeepEqual(in, want) || !reflect.DeepEqual(out, want) {
				t.Errorf("in %q, out %q", in, out)
			}
		})
	}
	if l := logs.FilterMessageSnippet("not matched"); l.Len() > 0 {
		t.Errorf("logged %v", l.All())
	}
}

// TestOneShot: a publisher that sends once, as soon as it has a subscription, is
// heard, whether it comes before or after the subscription.
func TestOneShot(t *testing.T) {
	for _, late := range []bool{true, false} {
		us, _ := ros2.Node(t, "/us")
		topic := ros2.Text(fmt.Sprintf("/once_%v", late))
		var got *ros2.Collector[string]
		if late {
			got = ros2.Subscribe(t, us, topic)
		}
		matched := make(chan rtps.Endpoint, 10)
		them, err := rtps.NewParticipant(rtps.Options{Domain: ros2.Domain, Notify: func(e rtps.Event) {
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
			got = ros2.Subscribe(t, us, topic)
		}
		ros2.Eventually(t, "match", func() bool { return len(matched) > 0 })
		if first := <-matched; !first.Reliable {
			t.Errorf("late %v: the first reader that a writer meets is best effort", late)
		}
		if err := w.Write(ros2.CdrOf("once")); err != nil {
			t.Fatal(err)
		}
		ros2.Eventually(t, "the message", func() bool { return got.Len() == 1 })
	}
}

// settle sends until all sides have heard the last text, after which nothing more comes: the
// order is kept.
func settle(t *testing.T, send func(text string), sides ...*ros2.Collector[string]) {
	t.Helper()
	n := 0
	ros2.Eventually(t, "the last message of the beginning", func() bool {
		n++
		text := fmt.Sprint("hello ", n)
		send(text)
		heard := func() bool {
			for _, side := range sides {
				if all := side.List(); len(all) == 0 || all[len(all)-1] != text {
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
	a, _ := ros2.Node(t, "/a")
	topic := ros.Topic{Name: "/a/state", Type: std_msgs.StringType, Latched: true}
	p := ros2.Advertise(t, a, topic)
	p.Publish(ros2.Say("old"))
	p.Publish(ros2.Say("last"))
	them := ros2.Foreign(t)
	got := new(ros2.Collector[string])
	_, err := them.NewReader(rtps.ReaderOptions{
		Topic: "rt/a/state", Type: std_msgs.StringType.DDSName, QoS: rtps.QoS{Reliable: true, TransientLocal: true, Depth: 10},
		Receive: func(s rtps.Sample) { got.Add(string(s.Payload)) },
	})
	if err != nil {
		t.Fatal(err)
	}
	ros2.Eventually(t, "latched message", func() bool { return got.Len() > 0 })
	if l := got.List(); len(l) != 1 || l[0] != string(ros2.CdrOf("last")) {
		t.Errorf("got %q", l)
	}
}

// TestClose: nothing runs on after Close, also when Publish and Subscribe are
// called at the same time, and others see the node go.
func TestClose(t *testing.T) {
	watcher := ros2.Foreign(t)
	before := runtime.NumGoroutine()
	a, err := ros2.New(ros2.Options{Node: "/a", Discovery: ros2.Discovery{Domain: ros2.Domain}})
	if err != nil {
		t.Fatal(err)
	}
	ros2.Eventually(t, "the node is seen", func() bool { return len(watcher.Remotes()) == 1 })
	p := ros2.Advertise(t, a, ros.Topic{Name: "/x", Type: std_msgs.StringType, Latched: true})
	if err := a.Subscribe(ros2.Text("/x"), func(ros.Received) {}); err != nil {
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
				p.Publish(ros2.Say("hello"))
				time.Sleep(time.Millisecond)
			}
		}
	})
	all.Go(func() {
		for i := range 20 {
			_ = a.Subscribe(ros2.Text(fmt.Sprintf("/y%d", i)), func(ros.Received) {})
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
	if _, err := a.Advertise(ros2.Text("/late")); err == nil {
		t.Error("Advertise succeeds after Close")
	}
	ros2.Eventually(t, "good-bye", func() bool { return len(watcher.Remotes()) == 0 })
	ros2.Eventually(t, "all goroutines end", func() bool { return runtime.NumGoroutine() <= before })
}

// TestDepartures: a watch of departures reports when a writer ends, reliable or not.
func TestDepartures(t *testing.T) {
	us, _ := ros2.Node(t, "/us")
	for _, lossy := range []bool{false, true} {
		topic := ros2.Text(fmt.Sprintf("/departures%v", lossy))
		got := new(ros2.Collector[ros.Received])
		asking := topic
		asking.ReportsSenderLeft = true
		if err := us.Subscribe(asking, got.Add); err != nil {
			t.Fatal(err)
		}
		them, err := ros2.New(ros2.Options{Node: "/them", Discovery: ros2.Discovery{Domain: ros2.Domain}})
		if err != nil {
			t.Fatal(err)
		}
		topic.Lossy = lossy
		p := ros2.Advertise(t, them, topic)
		ros2.Eventually(t, "a message", func() bool { p.Publish(ros2.Say("hello")); return got.Len() > 0 })
		first := got.List()[0]
		if err := them.Close(); err != nil {
			t.Error(err)
		}
		ros2.Eventually(t, "the departure", func() bool { all := got.List(); return all[len(all)-1].SenderLeft })
		all := got.List()
		if last := all[len(all)-1]; last.Message != nil || last.Sender.Endpoint != first.Sender.Endpoint {
			t.Errorf("%+v after %+v", last, first)
		}
	}
}

// TestDepartureOfTheLast: a participant whose second writer of a topic is left has not left.
func TestDepartureOfTheLast(t *testing.T) {
	us, _ := ros2.Node(t, "/us")
	got := new(ros2.Collector[ros.Received])
	topic := ros2.Text("/departures/last")
	topic.ReportsSenderLeft = true
	if err := us.Subscribe(topic, got.Add); err != nil {
		t.Fatal(err)
	}
	them := ros2.Foreign(t)
	var writers []*rtps.Writer
	for _, reliable := range []bool{true, false, true} { // the readers are different
		w, err := them.NewWriter(rtps.WriterOptions{Topic: "rt/departures/last", Type: topic.Type.DDSName, QoS: rtps.QoS{Reliable: reliable, Depth: 1}})
		if err != nil {
			t.Fatal(err)
		}
		before := got.Len()
		ros2.Eventually(t, "a message", func() bool { _ = w.Write(ros2.CdrOf("hello")); return got.Len() > before })
		writers = append(writers, w)
	}
	departures := func() (n int) {
		for _, r := range got.List() {
			if r.SenderLeft {
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
	ros2.Eventually(t, "the departure", func() bool { return departures() > 0 })
}
