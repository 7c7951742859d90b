package hil

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"sinew/pkg/sim/spatial"
	"sinew/pkg/sim/trajectory"
)

// LatencyMode tells what is done about the latency.
type LatencyMode string

// The modes.
const (
	LatencyAuto  LatencyMode = "auto"  // estimate and remove it
	LatencyFixed LatencyMode = "fixed" // remove Options.LatencyS
	LatencyNone  LatencyMode = "none"  // leave it in
)

// DefaultMaxGap is the default value of the longest time (s) between two simulated
// samples over which the simulation is interpolated.
const DefaultMaxGap = 0.05

// Options tell how to compare. A field that is empty or 0 takes its default value.
type Options struct {
	Align         Alignment         // default AlignNone
	AlignRotation RotationAlignment // default RotationNone
	Latency       LatencyMode       // default LatencyAuto
	LatencyS      float64           // latency (s) that LatencyFixed removes
	Search        LatencyOptions    // how LatencyAuto estimates the latency
	MaxGapS       float64           // longest time (s) between simulated samples to interpolate; default DefaultMaxGap
	LengthM       float64           // length (m) of the robot; without it, percentages are NaN
	// ReachM is the largest distance (m) between two positions of the tip, for a
	// robot that is clamped somewhere. It finds wrong units; 0 if it is unknown.
	ReachM float64
}

// Comparison is the outcome of Compare.
type Comparison struct {
	Options Options  // with their default values
	Latency *Latency // nil unless one was estimated
	// Drift, Mirror and Convention are what makes the numbers mean something else: nil unless the motions show it.
	Drift      *Drift
	Mirror     *Mirror
	Exchange   *Exchange
	Convention *Convention
	Recorded   *Result // with the latency left in
	// Removed is the result without the latency. It is Recorded if no latency was
	// found or asked for, and if the estimate makes the error larger; then Worse is the
	// result without it, otherwise nil.
	Removed, Worse       *Result
	Simulation, Hardware Health
	SimMotion, HwMotion  Motion
	Loops                []LoopPair
	Responses            []ResponsePair
	ActuationErrors      []ActuationError
	Shape                []ShapeError // by arc length; nil without shapes
	Markers              []MarkerError
	Pooled               Summary  // of all compared samples of all markers, m
	Warnings             []string // sentences for people
}

// ErrNoOverlap tells that the recordings have no time in common.
var ErrNoOverlap = errors.New("simulation and hardware do not overlap in time")

// ErrTooFew tells that too few samples have the time of a simulated one.
var ErrTooFew = fmt.Errorf("at least %d are needed", minSamples)

// Compare compares sim and hw, of which positions in the plane of x and y if one of them has no more. It returns an error for series that Validate
// refuses, wrong units, no overlap in time (ErrNoOverlap), and options out of
// range.
func Compare(sim, hw *trajectory.Trajectory, o Options) (*Comparison, error) {
	if err := o.complete(); err != nil {
		return nil, err
	}
	if sim.Tip.Planar || hw.Tip.Planar {
		sim, hw = inPlane(sim), inPlane(hw)
	}
	warning, err := check(sim, hw, &o)
	if err != nil {
		return nil, err
	}
	c := &Comparison{Options: o, Simulation: health(&sim.Tip), Hardware: health(&hw.Tip)}
	if warning != "" {
		c.Warnings = append(c.Warnings, warning)
	}
	if c.Recorded, err = evaluate(&sim.Tip, &hw.Tip, 0, &o); err != nil && o.Latency != LatencyFixed {
		return nil, err
	}
	latency, err := c.chooseLatency(sim, hw)
	if err != nil {
		return nil, err
	}
	c.Removed = c.Recorded
	if latency != 0 {
		if c.Removed, err = evaluate(&sim.Tip, &hw.Tip, latency, &o); err != nil {
			return nil, err
		}
		c.judgeRemoval(latency)
	}
	if c.Recorded == nil { // only a latency makes them overlap
		c.Recorded = c.Removed
	}
	c.misread(&sim.Tip, &hw.Tip)
	c.dynamics(sim, hw)
	c.Shape = compareShapes(&sim.Shape, &hw.Shape, c.Removed, o.MaxGapS)
	c.compareMarkers(sim.Markers, hw.Markers)
	c.warn()
	return c, nil
}

