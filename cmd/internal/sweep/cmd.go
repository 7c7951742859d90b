package sweep

import (
	"errors"
	"fmt"
	"runtime"
	"time"

	"sinew/cmd/internal/cli"
	"sinew/cmd/internal/exitcode"
	"sinew/cmd/internal/output"
	"sinew/cmd/internal/trajectoryfile"
	"sinew/cmd/internal/variation"
	"sinew/pkg/ros"
	"sinew/pkg/sim/sweep"
)

// Cmd is the verb sweep.
type Cmd struct {
	cli.RobotFiles
	output.Force

	Vary     []string     `required:"" sep:"none" help:"Vary a number of the robot file: NAME=linspace(1,2,9), … (repeatable)." detail:"NAME is a name as for identify --free. It takes linspace(FROM,TO,N), geomspace(FROM,TO,N), values(A,B,…), choice(A,B,…), uniform(FROM,TO), loguniform(FROM,TO), normal(MEAN,SIGMA) or lognormal(MEDIAN,SIGMA)." placeholder:"NAME=KIND(…)"`
	Samples  int          `help:"Set the number of samples (default: every combination of the grids once)." placeholder:"N"`
	Seed     uint64       `help:"Set the random seed." default:"1"`
	Duration *cli.Seconds `help:"Simulate each sample for this time (default: find its equilibrium)." placeholder:"D"`
	SampleHz *float64     `help:"Write this many rows per simulated second (default: one row at the end)." placeholder:"HZ"`
	Commands string       `help:"Read commands from CSV: t and one column per actuator, held between rows." placeholder:"FILE.csv"`
	Out      string       `required:"" help:"Write the samples to this CSV or recording." detail:"FILE.csv.part holds the finished samples; the same command resumes from it after a kill. FILE.csv.json describes the variation. A recording has a message per sample." placeholder:"FILE.csv|.mcap"`
	Shard    string       `help:"Simulate part I of N of the samples, from 0 or 1; merge joins the parts." placeholder:"I/N"`
	Workers  int          `help:"Run this many samples in parallel (default: number of processors)." placeholder:"N"`
}

// Run computes all samples that the journal does not have yet.
func (c *Cmd) Run(e *cli.Env) error {
	if _, err := formatOf("--out", c.Out); err != nil {
		return err
	}
	if c.Workers < 0 || c.Samples < 0 {
		return exitcode.Usagef("--workers and --samples must be 1 or above")
	}
	s, err := c.prepare(e)
	if err != nil {
		return err
	}
	if done, err := s.about.written(c.Out); done {
		fmt.Fprintf(e.Stderr, "%s: %s has all %d samples of this sweep already\n", e.Robot.Name, c.Out, s.count())
		return err
	}
	return s.run(e, c)
}

// run computes the missing samples and writes the file.
func (s *study) run(e *cli.Env, c *Cmd) error {
	files, _, err := s.result(e, c) // files that cannot be written are reported before anything is computed
	files.Discard()                 // a killed sweep leaves nothing but the samples
	if err != nil {
		return err
	}
	j, err := openJournal(c.Out+partSuffix, s.about, c.Force.Force)
	if err != nil {
		return err
	}
	defer j.close()
	before := j.count()
	if j.dropped > 0 {
		fmt.Fprintf(e.Stderr, "%s: %s: the last %d bytes, of samples that were not finished, are dropped\n", e.Robot.Name, j.name, j.dropped)
	}
	stop := cli.WatchInterrupt()
	defer stop.Stop()
	bar := e.Progress("sweep", int64(s.count()), "samples")
	bar.Resume(int64(before))
	began := time.Now()
	err = s.take(j, c.workers(), stop.Requested, func() { bar.Set(int64(j.count())) })
	bar.End()
	if errors.Is(err, errInterrupted) {
		err = fmt.Errorf("interrupted with %d of %d samples; the same command continues with %s", j.count(), s.count(), j.name)
		if stop.Terminated() { // the exit code tells a batch system that the job is incomplete
			return err
		}
		return exitcode.Interrupted(err)
	}
	if err != nil {
		return err
	}
	if err := s.about.unchanged(j.name); err != nil {
		return err
	}
	files, out, err := s.result(e, c)
	defer files.Discard()
	if err != nil {
		return err
	}
	if err := out.write(s.about, j.each); err != nil {
		return err
	}
	if err := files.Commit(); err != nil {
		return err
	}
	s.printDuration(e, j.count()-before, before, time.Since(began).Seconds())
	return errors.Join(j.remove(), failureOf(&out.about))
}

