// Package identify is the verb identify: the parameters with which the robot moves
// most like the hardware did.
package identify

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"sinew/cmd/internal/cli"
	"sinew/cmd/internal/exitcode"
	"sinew/cmd/internal/output"
	"sinew/pkg/sim/hil/identify"
)

// Cmd is the verb identify.
type Cmd struct {
	Config         []string     `help:"Read the initial robot file; later files override others." placeholder:"FILE" sep:"none"`
	Free           []string     `help:"Identify this key, path or group; NAME=VALUE+-SIGMA sets a prior (repeatable)." detail:"Groups: ${identify_groups}. Without --free and --plan the trials are predicted, not fitted." placeholder:"NAME[=MIN:MAX][:log|:lin]" sep:"none"`
	Plan           string       `help:"Read stages with free parameters, data, weights and losses from this file." detail:"It replaces --free and DATA." placeholder:"PLAN.yaml"`
	Data           []string     `arg:"" optional:"" help:"Read trials: recordings, or CSVs with the measured pose and the commands." detail:"The columns of a CSV are those of sim. With column t it is a motion; without, every row is an equilibrium." name:"data" sep:"none"`
	Commands       []string     `help:"Read the commands of the trials from these CSVs, in the order of the trials." detail:"The columns are those of sim --commands. They replace the commands of the trial itself." placeholder:"FILE.csv" sep:"none" group:"Trials:"`
	Node           string       `help:"Use commands of this node (default: the only one)." placeholder:"/NAME"`
	HwTopic        string       `help:"Read the hardware's poses from this topic, or body of a CSV." placeholder:"TOPIC"`
	TimeUnit       cli.TimeUnit `help:"Read times of trials in s, ms, us, ns or S seconds." detail:"The default is the unit that the name of the column says, or s." placeholder:"UNIT"`
	StartTogether  bool         `help:"Start trials and --commands at t = 0."`
	KeepOccluded   bool         `help:"Keep samples that look occluded, and repeated ones."`
	Static         bool         `help:"Treat all rows as equilibria, also with column t."`
	HoldOut        []string     `help:"Hold out this trial, or a share of rows, to validate." placeholder:"FILE|SHARE" sep:"none"`
	LeaveOneOut    bool         `help:"Cross-validate: predict each trial from the others."`
	Loss           string       `help:"Choose the loss: linear (squares), huber or cauchy (robust to outliers)." default:"linear" placeholder:"NAME"`
	LossScale      string       `help:"Set the residual above which huber and cauchy reduce the weight." placeholder:"0.01m"`
	Noise          string       `help:"Set the noise of the data relative to priors (default: from the residuals)." placeholder:"0.5mm"`
	RotationWeight float64      `help:"Set the weight of rotations, m/rad; 0: positions only." placeholder:"M"`
	Starts         startsFlag   `help:"Search from N points within the bounds (default: auto, as many as it takes)." detail:"auto searches from the values of the robot file and samples the bounds by multi-level single linkage; it searches from further points, at most 2, until less than half a minimum is expected to be missed." default:"auto" placeholder:"auto|N"`
	Seed           uint64       `help:"Set the random seed of the initial points." default:"1"`
	MaxRmsePercent float64      `help:"Exit with 3 if the RMSE exceeds this percentage of the robot's length." detail:"It is the RMSE of the prediction where trials are held out, otherwise of the fit." placeholder:"X"`
	Out            string       `help:"Write the identified values as a robot file that overrides the initial one." placeholder:"OVERLAY.yaml"`
	output.Force
	cli.RobotNumber
	Report []string `help:"Write a report: .html with plots, .json with all numbers (repeatable)." placeholder:"FILE.html" sep:"none"`
	Points string   `help:"Write measured points and their predictions as CSV." placeholder:"FILE.csv"`
}

// AfterApply makes robot files among the data those of Config. It is called by kong.
func (c *Cmd) AfterApply() error {
	cli.TakeRobotFiles(&c.Data, &c.Config)
	return nil
}

// GroupNames are the groups of parameters, for the help: those of rods or those of bodies.
func GroupNames(rods bool) string {
	other := []string{"tendon_offsets", "actuation"}
	if rods {
		other = []string{"resistance"}
	}
	var names []string
	for _, g := range identify.Groups() {
		if !slices.Contains(other, g.Name) {
			names = append(names, g.Name)
		}
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
	unwritten := f.saveOverlay(e.Stdout, overlay)
	if c.LeaveOneOut && !f.interrupted && f.failed == nil {
		f.leaveOneOut(stop.Context(), e)
		f.printFolds(e.Stdout)
	}
	unwritten = errors.Join(unwritten, f.writeReports(c.Report, reports))
	noPoints := f.writePoints(context.WithoutCancel(stop.Context()), points)
	if noPoints != nil {
		points.Discard()
	}
	if err := cmp.Or(errors.Join(unwritten, files.Commit()), f.failed, f.foldsFailed(), noPoints, f.judge(c.MaxRmsePercent)); err != nil {
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
