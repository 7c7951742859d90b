package app

import (
	"encoding/json"
	"fmt"
	"os"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"

	"sinew/pkg/sim"
)

// simCmd is the verb sim: bit-reproducible simulation without clock or ROS.
type simCmd struct {
	Config      []string `help:"Robot file; without it the built-in robot. Further ones are laid over it." placeholder:"FILE" sep:"none"`
	Duration    seconds  `required:"" help:"Simulated time, for example 2s." placeholder:"D"`
	SampleHz    *float64 `help:"Rows per simulated second, each the first step at or after k/hz; without it 100, in a recording the robot's publish_hz." xor:"sampling" placeholder:"HZ"`
	SampleEvery *int     `help:"A row every N steps instead." xor:"sampling" placeholder:"N"`
	Commands    string   `help:"CSV of commands: t and one column per actuator, held between rows." placeholder:"FILE.csv"`
	Out         string   `help:"CSV of samples, - is standard output; or a recording of all topics, in which simulated time 0 is 1000000000 s since 1970." default:"-" placeholder:"FILE.csv|.mcap|.bag"`
	Stats       string   `help:"JSON of step times and solver counts." placeholder:"FILE.json"`
}

// defaultSampleHz is the rate of rows unless one is asked for.
const defaultSampleHz = 100

// Run simulates and writes samples.
func (c *simCmd) Run(e *env) error {
	made, err := e.open(c.Config, nil)
	if err != nil {
		return err
	}
	model := made.Model
	plan, rows, err := c.schedule(made.Timing)
	if err != nil {
		return err
	}
	table, err := c.commands(model)
	if err != nil {
		return err
	}
	out, err := e.newOutput(c.Out, made)
	if err != nil {
		return err
	}
	table.tell = out.command
	r := &simRun{model: model, in: sim.NewInputs(model), plan: plan, rows: rows, commands: table, out: out, times: newStepTimes(c.Stats != "", plan.Steps())}
	err = r.run(e.progress(plan.Steps(), c.Out))
	if e2 := out.finish(); err == nil {
		err = e2
	}
	r.warn(e)
	if c.Stats != "" {
		if e2 := writeStats(c.Stats, r); err == nil {
			err = e2
		}
	}
	return err
}

// schedule divides the duration into steps and picks those that are sampled.
func (c *simCmd) schedule(t Timing) (plan sim.Schedule, rows *sim.Sampler, err error) {
	if plan, err = sim.NewSchedule(float64(c.Duration), t.StepS, t.EqualSteps); err != nil {
		return plan, nil, usage(err)
	}
	switch {
	case c.SampleEvery != nil:
		rows, err = plan.SampleEvery(*c.SampleEvery)
	case c.SampleHz != nil:
		rows, err = plan.SampleHz(*c.SampleHz)
	case isRecording(c.Out):
		rows, err = plan.SampleHz(t.PublishHz)
	default:
		rows, err = plan.SampleHz(defaultSampleHz)
	}
	if err != nil {
		err = usage(err)
	}
	return plan, rows, err
}

func (c *simCmd) commands(m sim.Model) (*commands, error) {
	if c.Commands == "" {
		return &commands{}, nil
	}
	f, err := os.Open(c.Commands)
	if err != nil {
		return nil, usage(err)
	}
	defer f.Close()
	table, err := readCommands(c.Commands, f, m.Ports())
	if err != nil {
		return nil, usage(err)
	}
	return table, nil
}

// simRun is one simulation.
type simRun struct {
	model    sim.Model
	in       *sim.Inputs
	plan     sim.Schedule
	rows     *sim.Sampler
	commands *commands
	out      output
	times    *stepTimes
	done     int // steps
}

// run steps through the plan; tick is told the number of steps done.
func (r *simRun) run(tick func(int)) error {
	defer tick(-1)
	for ; ; r.done++ {
		t := r.plan.Time(r.done)
		if r.rows.Due(r.done) {
			if err := r.out.write(t); err != nil {
				return err
			}
		}
		if r.done == r.plan.Steps() {
			return nil
		}
		dt := r.plan.Step(r.done)
		r.commands.apply(t, r.in)
		r.in.Advance(dt)
		if err := r.times.step(r.model, dt); err != nil {
			return fmt.Errorf("t = %g s: %w", t, err)
		}
		tick(r.done)
	}
}

// warn says how many commands did not pass as they were given.
func (r *simRun) warn(e *env) {
	for v, n := range r.in.Counts() {
		if v := sim.Verdict(v); n > 0 && v != sim.Accepted {
			fmt.Fprintf(e.stderr, "%s: %d command rows: %v\n", e.robot.Name, n, v)
		}
	}
}

// progress returns a function that shows the number of steps done on a
// terminal, and removes the bar at −1.
func (e *env) progress(steps int, out string) func(int) {
	f, ok := e.stderr.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) || out == "-" && term.IsTerminal(int(os.Stdout.Fd())) {
		return func(int) {}
	}
	const redraws = 200
	every := max(1, steps/redraws)
	bar := progressbar.NewOptions(steps, progressbar.OptionSetWriter(f), progressbar.OptionSetDescription("sim"),
		progressbar.OptionShowCount(), progressbar.OptionClearOnFinish())
	return func(done int) {
		switch {
		case done < 0:
			_ = bar.Finish()
		case done%every == 0:
			_ = bar.Set(done)
		}
	}
}

// writeStats writes the JSON of --stats.
func writeStats(file string, r *simRun) error {
	data, err := json.MarshalIndent(r.times.report(r), "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(file, append(data, '\n'), 0o644)
}
