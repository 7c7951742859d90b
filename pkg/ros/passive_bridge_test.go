package ros

import (
	"testing"
	"time"

	"sinew/msgs"
	"sinew/msgs/diagnostic_msgs"
	"sinew/msgs/sensor_msgs"
	"sinew/pkg/sim"
)

// pacedClock stands still but for SleepUntil, in which it calls tick.
type pacedClock struct {
	stillClock
	tick func()
}

func (c *pacedClock) SleepUntil(t time.Duration) {
	c.stillClock.SleepUntil(t)
	c.tick()
}

// TestPassiveBridge runs a simulator on one goroutine: snapshots are published
// where the loop would sleep, and a command that arrives there acts in the period
// that follows.
func TestPassiveBridge(t *testing.T) {
	m, net, clock := everyKind(), newMemory(), new(pacedClock)
	clock.now.Store(int64(noon))
	s := newSimulator(t, m, clock, quick)
	var heard []*Sample
	b, err := NewPassiveBridge(s, testNames(), []Transport{net}, Options{
		Clock: clock, Received: func(_ Topic, s *Sample) { heard = append(heard, s) },
	})
	if err != nil {
		t.Fatal(err)
	}
	stop, ticks := make(chan struct{}), 0
	clock.tick = func() {
		b.PublishPending()
		switch ticks++; ticks {
		case 3:
			net.arrive(t, "/lab/left/in_tension", &sensor_msgs.JointState{Effort: []float64{1, 2}})
		case 5:
			close(stop)
		}
	}
	if err := s.Run(stop); err != nil {
		t.Fatal(err)
	}
	b.PublishPending()
	samples := net.topic(t, "/lab/left/out_tension").takeSamples()
	if len(samples) != 6 {
		t.Fatalf("%d messages, want one at the start and one per period", len(samples))
	}
	for i, got := range samples {
		want := msgs.At(noon + time.Duration(i)*time.Millisecond)
		if stamp, _ := stampOf(got.Message()); got.Time != want || stamp != want {
			t.Errorf("message %d has time %v and stamp %v, want %v", i, got.Time, stamp, want)
		}
		if effort := got.Message().(*sensor_msgs.JointState).Effort; (effort[1] == 2) != (i >= 3) {
			t.Errorf("message %d has effort %v", i, effort)
		}
	}
	if n := len(net.topic(t, "/lab/left/markers").take()); n != 1 {
		t.Errorf("%d drawings in 5 ms, want 1", n)
	}
	if len(heard) != 1 || heard[0].Time != msgs.At(noon+3*time.Millisecond) {
		t.Errorf("heard %+v", heard)
	}
}

func TestStatuses(t *testing.T) {
	net := newMemory()
	b, _ := still(t, everyKind(), Options{Statuses: []func() diagnostic_msgs.DiagnosticStatus{
		func() diagnostic_msgs.DiagnosticStatus {
			return diagnostic_msgs.DiagnosticStatus{Name: "recording", Message: "fine"}
		},
	}}, net)
	b.report()
	array := only[*diagnostic_msgs.DiagnosticArray](t, net.topic(t, "/diagnostics"))
	if got := array.Status[len(array.Status)-1]; len(array.Status) != 5 || got.Name != "lab/left: recording" || got.HardwareID != "lab/left" || got.Message != "fine" {
		t.Errorf("diagnostics: %+v", array.Status)
	}
}

func TestModelPublisher(t *testing.T) {
	m, net := everyKind(), newMemory()
	s, err := NewModelPublisher(m.ports, testNames(), []Transport{net}, 0)
	if err != nil {
		t.Fatal(err)
	}
	b, _ := still(t, m, Options{}, newMemory())
	s.Publish(snapshot(b, m, 0, 1.5), noon)
	var scene sim.Scene
	m.Draw(&scene)
	s.PublishScene(&scene, noon)
	s.PublishScene(&scene, noon+markerPeriod/2)
	outs := 0
	for name, topic := range net.topics {
		samples := topic.takeSamples()
		if len(samples) != 1 {
			t.Errorf("%s: %d messages, want 1", name, len(samples))
			continue
		}
		outs++
		if stamp, stamped := stampOf(samples[0].Message()); samples[0].Time != msgs.At(noon) || stamped && stamp != msgs.At(noon) {
			t.Errorf("%s has time %v and stamp %v", name, samples[0].Time, stamp)
		}
	}
	if want := len(s.outputs) + 2; outs != want {
		t.Errorf("%d topics, want one for each output, /tf and markers: %d", outs, want)
	}
}
