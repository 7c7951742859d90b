package ros

import (
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"sinew/pkg/ros/naming"
	"sinew/pkg/sim"
	"sinew/pkg/sim/spatial"
)

// FakeModel is no robot in particular: it has an Out port of every kind, and an
// In port of every kind that can be commanded, whose setpoint the Out port of
// the same kind gives back.
type FakeModel struct {
	ports          []sim.Port
	values         [][]float64 // by port
	echo           []int       // by Out port, the In port whose setpoint it shows, or -1
	gauge, divided float64
	fail           *atomic.Bool                  // Step fails while set
	hang           atomic.Pointer[chan struct{}] // Step waits for it to be closed
	hanging        atomic.Bool                   // Step waits
	DrawValue      func(*sim.Scene)
}

var errFake = errors.New("newton: no convergence at t = 1 s")

var two, coils = []string{"left", "right"}, []string{"c1", "c2", "c3"}

// pose values that are exact in binary, so that nothing is rounded on the way:
// quarter turns and halves.
var (
	tipValues  = []float64{0.25, -0.5, 2, 0.5, 0.5, 0.5, 0.5}
	baseValues = []float64{1, 2, 3, 0, 0, 1, 0}
)

func EveryKind() *FakeModel {
	m := &FakeModel{fail: new(atomic.Bool)}
	add := func(in bool, p sim.Port) {
		p.Frames = append(p.Frames, frameDefaults(p.Kind)...)
		out := p
		out.Name, out.Direction, out.Plain, out.Max, out.Group = "out_"+p.Name, sim.Out, "", nil, ""
		echo := -1
		if in {
			p.Name, p.Direction = "in_"+p.Name, sim.In
			echo = len(m.ports)
			m.Add(p, -1)
		}
		m.Add(out, echo)
	}
	add(true, sim.Port{Name: "tension", Kind: sim.Tension, Labels: two, Unit: "N", Plain: "plain_tension", Min: []float64{0, 0}, Max: []float64{20, 20}})
	add(true, sim.Port{Name: "length", Kind: sim.TendonLength, Labels: two, Unit: "m"})
	add(true, sim.Port{Name: "pose", Kind: sim.Pose})
	add(true, sim.Port{Name: "twist", Kind: sim.Twist})
	add(true, sim.Port{Name: "wrench", Kind: sim.Wrench, Frames: []string{"base", "tip"}, Plain: "plain_wrench"})
	add(true, sim.Port{Name: "joints", Kind: sim.JointState, Labels: two, Parts: sim.Position | sim.Effort})
	add(true, sim.Port{Name: "poses", Kind: sim.PoseArray, Labels: two})
	add(true, sim.Port{Name: "field", Kind: sim.Field})
	add(true, sim.Port{Name: "gradient", Kind: sim.FieldGradient})
	add(true, sim.Port{Name: "rotating", Kind: sim.RotatingField})
	add(true, sim.Port{Name: "currents", Kind: sim.Currents, Labels: coils})
	add(false, sim.Port{Name: "path", Kind: sim.Path, Pace: sim.Slow})
	m.Add(sim.Port{Name: "base_frame", Kind: sim.Pose, Direction: sim.Out, Frames: []string{sim.World}, Child: "base", Parent: sim.World, Silent: true}, -1)
	m.Add(sim.Port{Name: "tip_frame", Kind: sim.Pose, Direction: sim.Out, Frames: []string{sim.World}, Child: "tip", Parent: "base"}, -1)
	copy(m.value("base_frame"), baseValues)
	copy(m.value("tip_frame"), tipValues)
	copy(m.value("out_path"), tipValues)
	return m
}

func frameDefaults(k sim.Kind) []string {
	switch k {
	case sim.Tension, sim.TendonLength, sim.JointState, sim.Currents:
		return nil
	case sim.Wrench:
		return []string{"body"}
	}
	return []string{sim.World}
}

func (m *FakeModel) Add(p sim.Port, echo int) {
	m.ports = append(m.ports, p)
	m.values = append(m.values, make([]float64, p.Width()))
	m.echo = append(m.echo, echo)
}

// Put sets the values of a port before the model is used.
func (m *FakeModel) Put(name string, v ...float64) { copy(m.value(name), v) }

func (m *FakeModel) index(name string) int {
	for i := range m.ports {
		if m.ports[i].Name == name {
			return i
		}
	}
	panic("no port " + name)
}

// value is the storage of a port's values.
func (m *FakeModel) value(name string) []float64 { return m.values[m.index(name)] }

func (m *FakeModel) Ports() []sim.Port { return m.ports }

