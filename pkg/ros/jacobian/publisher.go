package jacobian

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"sync"
	"time"

	"go.uber.org/zap"

	"sinew/msgs"
	"sinew/msgs/diagnostic_msgs"
	"sinew/msgs/std_msgs"
	"sinew/pkg/ros"
	"sinew/pkg/sim"
)

// Topic is the private name of the topic.
const Topic = "jacobian"

// Source is what a Publisher takes derivatives of.
type Source struct {
	// Hz is how often a second a derivative is published at most; 0: never.
	Hz float64
	// NewModel makes a second model of the robot, in any state. It is called when the topic gets a
	// subscriber. In Change nil keeps the previous function.
	NewModel func() (sim.Model, error)
}

// Options are those of a Publisher.
type Options struct {
	Name string // of the topic, resolved
	// Listeners are where somebody may listen. Recorders get what is published, but nothing is computed for
	// them alone.
	Listeners, Recorders []ros.Transport
	// Time is the stamp of what was at a snapshot.
	Time func(at *sim.StateCopy) time.Duration
	Log  *zap.Logger // nil: nobody
}

// Publisher publishes the derivative of the robot of a simulator.
type Publisher struct {
	sim        *sim.Simulator
	options    Options
	publishers []ros.Publisher // those of Listeners first
	listeners  int
	changed    chan Source // capacity 1: the newest
	stop       chan struct{}
	stopped    sync.Once
	publishing sync.Mutex // Close waits for it, and not for a derivative

	mu       sync.Mutex
	computed uint64        // and published to somebody
	took     time.Duration // the newest
	trouble  string        // why there is no derivative now; empty: there is
}

// New opens the topic and begins to publish. It is the only reader of the simulator's copies of the state. Close ends it.
func New(s *sim.Simulator, from Source, o Options) (*Publisher, error) {
	if o.Log == nil {
		o.Log = zap.NewNop()
	}
	p := &Publisher{sim: s, options: o, listeners: len(o.Listeners), changed: make(chan Source, 1), stop: make(chan struct{})}
	for _, t := range slices.Concat(o.Listeners, o.Recorders) {
		q, err := t.Advertise(ros.Topic{Name: o.Name, Type: std_msgs.Float64MultiArrayType})
		if err != nil {
			return nil, fmt.Errorf("cannot publish %s: %w", o.Name, err)
		}
		p.publishers = append(p.publishers, q)
	}
	go p.run(from)
	return p, nil
}

// Change makes another Source hold from now on: the robot has changed, or the rate. It is for one goroutine at a time.
func (p *Publisher) Change(to Source) {
	select {
	case missed := <-p.changed:
		if to.NewModel == nil {
			to.NewModel = missed.NewModel
		}
	default:
	}
	p.changed <- to
}

// Close ends the topic: nothing is published after it. It does not wait for the derivative that is being taken, which for a large
// robot takes longer than a program has to end, and does not close the transports.
func (p *Publisher) Close() {
	p.publishing.Lock()
	defer p.publishing.Unlock()
	p.stopped.Do(func() { close(p.stop) })
}

// closed reports whether the topic has ended.
func (p *Publisher) closed() bool {
	select {
	case <-p.stop:
		return true
	default:
		return false
	}
}

// wanted reports whether somebody listens.
func (p *Publisher) wanted() bool {
	return slices.ContainsFunc(p.publishers[:p.listeners], ros.Publisher.Wanted)
}

// idle is how often it is looked whether there is anything to do where the rate is 0.
const idle = time.Second

// run publishes until Close. What takes longer than a period delays the next one.
func (p *Publisher) run(from Source) {
	ticker := time.NewTicker(period(from.Hz))
	defer ticker.Stop()
	var model sim.Differentiable // nil before somebody listens
	asked := false
	for {
		select {
		case <-p.stop:
			return
		case to := <-p.changed:
			if from.Hz = to.Hz; to.NewModel != nil {
				from.NewModel, model = to.NewModel, nil
			}
			ticker.Reset(period(from.Hz))
		case <-ticker.C:
			if !asked && from.Hz > 0 && p.wanted() {
				asked = true
				p.sim.WantState()
			}
		case at := <-p.sim.Copied():
			asked = false
			var err error
			begun := time.Now()
			published := false
			if model == nil {
				model, err = another(&from)
			}
			if err == nil {
				published, err = p.publish(model, at)
			}
			if !p.closed() {
				p.logOutcome(published, err, time.Since(begun))
			}
		}
	}
}

