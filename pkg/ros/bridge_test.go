package ros

import (
	"reflect"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/zap"

	"sinew/msgs"
	"sinew/msgs/diagnostic_msgs"
	"sinew/msgs/geometry_msgs"
	"sinew/msgs/rosgraph_msgs"
	"sinew/msgs/sensor_msgs"
	"sinew/msgs/sinew_msgs"
	"sinew/msgs/std_msgs"
	"sinew/msgs/tf2_msgs"
	"sinew/msgs/visualization_msgs"
	"sinew/pkg/ros/wallclock"
	"sinew/pkg/sim"
	"sinew/pkg/sim/spatial"
)

// live runs a simulator of m in real time behind a bridge until the test ends.
func live(t *testing.T, m *fakeModel, so sim.Options, o Options, transports ...Transport) *Bridge {
	t.Helper()
	s := newSimulator(t, m, wallclock.New(), so)
	b, err := NewBridge(s, testNames(), transports, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	start(t, s)
	return b
}

// patient is quick without a watchdog.
func patient() sim.Options {
	o := quick
	o.CommandTimeoutS = 0
	return o
}

// content is a message without the sequence number and stamp of its header.
func content(m msgs.Message) msgs.Message {
	switch m := m.(type) {
	case *sensor_msgs.JointState:
		c := *m
		c.Header = at(m.Header.FrameID)
		return &c
	case *geometry_msgs.WrenchStamped:
		c := *m
		c.Header = at(m.Header.FrameID)
		return &c
	case *sinew_msgs.CoilCurrents:
		c := *m
		c.Header = at(m.Header.FrameID)
		return &c
	}
	return m
}

func TestCommandsReachTheModelAndComeBack(t *testing.T) {
	net := newMemory()
	live(t, everyKind(), patient(), Options{}, net)
	for _, c := range everyMessage {
		switch c.kind {
		case "tension", "wrench", "currents":
		default:
			continue // codecs are tested elsewhere; three show the way
		}
		net.arrive(t, "/lab/left/in_"+c.kind, c.message)
		out := net.topic(t, "/lab/left/out_"+c.kind)
		eventually(t, c.kind+" comes back", func() bool {
			got := out.take()
			return len(got) > 0 && reflect.DeepEqual(content(got[len(got)-1]), c.message)
		})
	}
}

// A recording hears what arrives on every topic, good or bad.
func TestReceivedHearsEveryMessage(t *testing.T) {
	net := newMemory()
	heard := map[string]*Sample{}
	live(t, everyKind(), patient(), Options{Received: func(topic Topic, s *Sample) { heard[topic.Name] = s }}, net)
	for _, sent := range []struct {
		topic   string
		message msgs.Message
	}{
		{"/tensions", &std_msgs.Float64MultiArray{Data: []float64{1, 2}}},
		{"/lab/left/in_tension", &sensor_msgs.JointState{Name: []string{"nobody"}, Effort: []float64{1}}},
		{"/lab/left/state_command", &std_msgs.String{Data: "pause"}},
	} {
		net.arrive(t, sent.topic, sent.message)
		if s := heard[sent.topic]; s == nil || s.Message() != sent.message {
			t.Errorf("%s: heard %v, want the message that arrived", sent.topic, s)
		}
	}
}

// A remapped second name takes bare numbers; a subset by name leaves the rest.
func TestPlainCommandsAndSubsets(t *testing.T) {
	net := newMemory()
	live(t, everyKind(), patient(), Options{}, net)
	out := net.topic(t, "/lab/left/out_tension")
	shows := func(want ...float64) func() bool {
		return func() bool {
			got := out.take()
			return len(got) > 0 && reflect.DeepEqual(got[len(got)-1].(*sensor_msgs.JointState).Effort, want)
		}
	}
	net.arrive(t, "/tensions", &std_msgs.Float64MultiArray{Data: []float64{3, 4}})
	eventually(t, "the remapped array arrives", shows(3, 4))
	net.arrive(t, "/lab/left/in_tension", &sensor_msgs.JointState{Name: []string{"right"}, Effort: []float64{5}})
	eventually(t, "the subset arrives", shows(3, 5))
}

func TestTopicsAreOpenedAsTheyAreDocumented(t *testing.T) {
	net := newMemory()
	still(t, everyKind(), Options{SimTime: true}, net)
	for _, want := range []Topic{
		{Name: "/tf", Type: tf2_msgs.TFMessageType},
		{Name: "/clock", Type: rosgraph_msgs.ClockType, Lossy: true},
		{Name: "/diagnostics", Type: diagnostic_msgs.DiagnosticArrayType},
		{Name: "/lab/left/markers", Type: visualization_msgs.MarkerArrayType},
		{Name: "/lab/left/operating_state", Type: sinew_msgs.OperatingStateType, Latched: true},
		{Name: "/lab/left/sim_stats", Type: sinew_msgs.SimStatsType},
		{Name: "/lab/left/out_pose", Type: geometry_msgs.PoseStampedType, Lossy: true},
		{Name: "/lab/left/tip_frame", Type: geometry_msgs.PoseStampedType, Lossy: true},
	} {
		if got := net.topic(t, want.Name).Topic; got != want {
			t.Errorf("%s is opened as %+v, want %+v", want.Name, got, want)
		}
	}
	if net.topics["/lab/left/base_frame"] != nil {
		t.Error("a silent port has a topic")
	}
	net = newMemory()
	still(t, everyKind(), Options{}, net)
	if net.topics["/clock"] != nil {
		t.Error("/clock is open without simulation time")
	}
}

func stampOf(m msgs.Message) (msgs.Time, bool) {
	if tf, ok := m.(*tf2_msgs.TFMessage); ok {
		return tf.Transforms[0].Header.Stamp, true
	}
	if c, ok := m.(*rosgraph_msgs.Clock); ok {
		return c.Clock, true
	}
	h := reflect.ValueOf(m).Elem().FieldByName("Header")
	if !h.IsValid() {
		return 0, false
	}
	return h.Interface().(std_msgs.Header).Stamp, true
}

func TestMessagesOfASnapshotHaveOneStamp(t *testing.T) {
	for _, c := range []struct {
		options Options
		want    msgs.Time
		topics  int
	}{
		{Options{}, msgs.At(noon), 15},
		{Options{SimTime: true}, msgs.At(2500 * time.Millisecond), 16},
	} {
		m, net := everyKind(), newMemory()
		b, _ := still(t, m, c.options, net)
		b.publish(snapshot(b, m, noon, 2.5))
		topics := 0
		for name, p := range net.topics {
			for _, got := range p.take() {
				topics++
				if stamp, ok := stampOf(got); !ok || stamp != c.want {
					t.Errorf("%s has stamp %v, want %v", name, stamp, c.want)
				}
			}
		}
		if topics != c.topics {
			t.Errorf("%d topics were published, want %d", topics, c.topics)
		}
	}
}

func TestNothingIsMadeForNobody(t *testing.T) {
	m, net, other := everyKind(), newMemory(), newMemory()
	b, _ := still(t, m, Options{SimTime: true}, net, other)
	made := 0
	for _, o := range b.publisher.outputs {
		encode := o.encode
		o.encode = func(o *outputPort, h std_msgs.Header, v []float64) msgs.Message {
			made++
			return encode(o, h, v)
		}
	}
	published := func() (n int) {
		for name, p := range net.topics {
			if name != "/lab/left/operating_state" {
				n += len(p.take())
			}
		}
		return n
	}
	net.unwanteden()
	other.unwanteden()
	b.publish(snapshot(b, m, noon, 1))
	b.report()
	if n := published(); made != 0 || n != 0 {
		t.Errorf("%d messages were made and %d published though nobody listens", made, n)
	}
	if got := only[*sinew_msgs.OperatingState](t, net.topic(t, "/lab/left/operating_state")); got.State != "ENABLED" {
		t.Errorf("operating state is %q, want ENABLED for those who come later", got.State)
	}
	s := snapshot(b, m, noon, 1)
	s.Slow = false // a path is recorded in any case
	if n := testing.AllocsPerRun(100, func() { b.publish(s) }); n != 0 {
		t.Errorf("%v allocations per snapshot for nobody, want 0", n)
	}
	other.topic(t, "/lab/left/out_pose").unwanted.Store(false)
	b.publish(snapshot(b, m, noon+time.Second, 2))
	if n := published(); made != 1 || n != 0 {
		t.Errorf("for one listener elsewhere %d messages were made and %d published here, want 1 and 0", made, n)
	}
	if n := len(other.topic(t, "/lab/left/out_pose").take()); n != 1 {
		t.Errorf("the listener got %d messages, want 1", n)
	}
}

func TestOperatingStateIsPublishedOnChange(t *testing.T) {
	m, net := everyKind(), newMemory()
	log, logged := observed()
	b, _ := still(t, m, Options{Log: log}, net)
	topic := net.topic(t, "/lab/left/operating_state")
	now := noon
	show := func(after time.Duration, state sim.OperatingState, reason string, busy bool) []msgs.Message {
		now += after
		s := snapshot(b, m, now, 1)
		s.State, s.Reason, s.Busy = state, reason, busy
		b.publish(s)
		return topic.take()
	}
	if got := show(0, sim.Enabled, "", false); len(got) != 1 {
		t.Fatalf("the first snapshot gave %d messages", len(got))
	}
	if got := show(time.Second, sim.Enabled, "", false); len(got) != 0 {
		t.Errorf("no change gave %d messages", len(got))
	}
	if got := show(time.Millisecond, sim.Enabled, "", true); len(got) != 1 || !got[0].(*sinew_msgs.OperatingState).IsBusy {
		t.Errorf("becoming busy gave %v", got)
	}
	if got := show(time.Millisecond, sim.Enabled, "", false); len(got) != 0 {
		t.Errorf("becoming idle 1 ms later gave %d messages, want none yet", len(got))
	}
	if got := show(busyPause, sim.Enabled, "", false); len(got) != 1 || got[0].(*sinew_msgs.OperatingState).IsBusy {
		t.Errorf("being idle for long gave %v", got)
	}
	got := show(time.Millisecond, sim.Fault, "emergency stop", false)
	want := &sinew_msgs.OperatingState{Header: std_msgs.Header{Seq: 3, Stamp: msgs.At(now)}, State: "FAULT", Reason: "emergency stop"}
	if len(got) != 1 || !reflect.DeepEqual(got[0], want) {
		t.Errorf("a fault gave %v, want %v", got, want)
	}
	if all := logged.FilterMessage("operating state").All(); len(all) != 2 || all[0].Level != zap.InfoLevel || all[1].Level != zap.ErrorLevel {
		t.Errorf("the log has %v, want ENABLED as a note and FAULT as an error", all)
	}
}

func TestScenesAreDrawnOnlyForViewers(t *testing.T) {
	m, net := everyKind(), newMemory()
	var drawn atomic.Int64
	m.draw = func(s *sim.Scene) {
		*s = sim.Scene{Arrows: []sim.Arrow{{Name: "field", To: spatial.Vec{X: 1}, Radius: 0.05}}}
		drawn.Add(1)
	}
	s := newSimulator(t, m, wallclock.New(), quick)
	b, err := NewBridge(s, testNames(), []Transport{net}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	markers, poses := net.topic(t, "/lab/left/markers"), net.topic(t, "/lab/left/out_pose")
	markers.unwanted.Store(true)
	before := drawn.Load()
	start(t, s)
	eventually(t, "50 poses", func() bool { return len(poses.take()) > 0 && s.Stats().Periods > 50 })
	if n := drawn.Load(); n != before || len(markers.take()) != 0 {
		t.Errorf("%d scenes were drawn for nobody", n-before)
	}
	markers.unwanted.Store(false)
	var got []msgs.Message
	eventually(t, "three scenes", func() bool { got = append(got, markers.take()...); return len(got) >= 3 })
	first := got[0].(*visualization_msgs.MarkerArray).Markers[0].Header.Stamp
	last := got[2].(*visualization_msgs.MarkerArray).Markers[0].Header.Stamp
	if span, least := time.Duration(last-first), 2*markerPeriod*8/10; span < least {
		t.Errorf("three scenes within %v, want at least %v", span, least)
	}
}

func BenchmarkSnapshot(b *testing.B) {
	for _, listeners := range []string{"nobody", "everybody"} {
		b.Run(listeners, func(b *testing.B) {
			m, net, c := everyKind(), &crowded{memory: newMemory()}, new(stillClock)
			s, err := sim.NewSimulator(m, c, quick)
			if err != nil {
				b.Fatal(err)
			}
			bridge, err := newBridge(s, testNames(), []Transport{net}, Options{Clock: c, PathPoses: 10})
			if err != nil {
				b.Fatal(err)
			}
			if listeners == "nobody" {
				net.unwanteden()
			}
			shot := snapshot(bridge, m, noon, 1)
			shot.Slow = false
			for b.Loop() {
				shot.Stamp += time.Millisecond
				bridge.publish(shot)
			}
		})
	}
}
