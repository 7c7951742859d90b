package app

import (
	"context"
	"encoding/json"
	"math"
	"os"
)

// fitReport is the JSON of --report. Numbers that are not known are null; lengths
// are in m, angles in rad.
type fitReport struct {
	Program     string            `json:"program"`
	Version     string            `json:"version"`
	Config      []string          `json:"config"`
	LengthM     float64           `json:"length_m"`
	Parameters  []parameterReport `json:"parameters"`
	Correlation [][]*float64      `json:"correlation"`
	Confounded  []pairReport      `json:"confounded"`
	Condition   *float64          `json:"condition"`

	Residuals      int      `json:"residuals"`
	Freedom        int      `json:"degrees_of_freedom"`
	Deviation      *float64 `json:"residual_standard_deviation"`
	RotationWeight float64  `json:"rotation_weight_m_per_rad"`

	Fitted  errorReport   `json:"fitted"`
	HeldOut errorReport   `json:"held_out"`
	Files   []trialReport `json:"files"`

	Evaluations int           `json:"evaluations"`
	Best        int           `json:"best_start"` // counted from 0
	Agreeing    int           `json:"agreeing_starts"`
	Starts      []startReport `json:"starts"`
	Notes       []string      `json:"notes"`
}

type parameterReport struct {
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

type pairReport struct {
	A           string  `json:"a"`
	B           string  `json:"b"`
	Correlation float64 `json:"correlation"`
}

type errorReport struct {
	Poses         int      `json:"poses"`
	RMSE          *float64 `json:"rmse_m"`
	Percent       *float64 `json:"rmse_percent_of_length"`
	Max           *float64 `json:"max_m"`
	RotationRMSE  *float64 `json:"rotation_rmse_rad"`
	BeforeRMSE    *float64 `json:"before_rmse_m"`
	BeforePercent *float64 `json:"before_rmse_percent_of_length"`
}

type trialReport struct {
	File    string      `json:"file"`
	Static  bool        `json:"static"`
	Fitted  errorReport `json:"fitted"`
	HeldOut errorReport `json:"held_out"`
}

type startReport struct {
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

func (f *fitting) errors(after, before *tally) errorReport {
	if after.rows == 0 {
		return errorReport{}
	}
	return errorReport{
		Poses: after.rows,
		RMSE:  known(after.rms()), Percent: known(100 * after.rms() / f.lengthM), Max: known(after.most), RotationRMSE: known(after.rmsTurn()),
		BeforeRMSE: known(before.rms()), BeforePercent: known(100 * before.rms() / f.lengthM),
	}
}

// report gathers all numbers.
func (f *fitting) report() *fitReport {
	r := f.result
	p := &fitReport{
		Program: f.robot.Name, Version: version, Config: f.config, LengthM: f.lengthM, Condition: known(r.Condition),
		Residuals: f.bench(context.Background()).count(false), Freedom: r.Freedom, Deviation: known(r.Deviation), RotationWeight: f.turn,
		Fitted: f.errors(&f.after.fitted, &f.before.fitted), HeldOut: f.errors(&f.after.held, &f.before.held),
		Evaluations: r.Evaluations, Best: r.Best, Agreeing: r.Agreeing(agreeing), Notes: f.warnings(),
	}
	for i := range r.Estimates {
		e := &r.Estimates[i]
		p.Parameters = append(p.Parameters, parameterReport{e.Name, e.Unit, e.Value, known(e.StandardError), string(e.Standing), e.Start, e.Min, e.Max, e.Log})
		row := make([]*float64, len(r.Estimates))
		for k := range row {
			row[k] = known(r.Correlation[i][k])
		}
		p.Correlation = append(p.Correlation, row)
	}
	for _, c := range r.Confounded {
		p.Confounded = append(p.Confounded, pairReport{r.Estimates[c.A].Name, r.Estimates[c.B].Name, c.Correlation})
	}
	for i := range f.after.files {
		a, b := &f.after.files[i], &f.before.files[i]
		p.Files = append(p.Files, trialReport{a.name, a.still, f.errors(&a.fitted, &b.fitted), f.errors(&a.held, &b.held)})
	}
	for _, s := range r.Starts {
		p.Starts = append(p.Starts, startReport{s.From, s.To, known(s.RMSE), s.Iterations, s.Evaluations, string(s.Ending), s.Failure})
	}
	return p
}

// writeReport writes the JSON of --report.
func (f *fitting) writeReport(file string) error {
	if file == "" {
		return nil
	}
	data, err := json.MarshalIndent(f.report(), "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(file, append(data, '\n'), 0o644)
}
