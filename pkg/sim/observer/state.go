package observer

import (
	"errors"
	"fmt"

	"sinew/pkg/sim/spatial"
)

// ErrBadState is the error, in the sense of errors.Is, of a state that no Save has written.
var ErrBadState = errors.New("observer: not a saved state of this robot and its observer")

// StateLen implements sim.Model.
func (o *Model) StateLen() int {
	n := o.Model.StateLen() + len(o.all)*o.members[0].StateLen()
	o.visit(func(x []float64) { n += len(x) })
	return n
}

// Save implements sim.Model.
func (o *Model) Save(dst []float64) {
	o.Model.Save(dst)
	dst = dst[o.Model.StateLen():]
	for _, m := range o.all {
		m.Save(dst)
		dst = dst[m.StateLen():]
	}
	o.visit(func(x []float64) { dst = dst[copy(dst, x):] })
}

// Restore implements sim.Model.
func (o *Model) Restore(src []float64) error {
	if n := o.StateLen(); len(src) != n {
		return fmt.Errorf("%w: %d values instead of %d", ErrBadState, len(src), n)
	}
	for i, x := range src {
		if !spatial.IsFinite(x) {
			return fmt.Errorf("%w: value %d is %g", ErrBadState, i, x)
		}
	}
	o.Save(o.before)
	err := o.load(src)
	if err != nil {
		_ = o.load(o.before) // which Save has written
	}
	o.refresh()
	return err
}

// load reads a state of finite numbers. After an error the state is undefined.
func (o *Model) load(src []float64) error {
	n := o.Model.StateLen()
	if err := o.Model.Restore(src[:n]); err != nil {
		return err
	}
	src = src[n:]
	members := src
	src = src[len(o.all)*o.members[0].StateLen():]
	o.visit(func(x []float64) { src = src[copy(x, src):] })
	o.apply()
	for _, m := range o.all {
		n := m.StateLen()
		if err := m.Restore(members[:n]); err != nil {
			return err
		}
		members = members[n:]
	}
	return o.check()
}

// check refuses counts and indices that there cannot be.
func (o *Model) check() error {
	h, q := &o.history, &o.queue
	ok := o.steps >= 0 && o.begun >= 0 && o.begun <= o.steps && h.newest >= 0 && o.stage <= mixing && o.unknown.inCell >= -1 && o.unknown.inCell < max(1, len(o.unknown.stations)) && q.count >= 0 && q.count <= len(q.items)
	for i := range h.mixes {
		ok = ok && h.mixes[i].step >= 0
	}
	for i := range q.items {
		x := &q.items[i]
		ok = ok && x.sensor >= 0 && x.sensor < len(o.sensors) && x.step >= 0 && x.step <= o.steps
	}
	for k := range o.sensors {
		ok = ok && o.sensors[k].arrived >= 0 && o.sensors[k].accepted >= 0 && o.sensors[k].refused >= 0
	}
	if !ok {
		return fmt.Errorf("%w: no such count", ErrBadState)
	}
	return nil
}

// visit lets v visit all numbers of the state but those of the robot and the members, which it may change.
func (o *Model) visit(v func([]float64)) {
	x := o.numbers[:8]
	x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7] = o.time, o.updated, o.due, o.lost, float64(o.steps), float64(o.begun), float64(o.queue.count), float64(o.stage)
	v(x)
	o.time, o.updated, o.due, o.lost, o.steps, o.begun, o.queue.count, o.stage = x[0], x[1], x[2], x[3], int(x[4]), int(x[5]), int(x[6]), stage(x[7])
	o.restarts.visit(v, o.numbers[:2])
	o.estimate.force.visit(v, o.numbers[:9])
	o.filter.visit(v)
	o.unknown.visit(v, o.numbers[:2])
	for k := range o.sensors {
		o.sensors[k].visit(v, o.numbers[:8])
	}
	o.history.visit(v, o.numbers[:1])
	o.queue.visit(v, o.numbers[:2])
}

// visit lets v visit where restarts begin, by x, which has two values.
func (r *restarts) visit(v func([]float64), x []float64) {
	v(r.good)
	v(r.first)
	x[0], x[1] = 0, float64(r.count)
	if r.hasFailed {
		x[0] = 1
	}
	v(x)
	r.hasFailed, r.count = x[0] != 0, int(x[1])
}

// visit lets v visit the force, by x, which has nine values.
func (p *pointForce) visit(v func([]float64), x []float64) {
	p.force.Put(x)
	p.forceDeviation.Put(x[3:])
	x[6], x[7], x[8] = p.place, p.placeDeviation, p.probability
	v(x)
	p.force, p.forceDeviation = spatial.VecAt(x), spatial.VecAt(x[3:])
	p.place, p.placeDeviation, p.probability = x[6], x[7], x[8]
}

// visit lets v visit what hypotheses are, and the weights of an update that is not done.
func (f *filter) visit(v func([]float64)) {
	x := f.row[:2]
	for k := range f.hypotheses {
		h := &f.hypotheses[k]
		x[0], x[1] = h.weight, 0
		if h.isOut {
			x[1] = 1
		}
		v(x)
		h.weight, h.isOut = x[0], x[1] != 0
		v(h.mean)
		v(h.root)
	}
	v(f.weights)
	v(f.noiseWeights)
}

// visit lets v visit the unknown numbers of the members, by x, which has two values.
func (u *unknowns) visit(v func([]float64), x []float64) {
	for k := range u.list {
		v(u.list[k].values)
		x[0] = u.list[k].noise
		v(x[:1])
		u.list[k].noise = x[0]
	}
	v(u.stations)
	x[0], x[1] = float64(u.inCell), u.finest
	v(x)
	u.inCell, u.finest = int(x[0]), x[1]
}

// visit lets v visit the counts of a sensor and what hardware has measured, by x, which has eight values.
func (s *sensor) visit(v func([]float64), x []float64) {
	x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7] = s.arrived, s.square, s.recent.sum, s.recent.weight, float64(s.accepted), float64(s.refused), s.outliers, float64(s.late)
	v(x)
	v(s.given)
	s.arrived, s.square, s.recent.sum, s.recent.weight, s.accepted, s.refused, s.outliers, s.late = x[0], x[1], x[2], x[3], int(x[4]), int(x[5]), x[6], int(x[7])
}

// visit lets v visit the history, by x, which has one value.
func (h *history) visit(v func([]float64), x []float64) {
	for _, slot := range h.slots {
		for _, member := range slot {
			v(member)
		}
	}
	visitInt(v, x, &h.newest)
	for i := range h.mixes {
		visitInt(v, x, &h.mixes[i].step)
		v(h.mixes[i].weights)
	}
}

// visit lets v visit the measurements, by x, which has two values.
func (q *queue) visit(v func([]float64), x []float64) {
	for i := range q.items {
		p := &q.items[i]
		if i >= q.count { // so that equal states are equal numbers
			p.sensor, p.step = 0, 0
			clear(p.values)
		}
		x[0], x[1] = float64(p.sensor), float64(p.step)
		v(x)
		p.sensor, p.step = int(x[0]), int(x[1])
		v(p.values)
	}
}

// visitInt lets v visit an integer, by x.
func visitInt(v func([]float64), x []float64, n *int) {
	x[0] = float64(*n)
	v(x)
	*n = int(x[0])
}
