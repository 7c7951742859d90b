package identify

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"text/tabwriter"

	"sinew/pkg/sim/hil/fit"
	"sinew/pkg/sim/hil/identify"
)

// sameEnd is the relative difference of errors within which two searches ended at
// the same place.
const sameEnd = 1e-3

// print writes the result for people, stage by stage.
func (f *fitting) print(w io.Writer) {
	for i, o := range f.done {
		one := *f
		one.outcome = o
		if len(f.stages) > 1 {
			fmt.Fprintf(w, "%sstage %d of %d: %s\n", strings.Repeat("\n", min(i, 1)), i+1, len(f.stages), o.stage.name)
		}
		one.printStage(w)
	}
}

// printStage writes the result of one stage.
func (f *fitting) printStage(w io.Writer) {
	if len(f.result.Estimates) > 0 {
		f.printFit(w)
	}
	f.printErrors(w)
	for _, line := range f.warnings() {
		fmt.Fprintln(w, line)
	}
}

// printFit writes what was found.
func (f *fitting) printFit(w io.Writer) {
	r := f.result
	fmt.Fprintf(w, "%s from %s in %s; %d of %s converged to this fit; all trials were simulated %d times\n",
		plural(len(r.Estimates), "parameter"), f.measured(), plural(len(f.problem.Trials), "trial"), r.Agreeing(sameEnd), plural(len(r.Starts), "search"), r.Evaluations)
	if text := sampleText(r); text != "" {
		fmt.Fprintln(w, text)
	}
	fmt.Fprintln(w)
	f.printTable(w)
	fmt.Fprintln(w)
	if len(r.Estimates) > 1 {
		f.printCorrelation(w)
		fmt.Fprintln(w)
	}
}

