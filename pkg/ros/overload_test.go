package ros_test

import (
	"testing"
	"time"

	"sinew/msgs"
	"sinew/msgs/sinew_msgs"
	"sinew/pkg/ros"
	"sinew/pkg/ros/wallclock"
)

// slowTopics is a transport whose Publish takes a time, or waits.
type slowTopics struct {
	*ros.Memory
	wait func()
}

func (s *slowTopics) Advertise(t ros.Topic) (ros.Publisher, error) {
	p, err := s.Memory.Advertise(t)
	return &slowTopic{p, s}, err
}

type slowTopic struct {
	ros.Publisher
	of *slowTopics
}

func (p *slowTopic) Publish(s *ros.Sample) {
	p.of.wait()
	p.Publisher.Publish(s)
}

// TestOverloadedPublishing: where snapshots come faster than they can be published, the
// operating state is repeated all the same, and Close comes to an end.
func TestOverloadedPublishing(t *testing.T) {
	t.Parallel()
	net := ros.NewMemory()
	s := ros.NewSimulator(t, ros.EveryKind(), wallclock.New(), ros.Quick)
	b, err := ros.NewBridge(s, ros.Names(), []ros.Transport{&slowTopics{net, func() { time.Sleep(100 * time.Microsecond) }}}, ros.Options{})
	if err != nil {
		t.Fatal(err)
	}
	ros.Start(t, s)
	state := net.Topic(t, "/lab/left/operating_state")
	var before, got []msgs.Message
	ros.Eventually(t, "snapshots that publishing missed", func() bool {
		before = append(before, state.Take()...)
		return s.Missed() > 0 && len(before) > 0
	})
	ros.Eventually(t, "a repetition", func() bool {
		got = append(got, state.Take()...)
		return len(got) > 0
	})
	if m := got[0].(*sinew_msgs.OperatingState); m.State != "ENABLED" || m.Reason != before[0].(*sinew_msgs.OperatingState).Reason {
		t.Errorf("%+v, then %+v", before[0], m)
	}
	closed := make(chan struct{})
	go func() { b.Close(); close(closed) }()
	select {
	case <-closed:
	case <-time.After(ros.Patience):
		t.Fatal("Close waits for the end of the simulator")
	}
}
