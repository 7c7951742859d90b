package jacobian

import (
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"sinew/msgs"
	"sinew/msgs/std_msgs"
	"sinew/pkg/ros"
	"sinew/pkg/sim"
)

// Unexported names for the external tests.
const (
	Idle    = idle
	Longest = longest
)

var Period = period

// Spring is a model whose one output answers its one input by what its state says.
type Spring struct {
	sim.Model // its other methods are not called
	x         float64
	Broken    *atomic.Bool
	Asked     *atomic.Uint64
	Slow      chan struct{} // how long a derivative takes; nil: not at all
}

func (s *Spring) Ports() []sim.Port           { return nil }
func (s *Spring) Gauges() []sim.Gauge         { return nil }
func (s *Spring) Measure([]float64)           {}
func (s *Spring) Draw(*sim.Scene)             {}
func (s *Spring) StateLen() int               { return 1 }
func (s *Spring) Save(dst []float64)          { dst[0] = s.x }
func (s *Spring) Restore(src []float64) error { s.x = src[0]; return nil }
func (s *Spring) Step(dt float64) error       { s.x += dt; return nil }

func (s *Spring) HasDerivatives() bool { return true }
func (s *Spring) Jacobian(...sim.Varied) (*sim.Jacobian, error) {
	panic("an equilibrium is looked for")
}

func (s *Spring) Tangent() (*sim.Jacobian, error) {
	s.Asked.Add(1)
	if s.Slow != nil {
		<-s.Slow
	}
	if s.Broken.Load() {
		return nil, errors.New("it is broken")
	}
	return &sim.Jacobian{Outputs: []string{"x"}, OutputUnits: []string{"m"}, Inputs: []string{"force"}, InputUnits: []string{"N"}, Values: [][]float64{{s.x}}}, nil
}

// Quick is a clock that does not wait long.
type Quick struct{ Begun time.Time }

func (q Quick) Now() time.Duration         { return time.Since(q.Begun) }
func (q Quick) SleepUntil(t time.Duration) { time.Sleep(t - q.Now()) }

// TopicInTest is a network of one topic.
type TopicInTest struct {
	ros.Transport
	Listens      atomic.Bool
	Mu           sync.Mutex
	IsDiscovered []*std_msgs.Float64MultiArray
	Logged       []msgs.Time
}

func (n *TopicInTest) Advertise(t ros.Topic) (ros.Publisher, error) {
	if t.Name != "/lab/jacobian" || t.Type != std_msgs.Float64MultiArrayType {
		return nil, errors.New("no such topic")
	}
	return n, nil
}
func (n *TopicInTest) HasSubscribers() bool { return n.Listens.Load() }
func (n *TopicInTest) Publish(s *ros.Sample) {
	n.Mu.Lock()
	defer n.Mu.Unlock()
	n.IsDiscovered, n.Logged = append(n.IsDiscovered, s.Message().(*std_msgs.Float64MultiArray)), append(n.Logged, s.Time)
}
func (n *TopicInTest) Count() int {
	n.Mu.Lock()
	defer n.Mu.Unlock()
	return len(n.IsDiscovered)
}
