// Package identify is the verb identify: the parameters with which the robot moves
// most like the hardware did.
package identify

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"strings"

	"sinew/cmd/internal/exit"
	"sinew/cmd/internal/output"
	"sinew/cmd/internal/program"
	"sinew/cmd/internal/progress"
	"sinew/cmd/internal/verb"
	"sinew/pkg/sim/hil/fit"
	"sinew/pkg/sim/hil/identify"
)

// Cmd is the verb identify.
type Cmd struct {
	Config         []string `help:"Robot file that the search starts from; without it the built-in robot. Further ones are laid over it." placeholder:"FILE" sep:"none"`
	Free           []string `help:"A number of the robot file to find, by its key or path, or a group: ${identify_groups}. Repeat it for several. Without it the trials are only predicted." placeholder:"NAME[=MIN:MAX][:log|:lin]" sep:"none"`
	Data           []string `arg:"" help:"Trials: recordings (.mcap, .bag), or CSV with the measured pose and the commands in the columns of sim; with t it is a motion, without every row is an equilibrium." name:"data" sep:"none"`
	Commands       []string `help:"CSV of commands as for sim, instead of the trial's own columns: the first file for the first trial with t, and so on." placeholder:"FILE.csv" sep:"none"`
	Node           string   `help:"Node of a recording whose commands are taken; without it the only one that has any." placeholder:"/NAME"`
	HwTopic        string   `help:"Poses of the hardware in a recording; without it …/hardware/measured_cp or /hw/…/measured_cp." placeholder:"TOPIC"`
	Static         bool     `help:"Take every row for an equilibrium, although there is t."`
	HoldOut        []string `help:"What not to fit but to predict with the result: a trial, or a share of all rows such as 0.2." placeholder:"FILE|SHARE" sep:"none"`
	RotationWeight float64  `help:"Fit measured rotations too: 1 rad counts as much as this many metres; 0: positions only." placeholder:"M"`
	Starts         int      `help:"Searches: from the robot file, and from points spread over the bounds." default:"3" placeholder:"N"`
	Seed           uint64   `help:"Of the starting points." default:"1"`
	MaxRmsePercent float64  `help:"Exit with 3 if the position error of what is predicted, or fitted if nothing is, has a larger RMSE in percent of the robot's length." placeholder:"X"`
	Out            string   `help:"Robot file with what was found, to be laid over the first: --config robot.yaml --config overlay.yaml." placeholder:"OVERLAY.yaml"`
	output.Force
	verb.RobotNumber
	Report string `help:"All numbers." placeholder:"FILE.json"`
}

// GroupNames are the groups of parameters, for the help.
func GroupNames() string {
	var names []string
	for _, g := range identify.Groups() {
		names = append(names, g.Name)
	}
	return strings.Join(names, ", ")
}

// Run searches and writes what it found.
func (c *Cmd) Run(e *verb.Env) error {
	f, err := c.prepare(e)
	if err != nil {
		return exit.Usage(err)
	}
	files := e.Outputs(c.Force, c.Config, f.made)
	defer files.Discard()
	files.Reads("the data of a trial", c.Data...)
	files.Reads("the data of --hold-out", c.HoldOut...)
	files.Reads("the commands of a trial", c.Commands...)
	overlay, err := create(files, "--out", c.Out, output.Text("# Found by "+e.Robot.Name+" identify "))
	if err != nil {
		return err
	}
	report, err := create(files, "--report", c.Report, output.Text(`"program": `, `"parameters": `))
	if err != nil {
		return err
	}
	stop := verb.WatchInterrupt()
	defer stop.Stop()
	if err := f.search(stop.Context(), e, c); errors.Is(err, context.Canceled) && f.result == nil {
		return errors.New("interrupted before anything was found; nothing is written")
	} else if err != nil && !f.interrupted {
		return err
	}
	f.print(e.Stdout)
	if err := f.writeOverlay(overlay); err != nil {
		return err
	}
	if err := f.writeReport(report); err != nil {
		return err
	}
	if err := cmp.Or(files.Commit(), f.judge(c.MaxRmsePercent)); err != nil {
		return err
	}
	if f.interrupted {
		return exit.Interrupted(errors.New("interrupted: this is the best that was found until then"))
	}
	return nil
}

// create begins an output, nil for a flag that is not given.
func create(files *output.Set, flag, name string, ours output.Recognizer) (*output.File, error) {
	if name == "" {
		return nil, nil
	}
	return files.Create(flag, name, ours)
}

// judge fails with the exit code of thresholds where the error is above limit, in
// percent of the length; 0 is no limit.
func (f *fitting) judge(limit float64) error {
	s := &f.after.HeldOut
	if s.Poses == 0 {
		s = &f.after.Fitted
	}
	if e := 100 * s.RMS() / f.lengthM; limit > 0 && e > limit {
		return exit.Exceeded(fmt.Errorf("RMSE %.3g %% of the length is above %g %%", e, limit))
	}
	return nil
}

// fitting is one run of the verb.
type fitting struct {
	program string
	config  []string
	made    *program.Made // with the values of the robot file
	lengthM float64
	problem *identify.Problem

	result        *fit.Result // nil before anything was found
	before, after identify.Summary
	interrupted   bool // the search had not ended
}

// search finds the parameters. When ctx ends it returns its error, with the best that
// was found if that is anything.
func (f *fitting) search(ctx context.Context, e *verb.Env, c *Cmd) (err error) {
	start := f.problem.Start()
	bar := e.Progress("predicting with the values of the robot file", -1, "")
	f.before, err = f.problem.Predict(ctx, start)
	bar.End()
	if err != nil {
		return fmt.Errorf("with the values of the robot file: %w", err)
	}
	if len(start) == 0 {
		f.result, f.after = new(fit.Result), f.before
		return nil
	}
	bar = e.Progress("identify", -1, "simulations")
	f.result, err = f.problem.Fit(ctx, fit.Options{Starts: c.Starts, Seed: c.Seed, Progress: f.show(bar), Evaluated: func() { bar.Add(1) }})
	bar.End()
	if err != nil && f.result == nil {
		return err
	}
	f.interrupted = err != nil
	var err2 error
	f.after, err2 = f.problem.Predict(context.WithoutCancel(ctx), f.result.Values()) // known already where that was the best
	if err2 != nil {
		return err2
	}
	return err
}

// show returns a function that says on bar how far the search is, and the least error so
// far.
func (f *fitting) show(bar *progress.Bar) func(fit.Progress) {
	unit, factor := f.unit()
	if f.problem.RotationWeight == 0 {
		factor *= math.Sqrt(3) // of distances, not of components
	}
	best := math.Inf(1)
	return func(p fit.Progress) {
		best = min(best, p.RMSE)
		bar.Note(fmt.Sprintf("start %d of %d, step %d, best RMSE %.4g %s", p.Start, p.Starts, p.Iteration, factor*best, unit))
	}
}
