package observer

import (
	"math"
)

// queue holds measurements that have arrived and wait for the next update.
type queue struct {
	items []pending
	count int // of the items that are waiting, the first ones
}

// pending is a measurement.
type pending struct {
	sensor int
	step   int // at the end of which it was taken
	values []float64
}

// newQueue has room for what arrives between two updates.
func newQueue(o *Model) (q queue) {
	n, width := 0, 0
	for k := range o.sensors {
		s := &o.sensors[k]
		steps := int(math.Ceil(1/(o.file.Update*o.step))) + 1
		if s.given != nil {
			steps *= hardwareSamples
		}
		n += s.port.Samples + steps
		width = max(width, len(s.member))
	}
	q.items = make([]pending, n)
	for i := range q.items {
		q.items[i].values = make([]float64, width)
	}
	return q
}

// enqueue lets a measurement of a sensor wait for the next update. What was taken before the ensemble began does not count, and what
// there is no room for is late.
func (o *Model) enqueue(sensor, step int, v []float64) {
	q := &o.queue
	if step <= o.begun {
		return
	}
	if q.count == len(q.items) {
		o.sensors[sensor].late++
		return
	}
	x := &q.items[q.count]
	x.sensor, x.step = sensor, step
	clear(x.values)
	copy(x.values, v)
	q.count++
}

// takeAll gives the waiting measurements to the filter.
func (o *Model) takeAll() {
	for i := range o.queue.count {
		p := &o.queue.items[i]
		s := &o.sensors[p.sensor]
		before := s.square
		o.take(p)
		if square := s.square - before; square-square == 0 {
			s.recent.add(square, float64(s.width))
		} else {
			s.square = before
			o.fail(errNoCovariance)
		}
	}
	o.queue.count = 0
}

// window (s) is the time over which innovations are averaged.
const window = 1

// recent is a mean of squares in which each counts the less the longer ago it was.
type recent struct{ sum, weight float64 }

func (r *recent) decay(dt float64) {
	k := math.Exp(-dt / window)
	r.sum, r.weight = k*r.sum, k*r.weight
}

func (r *recent) add(sum, weight float64) { r.sum, r.weight = r.sum+sum, r.weight+weight }

// mean is 0 where nothing has been added.
func (r *recent) mean() float64 {
	if !(r.weight > 0) {
		return 0
	}
	return r.sum / r.weight
}