// misread finds clocks that drift, frames that are mirror images and quaternions of another convention.
func (c *Comparison) misread(sim, hw *trajectory.Poses) {
	if c.Latency != nil {
		c.Drift = findDrift(sim, hw, c.Latency.Seconds, &c.Options)
	}
	latency := c.Removed.LatencyS
	if c.Worse != nil {
		latency = c.Worse.LatencyS // a mirrored frame makes it look worse
	}
	pairs, _, _ := match(sim, hw, latency, c.Options.MaxGapS)
	if len(pairs) < minSamples {
		return
	}
	if !hw.Planar && !sim.Planar { // in a plane, a mirror image is a turn
		c.Mirror = findMirror(pairs)
	}
	if c.Mirror == nil && c.Options.Align != AlignSE3 {
		c.Exchange = findExchange(pairs)
	}
	if sim.Rotations && hw.Rotations {
		c.Convention = findConvention(pairs)
	}
}

// complete sets defaults and checks ranges.
func (o *Options) complete() error {
	if o.Align == "" {
		o.Align = AlignNone
	}
	if o.AlignRotation == "" {
		o.AlignRotation = RotationNone
	}
	if o.Latency == "" {
		o.Latency = LatencyAuto
	}
	if o.MaxGapS == 0 {
		o.MaxGapS = DefaultMaxGap
	}
	for name, v := range map[string]float64{"gap limit (s)": o.MaxGapS, "length (m)": o.LengthM, "reach (m)": o.ReachM} {
		if !(v >= 0) || math.IsInf(v, 0) {
			return fmt.Errorf("%s = %g, allowed: [0, inf)", name, v)
		}
	}
	if !spatial.IsFinite(o.LatencyS) {
		return fmt.Errorf("latency (s) = %g is not finite", o.LatencyS)
	}
	if !slices.Contains([]LatencyMode{LatencyAuto, LatencyFixed, LatencyNone}, o.Latency) {
		return fmt.Errorf("latency %q, allowed: %s, %s, %s", o.Latency, LatencyAuto, LatencyFixed, LatencyNone)
	}
	return nil
}

// inPlane is a trajectory whose positions have no z.
func inPlane(t *trajectory.Trajectory) *trajectory.Trajectory {
	flat := *t
	flat.Tip.Pose = slices.Clone(t.Tip.Pose)
	for i := range flat.Tip.Pose {
		flat.Tip.Pose[i].P.Z = 0
	}
	return &flat
}

// check returns an error for the first mistake in the recordings, and a warning of units that may be wrong.
func check(sim, hw *trajectory.Trajectory, o *Options) (warning string, err error) {
	for _, s := range []struct {
		name string
		r    *trajectory.Trajectory
	}{{"simulation", sim}, {"hardware", hw}} {
		if err := s.r.Tip.Validate(s.name); err != nil {
			return "", err
		}
		if err := s.r.Actuation.Validate(s.name); err != nil {
			return "", err
		}
		if err := s.r.Shape.Validate(s.name); err != nil {
			return "", err
		}
		for i := range s.r.Markers {
			if err := s.r.Markers[i].Validate(s.name); err != nil {
				return "", err
			}
		}
	}
	a, b := &sim.Tip, &hw.Tip
	shift := 0.0
	if o.Latency == LatencyFixed {
		shift = o.LatencyS
	}
	if a.Start()+shift > b.End() || b.Start() > a.End()+shift {
		return "", fmt.Errorf("%w: the simulation lasts from %.9g s to %.9g s, the hardware from %.9g s to %.9g s; their clocks must be the same", ErrNoOverlap, a.Start(), a.End(), b.Start(), b.End())
	}
	return checkUnits(a, b, o.ReachM)
}

