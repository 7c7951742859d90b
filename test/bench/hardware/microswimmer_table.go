package main

import (
	"fmt"
	"math"
	"strings"

	"gonum.org/v1/plot"

	"sinew/pkg/sim/spatial"
)

// swimmerSwing is how long errors are averaged at the end of a prediction, s: bodies waver with
// each swing of the field.
const swimmerSwing = 1.0

// spanOf are the points of a body in a span.
func (p *prediction) spanOf(folder string, s swimmerSpan) []point {
	return p.where(func(q *point) bool { return q.file == folder+"/"+s.name })
}

// atEnd is the mean error of the last second, m.
func atEnd(t []float64, e []spatial.Vec) spatial.Vec {
	var sum spatial.Vec
	n := 0.0
	for i := len(e) - 1; i >= 0 && t[len(t)-1]-t[i] < swimmerSwing; i-- {
		sum, n = sum.Add(e[i]), n+1
	}
	return sum.Scale(1 / n)
}

// endOf is the mean error of the last second of points, m.
func endOf(points []point) spatial.Vec {
	t := make([]float64, len(points))
	for i := range points {
		t[i] = points[i].t
	}
	return atEnd(t, errorsOf(points))
}

// carriedEnd is the mean error of the last second of a body that is carried as tracers are.
func (tr *swimmerTrial) carriedEnd(b *swimmerBody, s swimmerSpan) (spatial.Vec, error) {
	list, err := tr.carried(b, s)
	if err != nil {
		return spatial.Vec{}, err
	}
	t := make([]float64, len(list))
	for k, i := range tr.rows(b, s) {
		t[k], list[k] = tr.t[i], list[k].Sub(b.at[i])
	}
	return atEnd(t, list), nil
}

// swimmerEnds are errors at the end of 55 s.
type swimmerEnds struct{ passive, ours []spatial.Vec }

// swimmerTable has the errors of each body beside those of one that is carried along.
func swimmerTable(p *prediction) ([]line, error) {
	lines := []line{{"body", "carried along, 85 s", "pull of 0 to 30 s", "ours, 85 s", "ours, rms 30 to 85 s", "pull of 30 to 45 s", "ours from 45 s, 85 s"}}
	um := func(e ...spatial.Vec) string { return fmt.Sprintf("%.1f µm", 1e6*rms(e)) }
	var all swimmerEnds
	var rest []spatial.Vec
	tracers := map[string]*swimmerEnds{}
	err := eachSwimmer(p.from, func(tr *swimmerTrial, b *swimmerBody, folder string) error {
		passive, err := tr.carriedEnd(b, swimmerLater)
		if err != nil {
			return err
		}
		later := p.spanOf(folder, swimmerLater)
		if b.plain {
			ends := tracers[tr.name]
			if ends == nil {
				ends = &swimmerEnds{}
				tracers[tr.name] = ends
			}
			ends.passive = append(ends.passive, passive)
			if len(later) > 0 {
				ends.ours = append(ends.ours, endOf(later))
			}
			return nil
		}
		speed := func(s swimmerSpan) string {
			v := p.pulls[folder+"/"+s.name]
			return fmt.Sprintf("%.2f, %.2f µm/s", 1e6*v.X, 1e6*v.Y)
		}
		end, ended := endOf(later), endOf(p.spanOf(folder, swimmerRest))
		all.passive, all.ours, rest = append(all.passive, passive), append(all.ours, end), append(rest, ended)
		lines = append(lines, line{
			strings.Replace(folder, "_", ", ", 1), um(passive), speed(swimmerLater), um(end), um(errorsOf(later)...), speed(swimmerRest), um(ended),
		})
		return nil
	})
	if err != nil {
		return nil, err
	}
	lines = append(lines, line{"**all, rms**", um(all.passive...), "", um(all.ours...), "", "", um(rest...)})
	for _, name := range swimmerTrials {
		ours := "not asked"
		if ends := tracers[name]; len(ends.ours) > 0 {
			ours = um(ends.ours...)
		}
		lines = append(lines, line{fmt.Sprintf("%s, %d tracers, each by the others", name, len(tracers[name].passive)), um(tracers[name].passive...), "none", ours, "", "", ""})
	}
	return lines, nil
}

// swimmerFigure draws each body as it was from 30 s on, and as it was predicted.
func swimmerFigure(p *prediction) ([]*plot.Plot, error) {
	var plots []*plot.Plot
	for _, name := range swimmerTrials {
		next := math.Inf(-1)
		points := p.where(func(q *point) bool {
			if !strings.HasPrefix(q.file, name+"_") || strings.Contains(q.file, "fiducial") || !strings.HasSuffix(q.file, "/"+swimmerLater.name) {
				return false
			}
			if q.row == 0 {
				next = q.t
			}
			if q.t < next {
				return false
			}
			next += swimmerWindow
			return true
		})
		one, err := pathPlot(name+", 30 to 85 s", points, func(v spatial.Vec) (x, y float64) { return v.X, v.Y }, "x", "y")
		if err != nil {
			return nil, err
		}
		plots = append(plots, one)
	}
	return plots, nil
}
