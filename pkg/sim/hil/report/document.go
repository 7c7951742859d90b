package report

import (
	"embed"
	"fmt"
	"html/template"
	"io"
	"math"
	"strings"

	"sinew/pkg/sim/hil"
)

// Document is a comparison with the information for its report.
type Document struct {
	Title                string
	Simulation, Hardware string // files and topics of the recordings
	Robot                string // description in one line; may be empty
	Program              string // name and version, at the end of the page; may be empty
	// Continuum reports whether the robot is a continuum robot, whose error is compared
	// with the error that the literature reports for such models.
	Continuum bool
	// MaxPercent and MaxMM are the thresholds of the RMSE, in percent of the length
	// and in mm; 0 is no threshold.
	MaxPercent, MaxMM float64
	Comparison        *hil.Comparison
}

//go:embed page.html style.html fit.html
var pages embed.FS

var templates = template.Must(template.ParseFS(pages, "*.html"))

// WriteHTML writes the page.
func (d *Document) WriteHTML(w io.Writer) error {
	return templates.ExecuteTemplate(w, "page.html", d.view())
}

// Passed reports whether the RMSE is within the thresholds; a percentage of an
// unknown length is not.
func (d *Document) Passed() bool {
	r := d.Comparison.Removed
	if d.MaxPercent > 0 && !(r.Percent(r.Position.RMSE) <= d.MaxPercent) {
		return false
	}
	return d.MaxMM == 0 || 1e3*r.Position.RMSE <= d.MaxMM
}

// view is the input of the page's template.
type view struct {
	*Document
	MainResult mainResult
	Cards      []card
	Figures    figures
	Errors     Table
	Markers    *Table // nil without markers
	Dynamics   Table
	Loops      Table
	Health     Table
	Warnings   []string
	Method     []string
}

// mainResult is the error of the comparison beside its threshold, and whether it passes.
type mainResult struct {
	Value, Unit string
	Sentence    string
	Threshold   string // the outcome of a threshold, or empty
	Failed      bool
	Passed      bool // a threshold, or the reference
	Gauge       template.HTML
}

// card is one number.
type card struct{ Name, Value, Unit, Note string }

// Table is rows of texts under a header; the first column names the row.
type Table struct {
	Header []string
	Rows   [][]string
}

// figures are all plots; empty ones are left out.
type figures struct {
	Overlay, Projections, Hysteresis  []template.HTML
	Error, Histogram, Rotation, Robot template.HTML
}

func (d *Document) view() *view {
	c := d.Comparison
	k := newTracks(c)
	return &view{
		Document:   d,
		MainResult: d.mainResult(),
		Cards:      d.cards(),
		Figures: figures{
			Overlay: overlay(k, "time, s"), Error: errorOverTime(c, k, d.reference()), Projections: projections(k), Histogram: histogram(c, k),
			Rotation: rotationOverTime(c, k), Robot: alongRobot(c, k), Hysteresis: hysteresis(c, k),
		},
		Errors: errorTable(c, k.unit), Dynamics: dynamicsTable(c, k.unit), Loops: loopTable(c, k.unit), Health: healthTable(c),
		Markers:  markerTable(c, k.unit),
		Warnings: c.Warnings,
		Method:   d.method(),
	}
}

// AlignmentText describes the alignment of the frames and the removed latency and rotation.
func (d *Document) AlignmentText() string {
	c := d.Comparison
	f := &c.Removed.Frame
	words := []string{"frames assumed equal"}
	switch f.Kind {
	case hil.AlignOrigin:
		words = []string{"initial positions aligned"}
	case hil.AlignSE3:
		words = []string{fmt.Sprintf("frame aligned by SE(3): %s° and %s", short(f.Angle()*180/math.Pi), LengthUnit(c).show(f.Pose.P.Norm()))}
	}
	if l := c.Removed.LatencyS; l != 0 {
		words = append(words, fmt.Sprintf("latency of %s ms removed", short(1e3*l)))
	} else {
		words = append(words, "no latency removed")
	}
	return strings.Join(words, ", ")
}

