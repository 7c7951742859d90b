package hil

import (
	"fmt"
	"math"
	"slices"

	"sinew/pkg/sim/spatial"
	"sinew/pkg/sim/trajectory"
)

// Drift is a latency that changes at a constant rate, as of clocks that run at different speeds.
type Drift struct {
	Rate       float64 // of the latency, s per s of the hardware's clock
	Start, End float64 // latency at the first and the last sample of the hardware, s
	// RMSE and Constant are the RMS position errors after the best rigid motion, with the drift and with a constant latency
	// removed, m.
	RMSE, Constant float64
}

const (
	// driftWindows is the number of parts of a recording whose latencies give the first estimate of the rate.
	driftWindows = 6
	// driftGain is the share of the error with a constant latency below which the drift must bring it.
	driftGain = 0.8
	// leastDrift is the change of the latency over the recording that gives a warning, s: a control period at 1 kHz.
	leastDrift = 1e-3
	// mostRate bounds the rate that can be of a clock, s/s.
	mostRate = 0.1
	// alikeRates is the relative difference between the rates of both halves of a recording, beyond which the latency does not
	// change as that of a clock: of a model that lags it depends on how things move.
	alikeRates = 0.5
)

// findDrift finds the drift between two motions near a latency (s); nil where a constant latency fits about as well.
func findDrift(sim, hw *trajectory.Poses, latency float64, o *Options) *Drift {
	duration := hw.End() - hw.Start()
	f := &driftFit{sim: sim, hw: hw, maxGap: o.MaxGapS, centre: (hw.Start() + hw.End()) / 2}
	constant := f.refine(clockLine{latency, 0}, false)
	best := f.refine(constant.line, true)
	if seed, ok := f.seed(o); ok {
		if d := f.refine(seed, true); d.rms < best.rms {
			best = d
		}
	}
	rate := best.line.rate
	if !(best.rms < driftGain*constant.rms) || math.Abs(rate)*duration < leastDrift || math.Abs(rate) > mostRate {
		return nil
	}
	for _, half := range [][2]int{{0, hw.Len() / 2}, {hw.Len() / 2, hw.Len()}} {
		g := *f
		g.hw = &trajectory.Poses{T: hw.T[half[0]:half[1]], Pose: hw.Pose[half[0]:half[1]]}
		if d := g.refine(best.line, true); !(math.Abs(d.line.rate-rate) < alikeRates*math.Abs(rate)) {
			return nil
		}
	}
	return &Drift{Rate: rate, Start: best.line.at(hw.Start() - f.centre), End: best.line.at(hw.End() - f.centre), RMSE: best.rms, Constant: constant.rms}
}

// clockLine is a latency that changes with time: latency + rate t, s.
type clockLine struct{ latency, rate float64 }

func (l clockLine) at(t float64) float64 { return l.latency + l.rate*t }

// driftFit fits a clockLine, over times from a centre on, by the positions after the best rigid motion.
type driftFit struct {
	sim, hw *trajectory.Poses
	maxGap  float64 // s
	centre  float64 // s
}

// driftResult is a line with the RMS position error that it leaves, m; infinite where motions do not overlap.
type driftResult struct {
	line clockLine
	rms  float64
}

// refine goes from a line to the best one nearby by Gauss and Newton, with or without a rate.
func (f *driftFit) refine(from clockLine, rate bool) driftResult {
	const iterations, smallest = 20, 1e-9 // s
	best := driftResult{from, math.Inf(1)}
	line := from
	for range iterations {
		rms, step := f.step(line, rate)
		if !(rms < best.rms) {
			break
		}
		best = driftResult{line, rms}
		line = clockLine{line.latency + step.latency, line.rate + step.rate}
		if math.Abs(step.latency) < smallest && math.Abs(step.rate)*(f.hw.End()-f.hw.Start()) < smallest {
			break
		}
	}
	return best
}