func (m *FakeModel) Gauges() []sim.Gauge {
	return []sim.Gauge{{Key: "newton_iterations", Warn: 12}, {Key: sim.UnconvergedSteps}, {Key: sim.DividedSteps, Warn: 0.5, Hint: "too fast"}}
}

func (m *FakeModel) Command(i int, v []float64) {
	for k, x := range v {
		if !sim.IsKeep(x) {
			m.values[i][k] = x
		}
	}
}

func (m *FakeModel) Setpoint(i int, dst []float64) { copy(dst, m.values[i]) }

func (m *FakeModel) Value(i int, dst []float64) {
	if from := m.echo[i]; from >= 0 {
		i = from
	}
	copy(dst, m.values[i])
}

func (m *FakeModel) Measure(dst []float64) { dst[0], dst[1], dst[2] = m.gauge, 3, m.divided }

func (m *FakeModel) Draw(dst *sim.Scene) {
	if m.DrawValue != nil {
		m.DrawValue(dst)
		return
	}
	dst.Tubes = append(dst.Tubes[:0], sim.Tube{Name: "rod", Points: []spatial.Vec{{}, {Z: 1}}, Radius: 0.1})
}

func (m *FakeModel) Step(float64) error {
	if wait := m.hang.Load(); wait != nil {
		m.hanging.Store(true)
		<-*wait
		m.hanging.Store(false)
	}
	if m.fail.Load() {
		return errFake
	}
	return nil
}

// Stop makes the next Step hang, waits until it does, and returns what lets it go on.
func (m *FakeModel) Stop(t *testing.T) (goOn func()) {
	t.Helper()
	wait := make(chan struct{})
	m.hang.Store(&wait)
	goOn = sync.OnceFunc(func() {
		m.hang.Store(nil)
		close(wait)
	})
	t.Cleanup(goOn) // before the loop is waited for
	Eventually(t, "a step hangs", m.hanging.Load)
	return goOn
}

func (m *FakeModel) StateLen() int {
	n := 0
	for _, v := range m.values {
		n += len(v)
	}
	return n
}

func (m *FakeModel) Save(dst []float64) {
	for _, v := range m.values {
		dst = dst[copy(dst, v):]
	}
}

func (m *FakeModel) Restore(src []float64) error {
	for _, v := range m.values {
		src = src[copy(v, src):]
	}
	return nil
}

// StillClock stands at a time that tests set.
type StillClock struct{ NowValue atomic.Int64 }

func (c *StillClock) Now() time.Duration { return time.Duration(c.NowValue.Load()) }

func (c *StillClock) SleepUntil(t time.Duration) { c.NowValue.Store(int64(max(t, c.Now()))) }

// Quick are options of a simulator for tests; every snapshot of it is Slow.
var Quick = sim.Options{ControlHz: 1000, PublishHz: 1000, MarkerHz: 1000, StepS: 0.001, CommandTimeoutS: 0.05}

func NewSimulator(t *testing.T, m sim.Model, c sim.Clock, o sim.Options) *sim.Simulator {
	t.Helper()
	s, err := sim.NewSimulator(m, c, o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Start runs a simulator until the test ends.
func Start(t *testing.T, s *sim.Simulator) {
	t.Helper()
	stop, ended := make(chan struct{}), make(chan error)
	go func() { ended <- s.Run(stop) }()
	t.Cleanup(func() {
		close(stop)
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
}

// Names names node left in namespace /lab, with one remapping.
func Names() *naming.Names {
	args, err := naming.ParseArgs([]string{"__ns:=/lab", "__name:=left", "~plain_tension:=/tensions"})
	if err != nil {
		panic(err)
	}
	names, err := naming.NewNames("robot", args, func(string) (string, bool) { return "", false })
	if err != nil {
		panic(err)
	}
	return names
}

// Still makes a bridge that is served by hand: nothing runs beside the test.
func Still(t *testing.T, m *FakeModel, o Options, transports ...Transport) (*Bridge, *StillClock) {
	t.Helper()
	c := new(StillClock)
	c.NowValue.Store(int64(1000 * time.Second))
	if o.Clock == nil {
		o.Clock = c
	}
	b, err := newBridge(NewSimulator(t, m, c, Quick), Names(), transports, o)
	if err != nil {
		t.Fatal(err)
	}
	return b, c
}

// snapshot is one of the model's present values.
func snapshot(b *Bridge, m *FakeModel, at time.Duration, simTime float64) *sim.Snapshot {
	s := b.sim.NewSnapshot()
	s.Seq, s.SimTime, s.Stamp, s.State, s.Slow = 1, simTime, at, sim.Enabled, true
	for i, v := range s.Values {
		if v != nil {
			m.Value(i, v)
		}
	}
	m.Measure(s.Gauges)
	return s
}
