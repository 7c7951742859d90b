package hil

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"

	"sinew/pkg/sim/spatial"
	"sinew/pkg/sim/trajectory"
)

// Transient describes how a tip goes from one rest to the next. A number that the
// motion does not show is NaN.
type Transient struct {
	RiseS        float64 // time from 10 % to 90 % of the way, s
	Overshoot    float64 // fraction of the way beyond the end
	FrequencyHz  float64 // frequency of the oscillation about the end, Hz
	DampingRatio float64 // from the logarithmic decrement of that oscillation
}

// ResponsePair holds the responses of simulation and hardware to a step of a tendon.
type ResponsePair struct {
	Tendon  string
	AtS     float64 // start of the step, s
	WayM    float64 // distance that the simulated tip goes, m
	Sim, Hw Transient
}

// step is a quick change of a tendon from one hold to another.
type step struct {
	tendon   string
	quantity Quantity
	start    float64 // beginning of the change, s
	end      float64 // end of the hold after it, s
}

// These bounds define a step; ranges are of the tendon's values.
const (
	quick    = 0.05 // longest change that is a step, s
	large    = 0.2  // smallest change, as a fraction of the range
	longHold = 0.3  // shortest hold after the change, s
	steady   = 0.05 // largest change within a hold, as a fraction of the range
	longest  = 5.   // longest part of a response that is measured, s
)

// findSteps finds the steps of a tendon: x at stamps t.
func findSteps(tendon string, q Quantity, t, x []float64) []step {
	var out []step
	full := span(x)
	for i := 0; i+1 < len(x); {
		// a change starts here if large is reached quickly
		j := i + 1
		for j < len(x) && t[j] <= t[i]+math.Max(quick, 1.5*(t[i+1]-t[i])) && math.Abs(x[j]-x[i]) < large*full {
			j++
		}
		quickly := j < len(x) && (t[j] <= t[i]+quick || j == i+1)
		if !quickly || math.Abs(x[j]-x[i]) < large*full || math.Abs(x[i+1]-x[i]) < 0.01*full {
			i++
			continue
		}
		for j+1 < len(x) && math.Abs(x[j+1]-x[j]) > 0.01*full && t[j] <= t[i]+quick {
			j++
		}
		end := j
		for end+1 < len(x) && math.Abs(x[end+1]-x[j]) < steady*full {
			end++
		}
		if t[end]-t[j] >= longHold && math.Abs(x[j]-x[i]) >= large*full {
			out = append(out, step{tendon, q, t[i], math.Min(t[end], t[i]+longest)})
		}
		i = max(end, i+1)
	}
	return out
}

// responses measures the response to each step of a tendon, until another tendon
// moves.
func responses(a *trajectory.Actuation, r *Result) []ResponsePair {
	steps := allSteps(a)
	var out []ResponsePair
	for i, s := range steps {
		if i > 0 && s.start-steps[i-1].start < longHold {
			continue
		}
		s.end = math.Min(s.end, stillUntil(a, s))
		if s.end-s.start < longHold {
			continue
		}
		if p, ok := respond(s, r); ok {
			out = append(out, p)
		}
	}
	return out
}

// allSteps finds the steps of all tendons in the order of time.
func allSteps(a *trajectory.Actuation) []step {
	var steps []step
	for _, name := range a.Names {
		// the commanded quantity makes the step; the other one only responds
		for _, q := range []Quantity{Tension, Pull} {
			if c := column(a, q, name); len(c) > 1 && moves(q, c) {
				if found := findSteps(name, q, a.T, c); found != nil {
					steps = append(steps, found...)
					break
				}
			}
		}
	}
	slices.SortStableFunc(steps, func(a, b step) int { return cmp.Compare(a.start, b.start) })
	return steps
}

// stillUntil returns when another tendon begins to move after the start of a step,
// by what that step is a change of.
func stillUntil(a *trajectory.Actuation, s step) float64 {
	until := math.Inf(1)
	for _, name := range a.Names {
		c := column(a, s.quantity, name)
		if name == s.tendon || !moves(s.quantity, c) {
			continue
		}
		from, _ := slices.BinarySearch(a.T, s.start)
		for i := from; i < len(c) && a.T[i] < until; i++ {
			if math.Abs(c[i]-c[from]) > steady*span(c) {
				until = a.T[i]
			}
		}
	}
	return until
}

