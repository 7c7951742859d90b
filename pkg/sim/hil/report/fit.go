package report

import (
	"fmt"
	"html/template"
	"io"
	"math"
	"slices"
	"strings"

	"sinew/pkg/sim/hil/diagnosis"
	"sinew/pkg/sim/spatial"
)

// Fit is an identification with the information for its report.
type Fit struct {
	Title   string
	Robot   string // description in one line
	Program string // name and version
	LengthM float64
	RMS     float64 // m, of what was fitted
	// HeldOut, LeftOut and Expected are the RMS of what was only predicted, of recordings each left
	// out in turn, and the one to expect on other motions, m; NaN: not known.
	HeldOut, LeftOut, Expected float64
	Tables                     []TitledTable
	Notes                      []string
	Series                     []*diagnosis.Series
	Effects                    []diagnosis.Finding
	Untried                    string // why the residuals were not tried for effects, or empty
}

// TitledTable is a table under a heading.
type TitledTable struct {
	Title string
	Table Table
}

// WriteHTML writes the page: it loads nothing and runs no script.
func (f *Fit) WriteHTML(w io.Writer) error {
	return templates.ExecuteTemplate(w, "fit.html", f.view())
}

// fitView is the input of the page's template.
type fitView struct {
	*Fit
	Cards            []card
	Findings         []findingView
	Quiet, QuietText string
	Points           []pointView
	Recordings       []recordingView
	Method           []string
}

type findingView struct{ Name, Numbers, Text string }

// pointView shows the residuals of a point of the robot over all recordings.
type pointView struct {
	Name              string
	General, Commands []template.HTML
}

// recordingView shows one recording.
type recordingView struct {
	Name, Note   string
	Motion, Open bool
	Points       []seriesView
}

// seriesView shows one point in one recording.
type seriesView struct {
	Name               string
	Over, Paths, Loops []template.HTML
	Error              template.HTML
}

func (f *Fit) view() *fitView {
	unit := unitOf(f.LengthM)
	v := &fitView{Fit: f, Cards: f.cards(unit), Method: fitMethod}
	for i := range f.Effects {
		e := &f.Effects[i]
		numbers := fmt.Sprintf("%s %% of the squared residuals", short(100*e.Share))
		if e.Effect == diagnosis.Unmodelled {
			numbers = ""
		}
		if e.Columns > 0 {
			numbers += fmt.Sprintf(", %s %% in rows that it was not fitted to; F(%d, %d) = %s", short(100*e.HeldOut), e.Columns, e.Freedom, short(e.F))
		}
		v.Findings = append(v.Findings, findingView{capital(string(e.Effect)), numbers, capital(e.Meaning) + "."})
	}
	v.Quiet, v.QuietText = "Nothing that the model leaves out", "No lag, latency drift, load, frame, gain, compliance that tendons share, creep, friction or outliers explain enough of the residuals beside the free numbers."
	if f.Untried != "" {
		v.Quiet, v.QuietText = "Not tried", capital(f.Untried)+"."
	}
	shown := f.rows(unit)
	for _, name := range shown.points {
		if p := shown.pointView(name); p.General != nil || p.Commands != nil {
			v.Points = append(v.Points, p)
		}
	}
	v.Recordings = shown.recordings()
	return v
}

func capital(text string) string {
	if text == "" {
		return text
	}
	return strings.ToUpper(text[:1]) + text[1:]
}

func (f *Fit) cards(unit Unit) []card {
	one := func(name string, rms float64) card {
		return card{name, short(unit.PerMetre * rms), unit.Name, short(100*rms/f.LengthM) + " % of length"}
	}
	rows := 0
	for _, s := range f.Series {
		for i := range s.Rows {
			if s.Rows[i].Fitted {
				rows++
			}
		}
	}
	cards := []card{one("RMSE, fitted", f.RMS), one("RMSE, predicted", f.HeldOut), one("RMSE, left out", f.LeftOut), one("Expected on other motions", f.Expected), {"Positions fitted", fmt.Sprint(rows), "", ""}}
	return slices.DeleteFunc(cards, func(c card) bool { return c.Value == short(math.NaN()) })
}

var fitMethod = []string{
	"Residuals are prediction minus measurement in the world. Percentages are of the robot's length.",
	"The direction in which a point follows a command is that of the covariance of its predicted position with the command, over all recordings.",
	"A command counts as risen or fallen once it moved 1 % of its range; thick lines are means of equal numbers of rows.",
	"An effect is a set of columns that it would make of the residuals, fitted beside the derivatives of the free numbers. It is named if it explains 15 % of the squares, with a probability below 1e-5 of as much by chance (F test), and 10 % in rows that it was not fitted to, five parts of the rows in turn. Three are named at most.",
	"Curves and clouds of many rows are thinned; the numbers of all rows are in the report as JSON.",
}

// fitRows are the series of a fit, in the unit of the page.
type fitRows struct {
	unit    Unit
	series  []*diagnosis.Series
	points  []string
	ranges  []float64 // of the commands
	follows map[string][]spatial.Vec
}

func (f *Fit) rows(unit Unit) *fitRows {
	r := &fitRows{unit: unit, series: f.Series, ranges: diagnosis.Ranges(f.Series), follows: diagnosis.Follow(f.Series)}
	for _, s := range f.Series {
		if !slices.Contains(r.points, s.Point) {
			r.points = append(r.points, s.Point)
		}
	}
	return r
}

// recordings shows each recording; the first is open.
func (r *fitRows) recordings() (list []recordingView) {
	for _, s := range r.series {
		k := slices.IndexFunc(list, func(v recordingView) bool { return v.Name == s.Recording })
		if k < 0 {
			k, list = len(list), append(list, recordingView{Name: s.Recording, Motion: !s.Static, Open: len(list) == 0})
		}
		v := &list[k]
		v.Points = append(v.Points, r.seriesView(s))
		if v.Note != "" {
			v.Note += "; "
		}
		v.Note += s.Point + " " + r.unit.show(rms(s))
		if !slices.ContainsFunc(s.Rows, func(row diagnosis.Row) bool { return row.Fitted }) {
			v.Note += " (predicted)"
		}
	}
	return list
}
