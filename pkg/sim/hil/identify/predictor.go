package identify

import (
	"context"
	"fmt"
	"slices"

	"sinew/pkg/sim/hil/fit"
	"sinew/pkg/sim/spatial"
)

// predictor predicts trials with a robot whose parameters change. It is not safe
// for concurrent use; every worker has its own.
type predictor struct {
	ctx     context.Context // ends predictions too
	problem *Problem
}

// deviation is how far the prediction of a measured row is from it: of position,
// m, and rotation, rad, both in world axes.
type deviation struct {
	p, r    spatial.Vec
	markers []spatial.Vec // of position, by marker of the trial

	frame     spatial.Mat3  // of the measurements
	at        spatial.Vec   // where the tip was predicted, m
	markersAt []spatial.Vec // the same of the markers
	load      float64       // sum of the predicted tensions, N; NaN: the robot has none
	late      float64       // how much later the hardware was, s
}

// newPredictor makes a predictor.
func (p *Problem) newPredictor(ctx context.Context) *predictor {
	return &predictor{ctx: ctx, problem: p}
}

// file is the robot file with parameters x laid over it. It is made anew each time, so that
// nothing stays of other parameters: a group writes only what differs from the robot file.
func (p *Problem) file(x []float64) File {
	f := p.newFile()
	f.Merge("robot file", p.complete)
	for _, free := range p.free {
		n := len(free.Parameters)
		for _, a := range free.assign(x[:n]) {
			f.Set(a.path, a.value, "identify")
		}
		x = x[n:]
	}
	return f
}

// newRun makes the robot with parameters x.
func (p *predictor) newRun(x []float64) (*run, error) {
	m, err := p.problem.file(x).Model()
	if err != nil {
		return nil, err
	}
	return newRun(m)
}

// predict returns the deviation of every measured row of every trial.
func (p *predictor) predict(x []float64) ([][]deviation, error) {
	r, err := p.newRun(x)
	if err != nil {
		return nil, err
	}
	all := make([][]deviation, len(p.problem.Trials))
	for i, tr := range p.problem.Trials {
		all[i] = make([]deviation, len(tr.rows))
		if err := r.trial(p.ctx, tr, all[i]); err != nil {
			return nil, fmt.Errorf("%s: %w", tr.Name, err)
		}
	}
	return all, nil
}

// residuals implements fit.Residuals for the rows that are not held out.
func (p *predictor) residuals(x, dst []float64) error {
	all, err := p.predict(x)
	if err != nil {
		return err
	}
	left := dst
	for i, tr := range p.problem.Trials {
		left = p.problem.putTrial(left, tr, all[i])
	}
	p.problem.best.keep(x, dst, all)
	return nil
}

// putTrial writes the residuals of the rows of a trial that are not held out, and returns what is
// left of dst.
func (p *Problem) putTrial(dst []float64, tr *Trial, all []deviation) []float64 {
	for k := range tr.rows {
		if tr.rows[k].fitted() {
			dst = p.put(dst, tr, &tr.rows[k], &all[k])
		}
	}
	return dst
}

// fitted reports whether the row is one that is fitted.
func (r *trialRow) fitted() bool { return r.measured && !r.held }

// put writes the residuals of one row and returns what is left of dst.
func (p *Problem) put(dst []float64, tr *Trial, row *trialRow, d *deviation) []float64 {
	if row.posed {
		w := tr.weight()
		dst[0], dst[1], dst[2] = w*d.p.X, w*d.p.Y, w*d.p.Z
		dst = dst[3:]
		if p.fitsRotations(tr) {
			w *= p.RotationWeight
			dst[0], dst[1], dst[2] = w*d.r.X, w*d.r.Y, w*d.r.Z
			dst = dst[3:]
		}
	}
	return tr.putMarkers(dst, row, d)
}

func (p *Problem) fitsRotations(tr *Trial) bool { return p.RotationWeight > 0 && tr.rotations }

// Residuals returns the number of residuals that are fitted.
func (p *Problem) Residuals() (n int) {
	for _, tr := range p.Trials {
		n += p.residualsOf(tr)
	}
	return n
}

// residualsOf is the number of residuals of one trial.
func (p *Problem) residualsOf(tr *Trial) (n int) {
	for k := range tr.rows {
		if tr.rows[k].fitted() {
			n += p.residualsOfRow(tr, &tr.rows[k])
		}
	}
	return n
}

// data makes the measurements as package fit takes them.
func (p *Problem) data(ctx context.Context) fit.Data {
	d := fit.Data{
		Count: p.Residuals(), Group: 3, Deviation: p.Deviation,
		New: func() (fit.Residuals, error) { return p.newPredictor(ctx).residuals, nil },
	}
	if slices.ContainsFunc(p.Trials, func(tr *Trial) bool { return tr.Static }) { // motions gain nothing by it
		d.NewNearby = func() (fit.Nearby, error) { return p.newNeighbours(ctx).residuals, nil }
	}
	return d
}
