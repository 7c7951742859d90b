package jacobian

import (
	"errors"
	"math"
	"reflect"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/zap"
	"go.uber.org/zap/zaptest/observer"

	"sinew/msgs"
	"sinew/msgs/diagnostic_msgs"
	"sinew/msgs/std_msgs"
	"sinew/pkg/ros"
	"sinew/pkg/sim"
)

// spring is a model whose one output answers its one input by what its state says.
type spring struct {
	sim.Model // of which nobody asks more
	x         float64
	broken    *atomic.Bool
	asked     *atomic.Uint64
	slow      chan struct{} // how long a derivative takes; nil: not at all
}

func (s *spring) Ports() []sim.Port           { return nil }
func (s *spring) Gauges() []sim.Gauge         { return nil }
func (s *spring) Measure([]float64)           {}
func (s *spring) Draw(*sim.Scene)             {}
func (s *spring) StateLen() int               { return 1 }
func (s *spring) Save(dst []float64)          { dst[0] = s.x }
func (s *spring) Restore(src []float64) error { s.x = src[0]; return nil }
func (s *spring) Step(dt float64) error       { s.x += dt; return nil }

func (s *spring) HasDerivatives() bool { return true }
func (s *spring) Jacobian(...sim.Varied) (*sim.Jacobian, error) {
	panic("an equilibrium is looked for")
}

func (s *spring) Tangent() (*sim.Jacobian, error) {
	s.asked.Add(1)
	if s.slow != nil {
		<-s.slow
	}
	if s.broken.Load() {
		return nil, errors.New("it is broken")
	}
	return &sim.Jacobian{Outputs: []string{"x"}, OutputUnits: []string{"m"}, Inputs: []string{"force"}, InputUnits: []string{"N"}, Values: [][]float64{{s.x}}}, nil
}

// quick is a clock that does not wait long.
type quick struct{ begun time.Time }

func (q quick) Now() time.Duration         { return time.Since(q.begun) }
func (q quick) SleepUntil(t time.Duration) { time.Sleep(t - q.Now()) }
func stampOf(at *sim.StateCopy) time.Duration {
	return time.Hour + time.Duration(math.Round(at.SimTime*1e9))
}

// topic is a network of one topic.
type topic struct {
	ros.Transport
	listens atomic.Bool
	mu      sync.Mutex
	heard   []*std_msgs.Float64MultiArray
	logged  []msgs.Time
}

func (n *topic) Advertise(t ros.Topic) (ros.Publisher, error) {
	if t.Name != "/lab/jacobian" || t.Type != std_msgs.Float64MultiArrayType {
		return nil, errors.New("no such topic")
	}
	return n, nil
}
func (n *topic) Wanted() bool { return n.listens.Load() }
func (n *topic) Publish(s *ros.Sample) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.heard, n.logged = append(n.heard, s.Message().(*std_msgs.Float64MultiArray)), append(n.logged, s.Time)
}
func (n *topic) count() int {
	n.mu.Lock()
	defer n.mu.Unlock()
	return len(n.heard)
}

