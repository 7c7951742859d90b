package sim

import (
	"fmt"
	"math"
)

// Limits are the bounds of an In port, one of each per value, in the port's
// units. They do not change, so any goroutine may use them.
type Limits struct {
	min, max, rate, safe []float64
	frames               int // the last value is one of that many frames, if > 0
}

// NewLimits takes over the limits of p; where p has none they are infinite.
// Safe values of 0 that the bounds exclude become the nearest bound.
func NewLimits(p *Port) *Limits {
	n := p.Width()
	l := &Limits{
		min:  orFill(p.Min, n, math.Inf(-1)),
		max:  orFill(p.Max, n, math.Inf(1)),
		rate: orFill(p.MaxRate, n, math.Inf(1)),
		safe: orFill(p.Safe, n, 0),
	}
	if p.Kind == Wrench && len(p.Frames) > 1 {
		l.frames = len(p.Frames)
		l.rate[n-1] = math.Inf(1) // there is nothing between two frames
	}
	if p.Safe == nil {
		l.Clamp(l.safe)
	}
	return l
}

func orFill(v []float64, n int, fill float64) []float64 {
	full := make([]float64, n)
	for i := range full {
		full[i] = fill
	}
	copy(full, v)
	return full
}

// check reports bounds that contradict one another.
func (l *Limits) check() error {
	for i := range l.min {
		switch {
		case !(l.min[i] <= l.max[i]):
			return fmt.Errorf("value %d: Min %v is not below Max %v", i, l.min[i], l.max[i])
		case !(l.rate[i] > 0):
			return fmt.Errorf("value %d: MaxRate %v is not above 0", i, l.rate[i])
		case !(l.safe[i] >= l.min[i] && l.safe[i] <= l.max[i]):
			return fmt.Errorf("value %d: Safe %v is not from Min %v to Max %v", i, l.safe[i], l.min[i], l.max[i])
		}
	}
	return nil
}

// Check tells what Inputs does with the command v.
func (l *Limits) Check(v []float64) Verdict {
	if len(v) != len(l.min) {
		return WrongLength
	}
	if !finite(v) {
		return NotFinite
	}
	if l.frames > 0 {
		f := v[len(v)-1]
		if f < 0 || f >= float64(l.frames) || f != math.Trunc(f) {
			return UnknownFrame
		}
	}
	for i, x := range v {
		if x < l.min[i] || x > l.max[i] {
			return Clamped
		}
	}
	return Accepted
}

// Clamp moves each value to the nearest one within the bounds.
func (l *Limits) Clamp(v []float64) {
	for i := range v {
		v[i] = math.Min(math.Max(v[i], l.min[i]), l.max[i])
	}
}

// slew moves v towards target as far as the rates allow in dt seconds. It
// reports whether v has arrived.
func (l *Limits) slew(v, target []float64, dt float64) bool {
	arrived := true
	for i, rate := range l.rate {
		way, most := target[i]-v[i], rate*dt
		if math.Abs(way) <= most {
			v[i] = target[i]
			continue
		}
		v[i] += math.Copysign(most, way)
		arrived = false
	}
	return arrived
}
