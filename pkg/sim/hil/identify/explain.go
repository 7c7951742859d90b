package identify

import (
	"context"
	"fmt"
	"math"

	"sinew/pkg/sim/hil/diagnosis"
	"sinew/pkg/sim/hil/fit"
	"sinew/pkg/sim/spatial"
)

// Explanation is what was measured and predicted, and what the differences suggest that the
// model leaves out.
type Explanation struct {
	Series  []*diagnosis.Series
	Effects []diagnosis.Finding
	// Alike is the correlation of residuals that follow one another in a motion, 0 where they are
	// independent as standard errors take them, NaN where there are too few.
	Alike float64
	// Untried is why residuals were not tried for effects, or empty.
	Untried string
}

// Explain explains the residuals of the fitted rows, or of all where none is fitted, with the
// parameters x; r is the fit that found them.
func (p *Problem) Explain(ctx context.Context, x []float64, r *fit.Result) (e Explanation, err error) {
	all, err := p.predicted(ctx, x)
	if err != nil {
		return e, err
	}
	if e.Series, err = p.series(all, r); err != nil {
		return e, err
	}
	if e.Alike = math.NaN(); exact(e.Series) {
		e.Untried = "the residuals are less than a thousandth of the way that was measured"
		return e, nil
	}
	if n := weighed(e.Series); n < diagnosis.MinRows {
		e.Untried = fmt.Sprintf("residuals of %d positions tell too little; at least %d are needed", n, diagnosis.MinRows)
	}
	e.Alike = alikeness(e.Series)
	if len(r.Estimates) > 0 && !r.Derived() {
		e.Untried = "the search ended before it knew what the free numbers can do"
		return e, nil
	}
	const much = 0.5 // of what noise has none
	if e.Effects = diagnosis.Find(e.Series, r.PriorRows()); e.Effects == nil && e.Alike > much && e.Untried == "" {
		e.Effects = []diagnosis.Finding{diagnosis.Unnamed(e.Series, e.Alike)}
	}
	return e, nil
}

// weighed is the number of rows that count.
func weighed(series []*diagnosis.Series) (n int) {
	for _, s := range series {
		for i := range s.Rows {
			if s.Rows[i].Weight > 0 {
				n++
			}
		}
	}
	return n
}

// alikeness is the correlation of residuals that follow one another.
func alikeness(series []*diagnosis.Series) float64 {
	var pairs likeness
	for _, s := range series {
		pairs.add(s)
	}
	if pairs.count < diagnosis.MinRows {
		return math.NaN()
	}
	return pairs.product / pairs.square
}

// likeness is the correlation of residuals that follow one another, in the making.
type likeness struct {
	count           int
	product, square float64 // m²
}

// add adds the rows of a motion.
func (l *likeness) add(s *diagnosis.Series) {
	var last *diagnosis.Row
	for i := range s.Rows {
		row := &s.Rows[i]
		if row.Weight == 0 || s.Static {
			continue
		}
		if last != nil {
			a, b := last.Residual(), row.Residual()
			l.count++
			l.product += a.Dot(b)
			l.square += (a.Dot(a) + b.Dot(b)) / 2
		}
		last = row
	}
}

// exact reports whether the residuals are so much less than the motion that nothing is
// worth a word.
func exact(series []*diagnosis.Series) bool {
	const share = 1e-3 // of the way that was measured
	way, sum, count := 0.0, 0.0, 0.0
	for _, s := range series {
		for i := range s.Rows {
			if row := &s.Rows[i]; row.Weight > 0 {
				d := row.Residual()
				sum, count = sum+d.Dot(d), count+1
			}
		}
	}
	ways := map[string][2]spatial.Vec{} // by point
	for _, s := range series {
		for i := range s.Rows {
			q := s.Rows[i].Measured
			box, seen := ways[s.Point]
			if !seen {
				box = [2]spatial.Vec{q, q}
			}
			a, b := box[0], box[1]
			box[0] = spatial.Vec{X: min(a.X, q.X), Y: min(a.Y, q.Y), Z: min(a.Z, q.Z)}
			box[1] = spatial.Vec{X: max(b.X, q.X), Y: max(b.Y, q.Y), Z: max(b.Z, q.Z)}
			ways[s.Point] = box
		}
	}
	for _, box := range ways {
		way = max(way, box[1].Sub(box[0]).Norm())
	}
	return math.Sqrt(sum/count) <= share*way
}