// result begins the files of --out. The caller discards the set, also after an error.
func (s *study) result(e *cli.Env, c *Cmd) (*output.Set, *result, error) {
	files := e.Outputs(c.Force, c.Config, s.made)
	files.Reads("the table of --commands", c.Commands)
	out, err := newResult(files, "--out", c.Out)
	return files, out, err
}

// workers returns the number of samples that are computed concurrently.
func (c *Cmd) workers() int {
	if c.Workers == 0 {
		return runtime.GOMAXPROCS(0)
	}
	return c.Workers
}

// printDuration prints the time that n samples took, beside those that were computed before.
func (s *study) printDuration(e *cli.Env, n, before int, tookS float64) {
	text := fmt.Sprintf("%d samples in %.3g s, %s a second", n, tookS, ros.FormatTwoDigits(float64(n)/tookS))
	if before > 0 {
		text += fmt.Sprintf("; %d were there already", before)
	}
	fmt.Fprintf(e.Stderr, "%s: %s\n", e.Robot.Name, text)
}

// prepare reads robot and variations, and makes the robot of the unchanged file, which reports
// mistakes before anything is computed.
func (c *Cmd) prepare(e *cli.Env) (*study, error) {
	shard, err := sweep.ParseShard(c.Shard)
	if err != nil {
		return nil, exitcode.Usage(fmt.Errorf("--shard %w", err))
	}
	base, err := e.Draft(c.Config, nil)
	if err != nil {
		return nil, err
	}
	if c.SampleHz != nil && !(*c.SampleHz > 0) {
		return nil, exitcode.Usagef("--sample-hz %g: want a number above 0", *c.SampleHz)
	}
	s := &study{robot: e.Robot, shard: shard}
	if c.Duration == nil {
		if e.Robot.Shape == nil {
			return nil, exitcode.Usagef("--duration is needed: %s has no equilibria to find", e.Robot.Name)
		}
		if c.SampleHz != nil || c.Commands != "" {
			return nil, exitcode.Usagef("--sample-hz and --commands are of a simulation: give its --duration, too")
		}
		base.Set(e.Robot.Shape.Path, e.Robot.Shape.Value, "sweep")
	}
	made, err := e.Make(base)
	if err != nil {
		return nil, err
	}
	if c.Duration == nil && made.Equilibria != "" {
		fmt.Fprintf(e.Stderr, "%s: %s\n", e.Robot.Name, made.Equilibria)
	}
	s.made, s.base = made, base
	if s.varied, err = variation.Read(c.Vary, base, e.Args.Params); err != nil {
		return nil, exitcode.Usage(err)
	}
	if s.plan, err = sweep.NewPlan(s.varied.Variations, c.Samples, c.Seed); err != nil {
		return nil, exitcode.Usage(fmt.Errorf("--vary, --samples: %w", err))
	}
	if c.Duration != nil {
		s.motion = &motion{durationS: float64(*c.Duration)}
		if c.SampleHz != nil {
			s.motion.rowsHz = *c.SampleHz
		}
		if s.motion.table, err = trajectoryfile.ReadCommands(c.Commands, made.Model.Ports()); err != nil {
			return nil, exitcode.Usage(err)
		}
		if _, _, _, err = s.motion.schedule(made.Timing); err != nil {
			return nil, exitcode.Usage(err)
		}
	}
	s.about, err = newAbout(e.Robot, s, c)
	return s, err
}