// longest is a period that does not end: a quotient that is larger would not be a Duration.
const longest = 1 << 62

func period(hz float64) time.Duration {
	if hz <= 0 {
		return idle
	}
	return time.Duration(min(max(float64(time.Microsecond), float64(time.Second)/hz), longest))
}

// another makes the model of which derivatives are taken.
func another(from *Source) (sim.Differentiable, error) {
	m, err := from.NewModel()
	if err != nil {
		return nil, err
	}
	d, ok := m.(sim.Differentiable)
	if !ok {
		return nil, fmt.Errorf("a robot of type %T has no derivative", m)
	}
	return d, nil
}

// publish publishes the derivative at a state, if somebody still listens.
func (p *Publisher) publish(model sim.Differentiable, at *sim.StateCopy) (published bool, err error) {
	stamp := msgs.At(p.options.Time(at))
	if stamp == 0 && p.sim.Options().Follow {
		return false, errNoTime
	}
	if err := model.(sim.Model).Restore(at.State); err != nil {
		return false, err
	}
	j, err := model.Tangent()
	if err != nil {
		return false, err
	}
	m, err := Message(j, stamp)
	if err != nil {
		return false, err
	}
	s := ros.NewSample(m)
	s.Time = stamp
	p.publishing.Lock()
	defer p.publishing.Unlock()
	if p.closed() {
		return false, nil
	}
	for _, q := range p.publishers {
		if q.Wanted() {
			q.Publish(s)
			published = true
		}
	}
	return published, nil
}

// errNoTime is why there is no derivative before the first message of /clock: it would have no stamp.
var errNoTime = errors.New("the time has not begun: nothing was received on /clock")

// logOutcome takes note of a derivative that was published, or why it was not, which the log says once.
func (p *Publisher) logOutcome(published bool, err error, took time.Duration) {
	trouble := ""
	if err != nil {
		trouble = err.Error()
	}
	p.mu.Lock()
	was := p.trouble
	p.trouble, p.took = trouble, took
	if published {
		p.computed++
	}
	p.mu.Unlock()
	switch {
	case trouble == was:
	case err != nil:
		p.options.Log.Warn("jacobian: nothing is published", zap.Error(err))
	default:
		p.options.Log.Info("jacobian: published again")
	}
}

// Status returns the state of the topic for diagnostics.
func (p *Publisher) Status() diagnostic_msgs.DiagnosticStatus {
	wanted := p.wanted()
	p.mu.Lock()
	defer p.mu.Unlock()
	st := diagnostic_msgs.DiagnosticStatus{Name: Topic, Message: "no subscriber", Values: []diagnostic_msgs.KeyValue{
		{Key: "computed", Value: strconv.FormatUint(p.computed, 10)},
		{Key: "took_s", Value: strconv.FormatFloat(p.took.Seconds(), 'g', 4, 64)},
	}}
	switch {
	case wanted && p.trouble != "":
		st.Level, st.Message = diagnostic_msgs.DiagnosticStatusWarn, "nothing is published: "+p.trouble
	case wanted:
		st.Message = "published"
	}
	return st
}

// Message is a Jacobian at a time: its first dimension are the outputs, its second the inputs. The label of a dimension lists names
// with units in brackets, separated by commas. Before the values, as data_offset says, stand the time, s, and how inexact they are,
// as Jacobian.Inexact. It fails where a value is not finite.
func Message(j *sim.Jacobian, at msgs.Time) (*std_msgs.Float64MultiArray, error) {
	rows, columns := len(j.Outputs), len(j.Inputs)
	m := &std_msgs.Float64MultiArray{
		Layout: std_msgs.MultiArrayLayout{
			Dim: []std_msgs.MultiArrayDimension{
				{Label: label(j.Outputs, j.OutputUnits), Size: uint32(rows), Stride: uint32(rows * columns)},
				{Label: label(j.Inputs, j.InputUnits), Size: uint32(columns), Stride: uint32(columns)},
			},
			DataOffset: 2,
		},
		Data: append(make([]float64, 0, 2+rows*columns), time.Duration(at).Seconds(), j.Inexact),
	}
	for i, row := range j.Values {
		for k, v := range row {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return nil, fmt.Errorf("%s by %s is %g", j.Outputs[i], j.Inputs[k], v)
			}
			m.Data = append(m.Data, v)
		}
	}
	return m, nil
}

// label lists names with their units.
func label(names, units []string) string {
	var b []byte
	for i, name := range names {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(append(append(append(b, name...), " ["...), units[i]...), ']')
	}
	return string(b)
}
