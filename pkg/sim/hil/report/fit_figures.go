package report

import (
	"html/template"
	"math"
	"slices"

	"sinew/pkg/sim/hil/diagnosis"
	"sinew/pkg/sim/spatial"
)

// rms is the root mean square of the distances of a series, m.
func rms(s *diagnosis.Series) float64 {
	sum := 0.0
	for i := range s.Rows {
		d := s.Rows[i].Residual()
		sum += d.Dot(d)
	}
	return math.Sqrt(sum / float64(len(s.Rows)))
}

// seriesView shows a point in a recording.
func (r *fitRows) seriesView(s *diagnosis.Series) seriesView {
	k := tracks{unit: r.unit, rows: s.Static}
	label := "time, s"
	if s.Static {
		label = "row"
	}
	var norms []float64
	for i := range s.Rows {
		row := &s.Rows[i]
		at := row.T
		if s.Static {
			at = float64(row.Index + 1)
		}
		k.t = append(k.t, at)
		for a := range axisNames {
			k.sim[a] = append(k.sim[a], r.unit.PerMetre*components(row.Predicted)[a])
			k.hw[a] = append(k.hw[a], r.unit.PerMetre*components(row.Measured)[a])
		}
		norms = append(norms, r.unit.PerMetre*row.Residual().Norm())
	}
	v := seriesView{Name: s.Point, Over: overlay(k, label), Paths: projections(k)}
	low, high := over(k.t)
	_, top := covering(true, norms)
	p := newPlot("distance of prediction and measurement", wide, stacked+40, axis{low: low, high: high, label: label}, axis{low: 0, high: top, label: "error, " + r.unit.Name})
	if s.Static {
		p.spots("error", k.t, norms)
	} else {
		p.curve("error", k.t, norms, 0)
	}
	v.Error = p.svg()
	v.Loops = r.loops(s)
	return v
}

// over is the range of times or rows, also of a single one.
func over(t []float64) (low, high float64) {
	if low, high = t[0], t[len(t)-1]; low == high {
		return low - 0.5, high + 0.5
	}
	return low, high
}

// mostCommands is the number of commands that are shown: those that move the point most.
const mostCommands = 12

// moved lists the commands that move a point, those that do most first.
func (r *fitRows) moved(point string) (list []int) {
	follow := r.follows[point]
	for k := range follow {
		if r.ranges[k] > 0 && follow[k].Norm() > 0 {
			list = append(list, k)
		}
	}
	way := func(k int) float64 { return follow[k].Norm() * r.ranges[k] }
	slices.SortStableFunc(list, func(a, b int) int { return int(math.Copysign(1, way(b)-way(a))) })
	list = list[:min(mostCommands, len(list))]
	slices.Sort(list)
	return list
}

// loops show prediction and measurement over each command.
func (r *fitRows) loops(s *diagnosis.Series) (out []template.HTML) {
	at := s.CommandsAt()
	for _, k := range r.moved(s.Point) {
		direction := unitVector(r.follows[s.Point][k])
		var x, sim, hw []float64
		for i := range s.Rows {
			x = append(x, at[i][k])
			sim, hw = append(sim, r.unit.PerMetre*direction.Dot(s.Rows[i].Predicted)), append(hw, r.unit.PerMetre*direction.Dot(s.Rows[i].Measured))
		}
		xlow, xhigh := covering(false, x)
		if finite(x) < 2 || slices.Max(withoutNaN(x)) == slices.Min(withoutNaN(x)) {
			continue
		}
		ylow, yhigh := covering(false, sim, hw)
		p := newPlot(s.Point+" over "+s.Commands.Names[k], half, tall, axis{low: xlow, high: xhigh, label: s.Commands.Names[k]}, axis{low: ylow, high: yhigh, label: s.Point + ", " + r.unit.Name})
		p.simAndHardware(s.Static, x, sim, x, hw)
		out = append(out, p.svg())
	}
	return out
}

func unitVector(v spatial.Vec) spatial.Vec { return v.Scale(1 / v.Norm()) }

func withoutNaN(x []float64) []float64 {
	return slices.DeleteFunc(slices.Clone(x), math.IsNaN)
}

func finite(x []float64) int { return len(withoutNaN(x)) }

// pointSet are points of a scatter plot, by class.
type pointSet struct {
	class string
	x, y  []float64
}

func (c *pointSet) add(x, y float64) {
	if !math.IsNaN(x) && !math.IsNaN(y) {
		c.x, c.y = append(c.x, x), append(c.y, y)
	}
}