// respond measures the response to one step along the way of the simulated tip.
func respond(s step, r *Result) (ResponsePair, bool) {
	from, _ := slices.BinarySearchFunc(r.Pairs, s.start+r.LatencyS, func(p Pair, t float64) int { return cmp.Compare(p.T, t) })
	to, _ := slices.BinarySearchFunc(r.Pairs, s.end+r.LatencyS, func(p Pair, t float64) int { return cmp.Compare(p.T, t) })
	pairs := r.Pairs[from:to]
	const few = 10
	if len(pairs) < few {
		return ResponsePair{}, false
	}
	var end spatial.Vec
	tail := pairs[len(pairs)*4/5:]
	for i := range tail {
		end = end.AddScaled(1/float64(len(tail)), tail[i].Sim.P)
	}
	way := end.Sub(pairs[0].Sim.P)
	d := way.Unit()
	if way.Norm() < minExtent {
		return ResponsePair{}, false
	}
	t, a, b := make([]float64, len(pairs)), make([]float64, len(pairs)), make([]float64, len(pairs))
	for i := range pairs {
		t[i], a[i], b[i] = pairs[i].T-pairs[0].T, d.Dot(pairs[i].Sim.P), d.Dot(pairs[i].Hw.P)
	}
	return ResponsePair{Tendon: s.tendon, AtS: s.start, WayM: way.Norm(), Sim: transient(t, a), Hw: transient(t, b)}, true
}

// transient measures y, which starts at rest and ends near another one.
func transient(t, y []float64) Transient {
	nan := math.NaN()
	out := Transient{nan, nan, nan, nan}
	end := stat.Mean(y[len(y)*4/5:], nil)
	way := end - y[0]
	rest := stat.StdDev(y[len(y)*4/5:], nil)
	if math.Abs(way) < 5*rest || way == 0 {
		return out
	}
	z := make([]float64, len(y)) // from 0 to 1
	for i := range y {
		z[i] = (y[i] - y[0]) / way
	}
	out.RiseS = crossing(t, z, 0.9) - crossing(t, z, 0.1)
	out.Overshoot = math.Max(0, slices.Max(z)-1)
	for i := range z {
		z[i]--
	}
	out.FrequencyHz, out.DampingRatio = decrement(t, z, 3*roughness(z))
	return out
}

// roughness estimates the standard deviation of the noise of z from third
// differences.
func roughness(z []float64) float64 {
	sum := 0.0
	for i := 3; i < len(z); i++ {
		d := z[i] - 3*z[i-1] + 3*z[i-2] - z[i-3]
		sum += d * d
	}
	return math.Sqrt(sum / float64(max(1, len(z)-3)) / thirdDifference)
}

// crossing returns the time at which z first reaches level, interpolated.
func crossing(t, z []float64, level float64) float64 {
	for i := 1; i < len(z); i++ {
		if z[i] >= level && z[i-1] < level {
			return t[i-1] + (level-z[i-1])/(z[i]-z[i-1])*(t[i]-t[i-1])
		}
	}
	return math.NaN()
}

// decrement fits a decaying oscillation to the extremes of z: the frequency (Hz)
// from their times, the damping ratio ζ = δ/√(π² + δ²) from the slope −δ of their
// logarithms over half periods. It ignores extremes below floor, which may be noise.
func decrement(t, z []float64, floor float64) (hz, ratio float64) {
	const few = 3 // extremes
	at, size := extremes(t, z, floor)
	if len(at) < few+1 {
		return math.NaN(), math.NaN()
	}
	at, size = at[1:], size[1:] // the first is the step itself
	index, logs, weight := make([]float64, len(at)), make([]float64, len(at)), make([]float64, len(at))
	for i := range at {
		// the logarithm of an extreme has the standard deviation noise/size
		index[i], logs[i], weight[i] = float64(i), math.Log(size[i]), size[i]*size[i]
	}
	_, slope := stat.LinearRegression(index, logs, weight, false)
	_, half := stat.LinearRegression(index, at, weight, false)
	return 0.5 / half, -slope / math.Hypot(math.Pi, slope)
}

// extremes returns times and sizes of the extremes of z between its changes of
// sign, each beyond floor, that are complete.
func extremes(t, z []float64, floor float64) (at, size []float64) {
	best := -1
	for i := range z {
		switch {
		case math.Abs(z[i]) <= floor:
		case best >= 0 && z[i]*z[best] < 0:
			at, size = append(at, t[best]), append(size, math.Abs(z[best]))
			best = i
		case best < 0 || math.Abs(z[i]) > math.Abs(z[best]):
			best = i
		}
	}
	if best >= 0 && math.Abs(z[len(z)-1]) < math.Abs(z[best])/2 {
		at, size = append(at, t[best]), append(size, math.Abs(z[best]))
	}
	return at, size
}
