package ros

import (
	"reflect"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/zap"

	"sinew/msgs"
	"sinew/msgs/geometry_msgs"
	"sinew/msgs/sensor_msgs"
	"sinew/msgs/sinew_msgs"
	"sinew/msgs/std_msgs"
	"sinew/pkg/sim"
)

// Tests of what has no exported name.

func TestMessagesOfASnapshotHaveOneStamp(t *testing.T) {
	for _, c := range []struct {
		options Options
		want    msgs.Time
		topics  int
	}{
		{Options{}, msgs.At(Noon), 23},
		{Options{SimTime: true}, msgs.At(2500 * time.Millisecond), 24},
	} {
		m, net := EveryKind(), NewMemory()
		b, _ := Still(t, m, c.options, net)
		b.publish(snapshot(b, m, Noon, 2.5))
		topics := 0
		for name, p := range net.Topics {
			for _, got := range p.Take() {
				topics++
				if stamp, ok := StampOf(got); !ok || stamp != c.want {
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
	m, net, other := EveryKind(), NewMemory(), NewMemory()
	b, _ := Still(t, m, Options{SimTime: true}, net, other)
	made := 0
	for _, o := range b.publisher.outputs {
		encode := o.encode
		o.encode = func(o *outputPort, h std_msgs.Header, v []float64) msgs.Message {
			made++
			return encode(o, h, v)
		}
	}
	published := func() (n int) {
		for name, p := range net.Topics {
			if name != "/lab/left/operating_state" {
				n += len(p.Take())
			}
		}
		return n
	}
	net.unwanteden()
	other.unwanteden()
	b.publish(snapshot(b, m, Noon, 1))
	b.report()
	if n := published(); made != 0 || n != 0 {
		t.Errorf("%d messages were made and %d published without a subscriber", made, n)
	}
	if got := only[*sinew_msgs.OperatingState](t, net.Topic(t, "/lab/left/operating_state")); got.State != "ENABLED" {
		t.Errorf("operating state is %q, want ENABLED for those who come later", got.State)
	}
	s := snapshot(b, m, Noon, 1)
	s.Slow = false // a path is recorded in any case
	if n := testing.AllocsPerRun(100, func() { b.publish(s) }); n != 0 {
		t.Errorf("%v allocations per snapshot without a subscriber, want 0", n)
	}
	other.Topic(t, "/lab/left/out_pose").Unwanted.Store(false)
	b.publish(snapshot(b, m, Noon+time.Second, 2))
	if n := published(); made != 1 || n != 0 {
		t.Errorf("for one listener elsewhere %d messages were made and %d published here, want 1 and 0", made, n)
	}
	if n := len(other.Topic(t, "/lab/left/out_pose").Take()); n != 1 {
		t.Errorf("the listener got %d messages, want 1", n)
	}
}

func TestOperatingStateIsPublishedOnChange(t *testing.T) {
	m, net := EveryKind(), NewMemory()
	log, logged := Observed()
	b, _ := Still(t, m, Options{Log: log}, net)
	topic := net.Topic(t, "/lab/left/operating_state")
	now := Noon
	show := func(after time.Duration, state sim.OperatingState, reason string, busy bool) []msgs.Message {
		now += after
		s := snapshot(b, m, now, 1)
		s.State, s.Reason, s.Busy = state, reason, busy
		b.publish(s)
		return topic.Take()
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

func BenchmarkSnapshot(b *testing.B) {
	for _, listeners := range []string{"nobody", "everybody"} {
		b.Run(listeners, func(b *testing.B) {
			m, net, c := EveryKind(), &crowded{Memory: NewMemory()}, new(StillClock)
			s, err := sim.NewSimulator(m, c, Quick)
			if err != nil {
				b.Fatal(err)
			}
			bridge, err := newBridge(s, Names(), []Transport{net}, Options{Clock: c, PathPoses: 10})
			if err != nil {
				b.Fatal(err)
			}
			if listeners == "nobody" {
				net.unwanteden()
			}
			shot := snapshot(bridge, m, Noon, 1)
			shot.Slow = false
			for b.Loop() {
				shot.Stamp += time.Millisecond
				bridge.publish(shot)
			}
		})
	}
}

func TestTransportsShareOneMessage(t *testing.T) {
	m, one, two := EveryKind(), NewMemory(), NewMemory()
	two.noServices = true
	b, _ := Still(t, m, Options{}, one, two)
	b.publish(snapshot(b, m, Noon, 1))
	b.report()
	shared := 0
	for name, p := range one.Topics {
		got, other := p.TakeSamples(), two.Topic(t, name).TakeSamples()
		if len(got) != len(other) {
			t.Errorf("%s: %d messages here, %d there", name, len(got), len(other))
			continue
		}
		for i := range got {
			shared++
			if got[i] != other[i] {
				t.Errorf("%s: the transports got different samples", name)
			}
			if cdr, ros1 := got[i].CDR(), got[i].ROS1(); &cdr[0] != &other[i].CDR()[0] || len(ros1) > 0 && &ros1[0] != &other[i].ROS1()[0] {
				t.Errorf("%s: a serialised form was made twice", name)
			}
		}
	}
	if shared < len(EveryMessage) {
		t.Errorf("only %d messages were published", shared)
	}
	if len(one.services) != len(services) || len(two.services) != 0 {
		t.Errorf("%d and %d services, want %d and none", len(one.services), len(two.services), len(services))
	}
}

// crowded is a transport whose subscribers have stopped reading: it drops what
// they cannot take, as the contract of Publish asks.
type crowded struct {
	*Memory
	dropped atomic.Int64
}

func (c *crowded) Advertise(t Topic) (Publisher, error) {
	p, err := c.Memory.Advertise(t)
	return &crowdedTopic{p, c}, err
}

type crowdedTopic struct {
	Publisher
	of *crowded
}

func (p *crowdedTopic) Publish(*Sample) { p.of.dropped.Add(1) }

func TestACrowdedTransportDoesNotDisturbAnother(t *testing.T) {
	stuck, net := &crowded{Memory: NewMemory()}, NewMemory()
	o := Patient()
	o.PublishHz, o.MarkerHz = 50, 25 // snapshots are kept for 10 s: no test machine stalls that long
	b := Live(t, EveryKind(), o, Options{}, stuck, net)
	out := net.Topic(t, "/lab/left/out_pose")
	var seqs []uint32
	Eventually(t, "50 poses arrive", func() bool {
		for _, m := range out.Take() {
			seqs = append(seqs, m.(*geometry_msgs.PoseStamped).Header.Seq)
		}
		return len(seqs) >= 50
	})
	for i, seq := range seqs {
		if seq != uint32(i) {
			t.Fatalf("message %d has sequence number %d", i, seq)
		}
	}
	if stuck.dropped.Load() == 0 || b.sim.Missed() != 0 {
		t.Errorf("%d messages dropped by the crowded transport, %d snapshots missed; want some and none", stuck.dropped.Load(), b.sim.Missed())
	}
}

// views is a transport of viewers.
type views struct{ *Memory }

func (views) ViewsScenes() {}
func (views) CanWait()     {}

// Where only viewers listen the publisher does not wait for the next snapshot; they get it with those that follow, and none is lost. Who listens on
// a network to what is made of each waits, and who listens to what comes once a second does not.
func TestAwaited(t *testing.T) {
	network, screen := NewMemory(), views{NewMemory()}
	b := Live(t, EveryKind(), Patient(), Options{}, network, screen)
	if !b.awaited() {
		t.Error("a network has a subscriber, and the publisher does not wait")
	}
	network.unwanteden()
	if b.awaited() {
		t.Error("viewers alone listen, and somebody waits")
	}
	for name, want := range map[string]bool{
		"~out_pose": true, "~operating_state": true, "/tf": true, "~sim_stats": false, "/diagnostics": false, "~markers": false,
	} {
		name, err := b.names.Resolve(name)
		if err != nil {
			t.Fatal(err)
		}
		p := network.Topic(t, name)
		p.Unwanted.Store(false)
		if b.awaited() != want {
			t.Errorf("somebody listens to %s, and waits: %t", name, !want)
		}
		p.Unwanted.Store(true)
	}
	name, _ := b.names.Resolve("~out_pose")
	seen := 0
	Eventually(t, "many poses for viewers", func() bool {
		seen += len(screen.Topic(t, name).Take())
		return seen > 300
	})
	if n := b.sim.Missed(); n > 0 {
		t.Errorf("%d snapshots are lost", n)
	}
}

// Hardware that a robot might have is not waited for; what it measures of joints is compared with the newest snapshot, so that
// from its first message on each matters.
func TestHardwareIsAwaitedOnceItMeasures(t *testing.T) {
	network := NewMemory()
	b, _ := Still(t, EveryKind(), Options{Hardware: Beside(geometry_msgs.PoseStampedType)}, network)
	network.unwanteden()
	if b.awaited() {
		t.Error("hardware that has said nothing makes somebody wait")
	}
	network.Arrive(t, "/lab/left/hardware/measured_js", &sensor_msgs.JointState{Position: []float64{1, 2}})
	if !b.awaited() {
		t.Error("hardware measures, and the publisher does not wait")
	}
}

// TestStateStampsDoNotGoBack: a change that a snapshot shows after the state was repeated is not stamped
// before the repetition, though the snapshot was taken before it.
func TestStateStampsDoNotGoBack(t *testing.T) {
	m, net := EveryKind(), NewMemory()
	b, clock := Still(t, m, Options{}, net)
	now := time.Duration(clock.NowValue.Load())
	topic := net.Topic(t, "/lab/left/operating_state")
	b.publish(snapshot(b, m, now-20*time.Millisecond, 1))
	b.state.repeat()
	late := snapshot(b, m, now-10*time.Millisecond, 1.01)
	late.State = sim.Paused
	b.publish(late)
	var stamps []msgs.Time
	state := ""
	for _, got := range topic.Take() {
		s := got.(*sinew_msgs.OperatingState)
		stamps, state = append(stamps, s.Header.Stamp), s.State
	}
	if len(stamps) != 3 || state != "PAUSED" || stamps[1] < stamps[0] || stamps[2] < stamps[1] {
		t.Errorf("%s, stamps %v", state, stamps)
	}
}
