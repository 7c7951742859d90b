package identify

import (
	"context"
	"math"

	"sinew/pkg/sim"
	"sinew/pkg/sim/commands"
	"sinew/pkg/sim/spatial"
)

// Recognize says which effects the residuals of the fitted rows suggest that the model
// leaves out, with the parameters x, and how alike those are that follow one another in a
// motion: their correlation, 0 where they are independent as standard errors take them, NaN
// where there are too few. Where a row has none of them that says nothing.
func (p *Problem) Recognize(ctx context.Context, x []float64) (found []Finding, alike float64, err error) {
	const least = 12 // rows
	all := p.best.of(x)
	if all == nil {
		if all, err = p.newPredictor(ctx).predict(x); err != nil {
			return nil, math.NaN(), err
		}
	}
	targets := p.targets()
	var rows []observation
	var pairs likeness
	for i, tr := range p.Trials {
		mine := tr.observe(all[i], targets)
		rows = append(rows, mine...)
		if !tr.Static {
			pairs.add(mine)
		}
	}
	if len(rows) < least || p.exact(rows) {
		return nil, math.NaN(), nil
	}
	if alike = math.NaN(); pairs.count >= least {
		alike = pairs.product / pairs.square
	}
	return recognize(rows), alike, nil
}

// likeness is the correlation of residuals that follow one another, in the making.
type likeness struct {
	count           int
	product, square float64 // m²
}

// add adds the rows of a motion.
func (l *likeness) add(rows []observation) {
	for i := 1; i < len(rows); i++ {
		a, b := rows[i-1].d, rows[i].d
		l.count++
		l.product += a.Dot(b)
		l.square += (a.Dot(a) + b.Dot(b)) / 2
	}
}

// exact reports whether the residuals are so much less than the motion that nothing is
// worth a word.
func (p *Problem) exact(rows []observation) bool {
	const share = 1e-3 // of the way that was measured
	var low, high spatial.Vec
	first, sum := true, 0.0
	for i := range rows {
		sum += rows[i].d.Dot(rows[i].d)
	}
	for _, tr := range p.Trials {
		for i := range tr.rows {
			if !tr.rows[i].observed() {
				continue
			}
			q := tr.rows[i].pose.p
			if first {
				low, high, first = q, q, false
			}
			low = spatial.Vec{X: min(low.X, q.X), Y: min(low.Y, q.Y), Z: min(low.Z, q.Z)}
			high = spatial.Vec{X: max(high.X, q.X), Y: max(high.Y, q.Y), Z: max(high.Z, q.Z)}
		}
	}
	return math.Sqrt(sum/float64(len(rows))) <= share*high.Sub(low).Norm()
}

// targets lists the values that any trial commands.
func (p *Problem) targets() (list []commands.Target) {
	seen := map[commands.Target]bool{}
	add := func(row commands.Row) {
		for _, port := range row.Ports() {
			for i, v := range row[port] {
				if t := (commands.Target{Port: port, Value: i}); !seen[t] && !sim.IsKeep(v) {
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

// observed reports whether the row is fitted and tells where the tip was, of which the
// effects are known. Markers alone suggest nothing.
func (r *trialRow) observed() bool { return r.fitted() && r.posed }

// observe makes observations of the fitted rows of a trial.
func (tr *Trial) observe(all []deviation, targets []commands.Target) (rows []observation) {
	command, history := make([]float64, len(targets)), make([]float64, len(targets))
	next := 0
	follow := func(row commands.Row) {
		for k, t := range targets {
			v := row[t.Port]
			if v == nil || sim.IsKeep(v[t.Value]) {
				continue
			}
			if to := v[t.Value]; to > command[k] {
				history[k] = 1
			} else if to < command[k] {
				history[k] = -1
			}
			command[k] = v[t.Value]
		}
	}
	for i := range tr.rows {
		row := &tr.rows[i]
		if tr.Static {
			follow(row.commands)
		} else {
			for ; next < len(tr.commands.Times) && tr.commands.Times[next] <= row.t+commands.Early; next++ {
				follow(tr.commands.Rows[next])
			}
		}
		if row.observed() {
			rows = append(rows, observation{
				d: all[i].p, velocity: tr.velocity(i, all),
				command: append([]float64(nil), command...), history: append([]float64(nil), history...),
			})
		}
	}
	return rows
}

// velocity is that of the predicted point at a row of a motion, in the frame of the
// measurements, m/s, between the rows beside it; that of the measured point where one of
// them is not predicted.
func (tr *Trial) velocity(i int, all []deviation) spatial.Vec {
	if tr.Static {
		return spatial.Vec{}
	}
	a, b := tr.beside(i, -1, tip), tr.beside(i, 1, tip)
	dt := tr.rows[b].t - tr.rows[a].t
	if dt <= 0 {
		return spatial.Vec{}
	}
	way := tr.rows[b].pose.p.Sub(tr.rows[a].pose.p)
	if tr.rows[a].measured && tr.rows[b].measured { // rows that are not selected are not predicted
		way = way.Add(all[b].p.Sub(all[a].p))
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
