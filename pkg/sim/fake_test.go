package sim

import (
	"errors"
	"math"
	"sync"
	"testing"
	"time"

	"sinew/pkg/sim/spatial"
)

// fakeClock is a Clock that never sleeps: SleepUntil moves it on. It may be used
// by several goroutines.
type fakeClock struct {
	mu  sync.Mutex
	now time.Duration
	// late, if set, is how much too late SleepUntil returns for the n-th time.
	late func(n int) time.Duration
	// slept, if set, is called without the lock after the n-th sleep.
	slept func(n int)
	n     int
}

func (c *fakeClock) Now() time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *fakeClock) SleepUntil(t time.Duration) {
	c.mu.Lock()
	c.now = max(c.now, t)
	if c.late != nil {
		c.now += c.late(c.n)
	}
	n := c.n
	c.n++
	c.mu.Unlock()
	if c.slept != nil {
		c.slept(n)
	}
}

func (c *fakeClock) pass(d time.Duration) {
	c.mu.Lock()
	c.now += d
	c.mu.Unlock()
}

// The ports of fakeModel.
const (
	portForce = iota
	portLength
	portWrench
	portJoints
	portTip
)

const (
	fakeStiffness = 4.0   // N/m
	fakeMaxForce  = 10.0  // N
	fakeForceRate = 64.0  // N/s
	fakeHz        = 256.0 // binary, so that sums of periods are exact
)

var errFake = errors.New("fake: the step does not converge")

// fakeModel is two masses whose speed is the force on them: x' = u, so that x is
// the sum of the forces times dt. Lengths act through a spring, u = k l.
type fakeModel struct {
	x, u   [2]float64
	wrench [7]float64
	steps  float64

	clock    *fakeClock                       // to let time pass in a step
	cost     func(step float64) time.Duration // how much
	failAt   float64                          // step that fails, if > 0
	brokenAt float64                          // step after which x is NaN, if > 0
	commands [][]float64                      // what Command was given, newest last
	record   bool
}

func (m *fakeModel) Ports() []Port {
	labels := []string{"a", "b"}
	return []Port{
		{Name: "servo_jf", Kind: Tension, Direction: In, Labels: labels, Unit: "N", Group: "tendons",
			Min: []float64{0, 0}, Max: []float64{fakeMaxForce, fakeMaxForce},
			MaxRate: []float64{fakeForceRate, fakeForceRate}, Safe: []float64{1, 1}},
		{Name: "servo_jp", Kind: TendonLength, Direction: In, Labels: labels, Unit: "m", Group: "tendons",
			Max: []float64{2, 2}, MaxRate: []float64{8, 8}},
		{Name: "external_wrench", Kind: Wrench, Direction: In, Frames: []string{World, "tip"}},
		{Name: "measured_js", Kind: JointState, Direction: Out, Labels: labels, Parts: Position | Effort},
		{Name: "tip", Kind: Pose, Direction: Out, Frames: []string{World}, Pace: Slow},
	}
}

func (m *fakeModel) Gauges() []Gauge { return []Gauge{{Key: "steps"}} }

func (m *fakeModel) Command(i int, v []float64) {
	if m.record {
		m.commands = append(m.commands, append([]float64{float64(i)}, v...))
	}
	switch i {
	case portForce, portLength:
		stiffness := 1.0
		if i == portLength {
			stiffness = fakeStiffness
		}
		for k, x := range v {
			if !IsKeep(x) {
				m.u[k] = stiffness * x
			}
		}
	case portWrench:
		copy(m.wrench[:], v)
	}
}

func (m *fakeModel) Setpoint(i int, dst []float64) {
	switch i {
	case portForce:
		copy(dst, m.u[:])
	case portLength:
		dst[0], dst[1] = m.u[0]/fakeStiffness, m.u[1]/fakeStiffness
	case portWrench:
		copy(dst, m.wrench[:])
	}
}

func (m *fakeModel) Value(i int, dst []float64) {
	switch i {
	case portJoints:
		copy(dst, m.x[:])
		copy(dst[2:], m.u[:])
	case portTip:
		copy(dst, []float64{m.x[0], 0, m.x[1], 0, 0, 0, 1})
	}
}

func (m *fakeModel) Measure(dst []float64) { dst[0] = m.steps }

func (m *fakeModel) Draw(dst *Scene) {
	if dst.Tubes == nil {
		dst.Tubes = []Tube{{Name: "rod", Points: make([]spatial.Vec, 2)}}
		dst.Spheres = []Sphere{{Name: "tip"}}
	}
	dst.Tubes[0].Points[1] = spatial.Vec{X: m.x[0]}
}

func (m *fakeModel) Step(dt float64) error {
	if m.cost != nil {
		m.clock.pass(m.cost(m.steps))
	}
	if m.failAt > 0 && m.steps+1 == m.failAt {
		return errFake
	}
	m.x[0] += m.u[0] * dt
	m.x[1] += m.u[1] * dt
	m.steps++
	if m.brokenAt > 0 && m.steps == m.brokenAt {
		m.x[1] = math.NaN()
	}
	return nil
}

func (m *fakeModel) StateLen() int { return 12 }

func (m *fakeModel) Save(dst []float64) {
	copy(dst, m.x[:])
	copy(dst[2:], m.u[:])
	copy(dst[4:], m.wrench[:])
	dst[11] = m.steps
}

func (m *fakeModel) Restore(src []float64) error {
	if !spatial.AllFinite(src) {
		return errors.New("fake: the state is not finite")
	}
	copy(m.x[:], src)
	copy(m.u[:], src[2:])
	copy(m.wrench[:], src[4:])
	m.steps = src[11]
	return nil
}

// fakeOptions: four steps to a period, everything published.
func fakeOptions() Options {
	return Options{ControlHz: fakeHz, PublishHz: fakeHz, MarkerHz: 16, StepS: 1 / fakeHz / 4, CommandTimeoutS: 0.125}
}

// newFake makes a simulator of a fakeModel that starts with forces of 2 N and
// 3 N. It is not running: tests drive it period by period.
func newFake(t testing.TB, o Options) (*Simulator, *fakeModel, *fakeClock) {
	t.Helper()
	c := &fakeClock{now: 1000 * time.Second}
	m := &fakeModel{u: [2]float64{2, 3}, clock: c}
	s, err := NewSimulator(m, c, o)
	if err != nil {
		t.Fatal(err)
	}
	return s, m, c
}

// ask does a request on a simulator that is not running.
func ask(t testing.TB, s *Simulator, text string) Reply {
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

// periods runs n control periods.
func periods(s *Simulator, n int) {
	for range n {
		s.loop.period(1)
	}
}

// drain reads all snapshots.
func drain(s *Simulator) []*Snapshot {
	var all []*Snapshot
	for {
		shot := s.NewSnapshot()
		if !s.Next(shot) {
			return all
		}
		all = append(all, shot)
	}
}