// plural is a number of things.
func plural(n int, thing string) string {
	switch {
	case n == 1:
		return "1 " + thing
	case strings.HasSuffix(thing, "ch"):
		thing += "e"
	case strings.HasSuffix(thing, "um"):
		return fmt.Sprintf("%d %sa", n, strings.TrimSuffix(thing, "um"))
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// printTable writes a line for each parameter.
func (f *fitting) printTable(w io.Writer) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	prior := slices.ContainsFunc(f.result.Estimates, func(e fit.Estimate) bool { return e.Prior != nil })
	fmt.Fprint(t, "parameter\tvalue\t± standard error\t\tunit\tbefore\tbounds")
	if prior {
		fmt.Fprint(t, "\tprior")
	}
	fmt.Fprintln(t)
	for i := range f.result.Estimates {
		e := &f.result.Estimates[i]
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%.6g\t%.4g … %.4g%s", e.Name, significant(e.Value, e.StandardError), errorText(e), shareText(e), unitText(e.Unit), e.Start, e.Min, e.Max, logText(e))
		if e.Prior != nil {
			fmt.Fprintf(t, "\t%.4g ± %.2g", e.Prior.Mean, e.Prior.Sigma)
		}
		fmt.Fprintln(t)
	}
	t.Flush()
}

// printCorrelation writes the correlation of the estimates, marking what is
// confounded.
func (f *fitting) printCorrelation(w io.Writer) {
	const maxColumns = 12 // a terminal has room for so many
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprint(t, "correlation")
	estimates := f.result.Estimates
	if len(estimates) > maxColumns {
		estimates = estimates[:maxColumns]
	}
	for i := range estimates[1:] {
		fmt.Fprintf(t, "\t(%d)", i+1)
	}
	fmt.Fprintln(t)
	for i := range f.result.Estimates {
		fmt.Fprintf(t, "(%d) %s", i+1, f.result.Estimates[i].Name)
		for k := range min(i, len(estimates)-1) {
			fmt.Fprintf(t, "\t%s", correlationText(f.result.Correlation[i][k]))
		}
		fmt.Fprintln(t)
	}
	t.Flush()
}

func correlationText(rho float64) string {
	switch {
	case math.IsNaN(rho):
		return "–"
	case math.Abs(rho) > fit.Confounded:
		return fmt.Sprintf("%+.3f !", rho)
	}
	return fmt.Sprintf("%+.2f", rho)
}

func logText(e *fit.Estimate) string {
	if e.Log {
		return " log"
	}
	return ""
}

func unitText(unit string) string {
	if unit == "1" {
		return "–"
	}
	return unit
}

// errorText is the standard error, or why there is none.
func errorText(e *fit.Estimate) string {
	switch {
	case e.Identifiability == fit.AtMin || e.Identifiability == fit.AtMax:
		return string(e.Identifiability)
	case math.IsNaN(e.StandardError):
		return "unknown"
	case math.IsInf(e.StandardError, 0):
		return "infinite"
	}
	return fmt.Sprintf("± %.2g", e.StandardError)
}

// shareText is the standard error in percent of the value.
func shareText(e *fit.Estimate) string {
	share := 100 * e.StandardError / math.Abs(e.Value)
	if math.IsNaN(share) || math.IsInf(share, 0) || share > 1e4 {
		return ""
	}
	return fmt.Sprintf("%.2g %%", share)
}

// significant writes a value with the digits that its standard error leaves, and
// one more.
func significant(v, err float64) string {
	const maxDigits, minDigits = 10, 3
	digits := maxDigits
	if err > 0 && !math.IsInf(err, 0) && v != 0 {
		digits = int(math.Floor(math.Log10(math.Abs(v)))-math.Floor(math.Log10(err))) + 2
	}
	return fmt.Sprintf("%.*g", max(minDigits, min(maxDigits, digits)), v)
}

// unit is the unit of errors of position, and how many there are in a metre.
func (f *fitting) unit() (name string, perMetre float64) {
	const small = 1e-2 // m
	if f.lengthM < small {
		return "µm", 1e6
	}
	return "mm", 1e3
}

// errorLines tells how far the robot is from the hardware: over all, in each trial, at each point,
// as far as there are poses.
func (f *fitting) errorLines(tell func(name string, after, before *identify.Errors)) {
	line := func(name string, after, before *identify.Errors) {
		if after.Poses > 0 {
			tell(name, after, before)
		}
	}
	line("fitted", &f.after.Fitted, &f.before.Fitted)
	line("predicted", &f.after.HeldOut, &f.before.HeldOut)
	if len(f.problem.Trials) > 1 {
		for i := range f.after.Trials {
			a, b := &f.after.Trials[i], &f.before.Trials[i]
			name := strings.TrimSuffix("  "+a.Name+" "+a.Topic, " ")
			line(name, &a.Fitted, &b.Fitted)
			line(name+" (predicted)", &a.HeldOut, &b.HeldOut)
		}
	}
	for i := range f.after.Points {
		a, b := &f.after.Points[i], &f.before.Points[i]
		line("  at "+a.Name, &a.Fitted, &b.Fitted)
		line("  at "+a.Name+" (predicted)", &a.HeldOut, &b.HeldOut)
	}
}

// measured says how many poses are fitted, or rotations where nothing else is.
func (f *fitting) measured() string {
	if e := &f.after.Fitted; e.Poses > 0 || e.Rotations == 0 {
		return plural(e.Poses, "pose")
	}
	return plural(f.after.Fitted.Rotations, "rotation")
}

// printErrors writes how far the robot is from the hardware, before and after.
func (f *fitting) printErrors(w io.Writer) {
	unit, factor := f.unit()
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	before := ""
	if len(f.result.Estimates) > 0 {
		before = "\tRMSE before"
	}
	if f.after.Fitted.Poses+f.after.HeldOut.Poses > 0 {
		fmt.Fprintf(t, "position error\tposes\tRMSE\t%% of length\tlargest%s\n", before)
	}
	line := func(name string, after, before *identify.Errors) {
		fmt.Fprintf(t, "%s\t%d\t%.4g %s\t%.3g %%\t%.4g %s", name, after.Poses, factor*after.RMS(), unit, 100*after.RMS()/f.lengthM, factor*after.MaxM, unit)
		if len(f.result.Estimates) > 0 {
			fmt.Fprintf(t, "\t%.4g %s", factor*before.RMS(), unit)
		}
		fmt.Fprintln(t)
	}
	f.errorLines(line)
	t.Flush()
	if text := f.expectedText(); text != "" {
		fmt.Fprintln(w, text)
	}
	if s := &f.after.Fitted; s.Rotations > 0 {
		fmt.Fprintf(w, "rotation error  %.3g° RMSE, before %.3g°\n", s.RotationRMS()*180/math.Pi, f.before.Fitted.RotationRMS()*180/math.Pi)
	}
}
