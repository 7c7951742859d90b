package app

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"os/signal"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"

	"sinew/pkg/sim"
	"sinew/pkg/sim/hil/fit"
)

// identifyCmd is the verb identify: the parameters with which the robot moves most
// like the hardware did.
type identifyCmd struct {
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

// groupNames explains the groups in the help.
func groupNames() string {
	var names []string
	for _, g := range groups {
		names = append(names, g.name+" ("+g.doc+")")
	}
	return strings.Join(names, "; ")
}

// Run searches and writes what it found.
func (c *identifyCmd) Run(e *env) error {
	f, err := c.prepare(e)
	if err != nil {
		return usage(err)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := f.search(ctx, e, c); errors.Is(err, context.Canceled) {
		return errors.New("interrupted; nothing is written")
	} else if err != nil {
		return err
	}
	f.print(e.stdout)
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
	s := &f.after.held
	if s.rows == 0 {
		s = &f.after.fitted
	}
	if e := 100 * s.rms() / f.lengthM; limit > 0 && e > limit {
		return &codedError{exitThreshold, fmt.Errorf("RMSE %.3g %% of the length is above %g %%", e, limit)}
	}
	return nil
}

// fitting is one run of the verb.
type fitting struct {
	robot      *Robot
	config     []string
	base       File // as given
	complete   []byte
	frees      []free
	parameters []fit.Parameter
	trials     []*trial
	turn       float64
	lengthM    float64
	notes      []string // for people

	result        *fit.Result
	before, after summary
}

// prepare reads robot, parameters and trials.
func (c *identifyCmd) prepare(e *env) (*fitting, error) {
	f := &fitting{robot: e.robot, config: c.Config, turn: c.RotationWeight}
	if !(c.RotationWeight >= 0) || math.IsInf(c.RotationWeight, 0) || c.Starts < 1 || !(c.MaxRmsePercent >= 0) {
		return nil, errors.New("--rotation-weight and --max-rmse-percent must be 0 or positive, --starts at least 1")
	}
	if len(c.Free) == 0 && c.Out != "" {
		return nil, errors.New("--out: nothing is free, so there is nothing to write")
	}
	var err error
	if f.base, err = e.draft(c.Config, nil); err != nil {
		return nil, err
	}
	made, err := makeRobot(f.base)
	if err != nil {
		return nil, err
	}
	f.lengthM = made.LengthM
	numbers, err := f.base.Numbers()
	if err != nil {
		return nil, err
	}
	if f.complete, err = f.base.Print(); err != nil {
		return nil, err
	}
	if f.frees, err = resolve(c.Free, numbers, f.lengthM); err != nil {
		return nil, err
	}
	for i := range f.frees {
		f.parameters = append(f.parameters, f.frees[i].parameters...)
	}
	f.noteModuli(numbers)
	return f, f.readTrials(e, c, made)
}

// readTrials reads the data and says which rows are held out.
func (f *fitting) readTrials(e *env, c *identifyCmd, made *Made) error {
	share := 0.0
	read := func(file string) error {
		tr, err := c.readTrial(e, file, made)
		if err == nil {
			tr.still = tr.still || c.Static
			f.trials = append(f.trials, tr)
		}
		return err
	}
	for _, file := range c.Data {
		if err := read(file); err != nil {
			return err
		}
	}
	for _, what := range c.HoldOut {
		if v, err := strconv.ParseFloat(what, 64); err == nil {
			if share != 0 || !(v > 0 && v < 1) {
				return fmt.Errorf("--hold-out %s: a share is between 0 and 1, and given once", what)
			}
			share = v
		} else if err := read(what); err != nil {
			return err
		}
	}
	if err := f.readCommands(c.Commands, made.Model.Ports()); err != nil {
		return err
	}
	for i, tr := range f.trials {
		if i >= len(c.Data) || len(f.parameters) == 0 {
			tr.hold(1)
		} else if share > 0 {
			tr.hold(share)
		}
		if err := tr.checkLength(made.Timing.StepS); err != nil {
			return err
		}
		if _, ok := made.Model.(settler); tr.still && !ok {
			return fmt.Errorf("%s: %w", tr.name, errNotStill)
		}
	}
	return nil
}

// readTrial reads a trial from a file.
func (c *identifyCmd) readTrial(e *env, file string, made *Made) (*trial, error) {
	if !isRecording(file) {
		return readTrialCSV(file, e.robot, made.Model.Ports())
	}
	if c.Static {
		return nil, fmt.Errorf("--static: %s is a recording of motion", file)
	}
	return e.readTrialRecording(file, c.Node, c.HwTopic, made)
}

// readCommands gives files of commands to the trials that have times, in order.
func (f *fitting) readCommands(files []string, ports []sim.Port) error {
	for _, tr := range f.trials {
		if len(files) == 0 || tr.still {
			continue
		}
		if err := tr.command(files[0], ports); err != nil {
			return err
		}
		files = files[1:]
	}
	if len(files) > 0 {
		return fmt.Errorf("--commands %s: there is no such trial with t", files[0])
	}
	return nil
}

// noteModuli says that one modulus stays when the other is free.
func (f *fitting) noteModuli(numbers fileNumbers) {
	const e, g = "rod.youngs_modulus_pa", "rod.shear_modulus_pa"
	names := parameterNames(f.parameters)
	for _, pair := range [][2]string{{e, g}, {g, e}} {
		if value, ok := numbers.at(pair[1]); ok && slices.Contains(names, pair[0]) && !slices.Contains(names, pair[1]) {
			f.notes = append(f.notes, fmt.Sprintf("%s is not free and stays at %.6g Pa", pair[1], value))
		}
	}
}

// bench makes a bench of this fitting.
func (f *fitting) bench(ctx context.Context) *bench {
	return newBench(ctx, f.robot, f.complete, f.frees, f.trials, f.turn)
}

// search finds the parameters.
func (f *fitting) search(ctx context.Context, e *env, c *identifyCmd) (err error) {
	data := func(held bool) fit.Data {
		return fit.Data{Count: f.bench(ctx).count(held), New: func() (fit.Residuals, error) { return f.bench(ctx).residuals(held), nil }}
	}
	p := fit.Problem{Parameters: f.parameters, Data: data(false)}
	start := make([]float64, len(f.parameters))
	for i := range start {
		start[i] = f.parameters[i].Start
	}
	if f.before, err = f.summarize(ctx, start); err != nil {
		return fmt.Errorf("with the values of the robot file: %w", err)
	}
	if len(f.parameters) == 0 {
		f.result, f.after = new(fit.Result), f.before
		return nil
	}
	show, done := e.showSearch()
	const difference = 1e-4 // models are accurate to about 1e-10, and not smooth where tendons stick or slacken
	f.result, err = fit.Fit(ctx, p, fit.Options{Starts: c.Starts, Seed: c.Seed, Difference: difference, Progress: show})
	done()
	if err != nil {
		return fmt.Errorf("identify: %w", err)
	}
	f.after, err = f.summarize(ctx, f.result.Values())
	return err
}

// showSearch shows on a terminal how far the search is.
func (e *env) showSearch() (show func(fit.Progress), done func()) {
	out, ok := e.stderr.(*os.File)
	if !ok || !term.IsTerminal(int(out.Fd())) {
		return nil, func() {}
	}
	bar := progressbar.NewOptions(-1, progressbar.OptionSetWriter(out), progressbar.OptionClearOnFinish(), progressbar.OptionSpinnerType(14))
	return func(p fit.Progress) {
		bar.Describe(fmt.Sprintf("start %d of %d, step %d, %d simulations, error %.4g mm", p.Start, p.Starts, p.Iteration, p.Evaluations, 1e3*p.RMSE))
		_ = bar.Add(1)
	}, func() { _ = bar.Finish() }
}