// step returns the error that a line leaves and the step of Gauss and Newton from it.
func (f *driftFit) step(line clockLine, rate bool) (rms float64, step clockLine) {
	var pairs []Pair
	var speed []spatial.Vec
	for i, t := range f.hw.T {
		at := t - line.at(t-f.centre)
		p, where := f.sim.At(at, f.maxGap)
		if v, ok := f.velocity(at); where == trajectory.Inside && ok {
			pairs, speed = append(pairs, Pair{T: t, Sim: p, Hw: f.hw.Pose[i]}), append(speed, v)
		}
	}
	if len(pairs) < minSamples || 2*len(pairs) < f.hw.Len() {
		return math.Inf(1), step
	}
	g, _, err := rigid(pairs)
	if err != nil {
		return math.Inf(1), step
	}
	var sum, aa, ab, bb, ae, be float64
	for i := range pairs {
		e, t := pairs[i].Sim.P.Sub(g.Apply(pairs[i].Hw.P)), pairs[i].T-f.centre
		v2, ve := speed[i].Norm2(), speed[i].Dot(e)
		sum += e.Norm2()
		aa, ab, bb, ae, be = aa+v2, ab+v2*t, bb+v2*t*t, ae+ve, be+ve*t
	}
	rms = math.Sqrt(sum / float64(len(pairs)))
	switch det := aa*bb - ab*ab; {
	case !rate && aa > 0:
		step.latency = ae / aa
	case rate && det > 0:
		step = clockLine{(bb*ae - ab*be) / det, (aa*be - ab*ae) / det}
	}
	return rms, step
}

// velocity is that of the simulated tip, m/s.
func (f *driftFit) velocity(at float64) (spatial.Vec, bool) {
	i, where := trajectory.Locate(f.sim.Len(), func(i int) float64 { return f.sim.T[i] }, at, f.maxGap)
	if where != trajectory.Inside {
		return spatial.Vec{}, false
	}
	i = min(i, f.sim.Len()-2)
	return f.sim.Pose[i+1].P.Sub(f.sim.Pose[i].P).Scale(1 / (f.sim.T[i+1] - f.sim.T[i])), true
}

// seed is the line through the latencies of parts of the recording: the median of the slopes of all pairs of parts
// [Theil 1950, Sen 1968], which a wrong one does not turn.
func (f *driftFit) seed(o *Options) (clockLine, bool) {
	search := o.Search
	search.Resamples = 1 // intervals are not used
	var times, latencies []float64
	n := f.hw.Len()
	for k := range driftWindows {
		part := trajectory.Poses{T: f.hw.T[k*n/driftWindows : (k+1)*n/driftWindows], Pose: f.hw.Pose[k*n/driftWindows : (k+1)*n/driftWindows]}
		if part.Len() < minSamples {
			continue
		}
		if l, err := EstimateLatency(f.sim, &part, search); err == nil && l.Reliable {
			times, latencies = append(times, (part.Start()+part.End())/2-f.centre), append(latencies, l.Seconds)
		}
	}
	var slopes, levels []float64
	for i := range times {
		for k := range i {
			slopes = append(slopes, (latencies[i]-latencies[k])/(times[i]-times[k]))
		}
	}
	if len(times) < 3 {
		return clockLine{}, false
	}
	slices.Sort(slopes)
	rate := quantile(slopes, 0.5)
	for i := range times {
		levels = append(levels, latencies[i]-rate*times[i])
	}
	slices.Sort(levels)
	return clockLine{quantile(levels, 0.5), rate}, true
}

// text tells of the drift.
func (d *Drift) text() string {
	return fmt.Sprintf("Latency: it drifts from %.1f ms to %.1f ms, by %.4g ms per s, so that one value and its interval mean little; with the drift removed the RMS position error after the best rigid motion is %.4g mm instead of %.4g mm. Synchronise the clocks.",
		1e3*d.Start, 1e3*d.End, 1e3*d.Rate, 1e3*d.RMSE, 1e3*d.Constant)
}