// chooseLatency returns the latency to remove (s).
func (c *Comparison) chooseLatency(sim, hw *trajectory.Trajectory) (float64, error) {
	switch c.Options.Latency {
	case LatencyNone:
		return 0, nil
	case LatencyFixed:
		return c.Options.LatencyS, nil
	}
	l, err := EstimateLatency(&sim.Tip, &hw.Tip, c.Options.Search)
	if errors.Is(err, ErrNoMotion) {
		c.Warnings = append(c.Warnings, "Latency: "+err.Error()+". None was removed.")
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	c.Latency = &l
	if !l.Reliable {
		c.Warnings = append(c.Warnings, fmt.Sprintf("Latency: %.1f ms fits best, but with a correlation of %.2f or at the end of the range of search; none was removed.", 1e3*l.Seconds, l.Correlation))
		return 0, nil
	}
	const nothing = 1e-6 // s, below what any stamp means
	if math.Abs(l.Seconds) < nothing {
		return 0, nil
	}
	return l.Seconds, nil
}

// judgeRemoval leaves the latency in if an estimate makes the error larger, and without a
// word if it is 0 to a millisecond, as of equal motions. One that was given is taken out all the
// same, with a warning.
func (c *Comparison) judgeRemoval(latency float64) {
	if c.Recorded == nil || c.Removed.Position.RMSE <= c.Recorded.Position.RMSE {
		return
	}
	with, without := c.Recorded.Position.RMSE, c.Removed.Position.RMSE
	what := fmt.Sprintf("Latency: removing %.1f ms makes the RMS position error larger, from %.4g mm to %.4g mm", 1e3*latency, 1e3*with, 1e3*without)
	if c.Options.Latency == LatencyFixed {
		c.Warnings = append(c.Warnings, what+"; it was removed because it was asked for.")
		return
	}
	const negligible = 1e-3 // s, a control period at 1 kHz
	if c.Latency.Low <= 0 && c.Latency.High >= 0 && max(-c.Latency.Low, c.Latency.High) < negligible {
		c.Removed = c.Recorded
		return
	}
	c.Worse, c.Removed = c.Removed, c.Recorded
	c.Warnings = append(c.Warnings, what+"; it was left in. The motions differ by more than a delay: are the commands the same, and do both sides treat commands that end alike?")
}

// warn adds a warning for everything that makes the numbers less certain.
func (c *Comparison) warn() {
	add := func(format string, args ...any) { c.Warnings = append(c.Warnings, fmt.Sprintf(format, args...)) }
	if l := c.Latency; l != nil {
		if l.Reliable && l.Ambiguous {
			add("Latency: the motion repeats itself, other latencies fit as well; the one nearest to 0 was taken.")
		}
		if l.Reliable && l.High-l.Low > 0.01 {
			add("Latency: the 95 %% interval is %.0f ms wide; faster motions would narrow it.", 1e3*(l.High-l.Low))
		}
	}
	if c.Drift != nil {
		add("%s", c.Drift.text())
	}
	if c.Mirror != nil {
		add("%s", c.Mirror.text())
	}
	if c.Exchange != nil {
		add("%s", c.Exchange.text())
	}
	if c.Convention != nil {
		add("%s", c.Convention.text())
	}
	r := c.Removed
	if r.Frame.Degenerate != "" {
		add("Alignment: %s.", r.Frame.Degenerate)
	}
	if n := r.Outside + r.InGaps; n > 0 && 20*n > c.Hardware.Samples {
		add("%d of %d samples of the hardware were not compared: %d before or after the simulation, %d in its gaps.", n, c.Hardware.Samples, r.Outside, r.InGaps)
	}
	for _, s := range []struct {
		name string
		h    *Health
	}{{"Simulation", &c.Simulation}, {"Hardware", &c.Hardware}} {
		if s.h.Missing > 0 {
			add("%s: about %d of %d samples are missing in %d gaps, the longest of %.3g s.", s.name, s.h.Missing, s.h.Samples+s.h.Missing, s.h.Gaps, s.h.LongestS)
		}
		if s.h.JitterS*s.h.RateHz > 0.2 {
			add("%s: stamps jitter by %.2g ms at intervals of %.2g ms; stamps made at reception blur every error by speed times jitter.", s.name, 1e3*s.h.JitterS, 1e3/s.h.RateHz)
		}
	}
	if r.LengthM == 0 {
		add("The robot's length is unknown, so there are no percentages.")
	}
}
