package rospeer

import (
	"sync"
	"time"

	"sinew/msgs"
	"sinew/msgs/sensor_msgs"
	"sinew/msgs/std_msgs"
	"sinew/pkg/ros"
)

// Publisher opens a topic of the robot, once.
func (s *Peer) Publisher(name string, t *msgs.Type, latched bool) ros.Publisher {
	s.t.Helper()
	if p := s.made[name]; p != nil {
		return p
	}
	p, err := s.node.Advertise(ros.Topic{Name: "/tendonsim/" + name, Type: t, Latched: latched})
	if err != nil {
		s.t.Fatal(err)
	}
	s.made[name] = p
	return p
}

// StreamTension commands a tension (N) of the tendon "up" at 50 Hz until stop is called, with
// stamps so long ago.
func (s *Peer) StreamTension(tension float64, age time.Duration) (stop func()) {
	return s.StreamTensionAt(50, tension, age)
}

// mostAtOnce bounds what a stream makes up for after this process stood still: more at once
// only push one another out of the histories of the network.
const mostAtOnce = 100

// StreamTensionAt is StreamTension at a rate (Hz), which may be more than timers can.
func (s *Peer) StreamTensionAt(rate, tension float64, age time.Duration) (stop func()) {
	s.t.Helper()
	p := s.Publisher("servo_jf", sensor_msgs.JointStateType, false)
	quit, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		begun := time.Now()
		for sent := 0; ; {
			due := 1 + int(time.Since(begun).Seconds()*rate)
			if missed := due - sent - mostAtOnce; missed > 0 {
				begun = begun.Add(time.Duration(float64(missed) / rate * 1e9))
				due -= missed
			}
			for ; sent < due; sent++ {
				p.Publish(ros.NewSample(&sensor_msgs.JointState{
					Header: std_msgs.Header{Stamp: msgs.At(time.Duration(time.Now().Add(-age).UnixNano()))},
					Name:   []string{"up"}, Effort: []float64{tension},
				}))
			}
			select {
			case <-quit:
				return
			case <-time.After(time.Duration(max(1e9/rate, 1e6))):
			}
		}
	}()
	return sync.OnceFunc(func() { close(quit); <-ended })
}

// SendStateCommand sends a state_command, once the robot listens.
func (s *Peer) SendStateCommand(text string) {
	s.t.Helper()
	p := s.Publisher("state_command", std_msgs.StringType, false)
	s.Await("a listener of state_command", func(Observation) bool { return p.HasSubscribers() })
	p.Publish(ros.NewSample(&std_msgs.String{Data: text}))
}
