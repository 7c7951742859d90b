package hil

import (
	"fmt"
	"math"
	"sync"

	"sinew/pkg/sim/spatial"
	"sinew/pkg/sim/trajectory"
)

// LiveOptions tell how a running comparison works. A field that is 0 takes its
// default value.
type LiveOptions struct {
	WindowS  float64 // length (s) of the window for RMSE, maximum and latency; default 10
	LengthM  float64 // length (m) of the robot; without it, percentages are NaN
	MaxGapS  float64 // longest time (s) between simulated samples to interpolate; default DefaultMaxGap
	LatencyS float64 // time (s) by which the hardware is later, removed from all errors; default 0
	// Follow removes the estimated latency instead of LatencyS, once there is one.
	Follow bool
	// Capacity bounds the samples kept of each source; default 16384. At rates
	// above Capacity/WindowS the window is shorter.
	Capacity int
}

// Error is the error of one sample of the hardware: simulation minus hardware.
type Error struct {
	T        float64     // stamp of the hardware's sample, s
	Position spatial.Vec // m, world axes
	Norm     float64     // length of Position, m
	Rotation float64     // rad; NaN without rotations
	Percent  float64     // Norm in percent of the robot's length; NaN if that is unknown
	RMSE     float64     // root mean square of Norm over the window, m
	Max      float64     // largest Norm of the window, m
	Samples  int         // number of samples in the window
	Removed  float64     // latency that has been removed, s
	Latency  float64     // estimated latency, s; NaN while there is no reliable estimate
}

// LiveCounts counts samples since the start.
type LiveCounts struct {
	Simulated uint64 // samples of the simulation received
	Hardware  uint64 // samples of the hardware received
	Compared  uint64 // samples of the hardware that were compared
	Gaps      uint64 // samples of the hardware in a gap of the simulation
	Early     uint64 // samples of the hardware before the oldest sample kept of the simulation
	Backward  uint64 // samples of either whose stamp went back or repeated
	NotFinite uint64 // samples of either with NaN or infinite numbers
	Dropped   uint64 // samples of the hardware that were too far ahead of the simulation for too long
	Restarts  uint64 // clocks that went back by more than the window
}

// Live compares a simulation and hardware while both run. Samples of either may
// come first; those of the hardware wait until the simulation is past them.
// Simulated, Hardware and Next take microseconds and allocate nothing once each has had a
// sample; Estimate is slow. All methods may be called from any goroutine.
type Live struct {
	mu        sync.Mutex
	o         LiveOptions
	sim       ring // simulated poses
	hw        ring // poses of the hardware, for the latency
	waiting   ring // poses of the hardware that have not been compared
	rotates   bool // whether waiting poses have rotations
	window    sliding
	latency   Latency // the newest reliable estimate
	estimated bool    // whether there is such an estimate
	counts    LiveCounts

	estimating sync.Mutex // guards simCopy and hwCopy; locked before mu
	simCopy    []stamped  // samples of sim that Estimate works on
	hwCopy     []stamped  // samples of hw that Estimate works on
}

// NewLive returns a running comparison without samples. It errors on options that
// are negative or not finite.
func NewLive(o LiveOptions) (*Live, error) {
	for _, v := range []struct {
		name     string
		value    *float64
		standard float64 // value instead of 0
	}{{"window", &o.WindowS, 10}, {"gap limit", &o.MaxGapS, DefaultMaxGap}, {"length", &o.LengthM, 0}} {
		if !(*v.value >= 0) || math.IsInf(*v.value, 0) {
			return nil, fmt.Errorf("hil: %s = %g, allowed: [0, inf)", v.name, *v.value)
		}
		if *v.value == 0 {
			*v.value = v.standard
		}
	}
	if !spatial.IsFinite(o.LatencyS) {
		return nil, fmt.Errorf("hil: latency = %g s is not finite", o.LatencyS)
	}
	if o.Capacity == 0 {
		o.Capacity = 1 << 14
	}
	if o.Capacity < minSamples {
		return nil, fmt.Errorf("hil: capacity = %d samples, allowed: [%d, inf)", o.Capacity, minSamples)
	}
	return &Live{
		o: o, sim: newRing(o.Capacity), hw: newRing(o.Capacity), waiting: newRing(o.Capacity),
		window: newSliding(o.WindowS, o.Capacity),
	}, nil
}