func waitFor(t *testing.T, what string, done func() bool) {
	t.Helper()
	for range 2000 {
		if done() {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	t.Fatal("timed out waiting for ", what)
}

// TestOnDemand: nothing is computed while nobody listens, a recorder is nobody; what is published is the derivative at a
// snapshot, with its time; a trouble is told once, and another model takes the place of the first.
func TestOnDemand(t *testing.T) {
	var broken atomic.Bool
	var asked, made atomic.Uint64
	model := func() *spring { return &spring{broken: &broken, asked: &asked} }
	s, err := sim.NewSimulator(model(), quick{time.Now()}, sim.Options{ControlHz: 1000, PublishHz: 200, StepS: 1e-3})
	if err != nil {
		t.Fatal(err)
	}
	another := func() (sim.Model, error) { made.Add(1); return model(), nil }
	core, logs := observer.New(zap.InfoLevel)
	net, file := new(topic), new(topic)
	file.listens.Store(true)
	p, err := New(s, Source{Hz: 100, Another: another}, Options{
		Name: "/lab/jacobian", Listeners: []ros.Transport{net}, Recorders: []ros.Transport{file}, Time: stampOf, Log: zap.New(core),
	})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	stop, ended := make(chan struct{}), make(chan error)
	go func() { ended <- s.Run(stop) }()
	time.Sleep(200 * time.Millisecond)
	if asked.Load() > 0 || made.Load() > 0 || file.count() > 0 || p.Status().Message != "nobody listens" {
		t.Errorf("%d derivatives of %d models though nobody listens: %+v", asked.Load(), made.Load(), p.Status())
	}
	net.listens.Store(true)
	waitFor(t, "derivatives", func() bool { return net.count() > 5 })
	net.mu.Lock()
	for i, m := range net.heard {
		if len(m.Data) != 3 || math.Abs(m.Data[2]+time.Hour.Seconds()-m.Data[0]) > 1e-6 || math.Abs(time.Duration(net.logged[i]).Seconds()-m.Data[0]) > 1e-9 {
			t.Errorf("%v at %v: not that of its time", m.Data, net.logged[i])
		}
	}
	net.mu.Unlock()
	if st := p.Status(); st.Level != diagnostic_msgs.DiagnosticStatusOk || st.Message != "published" || made.Load() != 1 {
		t.Errorf("%+v, of %d models", st, made.Load())
	}
	waitFor(t, "the recording", func() bool { return file.count() > 0 })

	broken.Store(true)
	waitFor(t, "the trouble", func() bool { return p.Status().Level == diagnostic_msgs.DiagnosticStatusWarn })
	before, tried := net.count(), asked.Load()
	waitFor(t, "more tries", func() bool { return asked.Load() > tried+5 })
	if st := p.Status(); net.count() != before || !strings.Contains(st.Message, "it is broken") || logs.FilterMessageSnippet("nothing is published").Len() != 1 {
		t.Errorf("%d published, %+v, log %v", net.count()-before, st, logs.All())
	}
	broken.Store(false)
	waitFor(t, "derivatives again", func() bool { return net.count() > before })

	p.Change(Source{Hz: 100, Another: another})
	p.Change(Source{Hz: 50})
	waitFor(t, "another model", func() bool { return made.Load() == 2 })
	p.Change(Source{})
	time.Sleep(100 * time.Millisecond)
	before = net.count()
	time.Sleep(200 * time.Millisecond)
	if n := net.count() - before; n > 0 || made.Load() != 2 {
		t.Errorf("%d published at 0 Hz, of %d models", n, made.Load())
	}
	close(stop)
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// TestCloseDoesNotWait: Close returns while a derivative is being taken, which then is not published.
func TestCloseDoesNotWait(t *testing.T) {
	model := &spring{broken: new(atomic.Bool), asked: new(atomic.Uint64), slow: make(chan struct{})}
	s, err := sim.NewSimulator(&spring{}, quick{time.Now()}, sim.Options{ControlHz: 1000, PublishHz: 200, StepS: 1e-3})
	if err != nil {
		t.Fatal(err)
	}
	core, logs := observer.New(zap.InfoLevel)
	net := new(topic)
	net.listens.Store(true)
	p, err := New(s, Source{Hz: 100, Another: func() (sim.Model, error) { return model, nil }}, Options{
		Name: "/lab/jacobian", Listeners: []ros.Transport{net}, Time: stampOf, Log: zap.New(core),
	})
	if err != nil {
		t.Fatal(err)
	}
	stop, ended := make(chan struct{}), make(chan error)
	go func() { ended <- s.Run(stop) }()
	waitFor(t, "a derivative that is being taken", func() bool { return model.asked.Load() == 1 })
	p.Close()
	p.Close()
	close(model.slow)
	time.Sleep(100 * time.Millisecond)
	if net.count() > 0 || model.asked.Load() != 1 || logs.Len() > 0 {
		t.Errorf("after Close %d published, %d taken, log %v", net.count(), model.asked.Load(), logs.All())
	}
	close(stop)
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// TestOnlyPublishedOnesCount: a derivative whose listener has gone meanwhile is none, and one without a time says why.
func TestOnlyPublishedOnesCount(t *testing.T) {
	model := &spring{broken: new(atomic.Bool), asked: new(atomic.Uint64)}
	s, err := sim.NewSimulator(model, quick{time.Now()}, sim.Options{ControlHz: 1000, PublishHz: 200, StepS: 1e-3, Follow: true})
	if err != nil {
		t.Fatal(err)
	}
	net, now := new(topic), time.Hour
	p := &Publisher{sim: s, publishers: []ros.Publisher{net}, listeners: 1, stop: make(chan struct{}), options: Options{
		Time: func(*sim.StateCopy) time.Duration { return now }, Log: zap.NewNop(),
	}}
	at := &sim.StateCopy{State: []float64{1}}
	if published, err := p.publish(model, at); published || err != nil {
		t.Errorf("published to nobody: %t, %v", published, err)
	}
	net.listens.Store(true)
	if published, err := p.publish(model, at); !published || err != nil || net.count() != 1 {
		t.Errorf("%t, %v, %d published", published, err, net.count())
	}
	now = 0
	if published, err := p.publish(model, at); published || !errors.Is(err, errNoTime) || net.count() != 1 {
		t.Errorf("without a time: %t, %v", published, err)
	}
	p.tell(false, nil, 0)
	p.tell(true, nil, 0)
	if st := p.Status(); st.Values[0].Value != "1" {
		t.Errorf("%+v, want 1 computed", st)
	}
}

func TestPeriod(t *testing.T) {
	for hz, want := range map[float64]time.Duration{0: idle, 10: 100 * time.Millisecond, 1e12: time.Microsecond, 1e-10: longest, math.SmallestNonzeroFloat64: longest} {
		if got := period(hz); got != want {
			t.Errorf("%g Hz: %d ns, want %d", hz, got, want)
		}
	}
}

// TestMessage pins the layout, which docs/ros.md describes.
func TestMessage(t *testing.T) {
	j := &sim.Jacobian{
		Outputs: []string{"tip.x", "tip.rx"}, OutputUnits: []string{"m", "rad"},
		Inputs: []string{"tension.a", "base.x", "tip_moment.x"}, InputUnits: []string{"N", "m", "N m"},
		Values: [][]float64{{1, 2, 3}, {4, 5, 6}}, Inexact: 3e-11,
	}
	m, err := Message(j, msgs.At(1_700_000_000*time.Second+500*time.Millisecond))
	want := &std_msgs.Float64MultiArray{
		Layout: std_msgs.MultiArrayLayout{
			Dim: []std_msgs.MultiArrayDimension{
				{Label: "tip.x [m],tip.rx [rad]", Size: 2, Stride: 6}, {Label: "tension.a [N],base.x [m],tip_moment.x [N m]", Size: 3, Stride: 3},
			},
			DataOffset: 2,
		},
		Data: []float64{1700000000.5, 3e-11, 1, 2, 3, 4, 5, 6},
	}
	if err != nil || !reflect.DeepEqual(m, want) {
		t.Errorf("%+v, %v; want %+v", m, err, want)
	}
	j.Values[1][2] = math.NaN()
	if m, err := Message(j, 0); err == nil || !strings.Contains(err.Error(), "tip.rx by tip_moment.x is NaN") {
		t.Errorf("%+v, %v", m, err)
	}
}
