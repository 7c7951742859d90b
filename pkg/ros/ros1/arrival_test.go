package ros1

import (
	"sync/atomic"
	"testing"

	"go.uber.org/zap"

	"sinew/msgs"
	"sinew/msgs/std_srvs"
	"sinew/pkg/ros"
)

// Requests are taken when they arrive, though their responses wait for one another.
func TestServiceTakesAtOnce(t *testing.T) {
	release, taken := make(chan struct{}), new(atomic.Int64)
	s := &service{name: "/sim/reset", kind: std_srvs.Trigger, log: zap.NewNop(), handle: func(msgs.Message) func() msgs.Message {
		taken.Add(1)
		return func() msgs.Message { <-release; return &std_srvs.TriggerResponse{Success: true} }
	}}
	answered := make(chan []byte, 2)
	for range 2 {
		go func() { answered <- s.appendAnswer(nil, nil) }()
	}
	eventually(t, "both are taken", func() bool { return taken.Load() == 2 })
	close(release)
	for range 2 {
		if a := <-answered; len(a) == 0 || a[0] != 1 {
			t.Errorf("answer %v", a)
		}
	}
}

// A node that publishes through two connections, as one that was started again, has left
// when the second one ends.
func TestDepartureOfTheLast(t *testing.T) {
	var gone int
	s := newSubscription("/sim", ros.Topic{Name: "/x", Departures: true}, func(got ros.Received) {
		if got.Gone {
			gone++
		}
	}, new(atomic.Uint64), zap.NewNop())
	a, b := ros.Sender{Node: "/a"}, ros.Sender{Node: "/b"}
	s.come(a)
	s.come(a)
	s.come(b)
	for i, want := range []int{0, 1} {
		if s.gone(a); gone != want {
			t.Errorf("after the %d. end: %d departures, want %d", i+1, gone, want)
		}
	}
	if s.gone(b); gone != 2 || len(s.heard) != 0 {
		t.Errorf("%d departures, still heard: %v", gone, s.heard)
	}
}
