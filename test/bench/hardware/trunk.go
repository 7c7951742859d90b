package main

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"

	"sinew/pkg/sim/spatial"
)

// trunk is a robot of the Stanford Autonomous Systems Lab: a hose that hangs down with three
// disks, between which twelve tendons run straight outside of it. Six servos wind up two
// tendons each, one while the other is paid out. The recordings are of motion, driven
// by the measured angles of the shafts, but for one of equilibria.
var trunk = robot{
	name: "trunk", program: "tendonsim", data: "trunk",
	convert: convertTrunk, table: trunkTable, figure: trunkFigure,
	sets: map[string]string{trunkLoaded: "_tip/mass_kg:=0.1"},
}

// These are the recordings.
const (
	trunkFree       = "controlled_1_0g.csv"   // random motion of all motors
	trunkLoaded     = "controlled_1_100g.csv" // the same commands with a payload
	trunkCircles    = "circles_0g.csv"        // 14 days later, all motors bend the same way
	trunkSteps      = "steps_motor2_0g.csv"   // of that day, too
	trunkEquilibria = "equilibria_0g.csv"
)

const (
	trunkLength  = 0.316 // from the base to the tip's disk, m
	trunkBegin   = 2.0   // before, recordings begin from unknown states, s
	trunkFitted  = 100.0 // of the random motions no later row was fitted, s
	trunkStep    = 5.0   // between two steps, s
	trunkSettled = 1.0   // at the end of a step, s
	trunkTip     = "disk3"
)

// tipOf are the points of the tip in a file from a time on.
func (p *prediction) tipOf(file string, from float64) []point {
	return p.where(func(q *point) bool { return q.file == file && q.name == trunkTip && !(q.t < from) })
}

// trunkTable has the errors of the tip beside those of the best of many regressions to the same
// rows.
func trunkTable(p *prediction) ([]line, error) {
	lines := []line{{"tip", "points", "rms", "of the length", "less the mean", "best regression"}}
	for _, c := range []struct {
		name, file string
		from       float64
		regression string
	}{
		{"0 g, t < 100 s (every tenth row fitted)", trunkFree, trunkBegin, "–"},
		{"**0 g, t ≥ 100 s**", trunkFree, trunkFitted, "9.4 mm"},
		{"**100 g, t ≥ 100 s**", trunkLoaded, trunkFitted, "10.3 mm"},
		{"circles, another day", trunkCircles, trunkBegin, "16.4 mm"},
		{"steps, another day", trunkSteps, trunkBegin, "32.3 mm"},
		{"equilibria, another day", trunkEquilibria, 0, "23.1 mm, 19.6 mm less the mean"},
	} {
		points := p.tipOf(c.file, c.from)
		if c.from == trunkBegin && c.file == trunkFree {
			points = slices.DeleteFunc(points, func(q point) bool { return q.t >= trunkFitted })
		}
		e := errorsOf(points)
		lines = append(lines, line{
			c.name, fmt.Sprint(len(e)), fmt.Sprintf("%.1f mm", 1e3*rms(e)), fmt.Sprintf("%.1f %%", 100*rms(e)/trunkLength),
			fmt.Sprintf("%.1f mm", 1e3*rms(lessMean(e))), c.regression,
		})
	}
	measured := responsesOf(p.tipOf(trunkSteps, 0), func(q *point) spatial.Vec { return q.measured })
	predicted := responsesOf(p.tipOf(trunkSteps, 0), func(q *point) spatial.Vec { return q.predicted })
	for k, name := range []string{"steps out", "steps back"} {
		m, q := measured[k], predicted[k]
		lines = append(lines, line{
			name + ", median: measured", fmt.Sprint(m.count), fmt.Sprintf("way %.0f mm", 1e3*m.way), fmt.Sprintf("overshoot %.0f mm", 1e3*m.overshoot), fmt.Sprintf("period %.2f s", m.period), "",
		}, line{
			name + ", median: simulated", fmt.Sprint(q.count), fmt.Sprintf("way %.0f mm", 1e3*q.way), fmt.Sprintf("overshoot %.0f mm", 1e3*q.overshoot), fmt.Sprintf("period %.2f s", q.period), "",
		})
	}
	return lines, nil
}

// response is how the tip goes to a new place: the way to it, how far beyond it goes, and
// how long a period of its swinging takes.
type response struct {
	count                  int
	way, overshoot, period float64 // m, m, s
}

// responsesOf are the medians of steps out and of steps back.
func responsesOf(points []point, of func(*point) spatial.Vec) (medians [2]response) {
	var all [2][]response
	last := points[len(points)-1].t
	for k := 1; trunkStep*float64(k+1) <= last+trunkSettled/2; k++ {
		if r, ok := responseOf(points, trunkStep*float64(k), of); ok {
			all[(k+1)%2] = append(all[(k+1)%2], r)
		}
	}
	for i, list := range all {
		medians[i] = response{
			len(list), middle(list, func(r *response) float64 { return r.way }),
			middle(list, func(r *response) float64 { return r.overshoot }), middle(list, func(r *response) float64 { return r.period }),
		}
	}
	return medians
}

