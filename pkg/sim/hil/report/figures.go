package report

import (
	"fmt"
	"html/template"
	"math"
	"slices"

	"sinew/pkg/sim/hil"
	"sinew/pkg/sim/spatial"
)

// Sizes of figures in pixels of the page.
const (
	wide    = 920
	half    = 452
	stacked = 132 // height of one of several panels
	tall    = 250
)

// tracks are the aligned positions, by axis.
type tracks struct {
	unit    Unit
	t       []float64 // s, since the first sample
	sim, hw [3][]float64
	gap     float64 // s, above which curves break
	rows    bool    // samples are rows that do not follow one another
}

func newTracks(c *hil.Comparison) tracks {
	r := c.Removed
	n := len(r.Pairs)
	k := tracks{unit: LengthUnit(c), t: make([]float64, n), gap: 3 * math.Max(c.Options.MaxGapS, 1/c.Hardware.RateHz)}
	for a := range 3 {
		k.sim[a], k.hw[a] = make([]float64, n), make([]float64, n)
	}
	for i := range r.Pairs {
		k.t[i] = r.Pairs[i].T - c.Hardware.StartS
		for a, v := range components(r.Pairs[i].Sim.P) {
			k.sim[a][i] = k.unit.PerMetre * v
		}
		for a, v := range components(r.Pairs[i].Hw.P) {
			k.hw[a][i] = k.unit.PerMetre * v
		}
	}
	return k
}

func components(v spatial.Vec) [3]float64 { return [3]float64{v.X, v.Y, v.Z} }

var axisNames = [3]string{"x", "y", "z"}

// overlay shows x, y and z over time, or what label says.
func overlay(k tracks, label string) []template.HTML {
	var out []template.HTML
	from, to := over(k.t)
	for a, name := range axisNames {
		low, high := covering(false, k.sim[a], k.hw[a])
		last := a == len(axisNames)-1
		height := float64(stacked)
		if last {
			height += marginBottom - marginTop
		}
		p := newPlot(name+" of simulation and hardware over time", wide, height,
			axis{low: from, high: to, label: label, hidden: !last}, axis{low: low, high: high, label: name + ", " + k.unit.Name})
		if k.rows {
			p.simAndHardware(true, k.t, k.sim[a], k.t, k.hw[a])
		} else {
			p.curve("hw", k.t, k.hw[a], k.gap)
			p.curve("sim", k.t, k.sim[a], k.gap)
		}
		out = append(out, p.svg())
	}
	return out
}

// errorOverTime shows the position error, the one with the latency in if that is
// another, and a reference in percent of the length, unless that is 0.
func errorOverTime(c *hil.Comparison, k tracks, reference float64) template.HTML {
	norms := scaled(c.Removed.Norms(), k.unit.PerMetre)
	recorded := scaled(c.Recorded.Norms(), k.unit.PerMetre)
	reference *= c.Removed.LengthM / 100 * k.unit.PerMetre
	low, high := covering(true, norms, recorded)
	if reference < 3*high {
		high = math.Max(high, 1.15*reference)
	}
	p := newPlot("position error over time", wide, tall,
		axis{low: k.t[0], high: k.t[len(k.t)-1], label: "time, s"}, axis{low: low, high: high, label: "position error, " + k.unit.Name})
	if c.Removed != c.Recorded {
		t := make([]float64, len(c.Recorded.Pairs))
		for i := range t {
			t[i] = c.Recorded.Pairs[i].T - c.Hardware.StartS
		}
		p.curve("recorded", t, recorded, k.gap)
	}
	p.curve("error", k.t, norms, k.gap)
	rmse := k.unit.PerMetre * c.Removed.Position.RMSE
	if reference > 0 {
		p.level("reference", reference, reference >= rmse, fmt.Sprintf("%g %% of length (Rucker & Webster 2011)", rwPercent))
	}
	p.level("rmse", rmse, rmse > reference, "RMSE "+k.unit.show(rmse/k.unit.PerMetre))
	return p.svg()
}

func scaled(x []float64, factor float64) []float64 {
	for i := range x {
		x[i] *= factor
	}
	return x
}

// projections show the paths in three planes, to scale.
func projections(k tracks) []template.HTML {
	var out []template.HTML
	for _, plane := range [][2]int{{0, 1}, {0, 2}, {1, 2}} {
		a, b := plane[0], plane[1]
		alow, ahigh := covering(false, k.sim[a], k.hw[a])
		blow, bhigh := covering(false, k.sim[b], k.hw[b])
		const across, flattest, tallest = half - marginLeft - marginRight, 150., 400.
		height := marginTop + marginBottom + min(tallest, max(flattest, across*(bhigh-blow)/(ahigh-alow)))
		// a millimetre is as long on both axes
		perA, perB := (ahigh-alow)/across, (bhigh-blow)/(height-marginTop-marginBottom)
		if perA < perB {
			middle, width := (alow+ahigh)/2, (ahigh-alow)*perB/perA
			alow, ahigh = middle-width/2, middle+width/2
		} else {
			middle, width := (blow+bhigh)/2, (bhigh-blow)*perA/perB
			blow, bhigh = middle-width/2, middle+width/2
		}
		p := newPlot(axisNames[b]+" over "+axisNames[a], half, height,
			axis{low: alow, high: ahigh, label: axisNames[a] + ", " + k.unit.Name}, axis{low: blow, high: bhigh, label: axisNames[b] + ", " + k.unit.Name})
		p.simAndHardware(k.rows, k.sim[a], k.sim[b], k.hw[a], k.hw[b])
		if !k.rows {
			p.dot("dot-hw", k.hw[a][0], k.hw[b][0])
			p.dot("dot-sim", k.sim[a][0], k.sim[b][0])
		}
		out = append(out, p.svg())
	}
	return out
}

