// Package identify is the verb identify: the parameters with which the robot moves
// most like the hardware did.
package identify

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/schollz/progressbar/v3"

	"sinew/cmd/internal/exit"
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
	Report         string   `help:"All numbers." placeholder:"FILE.json"`
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
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := f.search(ctx, e, c); errors.Is(err, context.Canceled) {
		return errors.New("interrupted; nothing is written")
	} else if err != nil {
		return err
	}
	f.print(e.Stdout)
	if err := f.writeOverlay(c.Out); err != nil {
		return err
	}
	if err := f.writeReport(c.Report); err != nil {
		return err
	}
	return f.judge(c.MaxRmsePercent)
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
	lengthM float64
	problem *identify.Problem

	result        *fit.Result
	before, after identify.Summary
}

// search finds the parameters.
func (f *fitting) search(ctx context.Context, e *verb.Env, c *Cmd) (err error) {
	start := f.problem.Start()
	if f.before, err = f.problem.Predict(ctx, start); err != nil {
		return fmt.Errorf("with the values of the robot file: %w", err)
	}
	if len(start) == 0 {
		f.result, f.after = new(fit.Result), f.before
		return nil
	}
	show, done := showSearch(e)
	f.result, err = f.problem.Fit(ctx, fit.Options{Starts: c.Starts, Seed: c.Seed, Progress: show})
	done()
	if err != nil {
		return err
	}
	f.after, err = f.problem.Predict(ctx, f.result.Values())
	return err
}

// showSearch shows on a terminal how far the search is.
func showSearch(e *verb.Env) (show func(fit.Progress), done func()) {
	out, ok := verb.Terminal(e.Stderr)
	if !ok {
		return nil, func() {}
	}
	bar := progressbar.NewOptions(-1, progressbar.OptionSetWriter(out), progressbar.OptionClearOnFinish(), progressbar.OptionSpinnerType(14))
	return func(p fit.Progress) {
		bar.Describe(fmt.Sprintf("start %d of %d, step %d, %d simulations, error %.4g mm", p.Start, p.Starts, p.Iteration, p.Evaluations, 1e3*p.RMSE))
		_ = bar.Add(1)
	}, func() { _ = bar.Finish() }
}
