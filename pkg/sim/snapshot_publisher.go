package sim

import (
	"fmt"
	"math"

	"sinew/pkg/sim/spatial"
)

// cadence tells at which control periods something slower is due.
type cadence struct {
	rate, of float64 // Hz
	done     uint64  // number of multiples of 1/rate that have passed
}

// due reports whether a multiple of 1/rate has passed since it last reported one.
func (c *cadence) due(tick uint64) bool {
	const roundOff = 1e-9
	n := uint64(float64(tick)*c.rate/c.of + roundOff)
	if n <= c.done {
		return false
	}
	c.done = n
	return true
}

// setRate makes another rate hold from now on.
func (c *cadence) setRate(rate float64, tick uint64) {
	if c.rate == rate {
		return
	}
	c.rate, c.done = rate, 0
	c.due(tick)
}

// simTime returns the simulated time since the last reset, s.
func (s *Simulator) simTime() float64 {
	return float64(s.step) / (s.opt.ControlHz * float64(s.perPeriod))
}

// emit ends a control period: it passes a snapshot on, and a scene, if they are
// due or now asks for it (in lock-step always), and closes the second's statistics.
func (s *Simulator) emit(now bool) {
	s.meter.simTime.Store(math.Float64bits(s.simTime()))
	due := s.publish.due(s.tick) || now || s.opt.Lockstep
	s.slowDue = s.marker.due(s.tick) || s.slowDue
	if rate := s.scenes.wanted(); rate > 0 {
		s.drawing.setRate(rate, s.tick)
		s.drawDue = s.drawing.due(s.tick) || s.drawDue
	}
	if due {
		s.snap()
	}
	if now {
		notify(s.drawn) // what was asked for, or failed, waits for no picture
	}
	s.meter.roll(s.clock.Now())
}

// snap fills a snapshot and passes it on.
func (s *Simulator) snap() {
	shot := s.snapshots.back()
	if !s.measure(shot) {
		// The model broke its contract: the state of the last snapshot is the last
		// one known to be finite.
		why := "value is not finite: " + s.firstNotFinite(shot)
		if s.stuck { // by a step that failed: the first reason is the one that matters
			why = s.reason
		}
		if err := s.restore(s.good); err != nil {
			why += "; " + err.Error()
		}
		s.fail(why)
		s.measure(shot)
	} else if s.moved {
		s.save(s.good)
	}
	if i := s.dividedGauge; i >= 0 {
		s.meter.divided.Store(uint64(max(shot.Gauges[i], 0)))
	}
	s.moved = false
	shot.Period = s.step / uint64(s.perPeriod)
	shot.SimTime = s.simTime()
	shot.State, shot.Reason = s.state, s.reason
	shot.Busy = s.stepping != nil || s.inputs.Moving()
	shot.Slow, s.slowDue = s.slowDue, false
	shot.Stamp = s.stamp()
	if shot.Drawn, s.drawDue = s.drawDue && s.scenes.wanted() > 0, false; shot.Drawn {
		s.scenes.draw(s.model, shot.Stamp)
	}
	s.copyState(shot)
	s.snapshots.publish()
	notify(s.ready)
	if shot.Drawn {
		notify(s.drawn)
	}
}

// measure fills the values of a snapshot and reports whether all are finite.
func (s *Simulator) measure(shot *Snapshot) bool {
	for i, v := range shot.Values {
		if v != nil {
			s.model.Value(i, v)
		}
	}
	s.model.Measure(shot.Gauges)
	return shot.finite()
}

// firstNotFinite names the first value of a snapshot that is not finite, and its
// time, for an error.
func (s *Simulator) firstNotFinite(shot *Snapshot) string {
	for i, v := range shot.Values {
		for k, x := range v {
			if !spatial.IsFinite(x) {
				return fmt.Sprintf("%s[%d] = %v at %v s", s.ports[i].Name, k, x, s.simTime())
			}
		}
	}
	for k, x := range shot.Gauges {
		if !spatial.IsFinite(x) {
			return fmt.Sprintf("%s = %v at %v s", s.gauges[k].Key, x, s.simTime())
		}
	}
	return "none"
}
