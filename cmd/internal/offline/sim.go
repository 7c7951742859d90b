package offline

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"sinew/cmd/internal/cli"
	"sinew/cmd/internal/exitcode"
	"sinew/cmd/internal/output"
	"sinew/cmd/internal/program"
	"sinew/cmd/internal/progress"
	"sinew/cmd/internal/trajectoryfile"
	"sinew/pkg/sim"
	"sinew/pkg/sim/trajectory"
)

// Sim is the verb sim: bit-reproducible simulation without clock or ROS.
type Sim struct {
	cli.RobotFiles
	output.Force
	cli.RecordedTopics
	watchdogFlag

	Duration    cli.Seconds `required:"" help:"Simulate for this time, for example 2s." placeholder:"D"`
	SampleHz    *float64    `help:"Write this many rows per simulated second (CSV: 100, recording: publish_hz)." detail:"Row k is the first step at or after k/hz." xor:"sampling" placeholder:"HZ"`
	SampleEvery *int        `help:"Write a row every N steps." xor:"sampling" placeholder:"N"`
	Commands    string      `help:"Read commands from CSV: t and one column per actuator, held between rows." placeholder:"FILE.csv"`
	Out         string      `help:"Write samples to CSV (-: standard output) or topics to a recording." detail:"In a recording simulated time 0 is 1000000000 s since 1970." default:"-" placeholder:"FILE.csv|.mcap|.bag"`
	Stats       string      `help:"Write step times and solver counts as JSON." placeholder:"FILE.json"`
	Error       bool        `help:"Estimate the errors of mesh and steps; takes about ten times as long." detail:"It repeats the simulation with every element divided in two and in four, where there are any, and with steps of half the length."`
	ErrorJSON   string      `name:"error-json" help:"Write the discretisation error as JSON." placeholder:"FILE.json"`
	Adaptive    *float64    `help:"Limit the error of the steps, over the length of the robot, by smaller ones." detail:"Steps of solver.step_s are divided into up to 1024 parts, as their estimated error asks for; the motion is tried up to 4 times before." placeholder:"TOL"`
	Reactions   bool        `help:"Write reactions of joints and energies of a mechanism, too."`
	Contacts    string      `help:"Write contact points to CSV: a row for each and every sample." detail:"shape is what touches; in mechanisms LINK/SHAPE, a row for each link that a contact acts on. At most the 64 of largest force." placeholder:"FILE.csv"`
	KeepGoing   bool        `help:"Continue after a failed step, from the state before it; exit with 1."`
}

// asksError reports whether the error of the mesh is requested.
func (c *Sim) asksError() bool { return c.Error || c.ErrorJSON != "" }

// defaultSampleHz is the rate of rows without --sample-hz.
const defaultSampleHz = 100

// Run simulates and writes samples.
func (c *Sim) Run(e *cli.Env) error {
	made, err := e.Open(c.Config, nil)
	if err != nil {
		return err
	}
	if c.asksError() && made.Refined == nil {
		return exitcode.Usage(fmt.Errorf("--error: %w", errNoEstimate))
	}
	if err := c.checkAdaptive(made); err != nil {
		return err
	}
	plan, rows, err := c.schedule(made.Timing)
	if err != nil {
		return err
	}
	table, err := trajectoryfile.ReadCommands(c.Commands, made.Model.Ports())
	if err != nil {
		return exitcode.Usage(err)
	}
	looks, err := plan.SampleHz(made.Timing.PublishHz)
	if err != nil {
		return err
	}
	w, err := c.open(e, made)
	if err != nil {
		return err
	}
	defer w.files.Discard()
	stop := cli.WatchInterrupt()
	defer stop.Stop()
	if c.Commands != "" {
		c.print(e, made.Timing, c.on(false))
	}
	model := made.Model
	r := &simulation{
		model: model, in: sim.NewInputs(model), plan: plan, rows: rows, commands: table.Play(), out: w.sink, stop: stop,
		times: newStepTimes(c.Stats != "", plan.Steps()), failures: failures{keepGoing: c.KeepGoing}, watch: newWatch(model), looks: looks,
		beyond: newBeyond(model.Ports()),
	}
	if c.on(false) && made.Timing.ExpiresCommands() {
		r.timeouts = newTimeouts(r.in, model.Ports(), made.Timing)
	}
	r.commands.Observe = r.observeCommand
	e.WarnOfStability(made)
	warnStart(e, made, table)
	if n := table.SkippedRows(plan.Step(0), float64(c.Duration)); n > 0 {
		fmt.Fprintf(e.Stderr, "%s: warning: steps of %.3g s skip %d rows of commands, which alternate faster; use a smaller solver.step_s or rows farther apart\n", e.Robot.Name, plan.Step(0), n)
	}
	trials := 0
	if c.Adaptive != nil {
		if trials, err = c.adapt(e, r, made, table); err != nil {
			return err
		}
	}
	bar := e.RowsProgress("sim", int64(plan.Steps()), "steps", c.Out)
	err = r.run(bar)
	bar.End()
	if e2 := r.out.finish(); errors.Is(err, e2) && e2 != nil {
		return e2 // reported once
	} else if e2 != nil {
		return errors.Join(e2, err)
	}
	r.warn(e)
	if r.adaptive != nil {
		r.adaptive.report(e, *c.Adaptive, trials)
	}
	unwritten := w.writeStats(r)
	if err == nil && c.asksError() {
		err = c.estimate(e, made, w.errors, func(m sim.Model, out sink, parts int) error {
			return c.again(r, made, table, m, out, nil, parts)
		})
	}
	return errors.Join(w.files.Commit(), unwritten, r.ended(err, c.Out))
}

