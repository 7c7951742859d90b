package identify

import (
	"context"
	"path"

	"sinew/pkg/sim/spatial"
)

// Point is a point of the robot that was measured, and where it is predicted to be, both in
// the world, m.
type Point struct {
	Trial               string
	Row                 int     // of the trial, from 1
	T                   float64 // s; unused where the trial is static
	Static              bool
	Name                string // of the marker, or tip
	Fitted              bool
	Measured, Predicted spatial.Vec
}

// Points predicts every measured point with the parameters x.
func (p *Problem) Points(ctx context.Context, x []float64) (points []Point, err error) {
	by := p.newPredictor(ctx)
	all, err := by.predict(x)
	if err != nil {
		return nil, err
	}
	robots := variants{problem: p, x: x}
	for i, tr := range p.Trials {
		r, err := robots.of(tr)
		if err != nil {
			return nil, err
		}
		place := r.model.Hardware.FramePoseOf(path.Base(tr.Name))
		for k := range tr.rows {
			row := &tr.rows[k]
			one := Point{Trial: tr.Name, Row: k + 1, T: tr.start + row.t, Static: tr.Static}
			add := func(name string, fitted bool, at, d spatial.Vec) {
				one.Name, one.Fitted, one.Measured = name, fitted, place.Apply(at)
				one.Predicted = one.Measured.Add(d)
				points = append(points, one)
			}
			if row.posed && row.measured && !tr.unplaced {
				add(tipName, row.fitted(), row.pose.p, all[i][k].p)
			}
			for j, at := range row.markers {
				if at.IsFinite() && row.measured {
					add(tr.markers[j].name, row.fitted() && tr.markers[j].weight > 0, at, all[i][k].markers[j])
				}
			}
		}
	}
	return points, nil
}
