package motion

import (
	"math"

	"sinew/pkg/sim"
	"sinew/pkg/sim/integrate"
)

// Counters count since the start.
type Counters struct {
	Steps         uint64 // that did not fail
	Iterations    uint64 // of these, with those of all parts
	MaxIterations uint64 // of one of them
	Divided       uint64 // of these, those that were taken in parts
	Failed        uint64 // steps that left the robot as it was
}

// Counters are those of the present state.
func (m *Stepper) Counters() Counters { return m.counters }

// add counts a step, with the iterations of all its parts.
func (c *Counters) add(iterations int, divided bool) {
	n := uint64(iterations)
	c.Steps, c.Iterations, c.MaxIterations = c.Steps+1, c.Iterations+n, max(c.MaxIterations, n)
	if divided {
		c.Divided++
	}
}

// GaugeCount is the number of Gauges.
const GaugeCount = 12

// Gauges lists what MeasureGauges writes.
func (m *Stepper) Gauges() []sim.Gauge {
	return []sim.Gauge{
		{Key: "newton_iterations", Warn: float64(m.iteration.newton.Cap - 1)},
		{Key: "newton_iterations_mean"},
		{Key: "newton_iterations_max"},
		{Key: "newton_rejects"},
		{Key: "newton_residual", Unit: "N"},
		{Key: "newton_increment", Unit: "rad"},
		{Key: "bdf_order"},
		{Key: "negative_eigenvalues"},
		{Key: sim.DividedSteps, Warn: 0.5, Hint: "steps that did not converge as a whole were taken in parts"},
		{Key: sim.UnconvergedSteps, Warn: 0.5, Hint: "steps failed"},
		{Key: sim.TimeError, Warn: sim.TimeErrorWarning, Accept: sim.TimeError, Hint: "estimated time-discretisation error; use a smaller solver.step_s, slower commands or more damping"},
		{Key: "unstable_at_rest", Warn: 0.5, Hint: "the robot rests in an unstable equilibrium, which the smallest disturbance ends; disturb it by a small external_wrench or load, or find the stable shape with static"},
	}
}

// MeasureGauges writes the values of Gauges.
func (m *Stepper) MeasureGauges(dst []float64) {
	r, c := &m.report, &m.counters
	*(*[GaugeCount]float64)(dst) = [...]float64{
		float64(r.Iterations),
		float64(c.Iterations) / float64(max(c.Steps, 1)),
		float64(c.MaxIterations),
		float64(r.Rejects),
		bounded(r.Residual),
		bounded(r.Size),
		float64(r.Order),
		float64(r.Negative),
		float64(c.Divided),
		float64(c.Failed),
		m.TimeError() / m.system.Rod.Length,
		float64(m.rest.negative),
	}
}

// bounded returns x ≥ 0, or the largest number where a step that failed left none.
func bounded(x float64) float64 {
	if x <= math.MaxFloat64 {
		return x
	}
	return math.MaxFloat64
}

// historyLen is the number of values of history, counters, report and rest in a saved state.
const historyLen = 22

// StateLen is the number of values that Save writes.
func (m *Stepper) StateLen() int { return historyLen + m.system.StateLen() + m.timeError.StateLen() }

// ContinuousState returns the run of the saved state of which weighted means of states are a state: what the rod saves without the pose of its base.
func (m *Stepper) ContinuousState() (first, n int) {
	first, n = m.system.State.ContinuousState()
	return historyLen + first, n
}

// Save writes history, counters, the report of the last step that did not fail, the rest, the state of rod and elements, and the error in time to dst.
func (m *Stepper) Save(dst []float64) {
	h, c, r := &m.history, &m.counters, &m.last
	*(*[historyLen]float64)(dst) = [...]float64{
		h.last, h.before, float64(h.steps), float64(h.damped), float64(h.even),
		h.contraction.Ratio, h.contraction.Size, float64(h.contraction.Uses),
		float64(c.Steps), float64(c.Iterations), float64(c.MaxIterations), float64(c.Divided), float64(c.Failed),
		float64(r.Iterations), float64(r.Rejects), bounded(r.Residual), bounded(r.Size), float64(r.Order), float64(r.Negative),
		m.rest.time, m.rest.counted, float64(m.rest.negative),
	}
	dst = dst[historyLen:]
	m.system.Save(dst)
	m.timeError.Save(dst[m.system.StateLen():])
}

// Restore makes src, written by Save, the state.
func (m *Stepper) Restore(src []float64) {
	m.history = history{last: src[0], before: src[1], steps: int(src[2]), damped: int(src[3]), even: int(src[4])}
	m.history.contraction = integrate.ContractionEstimate{Ratio: src[5], Size: src[6], Uses: int(src[7])}
	m.counters = Counters{
		Steps: uint64(src[8]), Iterations: uint64(src[9]), MaxIterations: uint64(src[10]), Divided: uint64(src[11]), Failed: uint64(src[12]),
	}
	m.last = Report{
		Report: integrate.Report{Iterations: int(src[13]), Rejects: int(src[14]), Residual: src[15], Size: src[16], Negative: int(src[18])},
		Order:  int(src[17]),
	}
	m.report = m.last
	m.rest = rest{time: src[19], counted: src[20], negative: int(src[21])}
	src = src[historyLen:]
	m.system.Restore(src)
	m.timeError.Restore(src[m.system.StateLen():])
}
