package ros

import (
	"testing"
	"time"

	"sinew/msgs"
	"sinew/msgs/geometry_msgs"
	"sinew/msgs/sinew_msgs"
	"sinew/pkg/ros/wallclock"
)

// slowTopics is a transport whose Publish takes a time, or waits.
type slowTopics struct {
	*memory
	wait func()
}

func (s *slowTopics) Advertise(t Topic) (Publisher, error) {
	p, err := s.memory.Advertise(t)
	return &slowTopic{p, s}, err
}

type slowTopic struct {
	Publisher
	of *slowTopics
}

func (p *slowTopic) Publish(s *Sample) {
	p.of.wait()
	p.Publisher.Publish(s)
}

// TestOverloadedPublishing: where snapshots come faster than they can be published, the
// operating state is repeated all the same, and Close comes to an end.
func TestOverloadedPublishing(t *testing.T) {
	net := newMemory()
	s := newSimulator(t, everyKind(), wallclock.New(), quick)
	b, err := NewBridge(s, testNames(), []Transport{&slowTopics{net, func() { time.Sleep(100 * time.Microsecond) }}}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	start(t, s)
	state := net.topic(t, "/lab/left/operating_state")
	var before, got []msgs.Message
	eventually(t, "snapshots that publishing missed", func() bool {
		before = append(before, state.take()...)
		return s.Missed() > 0 && len(before) > 0
	})
	eventually(t, "a repetition", func() bool {
		got = append(got, state.take()...)
		return len(got) > 0
	})
	if m := got[0].(*sinew_msgs.OperatingState); m.State != "ENABLED" || m.Reason != before[0].(*sinew_msgs.OperatingState).Reason {
		t.Errorf("%+v, then %+v", before[0], m)
	}
	closed := make(chan struct{})
	go func() { b.Close(); close(closed) }()
	select {
	case <-closed:
	case <-time.After(patience):
		t.Fatal("Close waits for the end of the simulator")
	}
}

// TestCloseDeliversSnapshots: what the simulator gave before Close is published, also what
// nobody has looked at yet.
func TestCloseDeliversSnapshots(t *testing.T) {
	for range 10 { // what publishes may see the end or the snapshots first
		net := newMemory()
		s := newSimulator(t, everyKind(), wallclock.New(), patient())
		b, err := newBridge(s, testNames(), []Transport{net}, Options{})
		if err != nil {
			t.Fatal(err)
		}
		stop, ended := make(chan struct{}), make(chan error, 1)
		go func() { ended <- s.Run(stop) }()
		eventually(t, "twenty periods", func() bool { return s.Stats().Periods >= 20 })
		close(stop)
		if err := <-ended; err != nil {
			t.Fatal(err)
		}
		close(b.stop)
		b.running.Add(1)
		b.publishLoop()
		poses := net.topic(t, "/lab/left/out_pose").take()
		if want := int(s.Stats().Periods) + 1 - int(s.Missed()); len(poses) != want { // the first shows the start
			t.Fatalf("%d poses of %d", len(poses), want)
		}
		for i, m := range poses {
			if seq := m.(*geometry_msgs.PoseStamped).Header.Seq; seq != uint32(i) {
				t.Fatalf("pose %d has sequence number %d", i, seq)
			}
		}
	}
}
