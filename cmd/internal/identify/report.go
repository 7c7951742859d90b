package identify

import (
	"encoding/json"
	"math"

	"sinew/cmd/internal/output"
	"sinew/cmd/internal/verb"
	"sinew/pkg/sim/hil/identify"
)

// Report is the JSON of --report. Numbers that are not known are null; lengths
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

	Fitted  ErrorReport   `json:"fitted"`
	HeldOut ErrorReport   `json:"held_out"`
	Files   []TrialReport `json:"files"`

	Evaluations int           `json:"evaluations"`
	Best        int           `json:"best_start"` // index into Starts
	Agreeing    int           `json:"agreeing_starts"`
	Starts      []StartReport `json:"starts"`
	Notes       []string      `json:"notes"`
}

// ParameterReport is what is said of a parameter.
type ParameterReport struct {
	Name          string   `json:"name"`
	Unit          string   `json:"unit"`
	Value         float64  `json:"value"`
	StandardError *float64 `json:"standard_error"`
	Standing      string   `json:"standing"`
	Before        float64  `json:"before"`
	Min           float64  `json:"min"`
	Max           float64  `json:"max"`
	Log           bool     `json:"log"`
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

// report gathers all numbers.
func (f *fitting) report() *Report {
	r := f.result
	p := &Report{
		Program: f.program, Version: verb.Version, Config: f.config, LengthM: f.lengthM, Condition: known(r.Condition),
		Residuals: f.problem.Residuals(), Freedom: r.Freedom, Deviation: known(r.Deviation), RotationWeight: f.problem.RotationWeight,
		Fitted: f.errors(&f.after.Fitted, &f.before.Fitted), HeldOut: f.errors(&f.after.HeldOut, &f.before.HeldOut),
		Evaluations: r.Evaluations, Best: r.Best, Agreeing: r.Agreeing(sameEnd), Notes: f.warnings(),
	}
	for i := range r.Estimates {
		e := &r.Estimates[i]
		p.Parameters = append(p.Parameters, ParameterReport{e.Name, e.Unit, e.Value, known(e.StandardError), string(e.Standing), e.Start, e.Min, e.Max, e.Log})
		row := make([]*float64, len(r.Estimates))
		for k := range row {
			row[k] = known(r.Correlation[i][k])
		}
		p.Correlation = append(p.Correlation, row)
	}
	for _, c := range r.Confounded {
		p.Confounded = append(p.Confounded, PairReport{r.Estimates[c.A].Name, r.Estimates[c.B].Name, c.Correlation})
	}
	for i := range f.after.Trials {
		a, b := &f.after.Trials[i], &f.before.Trials[i]
		p.Files = append(p.Files, TrialReport{a.Name, a.Static, f.errors(&a.Fitted, &b.Fitted), f.errors(&a.HeldOut, &b.HeldOut)})
	}
	for _, s := range r.Starts {
		p.Starts = append(p.Starts, StartReport{s.From, s.To, known(s.RMSE), s.Iterations, s.Evaluations, string(s.Ending), s.Failure})
	}
	return p
}

// writeReport writes the JSON of --report.
func (f *fitting) writeReport(file *output.File) error {
	if file == nil {
		return nil
	}
	data, err := json.MarshalIndent(f.report(), "", "  ")
	if err != nil {
		return err
	}
	_, err = file.Write(append(data, '\n'))
	return err
}
