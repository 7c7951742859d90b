package sim

import (
	"errors"
	"fmt"
	"slices"
)

// settings are what Adopt changes and any goroutine reads.
type settings struct {
	options Options
	ports   []Port
	limits  []*Limits // by port, nil for Out ports
}

// Change is what Adopt gives a simulator while it runs.
type Change struct {
	// Options are those from now on. ControlHz, StepS, Lockstep, Follow and Disabled must be
	// as the simulator was made with.
	Options Options
	// Ports are those of the model, of which only Min, Max, MaxRate and Safe may differ
	// from those of before. Nil leaves them.
	Ports []Port
	// Model, if not nil, takes the place of the simulator's model with the state of that,
	// at the beginning of a control period. It has the same ports and gauges, and a state
	// of the same layout.
	Model Model
}

// adoption is a Change on its way to the loop.
type adoption struct {
	Change
	limits []*Limits // by port, nil for Out ports
	state  []float64 // room for that of the model
}

// Adopt makes the change hold from the next control period on, without a jump: setpoints
// beyond new limits go there at their greatest rate, and so do those that are at safe values.
// It waits as Do does. An error says what cannot change; nothing has changed then. What
// SaveState and the start have kept goes with the settings of now.
func (s *Simulator) Adopt(c Change) error {
	a := &adoption{Change: c}
	if err := s.checkChange(a); err != nil {
		return err
	}
	reply := s.ask(waiting{call: call{Request{Verb: adopt}, make(chan Reply, 1)}, adoption: a})
	if !reply.OK {
		return errors.New(reply.Message)
	}
	s.commanders.set(c.Options)
	return nil
}

// checkChange refuses what cannot change while the simulator runs and completes a.
func (s *Simulator) checkChange(a *adoption) error {
	now := s.settings.Load()
	fixed := func(o Options) Options {
		return Options{ControlHz: o.ControlHz, StepS: o.StepS, Lockstep: o.Lockstep, Follow: o.Follow, Disabled: o.Disabled}
	}
	if fixed(a.Options) != fixed(now.options) {
		return errors.New("control rate, step and mode of a simulator are fixed")
	}
	if err := a.Options.check(); err != nil {
		return err
	}
	if a.Ports == nil {
		a.Ports = now.ports
	}
	if err := checkPorts(a.Ports); err != nil {
		return err
	}
	if !slices.EqualFunc(a.Ports, now.ports, alike) {
		return errors.New("the change would make other ports, which are fixed while a simulator runs")
	}
	a.limits = make([]*Limits, len(a.Ports))
	for i := range a.Ports {
		if a.Ports[i].Direction == In {
			a.limits[i] = NewLimits(&a.Ports[i])
		}
	}
	return s.checkModel(a)
}

// checkModel refuses a model that cannot take the state of the present one.
func (s *Simulator) checkModel(a *adoption) error {
	if a.Model == nil {
		return nil
	}
	if !slices.EqualFunc(a.Model.Gauges(), s.gauges, func(a, b Gauge) bool { return a.Key == b.Key }) ||
		!slices.EqualFunc(a.Model.Ports(), s.ports, alike) {
		return errors.New("the change would make another model, of other ports or gauges")
	}
	// the layout of the states is that of the model as it was made, which is that of now
	if got, want := a.Model.StateLen(), len(s.initial.model); got != want {
		return fmt.Errorf("the change would make a state of %d values instead of %d", got, want)
	}
	a.state = make([]float64, a.Model.StateLen())
	return nil
}

// alike reports whether ports differ in their bounds only.
func alike(a, b Port) bool {
	return a.Name == b.Name && a.Kind == b.Kind && a.Direction == b.Direction && a.Pace == b.Pace &&
		slices.Equal(a.Labels, b.Labels) && slices.Equal(a.Frames, b.Frames) && a.Parts == b.Parts &&
		a.Child == b.Child && a.Parent == b.Parent && a.Silent == b.Silent &&
		a.Plain == b.Plain && a.Group == b.Group && a.Strict == b.Strict
}

// handleAdoption does the verb adopt in the loop, and answers.
func (s *Simulator) handleAdoption(c call, a *adoption) {
	if a.Model != nil {
		s.model.Save(a.state)
		if err := a.Model.Restore(a.state); err != nil {
			s.answer(c, false, err.Error())
			return
		}
		s.model, s.inputs.model = a.Model, a.Model
	}
	s.settings.Store(&settings{options: a.Options, ports: a.Ports, limits: a.limits})
	s.publish.setRate(a.Options.PublishHz, s.tick)
	s.marker.setRate(a.Options.MarkerHz, s.tick)
	s.setWatchdogLimits()
	s.inputs.limits = a.limits
	s.inputs.holdLimits()
	for g := range s.groups {
		if s.state.safe() || s.watchdogs[g].Expired() {
			s.inputs.release(g)
		}
	}
	s.answer(c, true, "adopted")
}

// setWatchdogLimits makes the watchdogs wait as long as the options say.
func (s *Simulator) setWatchdogLimits() {
	for g := range s.watchdogs {
		s.watchdogs[g].setLimit(s.settings.Load().options.CommandTimeoutS, s.opt.ControlHz)
	}
}