func middle(list []response, of func(*response) float64) float64 {
	var v []float64
	for i := range list {
		v = append(v, of(&list[i]))
	}
	if len(v) == 0 {
		return math.NaN()
	}
	slices.Sort(v)
	return v[len(v)/2]
}

// responseOf is that to a step at a time.
func responseOf(points []point, at float64, of func(*point) spatial.Vec) (r response, ok bool) {
	mean := func(from, to float64) (m spatial.Vec, n int) {
		for i := range points {
			if t := points[i].t; from <= t && t < to {
				m, n = m.Add(of(&points[i])), n+1
			}
		}
		return m.Scale(1 / float64(max(n, 1))), n
	}
	before, n0 := mean(at-trunkSettled, at)
	after, n1 := mean(at+trunkStep-trunkSettled, at+trunkStep)
	way := after.Sub(before)
	r.way = way.Norm()
	if n0 == 0 || n1 == 0 || r.way == 0 {
		return r, false
	}
	var crossings []float64 // of the last place
	t0, x0 := at, -r.way
	for i := range points {
		t := points[i].t
		if t < at || t >= at+trunkStep {
			continue
		}
		x := of(&points[i]).Sub(after).Dot(way.Scale(1 / r.way))
		r.overshoot = max(r.overshoot, x)
		if x*x0 < 0 {
			crossings = append(crossings, t0+(t-t0)*x0/(x0-x))
		}
		t0, x0 = t, x
	}
	if len(crossings) < 3 {
		return r, false
	}
	r.period = crossings[2] - crossings[0]
	return r, true
}

// trunkFigure draws a piece of the random motion, two steps, and the tip over the angle of a motor.
func trunkFigure(p *prediction) ([]*plot.Plot, error) {
	motion, err := timePlot("Random motion, 100 g, not fitted", p.tipOf(trunkLoaded, 110), 15, func(v spatial.Vec) float64 { return v.Y }, "tip, horizontal (mm)")
	if err != nil {
		return nil, err
	}
	motion.Y.Max += 50 // room for the legend
	steps, err := timePlot("Steps, another day, not fitted", p.tipOf(trunkSteps, 24), 9, func(v spatial.Vec) float64 { return v.Z }, "tip, vertical (mm)")
	if err != nil {
		return nil, err
	}
	steps.Y.Max += 30
	loop, err := loopPlot(p)
	if loop != nil {
		loop.Legend.Left = true
	}
	return []*plot.Plot{motion, steps, loop}, err
}

// timePlot draws a coordinate of the tip over time, for a while (s) from the first point on.
func timePlot(title string, points []point, while float64, of func(v spatial.Vec) float64, label string) (*plot.Plot, error) {
	points = slices.DeleteFunc(points, func(q point) bool { return q.t > points[0].t+while })
	measured, predicted := make(plotter.XYs, len(points)), make(plotter.XYs, len(points))
	for i := range points {
		measured[i] = plotter.XY{X: points[i].t, Y: 1e3 * of(points[i].measured)}
		predicted[i] = plotter.XY{X: points[i].t, Y: 1e3 * of(points[i].predicted)}
	}
	return curves(title, "time (s)", label, measured, predicted)
}

// loopPlot draws the tip of the last circles over the angle of a motor that pulls it that way.
func loopPlot(p *prediction) (*plot.Plot, error) {
	const motor, first, while = 1, 100.0, 12.0
	rows, err := readTrunkRows(filepath.Join(p.from, trunkCircles))
	if err != nil {
		return nil, err
	}
	var measured, predicted plotter.XYs
	for _, q := range p.tipOf(trunkCircles, first) {
		if q.t > first+while {
			break
		}
		angle := 180 / math.Pi * rows[q.row].shaft[motor]
		measured = append(measured, plotter.XY{X: angle, Y: 1e3 * q.measured.Y})
		predicted = append(predicted, plotter.XY{X: angle, Y: 1e3 * q.predicted.Y})
	}
	return curves("Circles, another day, not fitted", fmt.Sprintf("shaft of motor %d (deg)", motor+1), "tip, horizontal (mm)", measured, predicted)
}

// curves draws what was measured and what is predicted.
func curves(title, x, y string, measured, predicted plotter.XYs) (*plot.Plot, error) {
	p := plot.New()
	p.Title.Text, p.X.Label.Text, p.Y.Label.Text = title, x, y
	p.Add(plotter.NewGrid())
	a, err := plotter.NewLine(measured)
	if err != nil {
		return nil, err
	}
	b, err := plotter.NewLine(predicted)
	if err != nil {
		return nil, err
	}
	a.Color, a.Width, b.Color, b.Width = black, vg.Points(1.2), red, vg.Points(1.2)
	p.Add(a, b)
	p.Legend.Add("measured", a)
	p.Legend.Add("simulated", b)
	p.Legend.Top, p.Legend.Padding = true, vg.Points(3)
	return p, nil
}
