package sim

import (
	"fmt"
	"math"

	"sinew/pkg/sim/spatial"
)

// Limits are the bounds of an In port, one of each per value, in the port's
// units. They do not change, so any goroutine may use them.
type Limits struct {
	min, max, rate, safe []float64
	least, most          []float64 // values beyond these are refused
	frames               int       // if > 0, the last value is the index of one of that many frames
}

// NewLimits returns the limits of p; where p has none they are infinite. Where
// p.Safe is nil the safe value is 0 or, if the bounds exclude 0, the nearest bound.
func NewLimits(p *Port) *Limits {
	n := p.Width()
	l := &Limits{
		min:  orFill(p.Min, n, math.Inf(-1)),
		max:  orFill(p.Max, n, math.Inf(1)),
		rate: orFill(p.MaxRate, n, math.Inf(1)),
		safe: orFill(p.Safe, n, 0), least: make([]float64, n), most: make([]float64, n),
	}
	for i := range n {
		l.least[i], l.most[i] = p.Accepted(i)
	}
	if p.Kind == Wrench && len(p.Frames) > 1 {
		l.frames = len(p.Frames)
		l.rate[n-1] = math.Inf(1) // there is nothing between two frames
	}
	if p.Safe == nil {
		for i := range l.safe {
			l.safe[i] = l.clamp(i, 0)
		}
	}
	return l
}

// width returns the number of values.
func (l *Limits) width() int { return len(l.min) }

// orFill returns a copy of v or, if v is nil, n times fill.
func orFill(v []float64, n int, fill float64) []float64 {
	full := make([]float64, n)
	for i := range full {
		full[i] = fill
	}
	copy(full, v)
	return full
}

// check returns an error for bounds that contradict one another.
func (l *Limits) check() error {
	for i := range l.min {
		switch {
		case !(l.min[i] <= l.max[i]):
			return fmt.Errorf("value %d: Min %v is not below Max %v", i, l.min[i], l.max[i])
		case !(l.rate[i] > 0):
			return fmt.Errorf("value %d: MaxRate %v is not above 0", i, l.rate[i])
		case !(l.safe[i] >= l.min[i] && l.safe[i] <= l.max[i] || IsKeep(l.safe[i])):
			return fmt.Errorf("value %d: Safe %v is not from Min %v to Max %v", i, l.safe[i], l.min[i], l.max[i])
		}
	}
	return nil
}

// Check returns what Inputs.Set does with the command v, in the port's units.
// Keep is always accepted, except as the frame of a wrench.
func (l *Limits) Check(v []float64) CommandStatus {
	if len(v) != len(l.min) {
		return WrongLength
	}
	if l.frames > 0 {
		f := v[len(v)-1]
		if !(f >= 0 && f < float64(l.frames) && f == math.Trunc(f)) {
			return UnknownFrame
		}
	}
	status := Accepted
	for i, x := range v {
		switch {
		case x >= l.min[i] && x <= l.max[i] && x >= l.least[i] && x <= l.most[i] || IsKeep(x):
		case !spatial.IsFinite(x):
			return NotFinite
		case x < l.least[i] || x > l.most[i]:
			status = OutOfRange
		case status == Accepted:
			status = Clamped
		}
	}
	return status
}

// clamp returns the value nearest to x within the bounds of value i.
func (l *Limits) clamp(i int, x float64) float64 {
	return math.Min(math.Max(x, l.min[i]), l.max[i])
}

// slew returns the point between from and to that value i may reach from from in
// dt seconds.
func (l *Limits) slew(i int, from, to, dt float64) float64 {
	way, most := to-from, l.rate[i]*dt
	if math.Abs(way) <= most {
		return to
	}
	return from + math.Copysign(most, way)
}
