package report

import (
	"fmt"
	"math"
	"slices"

	"sinew/pkg/sim/hil"
	"sinew/pkg/sim/spatial"
)

// errorTable lists the errors as recorded and without latency.
func errorTable(c *hil.Comparison, u Unit) Table {
	results := []*hil.Result{c.Recorded}
	t := Table{Header: []string{"Error", "as recorded"}}
	if c.Removed != c.Recorded {
		results = append(results, c.Removed)
		t.Header = append(t.Header, "latency removed")
	}
	row := func(name string, f func(*hil.Result) string) {
		cells := []string{name}
		for _, r := range results {
			cells = append(cells, f(r))
		}
		t.Rows = append(t.Rows, cells)
	}
	length := func(v float64, r *hil.Result) string {
		s := u.show(v)
		if p := r.Percent(v); !math.IsNaN(p) {
			s += " (" + short(p) + " %)"
		}
		return s
	}
	for _, s := range []struct {
		name  string
		value func(*hil.Summary) float64
	}{
		{"RMSE", func(s *hil.Summary) float64 { return s.RMSE }}, {"mean", func(s *hil.Summary) float64 { return s.Mean }},
		{"median", func(s *hil.Summary) float64 { return s.Median }}, {"standard deviation", func(s *hil.Summary) float64 { return s.Std }},
		{"95th percentile", func(s *hil.Summary) float64 { return s.P95 }}, {"maximum", func(s *hil.Summary) float64 { return s.Max }},
	} {
		row("Position, "+s.name, func(r *hil.Result) string { return length(s.value(&r.Position), r) })
	}
	row("Bias x, y, z", func(r *hil.Result) string { return u.three(r.Bias) })
	row("RMSE x, y, z", func(r *hil.Result) string { return u.three(r.AxisRMSE) })
	if c.Removed.Rotations {
		row("Rotation, RMSE", func(r *hil.Result) string { return short(r.Angle.RMSE*180/math.Pi) + "°" })
		row("Rotation, maximum", func(r *hil.Result) string { return short(r.Angle.Max*180/math.Pi) + "°" })
	}
	return t
}

// three prints the components of a vector in m.
func (u Unit) three(v spatial.Vec) string {
	return short(u.PerMetre*v.X) + ", " + short(u.PerMetre*v.Y) + ", " + u.show(v.Z)
}

// dynamicsTable lists how both move.
func dynamicsTable(c *hil.Comparison, u Unit) Table {
	t := Table{Header: []string{"Motion", "simulation", "hardware"}}
	add := func(name, unit string, a, b float64) {
		if math.IsNaN(a) && math.IsNaN(b) {
			return
		}
		t.Rows = append(t.Rows, []string{name, withUnit(a, unit), withUnit(b, unit)})
	}
	add("Extent", u.Name, u.PerMetre*c.SimMotion.ExtentM, u.PerMetre*c.HwMotion.ExtentM)
	add("Mean speed", u.Name+"/s", u.PerMetre*c.SimMotion.MeanSpeed, u.PerMetre*c.HwMotion.MeanSpeed)
	add("Dominant frequency", "Hz", c.SimMotion.DominantHz, c.HwMotion.DominantHz)
	const most = 6
	for _, r := range c.Responses[:min(most, len(c.Responses))] {
		name := fmt.Sprintf("Step of %s at %s s: ", r.Tendon, fixed(r.AtS, 2))
		add(name+"rise time 10–90 %", "ms", 1e3*r.Sim.RiseS, 1e3*r.Hw.RiseS)
		add(name+"overshoot", "%", 100*r.Sim.Overshoot, 100*r.Hw.Overshoot)
		add(name+"frequency", "Hz", r.Sim.FrequencyHz, r.Hw.FrequencyHz)
		add(name+"damping ratio", "", r.Sim.DampingRatio, r.Hw.DampingRatio)
	}
	return t
}

func withUnit(v float64, unit string) string {
	if math.IsNaN(v) {
		return "–"
	}
	if unit == "" {
		return short(v)
	}
	return short(v) + " " + unit
}

// loopTable lists hysteresis and differences of actuation by tendon.
func loopTable(c *hil.Comparison, u Unit) Table {
	t := Table{Header: []string{"Tendon", "simulation", "hardware"}}
	for _, l := range c.Loops {
		factor, unit := 1e3, "mJ"
		if l.Quantity == hil.Pull {
			factor, unit = u.PerMetre*u.PerMetre, u.Name+"²"
		}
		show := func(l *hil.Loop) string {
			return fmt.Sprintf("%s %s (%s %% of the box)", short(factor*l.Area), unit, short(l.Percent))
		}
		t.Rows = append(t.Rows, []string{fmt.Sprintf("%s: hysteresis per cycle over %s", l.Tendon, l.Quantity), show(&l.Sim), show(&l.Hw)})
	}
	for _, a := range c.ActuationErrors {
		factor, unit := 1.0, "N"
		if a.Quantity == hil.Pull {
			factor, unit = u.PerMetre, u.Name
		}
		t.Rows = append(t.Rows, []string{fmt.Sprintf("%s: difference of %s", a.Tendon, a.Quantity), "RMS " + short(factor*a.RMSE) + " " + unit, "largest " + short(factor*a.Max) + " " + unit})
	}
	return t
}