// simFiles are the files that sim writes.
type simFiles struct {
	files  *output.Set
	sink   sink
	stats  *output.File // nil without --stats
	errors *output.File // nil without --error-json
}

// open begins the files, which are discarded after an error.
func (c *Sim) open(e *cli.Env, made *program.Instance) (*simFiles, error) {
	w := &simFiles{files: e.Outputs(c.Force, c.Config, made)}
	w.files.Reads("the table of --commands", c.Commands)
	out, err := w.files.Create("--out", c.Out, samplesOrRecording(e, c.Out, made.Model.Ports()))
	switch {
	case err != nil:
	case cli.IsRecording(c.Out):
		w.sink, err = newSimRecording(e, out, c, made)
	default:
		w.sink, err = c.newSamples(out, made.Model, e.Robot)
	}
	if err == nil && c.Contacts != "" {
		err = c.openContacts(w, made.Model)
	}
	if err == nil && c.ErrorJSON != "" {
		w.errors, err = w.files.Create("--error-json", c.ErrorJSON, errorReport)
	}
	if err == nil && c.Stats != "" {
		w.stats, err = w.files.Create("--stats", c.Stats, output.Text(`"simulated_s": `, `"steps": `, `"wall_s": `))
	}
	if err != nil {
		w.files.Discard()
	}
	return w, err
}

// openContacts begins the table of contact points beside the sink.
func (c *Sim) openContacts(w *simFiles, m sim.Model) error {
	port, err := contactPort(m)
	if err != nil {
		return err
	}
	to, err := w.files.Create("--contacts", c.Contacts, output.Rows(contactsHeader, ",", nameColumns))
	if err != nil {
		return err
	}
	w.sink, err = newContactWriter(w.sink, to, m, port)
	return err
}

// newSamples begins the CSV of the samples.
func (c *Sim) newSamples(out io.Writer, m sim.Model, robot *program.Robot) (*sampleWriter, error) {
	if !c.Reactions {
		return newSampleWriter(out, m, robot)
	}
	reactions, err := reactionSamples(m)
	if err != nil {
		return nil, err
	}
	more := *robot
	more.Samples = func(ports []sim.Port) []program.Samples { return append(robot.Samples(ports), reactions...) }
	return newSampleWriter(out, m, &more)
}

// schedule divides the duration into steps and picks those that are sampled.
func (c *Sim) schedule(t program.Timing) (plan sim.Schedule, rows *sim.Sampler, err error) {
	if plan, err = sim.NewSchedule(float64(c.Duration), t.StepS, t.EqualSteps); err != nil {
		return plan, nil, exitcode.Usage(err)
	}
	switch {
	case c.SampleEvery != nil:
		rows, err = plan.SampleEvery(*c.SampleEvery)
	case c.SampleHz != nil:
		rows, err = plan.SampleHz(*c.SampleHz)
	case cli.IsRecording(c.Out):
		rows, err = plan.SampleHz(t.PublishHz)
	default:
		rows, err = plan.SampleHz(defaultSampleHz)
	}
	if err != nil {
		err = exitcode.Usage(err)
	}
	return plan, rows, err
}

// simulation is one simulation.
type simulation struct {
	model    sim.Model
	in       *sim.Inputs
	plan     sim.Schedule
	rows     *sim.Sampler
	commands *trajectory.Cursor
	timeouts *timeouts // nil without --watchdog
	adaptive *adaptive // nil without --adaptive
	parts    int       // of each step without --adaptive; 0: 1
	out      sink
	stop     *cli.Interrupt
	times    *stepTimes
	failures failures
	watch    *watch
	looks    *sim.Sampler // times at which the gauges are read
	beyond   *beyond      // nil: not kept
	done     int          // steps
}