// Simulated takes the simulated pose p at t (s), in the world frame.
func (l *Live) Simulated(t float64, p spatial.Pose) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.counts.Simulated++
	if l.admit(t, &p, &l.sim) {
		l.sim.push(t, p)
	}
}

// Hardware takes the measured pose p at t (s) on the clock of the simulation, in
// the world frame. rotations tells whether p has a rotation.
func (l *Live) Hardware(t float64, p spatial.Pose, rotations bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.counts.Hardware++
	if !l.admit(t, &p, &l.hw) {
		return
	}
	l.rotates = rotations
	l.hw.push(t, p)
	if l.waiting.push(t, p) {
		l.counts.Dropped++
	}
}

// admit decides whether a sample can be the next of its source. A stamp that goes
// back by more than the window means that the clock has started anew.
func (l *Live) admit(t float64, p *spatial.Pose, to *ring) bool {
	if !spatial.IsFinite(t) || !p.P.IsFinite() {
		l.counts.NotFinite++
		return false
	}
	if to.n == 0 {
		return true
	}
	newest := to.stamp(to.n - 1)
	switch {
	case t > newest:
		return true
	case t < newest-l.o.WindowS:
		l.counts.Restarts++
		to.clear()
		if to == &l.hw {
			l.waiting.clear()
			l.window.clear()
			l.estimated = false
		}
		return true
	}
	l.counts.Backward++
	return false
}

// Next returns the error of the oldest sample of the hardware that can be compared
// and has not been, and false if there is none.
func (l *Live) Next() (Error, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	removed := l.o.LatencyS
	if l.o.Follow && l.estimated {
		removed = l.latency.Seconds
	}
	for l.waiting.n > 0 && l.sim.n > 0 {
		hw := l.waiting.at(0)
		i, where := trajectory.Locate(l.sim.n, l.sim.stamp, hw.t-removed, l.o.MaxGapS)
		if where == trajectory.After {
			return Error{}, false
		}
		l.waiting.pop()
		switch where {
		case trajectory.Before:
			l.counts.Early++
		case trajectory.InGap:
			l.counts.Gaps++
		case trajectory.Inside:
			return l.compare(i, hw, removed), true
		}
	}
	return Error{}, false
}

// compare compares hw with the simulation at hw.t − removed, at or after sample i.
func (l *Live) compare(i int, hw *stamped, removed float64) Error {
	l.counts.Compared++
	a, t := l.sim.at(i), hw.t-removed
	pose := a.pose
	if a.t != t {
		b := l.sim.at(i + 1)
		pose = trajectory.Interpolate(a.t, &a.pose, b.t, &b.pose, t, l.rotates)
	}
	e := Error{T: hw.t, Rotation: math.NaN(), Percent: math.NaN(), Removed: removed, Latency: math.NaN()}
	var angle float64
	e.Position, angle = difference(&pose, &hw.pose, l.rotates)
	if l.rotates {
		e.Rotation = angle
	}
	e.Norm = e.Position.Norm()
	if l.o.LengthM > 0 {
		e.Percent = 100 * e.Norm / l.o.LengthM
	}
	l.window.push(hw.t, e.Norm)
	e.RMSE, e.Max, e.Samples = l.window.rms(), l.window.maximum(), l.window.n
	if l.estimated {
		e.Latency = l.latency.Seconds
	}
	return e
}

// Estimate estimates the latency from the samples of the window and returns it;
// the errors that follow carry it. It allocates and takes milliseconds, during
// which samples are accepted: call it about once per second, off the hot path.
// It errors while there is too little data. An estimate that is not reliable does
// not replace an earlier one.
func (l *Live) Estimate() (Latency, error) {
	l.estimating.Lock()
	defer l.estimating.Unlock()
	l.mu.Lock()
	l.simCopy = l.sim.appendLast(l.simCopy[:0], l.o.WindowS)
	l.hwCopy = l.hw.appendLast(l.hwCopy[:0], l.o.WindowS)
	l.mu.Unlock()
	sim, hw := positions(l.simCopy), positions(l.hwCopy)
	const resamples = 100 // enough to choose the better method
	latency, err := EstimateLatency(&sim, &hw, LatencyOptions{Resamples: resamples})
	if err != nil {
		return latency, err
	}
	if latency.Reliable {
		l.mu.Lock()
		l.latency, l.estimated = latency, true
		l.mu.Unlock()
	}
	return latency, nil
}

// Counts returns what has happened to the samples.
func (l *Live) Counts() LiveCounts {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.counts
}
