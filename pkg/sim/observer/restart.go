package observer

import (
	"errors"

	"gonum.org/v1/gonum/floats"
)

// restarts are what a restart needs. It forgets what is known of the force, and keeps where the robot is. The members begin at their mean, or
// where a step from there has failed before, as at the start of the robot file.
type restarts struct {
	roots       [][]float64 // of the hypotheses
	good, first []float64   // what of a member's state is continuous: of the last mean from which all have been stepped, and at the start
	hasFailed   bool        // since the last mean
	count       int
}

func (r *restarts) begin(o *Model) {
	r.roots = o.unknown.roots(o.filter)
	m := o.members[0]
	m.Save(o.states[0])
	for _, p := range o.parts {
		r.first = append(r.first, o.states[0][p.First:p.First+p.Len]...)
	}
	r.good = append(r.good, r.first...)
}

// remember notes the mean of the members.
func (r *restarts) remember(o *Model) {
	to := r.good
	for _, p := range o.parts {
		mean := to[:p.Len]
		to = to[p.Len:]
		clear(mean)
		for i := range o.members {
			floats.AddScaled(mean, 1/float64(len(o.members)), o.mixed[i][p.First:p.First+p.Len])
		}
	}
	r.hasFailed = false
}

// fail notes a failure, with which the estimate is lost.
func (o *Model) fail(err error) {
	if !o.failed {
		o.failed, o.err = true, err
	}
}

// errOutliers is the error of an estimate that measurements contradict.
var errOutliers = errors.New("most of the last measurements of a sensor are outliers")

// outlierWindow is of how many measurements of a sensor most have to be outliers until the estimate counts as lost.
const outlierWindow = 20

// contradicts reports whether most of the last measurements of a sensor are outliers.
func (o *Model) contradicts() bool {
	for i := range o.sensors {
		if o.sensors[i].outliers > outlierWindow/2 {
			return true
		}
	}
	return false
}

// recover begins anew after a failure, and where measurements contradict the estimate.
func (o *Model) recover() {
	if !o.failed && o.contradicts() {
		o.fail(errOutliers)
	}
	if !o.failed {
		return
	}
	if o.err != errOutliers {
		if o.restarts.hasFailed {
			copy(o.restarts.good, o.restarts.first)
		}
		o.restarts.hasFailed = true
	}
	o.failed = false
	o.lost = o.time + window
	o.restarts.count++
	o.restart()
}

// restart gives the members the state of the last mean, under the present commands, and what is unknown so much room as it may need.
func (o *Model) restart() {
	o.unknown.reopen(o.filter)
	o.filter.forget(o.restarts.roots)
	o.apply()
	for _, m := range o.members {
		state := o.states[0]
		m.Save(state)
		from := o.restarts.good
		for _, p := range o.parts {
			from = from[copy(state[p.First:p.First+p.Len], from):]
		}
		if err := m.RestoreMean(state); err != nil {
			o.err = err
		}
	}
	o.recenter()
	o.forget()
	o.findForce()
}

// forget forgets the measurements that there are.
func (o *Model) forget() {
	o.queue.count = 0
	o.stage = listening
	o.begun = o.steps
	o.updated = o.time
	o.history.newest = 0
	for k := range o.sensors {
		o.sensors[k].recent, o.sensors[k].outliers = recent{}, 0
	}
}

// Restarts is how often the observer has begun anew.
func (o *Model) Restarts() int { return o.restarts.count }

// Probability is that of a force.
func (o *Model) Probability() float64 { return o.estimate.force.probability }
