package sim

import (
	"errors"
	"fmt"
	"slices"
)

// settings are what Reconfigure changes and any goroutine reads.
type settings struct {
	options Options
	ports   []Port
	limits  []*Limits // by port, nil for Out ports
}

// Reconfiguration is a change of a running simulator, for Reconfigure.
type Reconfiguration struct {
	// Options are the new options. ControlHz, StepS, Lockstep, Follow and Disabled must be
	// those that the simulator was made with.
	Options Options
	// Ports are the ports of the model with new Min, Max, MaxRate and Safe; nothing else may
	// differ. Nil leaves them.
	Ports []Port
	// Model, if not nil, replaces the simulator's model at the beginning of a control period
	// and takes over its state. It must have the same ports and gauges, and a state of the
	// same layout.
	Model Model
}

// pendingReconfiguration is a Reconfiguration on its way to the loop.
type pendingReconfiguration struct {
	Reconfiguration
	limits []*Limits // by port, nil for Out ports
	state  []float64 // storage for the state of the model
}

// Reconfigure changes options, limits or the model from the next control period on, without a
// jump: setpoints beyond new limits move there at their greatest rate, and so do those at
// safe values. It waits as Do does. An error names what cannot change, and then nothing has
// changed. The states that SaveState and the start have saved are restored with the new
// settings.
func (s *Simulator) Reconfigure(c Reconfiguration) error {
	p := &pendingReconfiguration{Reconfiguration: c}
	if err := s.checkReconfiguration(p); err != nil {
		return err
	}
	reply := s.requests.submit(queuedRequest{call: newCall(Request{Verb: reconfigure}), reconfiguration: p})
	if !reply.OK {
		return errors.New(reply.Message)
	}
	s.intake.authority.configure(c.Options)
	return nil
}

// checkReconfiguration refuses what cannot change while the simulator runs, and completes p.
func (s *Simulator) checkReconfiguration(p *pendingReconfiguration) error {
	if err := p.checkSettings(s.settings.Load()); err != nil {
		return err
	}
	// the layout of the state is that of the first model, as no other is accepted
	return p.checkModel(s.gauges, s.ports, len(s.loop.checkpoints.initial.model))
}

// checkSettings refuses options and ports that cannot replace the present ones, and completes
// p.
func (p *pendingReconfiguration) checkSettings(present *settings) error {
	fixed := func(o Options) Options {
		return Options{ControlHz: o.ControlHz, StepS: o.StepS, Lockstep: o.Lockstep, Follow: o.Follow, Disabled: o.Disabled}
	}
	if fixed(p.Options) != fixed(present.options) {
		return errors.New("control rate, step and mode of a simulator are fixed")
	}
	if err := p.Options.check(); err != nil {
		return err
	}
	if p.Ports == nil {
		p.Ports = present.ports
	}
	if err := checkPorts(p.Ports); err != nil {
		return err
	}
	if !slices.EqualFunc(p.Ports, present.ports, differInBounds) {
		return errors.New("the change would make other ports, which are fixed while a simulator runs")
	}
	p.limits = make([]*Limits, len(p.Ports))
	for i := range p.Ports {
		if p.Ports[i].Direction == In {
			p.limits[i] = NewLimits(&p.Ports[i])
		}
	}
	return nil
}

// checkModel refuses a model that cannot take over the state of the present one.
func (p *pendingReconfiguration) checkModel(gauges []Gauge, ports []Port, stateLen int) error {
	if p.Model == nil {
		return nil
	}
	if !slices.EqualFunc(p.Model.Gauges(), gauges, func(a, b Gauge) bool { return a.Key == b.Key }) ||
		!slices.EqualFunc(p.Model.Ports(), ports, differInBounds) {
		return errors.New("the change would make another model, of other ports or gauges")
	}
	if got := p.Model.StateLen(); got != stateLen {
		return fmt.Errorf("the change would make a state of %d values instead of %d", got, stateLen)
	}
	p.state = make([]float64, stateLen)
	return nil
}

// differInBounds reports whether two ports differ in their bounds only, or not at all.
func differInBounds(a, b Port) bool {
	return a.Name == b.Name && a.Kind == b.Kind && a.Direction == b.Direction && a.Pace == b.Pace &&
		slices.Equal(a.Labels, b.Labels) && slices.Equal(a.Frames, b.Frames) && a.Parts == b.Parts &&
		a.Child == b.Child && a.Parent == b.Parent && slices.Equal(a.Parents, b.Parents) && a.Silent == b.Silent &&
		a.Plain == b.Plain && a.Covariance == b.Covariance && a.Group == b.Group && a.Strict == b.Strict
}

// applyReconfiguration does the verb reconfigure in the loop, and answers.
func (l *loop) applyReconfiguration(c call, p *pendingReconfiguration) {
	if p.Model != nil {
		l.model.Save(p.state)
		if err := p.Model.Restore(p.state); err != nil {
			l.answer(c, false, err.Error())
			return
		}
		l.model, l.inputs.model = p.Model, p.Model
	}
	l.settings.Store(&settings{options: p.Options, ports: p.Ports, limits: p.limits})
	l.snapshots.setRates(p.Options, l.time.tick)
	l.watchdogs.setTimeout(p.Options.CommandTimeoutS)
	l.inputs.limits = p.limits
	l.inputs.holdLimits()
	for g := range l.inputs.groups {
		if l.state.current.safe() || l.watchdogs.timers[g].Expired() {
			l.inputs.release(g)
		}
	}
	l.answer(c, true, "adopted")
}
