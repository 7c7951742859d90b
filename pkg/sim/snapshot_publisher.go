package sim

import (
	"fmt"
	"slices"

	"sinew/pkg/sim/spatial"
)

// snapshotPublisher passes the outputs of the model from the loop to readers: snapshots through
// a ring buffer, scenes through a triple buffer and copies of the state.
type snapshotPublisher struct {
	ring   *ring
	scenes *scenes
	copies *stateCopier
	ready  chan struct{} // receives after each snapshot; capacity 1
	drawn  chan struct{} // receives after those with a scene; capacity 1

	// The following fields belong to the loop.
	everyPeriod              bool // a snapshot is due in every period
	publish, marker, drawing cadence
	slowDue, sceneDue        bool
	changed                  bool // the model has changed since the last snapshot
	divided                  int  // index of the gauge DividedSteps, -1 without one
}

func newSnapshotPublisher(m Model, o Options) *snapshotPublisher {
	return &snapshotPublisher{
		ring:        newRing(m),
		scenes:      newScenes(m),
		copies:      newStateCopier(m),
		ready:       make(chan struct{}, 1),
		drawn:       make(chan struct{}, 1),
		everyPeriod: o.Lockstep,
		publish:     cadence{rate: o.PublishHz, of: o.ControlHz},
		marker:      cadence{rate: o.MarkerHz, of: o.ControlHz},
		drawing:     cadence{of: o.ControlHz},
		divided:     slices.IndexFunc(m.Gauges(), func(g Gauge) bool { return g.Key == DividedSteps }),
	}
}

// setRates changes the rates of snapshots and of slow ones.
func (p *snapshotPublisher) setRates(o Options, tick uint64) {
	p.publish.setRate(o.PublishHz, tick)
	p.marker.setRate(o.MarkerHz, tick)
}

// due reports whether a snapshot is due at the end of a control period, and notes whether the
// next one is slow and has a scene.
func (p *snapshotPublisher) due(tick uint64) bool {
	due := p.publish.due(tick)
	p.slowDue = p.marker.due(tick) || p.slowDue
	if rate := p.scenes.wanted(); rate > 0 {
		p.drawing.setRate(rate, tick)
		p.sceneDue = p.drawing.due(tick) || p.sceneDue
	}
	return due || p.everyPeriod
}

// send publishes the snapshot that was filled, with a scene of m if one is due.
func (p *snapshotPublisher) send(m Model) {
	shot := p.ring.back()
	shot.Slow, p.slowDue = p.slowDue, false
	if shot.Drawn, p.sceneDue = p.sceneDue && p.scenes.wanted() > 0, false; shot.Drawn {
		p.scenes.draw(m, shot.Stamp)
	}
	drawn := shot.Drawn
	p.copies.copy(m, shot)
	p.changed = false
	p.ring.publish()
	notify(p.ready)
	if drawn {
		notify(p.drawn)
	}
}

// notifyReaders makes ready and drawn receive, because Condition has changed.
func (p *snapshotPublisher) notifyReaders() {
	notify(p.ready)
	notify(p.drawn)
}

// behind reports whether the reader has more than half of the ring to read.
func (p *snapshotPublisher) behind() bool { return p.ring.unread() > p.ring.size/2 }

// measure fills the values of a snapshot and reports whether all are finite.
func (shot *Snapshot) measure(m Model) bool {
	for i, v := range shot.Values {
		if v != nil {
			m.Value(i, v)
		}
	}
	for i, v := range shot.Setpoints {
		if v != nil {
			m.Setpoint(i, v)
		}
	}
	m.Measure(shot.Gauges)
	return shot.finite()
}

// emit ends a control period: it publishes a snapshot if one is due or now asks for it, and
// closes the second's statistics.
func (l *loop) emit(now bool) {
	l.meter.setSimTime(l.time.seconds())
	if l.snapshots.due(l.time.tick) || now {
		l.snap()
	}
	if now {
		notify(l.snapshots.drawn) // the outcome of a request, and a failure, wait for no picture
	}
	l.meter.roll(l.clock.Now())
}

// snap fills a snapshot and publishes it.
func (l *loop) snap() {
	shot := l.snapshots.ring.back()
	if !shot.measure(l.model) {
		// The model broke its contract: the state of the last snapshot is the last
		// one known to be finite.
		why := "value is not finite: " + l.firstNotFinite(shot)
		if l.state.stepFailed { // the first reason is the one that matters
			why = l.state.reason
		}
		if err := l.restore(l.checkpoints.good); err != nil {
			why += "; " + err.Error()
		}
		l.fail(why)
		shot.measure(l.model)
	} else if l.snapshots.changed {
		l.save(l.checkpoints.good)
	}
	if i := l.snapshots.divided; i >= 0 {
		l.meter.divided.Store(uint64(max(shot.Gauges[i], 0)))
	}
	shot.Period = l.time.periods()
	shot.SimTime = l.time.seconds()
	shot.Restored = l.checkpoints.restored
	shot.State, shot.Reason = l.state.current, l.state.reason
	shot.Busy = l.steps.current != nil || l.inputs.Moving()
	shot.Stamp = l.stamp()
	l.snapshots.send(l.model)
}

// firstNotFinite returns the first value of a snapshot that is not finite, with its name and
// time, for an error.
func (l *loop) firstNotFinite(shot *Snapshot) string {
	for i, v := range shot.Values {
		for k, x := range v {
			if !spatial.IsFinite(x) {
				return fmt.Sprintf("%s[%d] = %v at %v s", l.ports[i].Name, k, x, l.time.seconds())
			}
		}
	}
	for k, x := range shot.Gauges {
		if !spatial.IsFinite(x) {
			return fmt.Sprintf("%s = %v at %v s", l.gauges[k].Key, x, l.time.seconds())
		}
	}
	return "none"
}
