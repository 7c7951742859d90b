package identify

import (
	"context"
	"math"
	"slices"
	"sync"
)

// Summary is how well trials are predicted.
type Summary struct {
	Fitted, HeldOut Errors
	Trials          []TrialSummary
	Points          []PointErrors // where markers were measured, of each and of the tip
}

// TrialSummary is how well one trial is predicted.
type TrialSummary struct {
	Name, Topic     string // Topic as of Trial
	Static          bool
	Fitted, HeldOut Errors
}

// Errors are how far predictions are from what was measured.
type Errors struct {
	Poses     int
	Rotations int     // poses with a rotation
	MaxM      float64 // the largest distance, m

	distances float64 // sum of the squared distances, m²
	angles    float64 // sum of the squared angles, rad²
}

func (e *Errors) add(d *deviation, rotations bool) {
	distance := d.p.Norm()
	e.Poses++
	e.distances += distance * distance
	e.MaxM = max(e.MaxM, distance)
	if rotations {
		e.Rotations++
		e.angles += d.r.Dot(d.r)
	}
}

// Pool adds the errors of other poses.
func (e *Errors) Pool(o *Errors) {
	e.Poses, e.Rotations, e.MaxM = e.Poses+o.Poses, e.Rotations+o.Rotations, max(e.MaxM, o.MaxM)
	e.distances, e.angles = e.distances+o.distances, e.angles+o.angles
}

// RMS returns the root mean square of the distance, m; NaN without poses.
func (e *Errors) RMS() float64 { return math.Sqrt(e.distances / float64(e.Poses)) }

// RotationRMS returns the root mean square of the angle, rad; NaN without rotations.
func (e *Errors) RotationRMS() float64 { return math.Sqrt(e.angles / float64(e.Rotations)) }

// bestPrediction is the prediction of the fitted trials with the least residuals of all that
// a search has made, so that none is needed when it is interrupted.
type bestPrediction struct {
	mu  sync.Mutex
	x   []float64 // parameters; nil before the first
	ssr float64
	all [][]deviation
}

// keep takes the prediction with parameters x if it is better. It retains all.
func (b *bestPrediction) keep(x, residuals []float64, all [][]deviation) {
	ssr := 0.0
	for _, v := range residuals {
		ssr += v * v
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.x == nil || ssr < b.ssr {
		b.x, b.ssr, b.all = slices.Clone(x), ssr, all
	}
}

// add completes the prediction with parameters x if that is the best one.
func (b *bestPrediction) add(x []float64, all [][]deviation) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.x != nil && slices.Equal(b.x, x) {
		b.all = all
	}
}

// of returns the prediction with parameters x if that is the best one, or nil.
func (b *bestPrediction) of(x []float64) [][]deviation {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.x == nil || !slices.Equal(b.x, x) {
		return nil
	}
	return b.all
}

// predicted are the deviations of all trials with the parameters x. A search has not
// predicted those that it does not fit.
func (p *Problem) predicted(ctx context.Context, x []float64) ([][]deviation, error) {
	all := slices.Clone(p.best.of(x))
	if all == nil {
		all = make([][]deviation, len(p.Trials))
	}
	if !slices.ContainsFunc(all, func(d []deviation) bool { return d == nil }) {
		return all, nil
	}
	all, err := p.newPredictor(ctx).complete(x, all, func(*Trial) bool { return true })
	if err == nil {
		p.best.add(x, all)
	}
	return all, err
}

// Predict predicts all trials with the parameters x.
func (p *Problem) Predict(ctx context.Context, x []float64) (s Summary, err error) {
	all, err := p.predicted(ctx, x)
	if err != nil {
		return s, err
	}
	for i, tr := range p.Trials {
		one := TrialSummary{Name: tr.Name, Topic: tr.Topic, Static: tr.Static}
		for k := range tr.rows {
			if row := &tr.rows[k]; row.measured {
				s.add(&one, tr, row, &all[i][k])
			}
		}
		s.Trials = append(s.Trials, one)
	}
	return s, nil
}
