package sim

import (
	"fmt"
	"math"
)

// Schedule divides the duration of an offline run into time steps. It needs no
// clock, and the same numbers give the same steps everywhere.
type Schedule struct {
	duration float64 // s
	step     float64 // s; the last step may be shorter
	steps    int
}

// These tolerances absorb round-off that the user did not mean: a duration of 1 s
// in steps of 1e-5 s is 100000 steps, and a sample at 0.3 s is taken there, not one
// step later.
const (
	wholeStep  = 1e-6 // in units of a step
	sampleTime = 1e-9 // s
)

// maxSteps keeps step numbers exact as float64.
const maxSteps = 1 << 53

// NewSchedule divides duration, s, 0 or above, into floor(duration/step + 1e-6)
// steps of step seconds and, if more than 1e-6 of a step remains, one shorter last
// step. If equal is true there is no shorter step: the same number of steps, but at
// least one, share the duration equally. NewSchedule returns an error for a
// duration or a step out of range.
func NewSchedule(duration, step float64, equal bool) (Schedule, error) {
	switch {
	case !(duration >= 0 && duration <= math.MaxFloat64):
		return Schedule{}, fmt.Errorf("duration = %v s: must be 0 or above, and finite", duration)
	case !(step > 0 && step <= math.MaxFloat64):
		return Schedule{}, fmt.Errorf("step = %v s: must be above 0 and finite", step)
	case duration/step >= maxSteps:
		return Schedule{}, fmt.Errorf("duration = %v s in steps of %v s: must be fewer than 2^53 steps", duration, step)
	}
	n := int(math.Floor(duration/step + wholeStep))
	switch {
	case duration == 0:
	case equal:
		n = max(n, 1)
		step = duration / float64(n)
	case duration/step-float64(n) > wholeStep:
		n++
	}
	return Schedule{duration: duration, step: step, steps: n}, nil
}

// Steps returns the number of time steps.
func (s Schedule) Steps() int { return s.steps }

// Time returns the time after i steps, s: 0 for i = 0, the duration for i = Steps().
func (s Schedule) Time(i int) float64 {
	if i >= s.steps {
		return s.duration
	}
	return float64(i) * s.step
}

// Step returns the length of step i, counted from 0, s.
func (s Schedule) Step(i int) float64 {
	if i == s.steps-1 && s.Time(i)+s.step-s.duration > wholeStep*s.step {
		return s.duration - s.Time(i)
	}
	return s.step
}

// Sampler picks the steps of a Schedule after which a row is written. The state
// at time 0 and the last one always are.
type Sampler struct {
	schedule Schedule
	hz       float64 // rows per second; 0 if every is used
	every    int     // steps per row; 0 if hz is used
	k        float64 // the next row is due at k/hz
}

// SampleHz returns a Sampler that picks the first step at or after k/hz, to within
// 1e-9 s, for every whole k. It returns an error unless hz is positive and finite.
func (s Schedule) SampleHz(hz float64) (*Sampler, error) {
	if !(hz > 0 && hz <= math.MaxFloat64) {
		return nil, fmt.Errorf("sampling rate = %v Hz: must be above 0 and finite", hz)
	}
	return &Sampler{schedule: s, hz: hz}, nil
}

// SampleEvery returns a Sampler that picks every n-th step. It returns an error if
// n is below 1.
func (s Schedule) SampleEvery(n int) (*Sampler, error) {
	if n < 1 {
		return nil, fmt.Errorf("sampling every %d steps: must be 1 or more", n)
	}
	return &Sampler{schedule: s, every: n}, nil
}

// Due reports whether the state after i steps is a row. It must be called for
// i = 0, 1, ... Steps() in this order.
func (p *Sampler) Due(i int) bool {
	if p.every > 0 {
		return i%p.every == 0 || i == p.schedule.steps
	}
	t := p.schedule.Time(i) + sampleTime
	if t < p.k/p.hz {
		return i == p.schedule.steps
	}
	p.k = math.Max(p.k, math.Floor(t*p.hz)) + 1 // on to the first k/hz after t
	return true
}
