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

// file is the robot file with the numbers of a trial, and parameters x, laid over it. It is made anew each
// time, so that nothing stays of other parameters: a group writes only what differs from the
// robot file.
func (p *Problem) file(x []float64, sets []Setting) File {
	f := p.complete.Clone()
	for _, s := range sets {
		f.Set(s.Path, number(s.Value), "set of a trial")
	}
	for _, free := range p.free {
		n := len(free.Parameters)
		free.Set(f, x[:n], "identify")
		x = x[n:]
	}
	return f
}

// variants are the robots with parameters x, as trials have them: one for each choice of numbers that a
// trial sets.
type variants struct {
	problem *Problem
	x       []float64
	made    []variant
}

type variant struct {
	sets []Setting
	run  *run
}

// of returns the robot that a trial has.
func (v *variants) of(tr *Trial) (*run, error) {
	for i := range v.made {
		if slices.Equal(v.made[i].sets, tr.Sets) {
			return v.made[i].run, nil
		}
	}
	m, err := v.problem.file(v.x, tr.Sets).Model()
	if err != nil {
		return nil, err
	}
	r, err := newRun(m)
	if err == nil {
		v.made = append(v.made, variant{tr.Sets, r})
	}
	return r, err
}

// predict returns the deviation of every measured row of every trial.
func (p *predictor) predict(x []float64) ([][]deviation, error) {
	return p.complete(x, make([][]deviation, len(p.problem.Trials)), func(*Trial) bool { return true })
}

// complete fills in the deviations of the trials that are wanted and have none.
func (p *predictor) complete(x []float64, all [][]deviation, wanted func(tr *Trial) bool) ([][]deviation, error) {
	robots := variants{problem: p.problem, x: x}
	for i, tr := range p.problem.Trials {
		if all[i] != nil || !wanted(tr) {
			continue
		}
		r, err := robots.of(tr)
		if err != nil {
			return nil, err
		}
		one := make([]deviation, len(tr.rows))
		if err := r.trial(p.ctx, tr, one); err != nil {
			return nil, fmt.Errorf("%s: %w", tr.Name, err)
		}
		all[i] = one
	}
	return all, nil
}

// decides reports whether a row of the trial is fitted: what is only predicted has no say in a search.
func (tr *Trial) decides() bool { return tr.Fitted() > 0 }

// residuals implements fit.Residuals for the rows that are not held out.
func (p *predictor) residuals(x, dst []float64) error {
	all, err := p.complete(x, make([][]deviation, len(p.problem.Trials)), (*Trial).decides)
	if err != nil {
		return err
	}
	left := dst
	for i, tr := range p.problem.Trials {
		if tr.decides() {
			left = p.problem.putTrial(left, tr, all[i])
		}
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
		w := tr.poseWeight()
		position := d.p
		if tr.planar {
			position = d.frame.ApplyT(d.p)
		}
		n := copy(dst, []float64{w * position.X, w * position.Y, w * position.Z}[:tr.coordinates()])
		dst = dst[n:]
		if p.fitsRotations(tr) {
			w *= p.rotationWeight(tr)
			dst[0], dst[1], dst[2] = w*d.r.X, w*d.r.Y, w*d.r.Z
			dst = dst[3:]
		}
	}
	return tr.putMarkers(dst, row, d)
}

// coordinates is how many coordinates of the position of the tip are measured.
func (tr *Trial) coordinates() int {
	switch {
	case tr.unplaced:
		return 0
	case tr.planar:
		return 2
	}
	return 3
}

func (p *Problem) fitsRotations(tr *Trial) bool { return p.rotationWeight(tr) > 0 && tr.rotations }

// rotationWeight is how many metres 1 rad counts in a trial.
func (p *Problem) rotationWeight(tr *Trial) float64 {
	if p.RotationWeight == 0 && tr.unplaced {
		return tr.AngleM
	}
	return p.RotationWeight
}

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
	if slices.ContainsFunc(p.Trials, func(tr *Trial) bool { return tr.Static && tr.decides() }) { // motions gain nothing by it
		d.NewNearby = func() (fit.Nearby, error) { return p.newNeighbours(ctx).residuals, nil }
		if !slices.ContainsFunc(p.Trials, func(tr *Trial) bool { return !tr.Static && tr.decides() }) {
			d.NewTangent = func() (fit.Nearby, error) { return p.newFollowers(ctx).residuals, nil }
		}
	}
	return d
}