// scatter draws clouds and their means; empty where there are few points or all have one x.
func scatter(title, xlabel, ylabel string, clouds ...*pointSet) template.HTML {
	const few, most = 4, 1200 // dots
	var xs, ys [][]float64
	count := 0
	for _, c := range clouds {
		xs, ys, count = append(xs, c.x), append(ys, c.y), count+len(c.x)
	}
	all := slices.Concat(xs...)
	if count < few || slices.Min(all) == slices.Max(all) {
		return ""
	}
	xlow, xhigh := covering(false, xs...)
	ylow, yhigh := covering(false, append(ys, []float64{0})...)
	p := newPlot(title, half, tall, axis{low: xlow, high: xhigh, label: xlabel}, axis{low: ylow, high: yhigh, label: ylabel})
	p.line("axis", p.x.from, p.y.at(0), p.x.to, p.y.at(0))
	every := (count + most - 1) / most
	for _, c := range clouds {
		for i := 0; i < len(c.x); i += every {
			p.spot("dot "+c.class, c.x[i], c.y[i])
		}
	}
	for _, c := range clouds {
		if x, y := means(c.x, c.y); len(x) > 1 {
			p.curve(c.class, x, y, 0)
		}
	}
	return p.svg()
}

// means are the mean points of equal numbers of points by x.
func means(x, y []float64) (mx, my []float64) {
	const parts, least = 10, 8 // points in each part
	n := min(parts, len(x)/least)
	order := make([]int, len(x))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return int(math.Copysign(1, x[a]-x[b])) })
	for k := range n {
		from, to := k*len(x)/n, (k+1)*len(x)/n
		sx, sy := 0.0, 0.0
		for _, i := range order[from:to] {
			sx, sy = sx+x[i], sy+y[i]
		}
		mx, my = append(mx, sx/float64(to-from)), append(my, sy/float64(to-from))
	}
	return mx, my
}

// pointView shows the residuals of the rows of a point that count, or of all where none does.
func (r *fitRows) pointView(point string) pointView {
	v := pointView{Name: point}
	u := r.unit
	speed, load := &pointSet{class: "error"}, &pointSet{class: "error"}
	centre, count := spatial.Vec{}, 0.0
	r.each(point, func(s *diagnosis.Series, i int) {
		centre, count = centre.Add(s.Rows[i].Predicted), count+1
	})
	centre = centre.Scale(1 / count)
	r.each(point, func(s *diagnosis.Series, i int) {
		row := &s.Rows[i]
		if n := row.Velocity.Norm(); n > 0 {
			speed.add(u.PerMetre*n, u.PerMetre*row.Residual().Dot(row.Velocity)/n)
		}
		if out := row.Predicted.Sub(centre); out.Norm() > 0 {
			load.add(row.Load, u.PerMetre*row.Residual().Dot(unitVector(out)))
		}
	})
	for _, svg := range []template.HTML{
		scatter("residual along the velocity over speed", "speed, "+u.Name+"/s", "along the velocity, "+u.Name, speed),
		scatter("residual away from the mean position over the sum of tensions", "sum of tensions, N", "away from the mean position, "+u.Name, load),
	} {
		if svg != "" {
			v.General = append(v.General, svg)
		}
	}
	for _, k := range r.moved(point) {
		if svg := r.residualsOver(point, k); svg != "" {
			v.Commands = append(v.Commands, svg)
		}
	}
	return v
}

// residualsOver shows the residuals of a point over a command, by its last motion.
func (r *fitRows) residualsOver(point string, k int) template.HTML {
	const turned = 0.5
	direction := unitVector(r.follows[point][k])
	still, rising, falling := &pointSet{class: "still"}, &pointSet{class: "rising"}, &pointSet{class: "falling"}
	name := ""
	turns, commands := map[*diagnosis.Series][][]float64{}, map[*diagnosis.Series][][]float64{}
	r.each(point, func(s *diagnosis.Series, i int) {
		if turns[s] == nil {
			turns[s], commands[s] = s.LastMoved(r.ranges), s.CommandsAt()
		}
		name = s.Commands.Names[k]
		c := still
		switch last := turns[s][i][k]; {
		case last > turned:
			c = rising
		case last < -turned:
			c = falling
		}
		c.add(commands[s][i][k], r.unit.PerMetre*s.Rows[i].Residual().Dot(direction))
	})
	return scatter("residual over "+name, name, "residual, "+r.unit.Name, still, rising, falling)
}

// each goes through the rows of a point that are fitted, or through all where none is.
func (r *fitRows) each(point string, do func(s *diagnosis.Series, i int)) {
	fitted := false
	for _, s := range r.series {
		fitted = fitted || slices.ContainsFunc(s.Rows, func(row diagnosis.Row) bool { return row.Fitted })
	}
	for _, s := range r.series {
		if s.Point != point {
			continue
		}
		for i := range s.Rows {
			if s.Rows[i].Fitted || !fitted {
				do(s, i)
			}
		}
	}
}