// markerTable lists the errors of each marker and of all.
func markerTable(c *hil.Comparison, u Unit) *Table {
	if len(c.Markers) == 0 {
		return nil
	}
	t := &Table{Header: []string{"Marker", "samples", "RMSE", "median", "95 % below", "largest"}}
	turn := slices.ContainsFunc(c.Markers, func(e hil.MarkerError) bool { return !math.IsNaN(e.Angle.RMSE) })
	if turn {
		t.Header = append(t.Header, "rotation RMSE", "largest")
	}
	row := func(name string, samples int, s *hil.Summary, angle hil.Summary) {
		show := func(x float64) string {
			text := short(u.PerMetre*x) + " " + u.Name
			if p := c.Removed.Percent(x); !math.IsNaN(p) {
				text += " (" + short(p) + " %)"
			}
			return text
		}
		t.Rows = append(t.Rows, []string{name, fmt.Sprint(samples), show(s.RMSE), show(s.Median), show(s.P95), show(s.Max)})
		if turn {
			cells := []string{"", ""}
			if !math.IsNaN(angle.RMSE) {
				cells = []string{short(angle.RMSE*180/math.Pi) + " deg", short(angle.Max*180/math.Pi) + " deg"}
			}
			last := &t.Rows[len(t.Rows)-1]
			*last = append(*last, cells...)
		}
	}
	all := 0
	for i := range c.Markers {
		e := &c.Markers[i]
		row(e.Name, e.Samples, &e.Position, e.Angle)
		all += e.Samples
	}
	row("all", all, &c.Pooled, hil.Summary{RMSE: math.NaN()})
	return t
}

// healthTable lists the quality of both recordings.
func healthTable(c *hil.Comparison) Table {
	a, b := &c.Simulation, &c.Hardware
	ms := func(v float64) string { return short(1e3*v) + " ms" }
	return Table{
		Header: []string{"Recording", "simulation", "hardware"},
		Rows: [][]string{
			{"Samples", fmt.Sprint(a.Samples), fmt.Sprint(b.Samples)},
			{"From, to", span(a), span(b)},
			{"Rate", short(a.RateHz) + " Hz", short(b.RateHz) + " Hz"},
			{"Jitter of intervals", ms(a.JitterS), ms(b.JitterS)},
			{"Longest interval", ms(a.LongestS), ms(b.LongestS)},
			{"Missing samples", fmt.Sprint(a.Missing), fmt.Sprint(b.Missing)},
			{"Not compared", "", fmt.Sprintf("%d outside, %d in gaps", c.Removed.Outside, c.Removed.InGaps)},
		},
	}
}

func span(h *hil.Health) string {
	return fixed(h.StartS, 3) + " s, " + fixed(h.EndS, 3) + " s"
}

// method describes how the numbers were computed.
func (d *Document) method() []string {
	c := d.Comparison
	notes := []string{
		fmt.Sprintf("The simulation is interpolated at the stamps of the hardware, positions linearly and rotations along the geodesic, never over more than %s ms. The hardware is not interpolated.", short(1e3*c.Options.MaxGapS)),
		"Errors are simulation minus hardware. The rotation error is the angle of the rotation between both. Percentages are of the robot's length. The standard deviation is that of the population; percentiles are interpolated linearly.",
		"A positive latency means that the hardware is later than the simulation.",
	}
	if l := c.Latency; l != nil {
		how := "the positions after the best rigid motion and gain, which leave the smallest position error"
		if l.Method == hil.BySpeed {
			how = "the speeds"
		}
		notes = append(notes, fmt.Sprintf("The latency is the maximum of the normalised cross-correlation of %s (correlation %.4f); of the two estimates, by speed %s ms and by position %s ms, it is the one with the shorter interval. Both motions were smoothed alike by straight lines under Gaussian weights of %s ms. The 95 %% interval comes from a bootstrap over 20 blocks of time; it does not hold a lag of the model itself.",
			how, l.Correlation, fixed(1e3*l.Speed.Seconds, 1), fixed(1e3*l.Position.Seconds, 1), short(1e3*l.SmoothingS)))
	}
	switch c.Options.Align {
	case hil.AlignNone:
		notes = append(notes, "The frames were taken as equal: an error of the calibration is part of the error.")
	case hil.AlignOrigin:
		notes = append(notes, "The hardware was moved so that the first compared positions are equal.")
	case hil.AlignSE3:
		notes = append(notes, "The hardware was moved by the rigid motion with the smallest RMS position error (Umeyama 1991, without scale); part of an error of the model may hide in it.")
	}
	if c.Options.AlignRotation != hil.RotationNone {
		notes = append(notes, "Measured rotations were turned by their mean difference from the simulated ones, on the "+string(c.Options.AlignRotation)+".")
	}
	if d.reference() == 0 {
		return notes
	}
	return append(notes, "Rucker, Webster, Statics and dynamics of continuum robots with general tendon routing and external loading, IEEE Transactions on Robotics 27(6), 2011: mean tip error 1.7 % of the robot's length.")
}
