package identify

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"strings"

	"sinew/cmd/internal/cli"
	"sinew/cmd/internal/output"
	"sinew/pkg/sim/hil/identify"
	"sinew/pkg/sim/hil/report"
)

// pageTitle is that of the page of --report FILE.html, by which it is known again.
const pageTitle = "Identification"

// isPage reports whether a report is to be a page.
func isPage(name string) bool { return strings.EqualFold(filepath.Ext(name), ".html") }

// checkReports refuses names that do not say what a report is to be.
func checkReports(names []string) error {
	for _, name := range names {
		if e := strings.ToLower(filepath.Ext(name)); e != ".json" && e != ".html" && !strings.HasPrefix(name, "/dev/") && name != "-" {
			return fmt.Errorf("--report %s: a name that ends in .json (all numbers) or .html (a page with pictures) says what it is to be", name)
		}
	}
	return nil
}

// createReports begins every report.
func createReports(files *output.Set, names []string) (list []*output.File, err error) {
	for _, name := range names {
		ours := output.Text(`"program": `, `"parameters": `)
		if isPage(name) {
			ours = output.Text("<title>"+pageTitle+"</title>", ".dot.rising {")
		}
		f, err := files.Create("--report", name, ours)
		if err != nil {
			return nil, err
		}
		list = append(list, f)
	}
	return list, nil
}

// writeReports writes the reports of --report, each of which can fail without the others.
func (f *fitting) writeReports(names []string, files []*output.File) (failed error) {
	for i, file := range files {
		write := f.writeJSON
		if isPage(names[i]) {
			write = f.page().WriteHTML
		}
		if err := write(file); err != nil {
			file.Discard()
			failed = errors.Join(failed, err)
		}
	}
	return failed
}

// writeJSON writes the report with all numbers.
func (f *fitting) writeJSON(w io.Writer) error {
	data, err := json.MarshalIndent(f.report(), "", "  ")
	if err == nil {
		_, err = w.Write(append(data, '\n'))
	}
	return err
}

// page gathers what the page shows: tables of all stages, pictures of the last.
func (f *fitting) page() *report.Fit {
	p := &report.Fit{
		Title: pageTitle, Robot: f.described(), Program: f.program + " " + cli.Version, LengthM: f.lengthM,
		RMS: f.after.Fitted.RMS(), HeldOut: f.after.HeldOut.RMS(), LeftOut: math.NaN(), Expected: math.NaN(),
		Series: f.explained.Series, Effects: f.explained.Effects, Untried: f.explained.Untried,
	}
	if len(f.folds) > 0 {
		p.LeftOut = f.pooled.RMS()
	}
	if e := f.expected; e != nil {
		p.Expected = e.RMS()
	}
	for _, o := range f.done {
		one := *f
		one.outcome = o
		if t := one.parameterTable(); t.Rows != nil {
			p.Tables = append(p.Tables, report.TitledTable{Title: one.titled("Found"), Table: t})
		}
		p.Tables = append(p.Tables, report.TitledTable{Title: one.titled("Position error"), Table: one.errorTable()})
	}
	if t := f.foldTable(); t.Rows != nil {
		p.Tables = append(p.Tables, report.TitledTable{Title: "Leaving one out", Table: t})
	}
	for _, line := range f.warnings() {
		if !strings.HasPrefix(line, "residuals suggest ") { // has a place of its own
			p.Notes = append(p.Notes, strings.ToUpper(line[:1])+line[1:])
		}
	}
	return p
}

// described names the robot.
func (f *fitting) described() string {
	config := "the built-in robot"
	if len(f.config) > 0 {
		config = strings.Join(f.config, " + ")
	}
	return fmt.Sprintf("%s, length %.6g mm", config, 1e3*f.lengthM)
}

// titled is a heading, with the stage where there are several.
func (f *fitting) titled(what string) string {
	if len(f.stages) == 1 {
		return what
	}
	return fmt.Sprintf("%s, %s", what, f.stage.name)
}

// parameterTable has a row for each parameter.
func (f *fitting) parameterTable() report.Table {
	t := report.Table{Header: []string{"parameter", "value", "standard error", "unit", "before", "bounds", "prior"}}
	for i := range f.result.Estimates {
		e := &f.result.Estimates[i]
		prior := ""
		if e.Prior != nil {
			prior = fmt.Sprintf("%.4g ± %.2g", e.Prior.Mean, e.Prior.Sigma)
		}
		share := shareText(e)
		if share != "" {
			share = " (" + share + ")"
		}
		t.Rows = append(t.Rows, []string{e.Name, significant(e.Value, e.StandardError), errorText(e) + share, unitText(e.Unit), fmt.Sprintf("%.6g", e.Start), fmt.Sprintf("%.4g … %.4g%s", e.Min, e.Max, logText(e)), prior})
	}
	return t
}

// errorTable has a row for each trial and point.
func (f *fitting) errorTable() report.Table {
	t := report.Table{Header: []string{"", "poses", "RMSE", "% of length", "largest", "RMSE before"}}
	f.errorLines(func(name string, after, before *identify.Errors) {
		unit, factor := f.unit()
		t.Rows = append(t.Rows, []string{strings.TrimSpace(name), fmt.Sprint(after.Poses), fmt.Sprintf("%.4g %s", factor*after.RMS(), unit), fmt.Sprintf("%.3g %%", 100*after.RMS()/f.lengthM),
			fmt.Sprintf("%.4g %s", factor*after.MaxM, unit), fmt.Sprintf("%.4g %s", factor*before.RMS(), unit)})
	})
	return t
}

// foldTable has a row for each recording that was left out.
func (f *fitting) foldTable() report.Table {
	unit, factor := f.unit()
	t := report.Table{Header: []string{"left out", "poses", "training RMSE", "held-out RMSE", "% of length"}}
	for k := range f.folds {
		one := &f.folds[k]
		if one.err != nil {
			t.Rows = append(t.Rows, []string{one.file, "–", "failed: " + one.err.Error(), "", ""})
			continue
		}
		h := &one.heldOut
		t.Rows = append(t.Rows, []string{one.file, fmt.Sprint(h.Poses), fmt.Sprintf("%.4g %s", factor*one.training.RMS(), unit), fmt.Sprintf("%.4g %s", factor*h.RMS(), unit), fmt.Sprintf("%.3g %%", 100*h.RMS()/f.lengthM)})
	}
	return t
}
