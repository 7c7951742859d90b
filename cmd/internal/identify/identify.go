// Package identify is the verb identify: the parameters with which the robot moves
// most like the hardware did.
package identify

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"sinew/cmd/internal/cli"
	"sinew/cmd/internal/exitcode"
	"sinew/cmd/internal/output"
	"sinew/pkg/sim/hil/identify"
)

// Cmd is the verb identify.
type Cmd struct {
	Config         []string `help:"Robot file to start from, and more laid over it." placeholder:"FILE" sep:"none"`
	Free           []string `help:"What to find: a key, a path or a group, ${identify_groups}. A prior is NAME=VALUE+-SIGMA. Again for more; without it the trials are only predicted." placeholder:"NAME[=MIN:MAX][:log|:lin]" sep:"none"`
	Plan           string   `help:"What is free, data, weights and losses in stages, instead of --free and DATA." placeholder:"PLAN.yaml"`
	Data           []string `arg:"" optional:"" help:"Trials: recordings (.mcap, .bag), or CSV with the measured pose and the commands in the columns of sim; with t it is a motion, without every row is an equilibrium." name:"data" sep:"none"`
	Commands       []string `help:"CSV of commands as for sim, instead of the trial's own; in the order of the trials." placeholder:"FILE.csv" sep:"none"`
	Node           string   `help:"Node of a recording whose commands are taken; without it the only one that has any." placeholder:"/NAME"`
	HwTopic        string   `help:"Poses of the hardware in a recording." placeholder:"TOPIC"`
	Static         bool     `help:"Every row is an equilibrium, although there is t."`
	HoldOut        []string `help:"A trial, or a share of all rows, only to predict." placeholder:"FILE|SHARE" sep:"none"`
	LeaveOneOut    bool     `help:"Fit without each trial in turn, and predict that one."`
	Loss           string   `help:"What is far off counts by its square (linear), its distance (huber) or hardly (cauchy)." default:"linear" placeholder:"NAME"`
	LossScale      string   `help:"Distance of a point from which on it counts less." placeholder:"0.01m"`
	Noise          string   `help:"Standard deviation of the data, against priors; without it that of the residuals." placeholder:"0.5mm"`
	RotationWeight float64  `help:"Metres that 1 rad counts; 0: positions only." placeholder:"M"`
	Starts         int      `help:"Searches, from points over the bounds." default:"3" placeholder:"N"`
	Seed           uint64   `help:"Of the starting points." default:"1"`
	MaxRmsePercent float64  `help:"Exit with 3 if what is predicted, or else fitted, has a larger RMSE in percent of the length." placeholder:"X"`
	Out            string   `help:"Robot file of what was found, to be laid over the first." placeholder:"OVERLAY.yaml"`
	output.Force
	cli.RobotNumber
	Report []string `help:"Page with pictures; .json: all numbers. Again for both." placeholder:"FILE.html" sep:"none"`
	Points string   `help:"Measured points and their predictions." placeholder:"FILE.csv"`
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
func (c *Cmd) Run(e *cli.Env) error {
	f, err := c.prepare(e)
	if err != nil {
		return exitcode.Usage(err)
	}
	files := e.Outputs(c.Force, c.Config, f.made)
	defer files.Discard()
	files.Reads("the data of a trial", f.plan.files()...)
	files.Reads("the commands of a trial", c.Commands...)
	overlay, err := create(files, "--out", c.Out, output.Text("# Found by "+e.Robot.Name+" identify "))
	if err != nil {
		return err
	}
	reports, err := createReports(files, c.Report)
	if err != nil {
		return err
	}
	points, err := create(files, "--points", c.Points, output.Text(strings.Join(pointsHeader, ",")))
	if err != nil {
		return err
	}
	stop := cli.WatchInterrupt()
	defer stop.Stop()
	if err := f.search(stop.Context(), e); errors.Is(err, context.Canceled) && f.result == nil {
		return errors.New("interrupted before anything was found; nothing is written")
	} else if err != nil && !f.interrupted && f.failed == nil {
		return err
	}
	f.print(e.Stdout)
	if c.LeaveOneOut && !f.interrupted && f.failed == nil {
		f.leaveOneOut(stop.Context(), e)
		f.printFolds(e.Stdout)
	}
	if err := f.writeOverlay(overlay); err != nil {
		return err
	}
	if err := f.writeReports(c.Report, reports); err != nil {
		return err
	}
	if err := f.writePoints(context.WithoutCancel(stop.Context()), points); err != nil {
		return err
	}
	if err := cmp.Or(files.Commit(), f.failed, f.foldsFailed(), f.judge(c.MaxRmsePercent)); err != nil {
		return err
	}
	if f.interrupted {
		return exitcode.Interrupted(errors.New("interrupted: this is the best that was found until then"))
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
// percent of the length; 0 is no limit. What was predicted counts before what was fitted.
func (f *fitting) judge(limit float64) error {
	s := &f.after.HeldOut
	if len(f.folds) > 0 {
		s = &f.pooled
	} else if s.Poses == 0 {
		s = &f.after.Fitted
	}
	if e := 100 * s.RMS() / f.lengthM; limit > 0 && !(e <= limit) {
		return exitcode.Exceeded(fmt.Errorf("RMSE %.3g %% of the length is above %g %%", e, limit))
	}
	return nil
}
