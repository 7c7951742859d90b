package offline

import (
	"encoding/json"
	"fmt"
	"os"

	"sinew/cmd/internal/exit"
	"sinew/cmd/internal/program"
	"sinew/cmd/internal/verb"
	"sinew/pkg/sim"
	"sinew/pkg/sim/commands"
)

// Sim is the verb sim: bit-reproducible simulation without clock or ROS.
type Sim struct {
	verb.RobotFiles

	Duration    verb.Seconds `required:"" help:"Simulated time, for example 2s." placeholder:"D"`
	SampleHz    *float64     `help:"Rows per simulated second, each the first step at or after k/hz; without it 100, in a recording the robot's publish_hz." xor:"sampling" placeholder:"HZ"`
	SampleEvery *int         `help:"A row every N steps instead." xor:"sampling" placeholder:"N"`
	Commands    string       `help:"CSV of commands: t and one column per actuator, held between rows." placeholder:"FILE.csv"`
	Out         string       `help:"CSV of samples, - is standard output; or a recording of all topics, in which simulated time 0 is 1000000000 s since 1970." default:"-" placeholder:"FILE.csv|.mcap|.bag"`
	Stats       string       `help:"JSON of step times and solver counts." placeholder:"FILE.json"`
	KeepGoing   bool         `help:"A step that fails leaves the robot where it is, and the simulation goes on; the exit code is 1 all the same."`
}

// defaultSampleHz is the rate of rows unless one is asked for.
const defaultSampleHz = 100

// Run simulates and writes samples.
func (c *Sim) Run(e *verb.Env) error {
	made, err := e.Open(c.Config, nil)
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
	out, err := newOutput(e, c.Out, made)
	if err != nil {
		return err
	}
	commanded := table.Play()
	commanded.Observe = out.command
	looks, err := plan.SampleHz(made.Timing.PublishHz)
	if err != nil {
		return err
	}
	r := &simulation{
		model: model, in: sim.NewInputs(model), plan: plan, rows: rows, commands: commanded, out: out,
		times: newStepTimes(c.Stats != "", plan.Steps()), failures: failures{keepGoing: c.KeepGoing}, watch: newWatch(model), looks: looks,
	}
	err = r.run(progress(e, plan.Steps(), c.Out))
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
func (c *Sim) schedule(t program.Timing) (plan sim.Schedule, rows *sim.Sampler, err error) {
	if plan, err = sim.NewSchedule(float64(c.Duration), t.StepS, t.EqualSteps); err != nil {
		return plan, nil, exit.Usage(err)
	}
	switch {
	case c.SampleEvery != nil:
		rows, err = plan.SampleEvery(*c.SampleEvery)
	case c.SampleHz != nil:
		rows, err = plan.SampleHz(*c.SampleHz)
	case verb.IsRecording(c.Out):
		rows, err = plan.SampleHz(t.PublishHz)
	default:
		rows, err = plan.SampleHz(defaultSampleHz)
	}
	if err != nil {
		err = exit.Usage(err)
	}
	return plan, rows, err
}

func (c *Sim) commands(m sim.Model) (*commands.Table, error) {
	if c.Commands == "" {
		return &commands.Table{}, nil
	}
	f, err := os.Open(c.Commands)
	if err != nil {
		return nil, exit.Usage(err)
	}
	defer f.Close()
	table, err := commands.Read(c.Commands, f, m.Ports())
	if err != nil {
		return nil, exit.Usage(err)
	}
	return table, nil
}

// simulation is one simulation.
type simulation struct {
	model    sim.Model
	in       *sim.Inputs
	plan     sim.Schedule
	rows     *sim.Sampler
	commands *commands.Cursor
	out      output
	times    *stepTimes
	failures failures
	watch    *watch
	looks    *sim.Sampler // when the gauges are watched
	done     int          // steps
}

// run steps through the plan; tick is told the number of steps done.
func (r *simulation) run(tick func(int)) error {
	defer tick(-1)
	for ; ; r.done++ {
		t := r.plan.Time(r.done)
		if r.rows.Due(r.done) {
			if err := r.out.write(t); err != nil {
				return err
			}
		}
		if r.looks.Due(r.done) {
			r.watch.look(t)
		}
		if r.done == r.plan.Steps() {
			return r.failures.err(r.done)
		}
		dt := r.plan.Step(r.done)
		r.commands.Apply(t, r.in)
		r.in.Advance(dt)
		if err := r.times.step(r.model, dt); err != nil {
			if err = r.failures.add(r.place(err), r.model, dt); err != nil {
				r.watch.look(t)
				return err
			}
		}
		tick(r.done)
	}
}

// place adds to the error of a step the row of commands that was in force.
func (r *simulation) place(err error) error {
	if place := r.commands.Place(); place != "" {
		return fmt.Errorf("%w (commands of %s)", err, place)
	}
	return err
}

// warn says how many commands did not pass as they were given, and which gauges
// deserved attention.
func (r *simulation) warn(e *verb.Env) {
	r.watch.warn(e, r.done)
	for v, n := range r.in.Counts() {
		if v := sim.Verdict(v); n > 0 && v != sim.Accepted {
			fmt.Fprintf(e.Stderr, "%s: %d command rows: %v\n", e.Robot.Name, n, v)
		}
	}
}

// writeStats writes the JSON of --stats.
func writeStats(file string, r *simulation) error {
	data, err := json.MarshalIndent(r.times.report(r), "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(file, append(data, '\n'), 0o644)
}
