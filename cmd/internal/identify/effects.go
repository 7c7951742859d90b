package identify

import "sinew/pkg/sim/hil/diagnosis"

// EffectReport is what the model seems to leave out.
type EffectReport struct {
	Effect  string        `json:"effect"`
	Share   float64       `json:"share"` // of the squared residuals
	HeldOut float64       `json:"held_out_share,omitempty"`
	F       float64       `json:"f_statistic,omitempty"`
	Chance  *float64      `json:"chance,omitempty"` // probability of a larger F
	Columns int           `json:"columns,omitempty"`
	Freedom int           `json:"degrees_of_freedom,omitempty"`
	LagS    float64       `json:"lag_s,omitempty"`
	TauS    float64       `json:"relaxation_time_s,omitempty"`
	Command string        `json:"command,omitempty"`
	Alike   []string      `json:"alike,omitempty"` // effects that explain nearly as much
	Rows    []PlaceReport `json:"rows,omitempty"`  // of outliers
	Text    string        `json:"text"`
}

// PlaceReport is a row of a recording, from 0.
type PlaceReport struct {
	File  string `json:"file"`
	Point string `json:"point"`
	Row   int    `json:"row"`
}

func effectReport(e *diagnosis.Finding) EffectReport {
	r := EffectReport{
		Effect: string(e.Effect), Share: e.Share, HeldOut: e.HeldOut, F: e.F, Columns: e.Columns, Freedom: e.Freedom,
		LagS: e.DelayS, TauS: e.TauS, Command: e.Command, Text: e.Text,
	}
	if e.Columns > 0 {
		r.Chance = &e.Chance
	}
	for i := range e.Alike {
		r.Alike = append(r.Alike, string(e.Alike[i].Effect))
	}
	for _, p := range e.Rows {
		r.Rows = append(r.Rows, PlaceReport{p.Recording, p.Point, p.Index})
	}
	return r
}
