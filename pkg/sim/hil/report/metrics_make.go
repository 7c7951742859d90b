package report

import (
	"math"

	"sinew/pkg/sim/hil"
)

// Metrics returns the content of metrics.json.
func (d *Document) Metrics() Metrics {
	c := d.Comparison
	length := c.Options.LengthM
	if length == 0 {
		length = math.NaN()
	}
	m := Metrics{
		Simulation: newSource(d.Simulation, &c.Simulation, &c.SimMotion),
		Hardware:   newSource(d.Hardware, &c.Hardware, &c.HwMotion),
		LengthM:    Number(length),
		Latency:    newLatency(c),
		Alignment:  newAlignment(c),
		AsRecorded: newResult(c.Recorded), LatencyRemoved: newResult(c.Removed),
		Hysteresis: []LoopMetrics{}, StepResponses: []StepMetrics{}, Actuation: []ActuationMetrics{}, Shape: []ShapeMetrics{},
		Warnings: append([]string{}, c.Warnings...),
	}
	for _, l := range c.Loops {
		unit := "J"
		if l.Quantity == hil.Pull {
			unit = "m^2"
		}
		m.Hysteresis = append(m.Hysteresis, LoopMetrics{l.Tendon, l.Quantity, unit, l.Sim.Cycles, Number(l.Sim.Area), Number(l.Hw.Area), Number(l.Sim.Percent), Number(l.Hw.Percent)})
	}
	for _, r := range c.Responses {
		m.StepResponses = append(m.StepResponses, StepMetrics{r.Tendon, Number(r.AtS), Number(r.WayM), newTransient(&r.Sim), newTransient(&r.Hw)})
	}
	for _, a := range c.ActuationErrors {
		unit := "N"
		if a.Quantity == hil.Pull {
			unit = "m"
		}
		m.Actuation = append(m.Actuation, ActuationMetrics{a.Tendon, a.Quantity, unit, Number(a.RMSE), Number(a.Max)})
	}
	for _, s := range c.Shape {
		m.Shape = append(m.Shape, ShapeMetrics{Number(s.Fraction), Number(s.ArcM), Number(s.RMSE), Number(s.Mean), Number(s.Max)})
	}
	for i := range c.Markers {
		e := &c.Markers[i]
		one := MarkerMetrics{Name: e.Name, Samples: e.Samples, Outside: e.Outside, DistanceMetrics: newDistances(&e.Position, c.Removed), Bias: vector(e.Bias)}
		if !math.IsNaN(e.Angle.RMSE) {
			one.Rotation = &MarkerRotation{Number(e.Angle.RMSE), Number(e.Angle.Max)}
		}
		m.Markers = append(m.Markers, one)
	}
	if len(c.Markers) > 0 {
		all := newDistances(&c.Pooled, c.Removed)
		m.MarkersPooled = &all
	}
	return m
}

func newDistances(s *hil.Summary, r *hil.Result) DistanceMetrics {
	return DistanceMetrics{
		Number(s.RMSE), Number(s.Mean), Number(s.Median), Number(s.P95), Number(s.Max),
		Number(r.Percent(s.RMSE)), Number(r.Percent(s.Max)),
	}
}

func newSource(name string, h *hil.Health, m *hil.Motion) Source {
	return Source{
		Name: name, Samples: h.Samples, StartS: Number(h.StartS), EndS: Number(h.EndS), RateHz: Number(h.RateHz),
		JitterS: Number(h.JitterS), LongestS: Number(h.LongestS), Gaps: h.Gaps, MissingSamples: h.Missing,
		ExtentM: Number(m.ExtentM), MeanSpeed: Number(m.MeanSpeed), DominantHz: Number(m.DominantHz),
	}
}

func newLatency(c *hil.Comparison) *LatencyMetrics {
	nan := Number(math.NaN())
	m := &LatencyMetrics{Mode: c.Options.Latency, RemovedS: Number(c.Removed.LatencyS), EstimateS: nan, LowS: nan, HighS: nan, Corr: nan, SpeedS: nan, PositionS: nan, SmoothingS: nan}
	if d := c.Drift; d != nil {
		m.Drift = &DriftMetrics{Number(d.Rate), Number(d.Start), Number(d.End), Number(d.RMSE), Number(d.Constant)}
	}
	if l := c.Latency; l != nil {
		m.EstimateS, m.LowS, m.HighS, m.Corr = Number(l.Seconds), Number(l.Low), Number(l.High), Number(l.Correlation)
		m.Method, m.Reliable, m.Ambiguous = l.Method, l.Reliable, l.Ambiguous
		m.SpeedS, m.PositionS, m.SmoothingS = Number(l.Speed.Seconds), Number(l.Position.Seconds), Number(l.SmoothingS)
	}
	return m
}

func newAlignment(c *hil.Comparison) AlignmentMetrics {
	f := &c.Removed.Frame
	q := f.Pose.R.Quat()
	return AlignmentMetrics{
		Kind: c.Options.Align, Rotations: c.Options.AlignRotation, Translation: vector(f.Pose.P),
		Quaternion: [4]Number{Number(q.X), Number(q.Y), Number(q.Z), Number(q.W)},
		AngleRad:   Number(f.Angle()), Degenerate: f.Degenerate,
	}
}

func newResult(r *hil.Result) ResultMetrics {
	p := &r.Position
	percent := func(v float64) Number { return Number(r.Percent(v)) }
	m := ResultMetrics{
		LatencyS: Number(r.LatencyS), Samples: len(r.Pairs), Outside: r.Outside, InGaps: r.InGaps,
		Position: PositionMetrics{
			RMSE: Number(p.RMSE), Mean: Number(p.Mean), Median: Number(p.Median), Std: Number(p.Std), P95: Number(p.P95), Max: Number(p.Max),
			RMSEPercent: percent(p.RMSE), MeanPercent: percent(p.Mean), MedianPercent: percent(p.Median), P95Percent: percent(p.P95), MaxPercent: percent(p.Max),
			Bias: vector(r.Bias), AxisRMSE: vector(r.AxisRMSE),
		},
	}
	if r.Rotations {
		a := &r.Angle
		m.Rotation = &RotationMetrics{Number(a.RMSE), Number(a.Mean), Number(a.Median), Number(a.Std), Number(a.P95), Number(a.Max)}
	}
	return m
}

func newTransient(t *hil.Transient) TransientMetrics {
	return TransientMetrics{Number(t.RiseS), Number(100 * t.Overshoot), Number(t.FrequencyHz), Number(t.DampingRatio)}
}