// histogram shows how often errors are how large.
func histogram(c *hil.Comparison, k tracks) template.HTML {
	norms := scaled(c.Removed.Norms(), k.unit.PerMetre)
	top := slices.Max(norms)
	bins := min(40, max(8, int(math.Sqrt(float64(len(norms))))))
	width := niceStep(math.Max(top, 1e-6) / float64(bins))
	counts := make([]float64, int(top/width)+1)
	for _, v := range norms {
		counts[int(v/width)] += 100 / float64(len(norms))
	}
	_, high := covering(true, counts)
	p := newPlot("histogram of the position error", half, tall,
		axis{low: 0, high: width * float64(len(counts)), label: "position error, " + k.unit.Name}, axis{low: 0, high: 1.3 * high, label: "samples, %"})
	for i, n := range counts {
		if n > 0 {
			p.bar("bar", float64(i)*width, float64(i+1)*width, n)
		}
	}
	s := c.Removed.Position.Scale(k.unit.PerMetre)
	p.mark("rmse", s.Median, "median "+short(s.Median)+" "+k.unit.Name, 0)
	p.mark("reference", s.P95, "95 % below "+short(s.P95)+" "+k.unit.Name, 1)
	return p.svg()
}

// rotationOverTime shows the rotation error, empty without rotations.
func rotationOverTime(c *hil.Comparison, k tracks) template.HTML {
	if !c.Removed.Rotations {
		return ""
	}
	degrees := scaled(slices.Clone(c.Removed.Rotation), 180/math.Pi)
	_, high := covering(true, degrees)
	width := float64(half)
	if len(c.Shape) > 0 {
		width = wide // beside nothing else
	}
	p := newPlot("rotation error over time", width, tall,
		axis{low: k.t[0], high: k.t[len(k.t)-1], label: "time, s"}, axis{low: 0, high: high, label: "rotation error, °"})
	p.curve("error", k.t, degrees, k.gap)
	return p.svg()
}

// alongRobot shows the error over arc length, empty without shapes.
func alongRobot(c *hil.Comparison, k tracks) template.HTML {
	if len(c.Shape) == 0 {
		return ""
	}
	n := len(c.Shape)
	s, mean, most := make([]float64, n), make([]float64, n), make([]float64, n)
	label := "arc length from the base, " + k.unit.Name
	for i, e := range c.Shape {
		s[i], mean[i], most[i] = k.unit.PerMetre*e.ArcM, k.unit.PerMetre*e.Mean, k.unit.PerMetre*e.Max
		if math.IsNaN(e.ArcM) {
			s[i], label = 100*e.Fraction, "arc length from the base, % of length"
		}
	}
	_, high := covering(true, most)
	p := newPlot("position error along the robot", half, tall, axis{low: 0, high: s[n-1], label: label}, axis{low: 0, high: high, label: "position error, " + k.unit.Name})
	p.curve("recorded", s, most, 0)
	p.curve("error", s, mean, 0)
	p.text("note", p.x.from+8, p.y.to+11, "start", "upper: largest, lower: mean")
	return p.svg()
}

// hysteresis shows the loops of the first tendons.
func hysteresis(c *hil.Comparison, k tracks) []template.HTML {
	const most = 4
	var out []template.HTML
	for _, l := range c.Loops[:min(most, len(c.Loops))] {
		factor, unit := 1.0, "tension, N"
		if l.Quantity == hil.Pull {
			factor, unit = k.unit.PerMetre, "pull, "+k.unit.Name
		}
		xs, xh := scaled(slices.Clone(l.Sim.X), factor), scaled(slices.Clone(l.Hw.X), factor)
		ys, yh := fromFirst(l.Sim.Y, k.unit.PerMetre), fromFirst(l.Hw.Y, k.unit.PerMetre)
		xlow, xhigh := covering(false, xs, xh)
		ylow, yhigh := covering(false, ys, yh)
		p := newPlot("tip over tendon "+l.Tendon, half, tall, axis{low: xlow, high: xhigh, label: l.Tendon + ": " + unit}, axis{low: ylow, high: yhigh, label: "tip, " + k.unit.Name})
		p.curve("hw", xh, yh, 0)
		p.curve("sim", xs, ys, 0)
		out = append(out, p.svg())
	}
	return out
}

// fromFirst returns displacements from the first, scaled.
func fromFirst(y []float64, factor float64) []float64 {
	out := make([]float64, len(y))
	for i := range y {
		out[i] = factor * (y[i] - y[0])
	}
	return out
}
