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
	file    File      // complete, so that every number can be set
	files   []variant // of that, of all trials
}

// variant is a robot file as some of the trials have it.
type variant struct {
	sets []Setting
	file File
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

// newPredictor makes a predictor with the values of the robot file.
func (p *Problem) newPredictor(ctx context.Context) *predictor {
	copied := func() File {
		f := p.newFile()
		f.Merge("robot file", p.complete)
		return f
	}
	made := &predictor{ctx: ctx, problem: p, file: copied()}
	made.files = []variant{{nil, made.file}}
	for _, tr := range p.Trials {
		if made.variantOf(tr) == nil {
			f := copied()
			for _, s := range tr.Sets {
				f.Set(s.Path, number(s.Value), "set of "+tr.Name)
			}
			made.files = append(made.files, variant{tr.Sets, f})
		}
	}
	return made
}

// variantOf is the robot file that a trial has, nil where there is none yet.
func (p *predictor) variantOf(tr *Trial) File {
	for i := range p.files {
		if slices.Equal(p.files[i].sets, tr.Sets) {
			return p.files[i].file
		}
	}
	return nil
}

// set lays parameters over the robot files.
func (p *predictor) set(x []float64) {
	for _, f := range p.problem.free {
		n := len(f.Parameters)
		for _, a := range f.assign(x[:n]) {
			for i := range p.files {
				p.files[i].file.Set(a.path, a.value, "identify")
			}
		}
		x = x[n:]
	}
}

// predict returns the deviation of every measured row of every trial.
func (p *predictor) predict(x []float64) ([][]deviation, error) {
	return p.complete(x, make([][]deviation, len(p.problem.Trials)), func(*Trial) bool { return true })
}

// complete fills in the deviations of the trials that are wanted and have none.
func (p *predictor) complete(x []float64, all [][]deviation, wanted func(tr *Trial) bool) ([][]deviation, error) {
	p.set(x)
	runs := map[File]*run{}
	for i, tr := range p.problem.Trials {
		if all[i] != nil || !wanted(tr) {
			continue
		}
		f := p.variantOf(tr)
		if runs[f] == nil {
			m, err := f.Model()
			if err != nil {
				return nil, err
			}
			if runs[f], err = newRun(m); err != nil {
				return nil, err
			}
		}
		one := make([]deviation, len(tr.rows))
		if err := runs[f].trial(p.ctx, tr, one); err != nil {
			return nil, fmt.Errorf("%s: %w", tr.Name, err)
		}
		all[i] = one
	}
	return all, nil
}

// residuals implements fit.Residuals for the rows that are not held out.
func (p *predictor) residuals(x, dst []float64) error {
	all, err := p.complete(x, make([][]deviation, len(p.problem.Trials)), func(tr *Trial) bool { return tr.Fitted() > 0 })
	if err != nil {
		return err
	}
	left := dst
	for i, tr := range p.problem.Trials {
		for k := range tr.rows {
			if tr.rows[k].fitted() {
				left = p.problem.put(left, tr, &tr.rows[k], &all[i][k])
			}
		}
	}
	p.problem.best.keep(x, dst, all)
	return nil
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
	return fit.Data{Count: p.Residuals(), Deviation: p.Deviation, New: func() (fit.Residuals, error) { return p.newPredictor(ctx).residuals, nil }}
}
