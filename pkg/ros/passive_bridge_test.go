package ros_test

import (
	"testing"
	"time"

	"sinew/msgs"
	"sinew/msgs/sensor_msgs"
	"sinew/pkg/ros"
)

// pacedClock stands still but for SleepUntil, in which it calls tick.
type pacedClock struct {
	ros.StillClock
	tick func()
}

func (c *pacedClock) SleepUntil(t time.Duration) {
	c.StillClock.SleepUntil(t)
	c.tick()
}

// TestPassiveBridge runs a simulator on one goroutine: snapshots are published
// where the loop would sleep, and a command that arrives there acts in the period
// that follows.
func TestPassiveBridge(t *testing.T) {
	m, net, clock := ros.EveryKind(), ros.NewMemory(), new(pacedClock)
	clock.NowValue.Store(int64(ros.Noon))
	s := ros.NewSimulator(t, m, clock, ros.Quick)
	var heard []*ros.Sample
	b, err := ros.NewPassiveBridge(s, ros.Names(), []ros.Transport{net}, ros.Options{
		Clock: clock, Received: func(_ ros.Topic, s *ros.Sample) { heard = append(heard, s) },
	})
	if err != nil {
		t.Fatal(err)
	}
	stop, ticks := make(chan struct{}), 0
	clock.tick = func() {
		b.PublishPending()
		switch ticks++; ticks {
		case 3:
			net.Arrive(t, "/lab/left/in_tension", &sensor_msgs.JointState{Effort: []float64{1, 2}})
		case 5:
			close(stop)
		}
	}
	if err := s.Run(stop); err != nil {
		t.Fatal(err)
	}
	b.PublishPending()
	samples := net.Topic(t, "/lab/left/out_tension").TakeSamples()
	if len(samples) != 6 {
		t.Fatalf("%d messages, want one at the start and one per period", len(samples))
	}
	for i, got := range samples {
		want := msgs.At(ros.Noon + time.Duration(i)*time.Millisecond)
		if stamp, _ := ros.StampOf(got.Message()); got.Time != want || stamp != want {
			t.Errorf("message %d has time %v and stamp %v, want %v", i, got.Time, stamp, want)
		}
		if effort := got.Message().(*sensor_msgs.JointState).Effort; (effort[1] == 2) != (i >= 3) {
			t.Errorf("message %d has effort %v", i, effort)
		}
	}
	if n := len(net.Topic(t, "/lab/left/markers").Take()); n != 1 {
		t.Errorf("%d drawings in 5 ms, want 1", n)
	}
	if len(heard) != 1 || heard[0].Time != msgs.At(ros.Noon+3*time.Millisecond) {
		t.Errorf("heard %+v", heard)
	}
}