func (d *Document) mainResult() mainResult {
	r, u := d.Comparison.Removed, LengthUnit(d.Comparison)
	rmse, percent := r.Position.RMSE, r.Percent(r.Position.RMSE)
	v := mainResult{Value: short(u.PerMetre * rmse), Unit: u.Name + " RMSE", Failed: !d.Passed()}
	v.Sentence = "RMS position error: " + u.show(rmse) + "."
	if !math.IsNaN(percent) {
		v.Value, v.Unit = short(percent), "% of length"
		v.Gauge = gauge(percent, d.reference(), d.MaxPercent)
	}
	if reference := d.reference(); reference > 0 {
		relation := "above"
		if percent <= reference {
			relation = "within"
		}
		v.Sentence = fmt.Sprintf("RMS position error: %s, which is %s the %g %% that Rucker & Webster (2011) report for a model against a measured robot.", u.show(rmse), relation, reference)
	}
	var limits []string
	if d.MaxPercent > 0 {
		limits = append(limits, fmt.Sprintf("%g %% of length", d.MaxPercent))
	}
	if d.MaxMM > 0 {
		limits = append(limits, fmt.Sprintf("%g mm", d.MaxMM))
	}
	if len(limits) > 0 {
		v.Threshold = "Within the limit of " + strings.Join(limits, " and ")
		if v.Failed {
			v.Threshold = "Exceeds the limit of " + strings.Join(limits, " and ")
		}
	}
	v.Passed = !v.Failed && (len(limits) > 0 || d.reference() > 0 && percent <= d.reference())
	return v
}

// reference is the usual error of such robots in percent of the length, 0 if there
// is none.
func (d *Document) reference() float64 {
	if !d.Continuum || d.Comparison.Options.LengthM == 0 {
		return 0
	}
	return rwPercent
}

// gauge shows a percentage on a line with its references, of which 0 are none.
func gauge(percent, reference, limit float64) template.HTML {
	const width, height, at = 520, 64, 30
	end := 1.25 * math.Max(percent, math.Max(limit, 2))
	p := &plot{width: width, height: height, x: scale{0, end, 8, width - 8}}
	fmt.Fprintf(&p.b, `<svg viewBox="0 0 %d %d" role="img" aria-label="%s percent of length">`, width, height, short(percent))
	fmt.Fprintf(&p.b, `<rect class="track" x="8" y="%d" width="%d" height="10" rx="5"/>`, at, width-16)
	fmt.Fprintf(&p.b, `<rect class="fill" x="8" y="%d" width="%s" height="10" rx="5"/>`, at, pixel(math.Max(10, p.x.at(percent)-8)))
	if reference > 0 {
		p.line("mark reference", p.x.at(reference), at-8, p.x.at(reference), at+18)
		p.text("note", p.x.at(reference), at-13, "middle", fmt.Sprintf("%g %% Rucker & Webster 2011", reference))
	}
	if limit > 0 {
		p.line("mark rmse", p.x.at(limit), at-8, p.x.at(limit), at+18)
		p.text("note", p.x.at(limit), at+31, "middle", fmt.Sprintf("limit %g %%", limit))
	}
	p.text("note", 8, at+31, "start", "0")
	return p.svg()
}

func (d *Document) cards() []card {
	c := d.Comparison
	r := c.Removed
	u := LengthUnit(c)
	value := func(v float64) string { return short(u.PerMetre * v) }
	percent := func(v float64) string {
		if p := r.Percent(v); !math.IsNaN(p) {
			return short(p) + " % of length"
		}
		return ""
	}
	cards := []card{
		{"RMSE", value(r.Position.RMSE), u.Name, percent(r.Position.RMSE)},
		{"95th percentile", value(r.Position.P95), u.Name, percent(r.Position.P95)},
		{"Maximum", value(r.Position.Max), u.Name, percent(r.Position.Max)},
	}
	if r.Rotations {
		cards = append(cards, card{"Rotation RMSE", short(r.Angle.RMSE * 180 / math.Pi), "°", "largest " + short(r.Angle.Max*180/math.Pi) + "°"})
	}
	if l := c.Latency; l != nil {
		note := fmt.Sprintf("%s–%s ms, 95 %%", fixed(1e3*l.Low, 1), fixed(1e3*l.High, 1))
		if !l.Reliable {
			note = "not reliable"
		}
		cards = append(cards, card{"Latency", fixed(1e3*l.Seconds, 1), "ms", note})
	} else {
		cards = append(cards, card{"Latency removed", fixed(1e3*r.LatencyS, 1), "ms", string(c.Options.Latency)})
	}
	return append(cards, card{"Samples", fmt.Sprint(len(r.Pairs)), "", fmt.Sprintf("%s s at %s Hz", short(r.Pairs[len(r.Pairs)-1].T-r.Pairs[0].T), short(c.Hardware.RateHz))})
}
