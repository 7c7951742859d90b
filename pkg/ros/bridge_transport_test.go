package ros

import (
	"runtime"
	"strings"
	"sync/atomic"
	"testing"

	"sinew/msgs/geometry_msgs"
	"sinew/pkg/ros/wallclock"
	"sinew/pkg/sim"
)

func TestTransportsShareOneMessage(t *testing.T) {
	m, one, two := everyKind(), newMemory(), newMemory()
	two.noServices = true
	b, _ := still(t, m, Options{}, one, two)
	b.publish(snapshot(b, m, noon, 1))
	b.report()
	shared := 0
	for name, p := range one.topics {
		got, other := p.takeSamples(), two.topic(t, name).takeSamples()
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
	if shared < len(everyMessage) {
		t.Errorf("only %d messages were published", shared)
	}
	if len(one.services) != len(services) || len(two.services) != 0 {
		t.Errorf("%d and %d services, want %d and none", len(one.services), len(two.services), len(services))
	}
}

// crowded is a transport whose subscribers have stopped reading: it drops what
// they cannot take, as the contract of Publish asks.
type crowded struct {
	*memory
	dropped atomic.Int64
}

func (c *crowded) Advertise(t Topic) (Publisher, error) {
	p, err := c.memory.Advertise(t)
	return &crowdedTopic{p, c}, err
}

type crowdedTopic struct {
	Publisher
	of *crowded
}

func (p *crowdedTopic) Publish(*Sample) { p.of.dropped.Add(1) }

func TestACrowdedTransportDoesNotDisturbAnother(t *testing.T) {
	stuck, net := &crowded{memory: newMemory()}, newMemory()
	o := patient()
	o.PublishHz, o.MarkerHz = 50, 25 // snapshots are kept for 10 s: no test machine stalls that long
	b := live(t, everyKind(), o, Options{}, stuck, net)
	out := net.topic(t, "/lab/left/out_pose")
	var seqs []uint32
	eventually(t, "50 poses arrive", func() bool {
		for _, m := range out.take() {
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

func TestWhatCannotBeOpenedIsNamed(t *testing.T) {
	for _, c := range []struct {
		name, refuse, want string
		change             func(*fakeModel)
	}{
		{"a common topic", "/diagnostics", "/diagnostics", nil},
		{"an Out port", "/lab/left/out_pose", "/lab/left/out_pose", nil},
		{"an In port", "/lab/left/in_pose", "/lab/left/in_pose", nil},
		{"a second name", "/tensions", "/tensions", nil},
		{"the text topic", "/lab/left/state_command", "/lab/left/state_command", nil},
		{"a path as a command", "", `port "way" cannot be commanded`, func(m *fakeModel) {
			m.add(sim.Port{Name: "way", Kind: sim.Path, Direction: sim.In}, -1)
		}},
		{"an illegal name", "", "a b", func(m *fakeModel) {
			m.add(sim.Port{Name: "a b", Kind: sim.Pose, Direction: sim.Out}, -1)
		}},
		{"a frame without a parent", "", `frame "hand" under "arm"`, func(m *fakeModel) {
			m.add(sim.Port{Name: "hand", Kind: sim.Pose, Direction: sim.Out, Child: "hand", Parent: "arm"}, -1)
		}},
	} {
		m, net := everyKind(), newMemory()
		net.refuse = c.refuse
		if c.change != nil {
			c.change(m)
		}
		_, err := NewBridge(newSimulator(t, m, new(stillClock), quick), testNames(), []Transport{net}, Options{})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want one that contains %q", c.name, err, c.want)
		}
	}
}

func TestCloseLeavesNothingBehind(t *testing.T) {
	before := runtime.NumGoroutine()
	for range 10 {
		s := newSimulator(t, everyKind(), wallclock.New(), quick)
		b, err := NewBridge(s, testNames(), []Transport{newMemory()}, Options{})
		if err != nil {
			t.Fatal(err)
		}
		b.Close()
		b.Close() // again does nothing
	}
	eventually(t, "all goroutines have ended", func() bool { return runtime.NumGoroutine() <= before })
}
