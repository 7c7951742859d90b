package jacobian_test

import (
	"math"
	"reflect"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/zap"
	"go.uber.org/zap/zaptest/observer"

	"sinew/msgs"
	"sinew/msgs/diagnostic_msgs"
	"sinew/msgs/std_msgs"
	"sinew/pkg/ros"
	"sinew/pkg/ros/jacobian"
	"sinew/pkg/sim"
)

func stampOf(at *sim.StateCopy) time.Duration {
	return time.Hour + time.Duration(math.Round(at.SimTime*1e9))
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

// TestOnDemand: nothing is computed without a subscriber, and a recorder is none; what is published is the derivative at a
// snapshot, with its time; a trouble is logged once, and another model takes the place of the first.
func TestOnDemand(t *testing.T) {
	var broken atomic.Bool
	var asked, made atomic.Uint64
	model := func() *jacobian.Spring { return &jacobian.Spring{Broken: &broken, Asked: &asked} }
	s, err := sim.NewSimulator(model(), jacobian.Quick{time.Now()}, sim.Options{ControlHz: 1000, PublishHz: 200, StepS: 1e-3})
	if err != nil {
		t.Fatal(err)
	}
	another := func() (sim.Model, error) { made.Add(1); return model(), nil }
	core, logs := observer.New(zap.InfoLevel)
	net, file := new(jacobian.TopicInTest), new(jacobian.TopicInTest)
	file.Listens.Store(true)
	p, err := jacobian.New(s, jacobian.Source{Hz: 100, NewModel: another}, jacobian.Options{
		Name: "/lab/jacobian", Listeners: []ros.Transport{net}, Recorders: []ros.Transport{file}, Time: stampOf, Log: zap.New(core),
	})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	stop, ended := make(chan struct{}), make(chan error)
	go func() { ended <- s.Run(stop) }()
	time.Sleep(200 * time.Millisecond)
	if asked.Load() > 0 || made.Load() > 0 || file.Count() > 0 || p.Status().Message != "no subscriber" {
		t.Errorf("%d derivatives of %d models without a subscriber: %+v", asked.Load(), made.Load(), p.Status())
	}
	net.Listens.Store(true)
	waitFor(t, "derivatives", func() bool { return net.Count() > 5 })
	net.Mu.Lock()
	for i, m := range net.IsDiscovered {
		if len(m.Data) != 3 || math.Abs(m.Data[2]+time.Hour.Seconds()-m.Data[0]) > 1e-6 || math.Abs(time.Duration(net.Logged[i]).Seconds()-m.Data[0]) > 1e-9 {
			t.Errorf("%v at %v: not that of its time", m.Data, net.Logged[i])
		}
	}
	net.Mu.Unlock()
	if st := p.Status(); st.Level != diagnostic_msgs.DiagnosticStatusOk || st.Message != "published" || made.Load() != 1 {
		t.Errorf("%+v, of %d models", st, made.Load())
	}
	waitFor(t, "the recording", func() bool { return file.Count() > 0 })

	broken.Store(true)
	waitFor(t, "the trouble", func() bool { return p.Status().Level == diagnostic_msgs.DiagnosticStatusWarn })
	before, tried := net.Count(), asked.Load()
	waitFor(t, "more tries", func() bool { return asked.Load() > tried+5 })
	if st := p.Status(); net.Count() != before || !strings.Contains(st.Message, "it is broken") || logs.FilterMessageSnippet("nothing is published").Len() != 1 {
		t.Errorf("%d published, %+v, log %v", net.Count()-before, st, logs.All())
	}
	broken.Store(false)
	waitFor(t, "derivatives again", func() bool { return net.Count() > before })

	p.Change(jacobian.Source{Hz: 100, NewModel: another})
	p.Change(jacobian.Source{Hz: 50})
	waitFor(t, "another model", func() bool { return made.Load() == 2 })
	p.Change(jacobian.Source{})
	time.Sleep(100 * time.Millisecond)
	before = net.Count()
	time.Sleep(200 * time.Millisecond)
	if n := net.Count() - before; n > 0 || made.Load() != 2 {
		t.Errorf("%d published at 0 Hz, of %d models", n, made.Load())
	}
	close(stop)
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// TestCloseDoesNotWait: Close returns while a derivative is being taken, which then is not published.
func TestCloseDoesNotWait(t *testing.T) {
	model := &jacobian.Spring{Broken: new(atomic.Bool), Asked: new(atomic.Uint64), Slow: make(chan struct{})}
	s, err := sim.NewSimulator(&jacobian.Spring{}, jacobian.Quick{time.Now()}, sim.Options{ControlHz: 1000, PublishHz: 200, StepS: 1e-3})
	if err != nil {
		t.Fatal(err)
	}
	core, logs := observer.New(zap.InfoLevel)
	net := new(jacobian.TopicInTest)
	net.Listens.Store(true)
	p, err := jacobian.New(s, jacobian.Source{Hz: 100, NewModel: func() (sim.Model, error) { return model, nil }}, jacobian.Options{
		Name: "/lab/jacobian", Listeners: []ros.Transport{net}, Time: stampOf, Log: zap.New(core),
	})
	if err != nil {
		t.Fatal(err)
	}
	stop, ended := make(chan struct{}), make(chan error)
	go func() { ended <- s.Run(stop) }()
	waitFor(t, "a derivative that is being taken", func() bool { return model.Asked.Load() == 1 })
	p.Close()
	p.Close()
	close(model.Slow)
	time.Sleep(100 * time.Millisecond)
	if net.Count() > 0 || model.Asked.Load() != 1 || logs.Len() > 0 {
		t.Errorf("after Close %d published, %d taken, log %v", net.Count(), model.Asked.Load(), logs.All())
	}
	close(stop)
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

func TestPeriod(t *testing.T) {
	for hz, want := range map[float64]time.Duration{0: jacobian.Idle, 10: 100 * time.Millisecond, 1e12: time.Microsecond, 1e-10: jacobian.Longest, math.SmallestNonzeroFloat64: jacobian.Longest} {
		if got := jacobian.Period(hz); got != want {
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
	m, err := jacobian.Message(j, msgs.At(1_700_000_000*time.Second+500*time.Millisecond))
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
	if m, err := jacobian.Message(j, 0); err == nil || !strings.Contains(err.Error(), "tip.rx by tip_moment.x is NaN") {
		t.Errorf("%+v, %v", m, err)
	}
}
