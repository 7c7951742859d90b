package identify

import (
	"cmp"
	"math"

	"sinew/cmd/internal/cli"
	"sinew/pkg/sim/hil/fit"
	"sinew/pkg/sim/hil/identify"
)

// Report is the JSON of --report FILE.json. Numbers that are not known are null; lengths
// are in m, angles in rad.
type Report struct {
	Program     string            `json:"program"`
	Version     string            `json:"version"`
	Config      []string          `json:"config"`
	LengthM     float64           `json:"length_m"`
	Parameters  []ParameterReport `json:"parameters"`
	Correlation [][]*float64      `json:"correlation"`
	Confounded  []PairReport      `json:"confounded"`
	Condition   *float64          `json:"condition"`

	Residuals      int      `json:"residuals"`
	Freedom        int      `json:"degrees_of_freedom"`
	Deviation      *float64 `json:"residual_standard_deviation"`
	RotationWeight float64  `json:"rotation_weight_m_per_rad"`

	Loss      string   `json:"loss"`
	LossScale float64  `json:"loss_scale_m,omitempty"`
	Noise     float64  `json:"noise_m,omitempty"` // as given
	Expected  *float64 `json:"expected_rmse_m"`   // on other motions; null where it is not known

	Fitted  ErrorReport    `json:"fitted"`
	HeldOut ErrorReport    `json:"held_out"`
	Files   []TrialReport  `json:"files"`
	Points  []PointReport  `json:"points,omitempty"`
	Series  []SeriesReport `json:"series,omitempty"` // every row; of the last stage

	Stages      []*Report    `json:"stages,omitempty"` // all but the last, which stands above
	Stage       string       `json:"stage,omitempty"`
	LeaveOneOut *FoldsReport `json:"leave_one_out,omitempty"`

	Weak        []WeakReport   `json:"weak_directions"`
	Effects     []EffectReport `json:"effects"`               // that the residuals suggest
	Alike       *float64       `json:"correlation_of_rows"`   // of residuals that follow one another in a motion
	Difference  float64        `json:"derivative_difference"` // largest, relative; 0 without derivatives
	Evaluations int            `json:"evaluations"`
	Failed      int            `json:"failed_evaluations"`
	Failure     string         `json:"first_failure,omitempty"`
	Best        int            `json:"best_start"` // index into Starts
	Agreeing    int            `json:"agreeing_starts"`
	Starts      []StartReport  `json:"starts"`
	Notes       []string       `json:"notes"`
}

// ParameterReport is what is said of a parameter.
type ParameterReport struct {
	Name          string   `json:"name"`
	Unit          string   `json:"unit"`
	Value         float64  `json:"value"`
	StandardError *float64 `json:"standard_error"`
	Infinite      bool     `json:"standard_error_infinite,omitempty"`
	Standing      string   `json:"standing"`
	Before        float64  `json:"before"`
	Min           float64  `json:"min"`
	Max           float64  `json:"max"`
	Log           bool     `json:"log"`
	PriorMean     *float64 `json:"prior_mean,omitempty"`
	PriorSigma    *float64 `json:"prior_sigma,omitempty"`
}

// PairReport names two parameters that the data hardly tell apart.
type PairReport struct {
	A           string  `json:"a"`
	B           string  `json:"b"`
	Correlation float64 `json:"correlation"`
}

// ErrorReport says how far predictions are from measurements.
type ErrorReport struct {
	Poses         int      `json:"poses"`
	RMSE          *float64 `json:"rmse_m"`
	Percent       *float64 `json:"rmse_percent_of_length"`
	Max           *float64 `json:"max_m"`
	RotationRMSE  *float64 `json:"rotation_rmse_rad"`
	BeforeRMSE    *float64 `json:"before_rmse_m"`
	BeforePercent *float64 `json:"before_rmse_percent_of_length"`
}

// TrialReport is what is said of a trial.
type TrialReport struct {
	File    string      `json:"file"`
	Topic   string      `json:"topic,omitempty"` // of the poses, where the plan gives one
	Static  bool        `json:"static"`
	Fitted  ErrorReport `json:"fitted"`
	HeldOut ErrorReport `json:"held_out"`
}

// StartReport says how the search from one start went.
type StartReport struct {
	From        []float64 `json:"from"`
	To          []float64 `json:"to"`
	RMSE        *float64  `json:"residual_rms"`
	Iterations  int       `json:"iterations"`
	Evaluations int       `json:"evaluations"`
	Ending      string    `json:"ending"`
	Failure     string    `json:"failure,omitempty"`
}

// PointReport is what is said of the tip or of a marker, where markers were measured.
type PointReport struct {
	Name    string      `json:"name"`
	Fitted  ErrorReport `json:"fitted"`
	HeldOut ErrorReport `json:"held_out"`
}

// WeakReport is a combination of parameters that the data barely determine.
type WeakReport struct {
	Names    []string  `json:"names"`
	Steps    []float64 `json:"steps"`
	Weakness float64   `json:"weakness"`
}

// FoldsReport says how each recording is predicted by a fit to the others.
type FoldsReport struct {
	Pooled *float64     `json:"pooled_rmse_m"`
	Folds  []FoldReport `json:"folds"`
}

