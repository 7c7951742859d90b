package identify

import (
	"math"

	"sinew/pkg/sim"
	"sinew/pkg/sim/hil/diagnosis"
	"sinew/pkg/sim/hil/fit"
	"sinew/pkg/sim/spatial"
	"sinew/pkg/sim/trajectory"
)

// targets lists the values that any trial commands.
func (p *Problem) targets() (list []trajectory.Target) {
	seen := map[trajectory.Target]bool{}
	add := func(row trajectory.Row) {
		for _, port := range row.Ports() {
			for i, v := range row[port] {
				if t := (trajectory.Target{Port: port, Value: i}); !seen[t] && !sim.IsKeep(v) {
					seen[t] = true
					list = append(list, t)
				}
			}
		}
	}
	for _, tr := range p.Trials {
		if tr.Static {
			for i := range tr.rows {
				add(tr.rows[i].commands)
			}
			continue
		}
		for _, row := range tr.commands.Rows {
			add(row)
		}
	}
	return list
}

// series are those of every point of every trial, in the order of the trials.
func (p *Problem) series(all [][]deviation, r *fit.Result) (list []*diagnosis.Series, err error) {
	m, err := p.file(p.Start(), nil).Model()
	if err != nil {
		return nil, err
	}
	columns, targets := trajectory.NewTargets(m.Ports()), p.targets()
	names := make([]string, len(targets))
	for k, t := range targets {
		names[k] = columns.Name(t)
	}
	return p.gather(all, r, targets, names), nil
}

// gather is series with the names of the values that are commanded.
func (p *Problem) gather(all [][]deviation, r *fit.Result, targets []trajectory.Target, names []string) (list []*diagnosis.Series) {
	count := p.Residuals()
	next := 0 // residual of the fit
	for i, tr := range p.Trials {
		c := collector{problem: p, trial: tr, all: all[i], result: r, track: tr.track(targets, names), next: next, none: count == 0}
		list = append(list, c.collect()...)
		next = c.next
	}
	return list
}

// track is what the trial commands.
func (tr *Trial) track(targets []trajectory.Target, names []string) *diagnosis.Track {
	track := &diagnosis.Track{Names: names}
	now := make([]float64, len(targets))
	for k := range now {
		now[k] = math.NaN()
	}
	add := func(t float64, row trajectory.Row) {
		for k, target := range targets {
			if v := row[target.Port]; v != nil && !sim.IsKeep(v[target.Value]) {
				now[k] = v[target.Value]
			}
		}
		track.T, track.U = append(track.T, t), append(track.U, append([]float64(nil), now...))
	}
	if tr.Static {
		for i := range tr.rows {
			add(float64(i), tr.rows[i].commands)
		}
		return track
	}
	for i, t := range tr.commands.T {
		add(t, tr.commands.Rows[i])
	}
	return track
}

// collector makes the series of one trial.
type collector struct {
	problem *Problem
	trial   *Trial
	all     []deviation
	result  *fit.Result
	track   *diagnosis.Track
	next    int  // residual of the fit
	none    bool // nothing is fitted
}

func (c *collector) collect() (list []*diagnosis.Series) {
	tr := c.trial
	points := make([]*diagnosis.Series, 1+len(tr.markers))
	for k := range points {
		points[k] = &diagnosis.Series{Recording: tr.Name, Point: tipName, Static: tr.Static, Body: c.problem.body, Commands: c.track}
		if k > 0 {
			points[k].Point = tr.markers[k-1].name
		}
	}
	for i := range tr.rows {
		row := &tr.rows[i]
		if !row.measured {
			continue
		}
		if row.posed && tr.unplaced && !c.none && row.fitted() {
			c.next += c.problem.rotationsOf(tr)
		}
		for k := tip; k < len(tr.markers); k++ {
			if row.point(k).IsFinite() {
				points[k+1].Rows = append(points[k+1].Rows, c.row(i, k))
			}
		}
	}
	for _, s := range points {
		if len(s.Rows) > 0 {
			list = append(list, s)
		}
	}
	return list
}

// row is what is known of a point in a row, points of a row in the order of their residuals.
func (c *collector) row(i, point int) diagnosis.Row {
	tr, d := c.trial, &c.all[i]
	row := &tr.rows[i]
	r := diagnosis.Row{Index: i, T: row.t, At: row.t - d.late, Load: d.load, Velocity: tr.velocity(i, point, c.all), Weight: tr.poseWeight()}
	if tr.Static {
		r.At = float64(i)
	}
	r.Predicted, r.Measured = d.of(point), d.of(point).Sub(d.off(point))
	if point >= 0 {
		r.Weight = tr.weight() * tr.markers[point].weight
	}
	if c.none {
		return r
	}
	if r.Fitted = row.fitted() && r.Weight > 0; !r.Fitted {
		r.Weight = 0
		return r
	}
	w := r.Weight
	coordinates := 3
	if point == tip {
		coordinates = tr.coordinates()
	}
	for a := range coordinates {
		slopes, factor := c.result.Row(c.next + a)
		for k := range slopes {
			slopes[k] /= w
		}
		r.Slopes[a] = slopes
		if r.Weight = min(r.Weight, w*factor); slopes == nil {
			r.Weight = w
		}
	}
	if coordinates == 2 {
		r.Slopes = inWorld(d.frame, r.Slopes)
	}
	if c.next += coordinates; point == tip {
		c.next += c.problem.rotationsOf(tr)
	}
	return r
}

// inWorld turns derivatives of x and y in the frame of the hardware, turned by m, into those of the three coordinates in the world.
func inWorld(m spatial.Mat3, slopes [3][]float64) (world [3][]float64) {
	columns := [2]spatial.Vec{m.Col1(), m.Col2()}
	for a := range world {
		if slopes[0] == nil {
			return world
		}
		world[a] = make([]float64, len(slopes[0]))
		for c, column := range columns {
			factor := [3]float64{column.X, column.Y, column.Z}[a]
			for k := range world[a] {
				world[a][k] += factor * slopes[c][k]
			}
		}
	}
	return world
}

// rotationsOf is the number of residuals of the rotation in a row of a trial.
func (p *Problem) rotationsOf(tr *Trial) int {
	if p.fitsRotations(tr) {
		return 3
	}
	return 0
}

// of is where a point was predicted, off how far that is from the measurement.
func (d *deviation) of(point int) spatial.Vec {
	if point == tip {
		return d.at
	}
	return d.markersAt[point]
}

func (d *deviation) off(point int) spatial.Vec {
	if point == tip {
		return d.p
	}
	return d.markers[point]
}

// velocity is that of the predicted point at a row of a motion, m/s, between the rows beside it;
// that of the measured point where one of them is not predicted.
func (tr *Trial) velocity(i, point int, all []deviation) spatial.Vec {
	if tr.Static {
		return spatial.Vec{}
	}
	a, b := tr.beside(i, -1, point), tr.beside(i, 1, point)
	dt := tr.rows[b].t - tr.rows[a].t
	if dt <= 0 {
		return spatial.Vec{}
	}
	way := all[i].frame.Apply(tr.rows[b].point(point).Sub(tr.rows[a].point(point)))
	if tr.rows[a].measured && tr.rows[b].measured { // rows that are not selected are not predicted
		way = all[b].of(point).Sub(all[a].of(point))
	}
	return way.Scale(1 / dt)
}

// beside is the nearest row in one direction in which a point was measured, the row itself
// where there is none.
func (tr *Trial) beside(i, step, point int) int {
	for k := i + step; k >= 0 && k < len(tr.rows); k += step {
		if tr.rows[k].point(point).IsFinite() {
			return k
		}
	}
	return i
}