// errInterrupted ends a simulation after a signal.
var errInterrupted = errors.New("interrupted")

// run simulates the plan and shows the progress on bar.
func (r *simulation) run(bar *progress.Bar) error {
	for ; ; r.done++ {
		t := r.plan.Time(r.done)
		if r.rows.Due(r.done) {
			if err := r.out.write(t); err != nil {
				return err
			}
		}
		if r.looks.Due(r.done) {
			r.watch.measure(t)
		}
		if r.done == r.plan.Steps() {
			return r.failures.err(r.done)
		}
		if r.stop.Requested() {
			return errInterrupted
		}
		dt := r.plan.Step(r.done)
		r.command(t)
		if err := r.step(t, dt); err != nil {
			if err = r.failures.add(r.place(err), r.model, dt); err != nil {
				r.watch.measure(t)
				return err
			}
		}
		bar.Set(int64(r.done))
	}
}

// command gives the robot the commands that take effect until t (s), and takes back those that time out.
func (r *simulation) command(t float64) {
	r.commands.Apply(t, r.in)
	if r.timeouts != nil {
		r.timeouts.release(t, r.in)
	}
}

// step takes a step of dt seconds from t (s) on, or the parts of one, each under the commands and setpoints of its time.
func (r *simulation) step(t, dt float64) error {
	if r.adaptive != nil {
		return r.adaptive.step(r, dt)
	}
	h := dt / float64(max(r.parts, 1))
	for k := range max(r.parts, 1) {
		if k > 0 {
			r.command(t + float64(k)*h)
		}
		r.in.Advance(h)
		if err := r.times.step(r.model, h); err != nil {
			return err
		}
	}
	return nil
}

// observeCommand writes a command that takes effect at t (s) to the output and feeds its timeout.
func (r *simulation) observeCommand(t float64, port int, v []float64) {
	r.out.command(t, port, v)
	if r.beyond != nil {
		r.beyond.observe(r.commands.Acting(), t, port, v)
	}
	if r.timeouts != nil {
		r.timeouts.feed(t, port)
	}
}

// place adds the row of commands in force to the error of a step.
func (r *simulation) place(err error) error {
	if place := r.commands.Place(); place != "" {
		return fmt.Errorf("%w (commands of %s)", err, place)
	}
	return err
}

// ended returns the error with which the simulation ends, which names the file that has its
// beginning.
func (r *simulation) ended(err error, out string) error {
	if !errors.Is(err, errInterrupted) {
		return err
	}
	return interrupted(r.plan.Time(r.done), r.plan.Time(r.plan.Steps()), out)
}

// interrupted returns the error of a simulation that a signal ended at time t (s) of so many; the
// output is kept.
func interrupted(t, of float64, out string) error {
	return exitcode.Interrupted(fmt.Errorf("interrupted at t = %.6g s of %.6g s; what was simulated until then is whole in %s", t, of, nameOf(out)))
}

// nameOf names an output in a sentence.
func nameOf(out string) string {
	if out == "-" {
		return "the output"
	}
	return out
}

// warn prints how many commands were refused or clamped, which groups timed out, and which gauges
// exceeded their limits.
func (r *simulation) warn(e *cli.Env) {
	r.watch.warn(e, r.done)
	if left, of, next := r.commands.Waiting(); left > 0 && of > 1 && left >= of-1 && next > r.plan.Time(r.done)+trajectory.MaxCommandDelay && r.done == r.plan.Steps() {
		fmt.Fprintf(e.Stderr, "%s: warning: %d of the %d rows of commands act until the end at %.6g s, the next at %.6g s: is t in s, and counted from the beginning?\n", e.Robot.Name, of-left, of, r.plan.Time(r.done), next)
	}
	for v, n := range r.in.Counts() {
		if v := sim.CommandStatus(v); n > 0 && v != sim.Accepted {
			fmt.Fprintf(e.Stderr, "%s: %d command rows: %v%s\n", e.Robot.Name, n, v, r.beyond.text(v))
		}
	}
	if r.timeouts != nil {
		r.timeouts.report(e)
	}
}

// writeStats writes the JSON of --stats.
func (w *simFiles) writeStats(r *simulation) error {
	if w.stats == nil {
		return nil
	}
	data, err := json.MarshalIndent(r.times.report(r), "", "  ")
	if err != nil {
		return err
	}
	_, err = w.stats.Write(append(data, '\n'))
	return err
}
