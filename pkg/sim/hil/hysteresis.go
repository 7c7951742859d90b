package hil

import (
	"math"
	"slices"

	"sinew/pkg/sim/spatial"
	"sinew/pkg/sim/trajectory"
)

// Loop is the hysteresis of the tip over a tendon: the area that a cycle encloses
// in the plane of what the tendon does and how far the tip goes.
type Loop struct {
	Area    float64   // area per cycle: m² over pull, J over tension
	Percent float64   // Area in percent of the range of the tendon times the range of the tip
	Cycles  int       // whole cycles found
	X       []float64 // pull (m) or tension (N) of the tendon in these cycles
	Y       []float64 // displacement of the tip (m) in these cycles
}

// LoopPair is the hysteresis of simulation and hardware over one tendon.
type LoopPair struct {
	Tendon   string
	Quantity Quantity
	Sim, Hw  Loop
}

// loops measures the hysteresis over each tendon that the tip follows. The tip's
// displacement is measured along the direction in which the simulated tip follows
// the tendon.
func loops(sim, hw *trajectory.Actuation, r *Result) []LoopPair {
	var out []LoopPair
	for _, q := range []Quantity{Pull, Tension} {
		for _, name := range sim.Names {
			xs, xh := onPairs(sim, q, name, r), onPairs(hw, q, name, r)
			if xs == nil || xh == nil || !moves(q, xs) || !moves(q, xh) {
				continue
			}
			d, follows := follow(xs, r.Pairs)
			if !follows {
				continue
			}
			ys, yh := make([]float64, len(r.Pairs)), make([]float64, len(r.Pairs))
			for i := range r.Pairs {
				ys[i], yh[i] = d.Dot(r.Pairs[i].Sim.P), d.Dot(r.Pairs[i].Hw.P)
			}
			a, okA := loop(r.Pairs, xs, ys)
			b, okB := loop(r.Pairs, xh, yh)
			if okA && okB {
				out = append(out, LoopPair{name, q, a, b})
			}
		}
	}
	return out
}

// onPairs returns a quantity of a tendon at the instants of the pairs, nil if it is
// unknown.
func onPairs(a *trajectory.Actuation, q Quantity, tendon string, r *Result) []float64 {
	c := column(a, q, tendon)
	if len(c) == 0 {
		return nil
	}
	x := make([]float64, len(r.Pairs))
	for i := range r.Pairs {
		x[i] = sampleAt(a.T, c, r.Pairs[i].T-r.LatencyS)
	}
	return x
}

// follow returns the direction in which the simulated tip follows x, and whether
// it does so more than it does anything else.
func follow(x []float64, pairs []Pair) (d spatial.Vec, follows bool) {
	const much = 0.7 // correlation
	var m moments
	for i := range pairs {
		m.add(spatial.Vec{X: x[i] - x[0]}, pairs[i].Sim.P.Sub(pairs[0].Sim.P))
	}
	xx, _, c := m.spread()
	d = c.Col1().Unit()
	var along moments
	for i := range pairs {
		along.add(spatial.Vec{X: x[i] - x[0]}, spatial.Vec{X: d.Dot(pairs[i].Sim.P.Sub(pairs[0].Sim.P))})
	}
	return d, xx > 0 && along.scalar() > much
}

// loop measures whole cycles: from one upward passage of the middle of x to the
// last, with the shoelace formula. Steps are no cycles: what comes before a passage
// that is quick is left out, or what comes after it once there are cycles.
func loop(pairs []Pair, x, y []float64) (Loop, bool) {
	const band = 0.25 // part of the range on either side of the middle that a passage must cross
	low := slices.Min(x) + band*span(x)
	high := slices.Max(x) - band*span(x)
	var starts []int
	start, side, left := -1, 0, 0.0 // left: when x was last on side
	for i, v := range x {
		now := 0
		switch {
		case v < low:
			now = -1
		case v > high:
			now = 1
		}
		if side < 0 && start < 0 && v >= (low+high)/2 {
			start = i
		}
		if now != 0 && side != 0 && now != side {
			if pairs[i].T-left < 2*quick {
				if len(starts) > 1 {
					break
				}
				starts = nil
			} else if now > 0 {
				starts = append(starts, start)
			}
		}
		if now != 0 {
			side, left = now, pairs[i].T
		}
		if now < 0 {
			start = -1
		}
	}
	if len(starts) < 2 {
		return Loop{}, false
	}
	from, to := starts[0], starts[len(starts)-1]+1
	l := Loop{Cycles: len(starts) - 1, X: x[from:to], Y: y[from:to]}
	l.Area = math.Abs(shoelace(l.X, l.Y)) / float64(l.Cycles)
	l.Percent = 100 * l.Area / (span(l.X) * span(l.Y))
	return l, true
}

// shoelace returns the signed area of the closed polygon (x, y), about its first
// point.
func shoelace(x, y []float64) float64 {
	area := 0.0
	for i := 1; i+1 < len(x); i++ {
		area += (x[i]-x[0])*(y[i+1]-y[0]) - (x[i+1]-x[0])*(y[i]-y[0])
	}
	return area / 2
}
