package sim

import (
	"errors"
	"math"
	"sync"
	"testing"
	"time"

	"sinew/pkg/sim/spatial"
)

// FakeClock is a Clock that never sleeps: SleepUntil moves it on. It may be used
// by several goroutines.
type FakeClock struct {
	mu       sync.Mutex
	NowValue time.Duration
	// late, if set, is how much too late SleepUntil returns for the n-th time.
	Late func(n int) time.Duration
	// slept, if set, is called without the lock after the n-th sleep.
	Slept func(n int)
	N     int
}

func (c *FakeClock) Now() time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.NowValue
}

func (c *FakeClock) SleepUntil(t time.Duration) {
	c.mu.Lock()
	c.NowValue = max(c.NowValue, t)
	if c.Late != nil {
		c.NowValue += c.Late(c.N)
	}
	n := c.N
	c.N++
	c.mu.Unlock()
	if c.Slept != nil {
		c.Slept(n)
	}
}

func (c *FakeClock) Pass(d time.Duration) {
	c.mu.Lock()
	c.NowValue += d
	c.mu.Unlock()
}

// The ports of fakeModel.
const (
	PortForce = iota
	PortLength
	PortWrench
	PortJoints
	PortTip
)

const (
	fakeStiffness = 4.0   // N/m
	fakeMaxForce  = 10.0  // N
	FakeForceRate = 64.0  // N/s
	FakeHz        = 256.0 // binary, so that sums of periods are exact
)

var ErrFake = errors.New("fake: the step does not converge")

// FakeModel is two masses whose speed is the force on them: x' = u, so that x is
// the sum of the forces times dt. Lengths act through a spring, u = k l.
type FakeModel struct {
	X, U   [2]float64
	Wrench [7]float64
	Steps  float64

	clock    *FakeClock                       // to let time pass in a step
	Cost     func(step float64) time.Duration // how much
	FailAt   float64                          // step that fails, if > 0
	BrokenAt float64                          // step after which x is NaN, if > 0
	Commands [][]float64                      // what Command was given, newest last
	Record   bool
}

func (m *FakeModel) Ports() []Port {
	labels := []string{"a", "b"}
	return []Port{
		{Name: "servo_jf", Kind: Tension, Direction: In, Labels: labels, Unit: "N", Group: "tendons",
			Min: []float64{0, 0}, Max: []float64{fakeMaxForce, fakeMaxForce},
			MaxRate: []float64{FakeForceRate, FakeForceRate}, Safe: []float64{1, 1}},
		{Name: "servo_jp", Kind: TendonLength, Direction: In, Labels: labels, Unit: "m", Group: "tendons",
			Max: []float64{2, 2}, MaxRate: []float64{8, 8}},
		{Name: "external_wrench", Kind: Wrench, Direction: In, Frames: []string{World, "tip"}},
		{Name: "measured_js", Kind: JointState, Direction: Out, Labels: labels, Parts: Position | Effort},
		{Name: "tip", Kind: Pose, Direction: Out, Frames: []string{World}, Pace: Slow},
	}
}

func (m *FakeModel) Gauges() []Gauge { return []Gauge{{Key: "steps"}} }

func (m *FakeModel) Command(i int, v []float64) {
	if m.Record {
		m.Commands = append(m.Commands, append([]float64{float64(i)}, v...))
	}
	switch i {
	case PortForce, PortLength:
		stiffness := 1.0
		if i == PortLength {
			stiffness = fakeStiffness
		}
		for k, x := range v {
			if !IsKeep(x) {
				m.U[k] = stiffness * x
			}
		}
	case PortWrench:
		copy(m.Wrench[:], v)
	}
}

func (m *FakeModel) Setpoint(i int, dst []float64) {
	switch i {
	case PortForce:
		copy(dst, m.U[:])
	case PortLength:
		dst[0], dst[1] = m.U[0]/fakeStiffness, m.U[1]/fakeStiffness
	case PortWrench:
		copy(dst, m.Wrench[:])
	}
}

func (m *FakeModel) Value(i int, dst []float64) {
	switch i {
	case PortJoints:
		copy(dst, m.X[:])
		copy(dst[2:], m.U[:])
	case PortTip:
		copy(dst, []float64{m.X[0], 0, m.X[1], 0, 0, 0, 1})
	}
}

func (m *FakeModel) Measure(dst []float64) { dst[0] = m.Steps }

func (m *FakeModel) Draw(dst *Scene) {
	if dst.Tubes == nil {
		dst.Tubes = []Tube{{Name: "rod", Points: make([]spatial.Vec, 2)}}
		dst.Spheres = []Sphere{{Name: "tip"}}
	}
	dst.Tubes[0].Points[1] = spatial.Vec{X: m.X[0]}
}

func (m *FakeModel) Step(dt float64) error {
	if m.Cost != nil {
		m.clock.Pass(m.Cost(m.Steps))
	}
	if m.FailAt > 0 && m.Steps+1 == m.FailAt {
		return ErrFake
	}
	m.X[0] += m.U[0] * dt
	m.X[1] += m.U[1] * dt
	m.Steps++
	if m.BrokenAt > 0 && m.Steps == m.BrokenAt {
		m.X[1] = math.NaN()
	}
	return nil
}

func (m *FakeModel) StateLen() int { return 12 }

func (m *FakeModel) Save(dst []float64) {
	copy(dst, m.X[:])
	copy(dst[2:], m.U[:])
	copy(dst[4:], m.Wrench[:])
	dst[11] = m.Steps
}

func (m *FakeModel) Restore(src []float64) error {
	if !spatial.AllFinite(src) {
		return errors.New("fake: the state is not finite")
	}
	copy(m.X[:], src)
	copy(m.U[:], src[2:])
	copy(m.Wrench[:], src[4:])
	m.Steps = src[11]
	return nil
}

// FakeOptions: four steps to a period, everything published.
func FakeOptions() Options {
	return Options{ControlHz: FakeHz, PublishHz: FakeHz, MarkerHz: 16, StepS: 1 / FakeHz / 4, CommandTimeoutS: 0.125}
}

// NewFake makes a simulator of a fakeModel that starts with forces of 2 N and
// 3 N. It is not running: tests drive it period by period.
func NewFake(t testing.TB, o Options) (*Simulator, *FakeModel, *FakeClock) {
	t.Helper()
	c := &FakeClock{NowValue: 1000 * time.Second}
	m := &FakeModel{U: [2]float64{2, 3}, clock: c}
	s, err := NewSimulator(m, c, o)
	if err != nil {
		t.Fatal(err)
	}
	return s, m, c
}

// Ask does a request on a simulator that is not running.
func Ask(t testing.TB, s *Simulator, text string) Reply {
	t.Helper()
	r, err := ParseRequest(text)
	if err != nil {
		t.Fatal(err)
	}
	if r.Verb == EStop {
		b := s.requests.urgent.stops.ask()
		s.loop.serveUrgent()
		for s.loop.steps.current != nil {
			s.loop.stepOnce()
		}
		return b.reply
	}
	c := call{r, make(chan Reply, 1)}
	s.loop.handle(c)
	s.loop.showOutcome()
	for s.loop.steps.current != nil {
		s.loop.stepOnce()
	}
	return <-c.reply
}

// Periods runs n control periods.
func Periods(s *Simulator, n int) {
	for range n {
		s.loop.period(1)
	}
}

// Drain reads all snapshots.
func Drain(s *Simulator) []*Snapshot {
	var all []*Snapshot
	for {
		shot := s.NewSnapshot()
		if !s.Next(shot) {
			return all
		}
		all = append(all, shot)
	}
}
