package app

import (
	"context"
	"math"
)

// summary is how well trials are predicted.
type summary struct {
	fitted, held tally
	files        []fileSummary
}

// fileSummary is summary of one file.
type fileSummary struct {
	name         string
	still        bool
	fitted, held tally
}

// tally is how far predictions are from what was measured.
type tally struct {
	rows   int
	ssr    float64 // of the distance, m²
	most   float64 // m
	turn   float64 // sum of the squared angles, rad²
	turned int
}

func (s *tally) add(d *deviation, rotations bool) {
	e := d.p.Norm()
	s.rows++
	s.ssr += e * e
	s.most = max(s.most, e)
	if rotations {
		s.turned++
		s.turn += d.r.Dot(d.r)
	}
}

// rms is the root mean square of the distance, m.
func (s *tally) rms() float64 { return math.Sqrt(s.ssr / float64(s.rows)) }

// rmsTurn is the root mean square of the angle, rad.
func (s *tally) rmsTurn() float64 { return math.Sqrt(s.turn / float64(s.turned)) }

// summarize predicts all trials with parameters x.
func (f *fitting) summarize(ctx context.Context, x []float64) (s summary, err error) {
	all, err := f.bench(ctx).predict(x)
	if err != nil {
		return s, err
	}
	for i, tr := range f.trials {
		one := fileSummary{name: tr.name, still: tr.still}
		for k := range tr.rows {
			row := &tr.rows[k]
			switch {
			case !row.measured:
			case row.held:
				one.held.add(&all[i][k], tr.rotations)
				s.held.add(&all[i][k], tr.rotations)
			default:
				one.fitted.add(&all[i][k], tr.rotations)
				s.fitted.add(&all[i][k], tr.rotations)
			}
		}
		s.files = append(s.files, one)
	}
	return s, nil
}
