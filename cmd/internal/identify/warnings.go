package identify

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"sinew/pkg/sim/hil/fit"
	"sinew/pkg/sim/hil/identify"
)

// farFactor is the factor from its start beyond which an estimate is named.
const farFactor = 10

// alike is the correlation of residuals that follow one another above which it is named: of
// standard errors that may be too small by a factor of 1.7.
const alike = 0.5

// warnings are what the reader should not overlook.
func (f *fitting) warnings() (lines []string) {
	r := f.result
	add := func(format string, args ...any) { lines = append(lines, fmt.Sprintf(format, args...)) }
	if f.interrupted {
		add("interrupted: the search had not ended; these are the best values until then, and other starts may lead further")
	}
	if f.failed != nil && f.outcome == f.done[len(f.done)-1] {
		add("failed: %v; these are the values that the stages before have found", f.failed)
	}
	for _, note := range f.problem.Notes {
		add("note: %s", note)
	}
	if f.made.Equilibria != "" && slices.ContainsFunc(f.problem.Trials, func(tr *identify.Trial) bool { return tr.Static }) {
		add("note: %s", f.made.Equilibria)
	}
	for i := range f.made.Hardware.Recordings {
		name, alike := f.made.Hardware.Recordings[i].Name, 0
		for k, t := range f.after.Trials {
			isFirst := !slices.ContainsFunc(f.after.Trials[:k], func(o identify.TrialSummary) bool { return o.Name == t.Name })
			if isFirst && filepath.Base(t.Name) == name {
				alike++
			}
		}
		if alike > 1 {
			add("note: hardware.recordings[%d] is for %s, which is the name of %d files here: it is for all of them", i, name, alike)
		}
		if len(f.stages) <= 1 && !slices.ContainsFunc(f.after.Trials, func(t identify.TrialSummary) bool { return filepath.Base(t.Name) == name }) {
			add("note: hardware.recordings[%d] is for %s, which is the name of no file here", i, name)
		}
	}
	if r.Failed > 0 {
		add("%d of %s had no result, the first because of %q; the search kept away from there", r.Failed, plural(r.Evaluations, "evaluation"), r.Failure)
	}
	if r.Difference > identify.Difference {
		add("note: derivatives were taken over differences of up to %.2g %%: the model jumps as numbers change; standard errors are rougher", 100*r.Difference)
	}
	for _, p := range r.Confounded {
		add("confounded: %s and %s, correlation %+.3f: the data do not distinguish them; fix one, or add trials in which they act differently",
			r.Estimates[p.A].Name, r.Estimates[p.B].Name, p.Correlation)
	}
	for i := range r.Weak {
		if d := &r.Weak[i]; len(d.Members) > 2 {
			add("confounded: %s together: the data barely determine this combination (%.3g times less than each alone); give one of them a prior, or add trials in which they act differently", f.directionText(d), d.Weakness)
		}
	}
	for i := range r.Estimates {
		if text := standingText(&r.Estimates[i]); text != "" {
			add("%s", text)
		}
	}
	for _, e := range f.explained.Effects {
		add("%s", e.Text)
	}
	if rho := f.explained.Alike; rho > alike {
		add("residuals of rows that follow one another are alike (correlation %.2f): standard errors, which take them for independent, may be too small by a factor of up to %.2g; fit what the model leaves out, or fewer rows", rho, math.Sqrt((1+rho)/(1-rho)))
	}
	if len(r.Starts) == 0 {
		return lines
	}
	if s := &r.Starts[r.Best]; s.Ending != fit.Converged {
		jumps := ""
		if s.Ending == fit.Stalled {
			jumps = "; motions in which things touch, stick and slip jump a little as numbers change, less with a smaller step_s"
		}
		add("not converged: the best search %s after %d steps%s", endingText(s), s.Iterations, jumps)
	}
	return lines
}

// directionText names the parameters of a direction and how far they move in it.
func (f *fitting) directionText(d *fit.Direction) string {
	var parts []string
	for k, i := range d.Members {
		e := &f.result.Estimates[i]
		parts = append(parts, strings.TrimSuffix(fmt.Sprintf("%s %+.2g %s", e.Name, d.Steps[k], e.Unit), " 1"))
	}
	return strings.Join(parts, ", ")
}

// standingText says what is wrong with an estimate, or nothing.
func standingText(e *fit.Estimate) string {
	const (
		nearPrior = 0.9 // standard error in those of the prior, above which it says it all
		far       = 3   // standard deviations of a prior
	)
	ratio := math.Abs(e.Value / e.Start)
	switch {
	case e.Identifiability == fit.Unidentifiable && math.IsInf(e.StandardError, 1):
		return fmt.Sprintf("unidentifiable: %s has an infinite standard error: nothing that was measured changes with it", e.Name)
	case e.Identifiability == fit.Unidentifiable:
		return fmt.Sprintf("unidentifiable: the data say no more about %s than its bounds do", e.Name)
	case e.Identifiability == fit.AtMin || e.Identifiability == fit.AtMax:
		return fmt.Sprintf("%s is %s: the data want it beyond; widen the bounds, or doubt the model", e.Name, e.Identifiability)
	case e.Identifiability == fit.NotAssessed && (e.Value == e.Min || e.Value == e.Max):
		return fmt.Sprintf("%s is at a bound, %.6g %s", e.Name, e.Value, unitText(e.Unit))
	case e.Prior != nil && math.Abs(e.Distance(e.Value)) > far:
		return fmt.Sprintf("%s is %.2g standard deviations from its prior: doubt the prior, the noise, or the model", e.Name, math.Abs(e.Distance(e.Value)))
	case e.Prior != nil && e.PriorReduction() > nearPrior:
		return fmt.Sprintf("%s is what its prior says: the data add nothing", e.Name)
	case e.Start != 0 && (ratio > farFactor || ratio < 1./farFactor):
		return fmt.Sprintf("%s is a factor of %.3g from where it started: doubt the start, or the model", e.Name, max(ratio, 1/ratio))
	}
	return ""
}

func endingText(s *fit.Start) string {
	if s.Ending == fit.Stalled {
		return "stalled"
	}
	return "is " + string(s.Ending)
}

// expectedText is the error to expect on motions that were not fitted, or why it is not
// known; empty where nothing was fitted.
func (f *fitting) expectedText() string {
	if len(f.result.Estimates) == 0 {
		return ""
	}
	unit, factor := f.unit()
	switch {
	case f.result.Starts[f.result.Best].Ending == fit.Interrupted:
		return ""
	case f.expected == nil:
		return "expected error on other motions: not known from one trial; fit several, or hold another motion out"
	}
	how := "linearised leave-one-out cross-validation over trials; --leave-one-out fits them again"
	if f.outcome != f.done[0] {
		how = "linearised leave-one-out cross-validation over trials, of the last stage alone; --leave-one-out fits every stage again"
	}
	return fmt.Sprintf("expected error on other motions: %.4g %s, %.3g %% (%s)", factor*f.expected.RMS(), unit, 100*f.expected.RMS()/f.lengthM, how)
}
