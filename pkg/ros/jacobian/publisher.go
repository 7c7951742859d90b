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

// Source is the robot whose Jacobian a Publisher computes.
type Source struct {
	// Hz is the greatest rate of Jacobians, 1/s; 0 means none.
	Hz float64
	// NewModel makes a second model of the robot, in any state. It is called when the topic gets a
	// subscriber. In Change nil keeps the previous function.
	NewModel func() (sim.Model, error)
}

// Options configure a Publisher.
type Options struct {
	Name string // of the topic, resolved
	// Listeners are the transports whose subscribers count. Recorders get what is published, but
	// nothing is computed for them alone.
	Listeners, Recorders []ros.Transport
	// Time returns the stamp of a snapshot.
	Time func(at *sim.StateCopy) time.Duration
	Log  *zap.Logger // nil discards messages
}

// Publisher publishes the Jacobian of the robot of a simulator.
type Publisher struct {
	sim        *sim.Simulator
	options    Options
	publishers []ros.Publisher // those of Listeners first
	listeners  int
	changed    chan Source // capacity 1: the newest
	stop       chan struct{}
	stopped    sync.Once
	publishing sync.Mutex // held during publishing; Close waits for it, but not for a computation

	mu       sync.Mutex
	computed uint64        // and published
	took     time.Duration // the newest
	trouble  string        // why there is no Jacobian now; empty if there is one
}

// New opens the topic and begins to publish. It is the only reader of the simulator's copies of the
// state. The caller must call Close.
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

// Change replaces the Source, after a change of the robot or the rate. It is for one goroutine at a
// time.
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

// Close closes the topic. It does not wait for a computation under way, which may take longer than
// the program has for its shutdown, and does not close the transports.
func (p *Publisher) Close() {
	p.publishing.Lock()
	defer p.publishing.Unlock()
	p.stopped.Do(func() { close(p.stop) })
}

// closed reports whether the topic is closed.
func (p *Publisher) closed() bool {
	select {
	case <-p.stop:
		return true
	default:
		return false
	}
}

// wanted reports whether the topic has subscribers.
func (p *Publisher) wanted() bool {
	return slices.ContainsFunc(p.publishers[:p.listeners], ros.Publisher.HasSubscribers)
}

// idle is the interval of checks if the rate is 0.
const idle = time.Second

// run publishes until Close. A computation that takes longer than a period delays the next one.
func (p *Publisher) run(from Source) {
	ticker := time.NewTicker(period(from.Hz))
	defer ticker.Stop()
	var model *differentiable // nil before the first subscriber
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
				model, err = newDifferentiable(&from)
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

// longest is the greatest period: a larger quotient would not fit a Duration.
const longest = 1 << 62

func period(hz float64) time.Duration {
	if hz <= 0 {
		return idle
	}
	return time.Duration(min(max(float64(time.Microsecond), float64(time.Second)/hz), longest))
}

// differentiable is a model whose Jacobian is computed.
type differentiable struct {
	model       sim.Model // whose states are copied
	derivatives sim.Differentiable
}

// newDifferentiable makes the model whose Jacobian is computed.
func newDifferentiable(from *Source) (*differentiable, error) {
	m, err := from.NewModel()
	if err != nil {
		return nil, err
	}
	d, ok := sim.As[sim.Differentiable](m)
	if !ok {
		return nil, fmt.Errorf("a robot of type %T has no derivative", m)
	}
	return &differentiable{m, d}, nil
}

// publish publishes the Jacobian at a state, if the topic still has subscribers.
func (p *Publisher) publish(of *differentiable, at *sim.StateCopy) (published bool, err error) {
	stamp := msgs.At(p.options.Time(at))
	if stamp == 0 && p.sim.Options().Follow {
		return false, errNoTime
	}
	if err := of.model.Restore(at.State); err != nil {
		return false, err
	}
	j, err := of.derivatives.Tangent()
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
		if q.HasSubscribers() {
			q.Publish(s)
			published = true
		}
	}
	return published, nil
}

// errNoTime is the error before the first message of /clock: the Jacobian would have no stamp.
var errNoTime = errors.New("the time has not begun: nothing was received on /clock")

// logOutcome counts a Jacobian that was published, or logs once why it was not.
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

// Message returns a Jacobian at a time as a message. Its first dimension are the outputs, its
// second the inputs. The label of a dimension lists names with units in brackets, separated by
// commas. data[0] is the time, s, and data[1] the inexactness, as Jacobian.Inexact; the values
// begin at data_offset. Message returns an error if a value is not finite.
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
