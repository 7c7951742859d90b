package observer

import (
	"errors"
	"fmt"

	"gonum.org/v1/gonum/floats"
)

// A stage is what comes next of an update. Its parts are done at the ends of successive steps, so that no step takes the time of all. What the
// members differ by goes on meanwhile: the weights of an update are as good later.
type stage uint8

const (
	listening stage = iota
	weighing
	mixing
)

// correct goes on with the update of the members.
func (o *Model) correct() {
	if isDue := o.time+roundoff >= o.due; !isDue {
		o.goOn()
		return
	}
	for o.stage != listening {
		o.goOn()
	}
	o.due += 1 / o.file.Update
	if o.due <= o.time { // the robot has been held
		o.due = o.time + 1/o.file.Update
	}
	o.filter.begin()
	o.takeAll()
	if !o.filter.condition() {
		o.fail(errNoCovariance)
		return
	}
	o.stage = weighing
}

// errNoCovariance is the error of an update whose covariance has no square root.
var errNoCovariance = errors.New("the covariance of the estimate is not positive definite")

// goOn does the next part of an update.
func (o *Model) goOn() {
	switch o.stage {
	case weighing:
		if !o.weigh() {
			o.fail(errNoCovariance)
			return
		}
		o.stage = mixing
	case mixing:
		o.stage = listening
		o.history.remember(o.steps, o.filter.weights)
		o.unknown.mix(o.filter)
		o.mixStates()
		o.findForce()
		if o.place() {
			o.apply()
		}
	}
}

// findForce finds the force that the estimate shows.
func (o *Model) findForce() {
	if len(o.unknown.stations) == 0 {
		return
	}
	x := &o.estimate.force
	*x = o.places.find(&o.unknown, o.filter)
	if !x.isFinite() {
		*x = o.anyPlace()
	}
}

// weigh finds the weights of the members.
func (o *Model) weigh() bool {
	f := o.filter
	dt := o.time - o.updated
	o.updated = o.time
	o.unknown.addNoise(dt)
	f.beginReduction() // here and not with the update, between which states are saved and restored
	o.unknown.scale(f)
	for k := range o.outputs {
		x := &o.outputs[k]
		for i, m := range o.members {
			m.Value(x.port, x.values[i])
		}
		for c := range x.values[0] {
			for i := range o.members {
				o.row[i] = x.values[i][c]
			}
			f.scale(o.row, nil)
		}
	}
	return f.reweigh(dt)
}

// mixStates gives each member its share of all.
func (o *Model) mixStates() {
	n := len(o.members)
	for i, m := range o.members {
		m.Save(o.states[i])
		copy(o.mixed[i], o.states[i])
	}
	for i := range n {
		for _, p := range o.parts {
			to := o.mixed[i][p.First : p.First+p.Len]
			clear(to)
			for j := range n {
				floats.AddScaled(to, o.filter.weights[j*n+i], o.states[j][p.First:p.First+p.Len])
			}
		}
	}
	o.apply()
	for i, m := range o.members {
		if err := m.RestoreMean(o.mixed[i]); err != nil {
			o.fail(fmt.Errorf("member %d of the ensemble: %w", i, err))
		}
	}
	if !o.failed {
		o.restarts.remember(o)
		o.recenter()
	}
}

// recenter moves the center to the mean of the members.
func (o *Model) recenter() {
	state := o.states[0]
	o.center.Save(state)
	from := o.restarts.good
	for _, p := range o.parts {
		from = from[copy(state[p.First:p.First+p.Len], from):]
	}
	if err := o.center.RestoreMean(state); err != nil {
		o.fail(fmt.Errorf("the center of the ensemble: %w", err))
	}
}

// apply gives the members what is unknown.
func (o *Model) apply() {
	for i, m := range o.members {
		o.unknown.apply(m, i)
	}
	o.unknown.applyMean(o.center)
}