// FoldReport is the fit without one recording.
type FoldReport struct {
	File     string    `json:"file"`
	Training *float64  `json:"training_rmse_m"`
	HeldOut  *float64  `json:"held_out_rmse_m"`
	Max      *float64  `json:"held_out_max_m"`
	Poses    int       `json:"poses"`
	Values   []float64 `json:"values"` // in the order of the parameters; null where the last stage has no other data
	Failure  string    `json:"failure,omitempty"`
}

// known is x, or nil where it is not finite, which JSON cannot say.
func known(x float64) *float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return nil
	}
	return &x
}

func (f *fitting) errors(after, before *identify.Errors) ErrorReport {
	if after.Poses == 0 {
		return ErrorReport{}
	}
	return ErrorReport{
		Poses: after.Poses,
		RMSE:  known(after.RMS()), Percent: known(100 * after.RMS() / f.lengthM), Max: known(after.MaxM), RotationRMSE: known(after.RotationRMS()),
		BeforeRMSE: known(before.RMS()), BeforePercent: known(100 * before.RMS() / f.lengthM),
	}
}

func parameterReport(e *fit.Estimate) ParameterReport {
	p := ParameterReport{
		Name: e.Name, Unit: e.Unit, Value: e.Value, StandardError: known(e.StandardError), Infinite: math.IsInf(e.StandardError, 1),
		Standing: string(e.Identifiability), Before: e.Start, Min: e.Min, Max: e.Max, Log: e.Log,
	}
	if e.Prior != nil {
		p.PriorMean, p.PriorSigma = &e.Prior.Mean, &e.Prior.Sigma
	}
	return p
}

// foldsReport gathers what --leave-one-out found; nil without.
func (f *fitting) foldsReport() *FoldsReport {
	if len(f.folds) == 0 {
		return nil
	}
	p := &FoldsReport{Pooled: known(f.pooled.RMS())}
	for k := range f.folds {
		one := &f.folds[k]
		r := FoldReport{File: one.file, Training: known(one.training.RMS()), HeldOut: known(one.heldOut.RMS()), Max: known(one.heldOut.MaxM), Poses: one.heldOut.Poses, Values: one.values}
		if one.err != nil {
			r.Failure, r.Max = one.err.Error(), nil
		}
		p.Folds = append(p.Folds, r)
	}
	return p
}

// report gathers all numbers, of every stage.
func (f *fitting) report() *Report {
	p := f.stageReport()
	p.Series = seriesReports(f.explained.Series)
	for _, o := range f.done[:len(f.done)-1] {
		one := *f
		one.outcome, one.folds = o, nil
		p.Stages = append(p.Stages, one.stageReport())
	}
	return p
}

// stageReport gathers the numbers of one stage.
func (f *fitting) stageReport() *Report {
	r := f.result
	p := &Report{
		Program: f.program, Version: cli.Version, Config: f.config, LengthM: f.lengthM, Condition: known(r.Condition),
		Loss: string(cmp.Or(f.problem.Loss, fit.Linear)), LossScale: f.problem.LossScale, Noise: f.problem.Deviation,
		Failed: r.Failed, Failure: r.Failure, LeaveOneOut: f.foldsReport(),
		Residuals: f.problem.Residuals(), Freedom: r.Freedom, Deviation: known(r.Deviation), RotationWeight: f.problem.RotationWeight,
		Fitted: f.errors(&f.after.Fitted, &f.before.Fitted), HeldOut: f.errors(&f.after.HeldOut, &f.before.HeldOut),
		Alike: known(f.explained.Alike), Difference: r.Difference, Evaluations: r.Evaluations, Best: r.Best, Agreeing: r.Agreeing(sameEnd), Notes: f.warnings(),
	}
	for i := range r.Estimates {
		e := &r.Estimates[i]
		p.Parameters = append(p.Parameters, parameterReport(e))
		row := make([]*float64, len(r.Estimates))
		for k := range row {
			row[k] = known(r.Correlation[i][k])
		}
		p.Correlation = append(p.Correlation, row)
	}
	for _, c := range r.Confounded {
		p.Confounded = append(p.Confounded, PairReport{r.Estimates[c.A].Name, r.Estimates[c.B].Name, c.Correlation})
	}
	if f.expected != nil {
		p.Expected = known(f.expected.RMS())
	}
	if len(f.stages) > 1 {
		p.Stage = f.stage.name
	}
	for _, e := range f.explained.Effects {
		p.Effects = append(p.Effects, effectReport(&e))
	}
	for i := range r.Weak {
		d := WeakReport{Steps: r.Weak[i].Steps, Weakness: r.Weak[i].Weakness}
		for _, k := range r.Weak[i].Members {
			d.Names = append(d.Names, r.Estimates[k].Name)
		}
		p.Weak = append(p.Weak, d)
	}
	for i := range f.after.Trials {
		a, b := &f.after.Trials[i], &f.before.Trials[i]
		p.Files = append(p.Files, TrialReport{a.Name, a.Topic, a.Static, f.errors(&a.Fitted, &b.Fitted), f.errors(&a.HeldOut, &b.HeldOut)})
	}
	for i := range f.after.Points {
		a, b := &f.after.Points[i], &f.before.Points[i]
		p.Points = append(p.Points, PointReport{a.Name, f.errors(&a.Fitted, &b.Fitted), f.errors(&a.HeldOut, &b.HeldOut)})
	}
	for _, s := range r.Starts {
		p.Starts = append(p.Starts, StartReport{s.From, s.To, known(s.RMSE), s.Iterations, s.Evaluations, string(s.Ending), s.Failure})
	}
	return p
}
