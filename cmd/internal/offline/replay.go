package offline

import (
	"errors"
	"iter"
	"math"
	"os"
	"slices"
	"strings"
	"time"

	"go.uber.org/zap"

	"sinew/cmd/internal/cli"
	"sinew/cmd/internal/exitcode"
	"sinew/cmd/internal/output"
	"sinew/cmd/internal/program"
	"sinew/pkg/ros"
	"sinew/pkg/ros/naming"
	"sinew/pkg/ros/record"
	"sinew/pkg/ros/recording"
	"sinew/pkg/sim"
)

// Replay is the verb replay: what the robot would have done, given the commands of
// a recording.
type Replay struct {
	Recording string   `arg:"" help:"Read the commands from this .mcap, .bag, .db3 or bag folder." placeholder:"FILE.mcap|.bag"`
	Robot     []string `arg:"" optional:"" name:"robot" help:"Read the robot file, as by --config." sep:"none"`
	Config    []string `help:"Read the robot file (default: that in the recording, or built-in)." detail:"Later files override earlier ones." placeholder:"FILE" sep:"none"`
	output.Force
	cli.RecordedTopics
	watchdogFlag

	Node     string  `help:"Use the commands of this node (default: the only node with commands)." placeholder:"/NAME"`
	SampleHz float64 `help:"Write this many CSV rows per simulated second." default:"100" placeholder:"HZ"`
	Out      string  `help:"Write samples to CSV (-: standard output) or topics to a recording." detail:"A recording has the clock of the original." default:"-" placeholder:"FILE.csv|.mcap|.bag"`

	KeepGoing bool `help:"Continue after a failed step, from the state before it; exit with 1."`
}

// Run replays.
func (c *Replay) Run(e *cli.Env) error { return c.run(e, nil) }

// run replays, and estimates if x is not nil.
func (c *Replay) run(e *cli.Env, x *estimation) error {
	c.Config = slices.Concat(c.Robot, c.Config)
	if !(c.SampleHz > 0) {
		return exitcode.Usagef("--sample-hz %g: want a number above 0", c.SampleHz)
	}
	if c.Node != "" {
		c.Node = "/" + strings.Trim(c.Node, "/")
	}
	topics, err := readTopics(e, c.Recording)
	if err != nil {
		return exitcode.Usage(err)
	}
	file, origin, err := e.DraftRecorded(c.Config, c.Recording)
	if err != nil {
		return err
	}
	if err := x.draft(file); err != nil {
		return err
	}
	made, err := e.Make(file)
	if err != nil {
		return err
	}
	if err := x.open(made.Model, e.Robot.Shown); err != nil {
		return err
	}
	e = x.env(e)
	names, err := naming.NewNames(e.Robot.Name, e.Args, os.LookupEnv)
	if err != nil {
		return exitcode.Usage(err)
	}
	info, err := record.Info(c.Recording)
	if err != nil {
		return exitcode.Usage(err)
	}
	// sim holds what it is commanded unless its recording says otherwise; run and
	// controllers of hardware do not
	simulated := ofSim(topics)
	watchdog := c.on(info[record.InfoWatchdog] == "on" || info[record.InfoWatchdog] == "" && !simulated)
	c.print(e, made.Timing, watchdog)
	origin.Report(e)
	origin.WarnBuiltin(e, c.Recording)
	if !watchdog {
		made.Timing.CommandTimeoutS = math.Inf(1)
	}
	r := &replayer{env: e, cmd: c, made: made, names: names, transport: newRecordedTransport(), topics: topics, builtin: origin.IsBuiltin(), estimation: x}
	r.transport.simulatedSensors = x != nil
	r.first, r.last = extent(topics, names, c.Node)
	if simulated {
		r.lead = time.Duration(math.Round(1e9 / made.Timing.ControlHz))
	}
	files := e.Outputs(c.Force, c.Config, made)
	defer files.Discard()
	files.Reads("the recording that is replayed", c.Recording)
	if r.out, err = files.Create("--out", c.Out, samplesOrRecording(e, c.Out, made.Model.Ports())); err != nil {
		return err
	}
	r.stop = cli.WatchInterrupt()
	defer r.stop.Stop()
	if err := r.assemble(); err != nil {
		return err
	}
	e.WarnOfStability(made)
	if made.InEquilibrium {
		first, err := r.firstCommands()
		if err != nil {
			return err
		}
		warnStart(e, made, first)
	}
	ended := r.run()
	if err := r.finish(); err != nil {
		return errors.Join(err, ended)
	}
	r.watch.warn(e, r.stepped.steps)
	r.report()
	ended = errors.Join(ended, x.report(r, simulated))
	if err := errors.Join(files.Commit(), ended); err != nil {
		return err
	}
	if err := r.failures.err(r.stepped.steps); err != nil {
		return err
	}
	if r.stop.Requested() && r.clock.now < r.last {
		return interrupted(r.time(), (r.last - r.first).Seconds(), c.Out)
	}
	return r.refused()
}

// readTopics lists the topics of a recording; of one that is cut off those that are
// whole, with a warning.
func readTopics(e *cli.Env, file string) ([]record.Topic, error) {
	bar := e.ReadingProgress(1, file)
	topics, err := record.Reading{File: file, Progress: bar.Bytes}.Topics()
	bar.End()
	if len(topics) == 0 {
		return nil, err
	}
	return topics, e.WarnIncomplete(err)
}

// replayer replays one recording. All of it happens on one goroutine: the loop of
// the simulator, which the clock paces by the recording instead of waiting.
type replayer struct {
	env       *cli.Env
	cmd       *Replay
	made      *program.Instance
	names     *naming.Names
	transport *recordedTransport
	topics    []record.Topic
	out       *output.File   // nil: nothing is written
	stop      *cli.Interrupt // nil: no interrupts

	first, last time.Duration // first and last time of the recording
	// lead is by how much messages are recorded before the period in which they arrive
	// begins. The loop waits for the end of a period and then makes it: of what run
	// receives, it takes what came by then. What sim records acts from its time on.
	lead     time.Duration
	clock    *tickClock
	sim      *sim.Simulator
	bridge   *ros.PassiveBridge
	rows     *sampleWriter  // nil without CSV
	writer   *record.Writer // nil without a recording
	failures failures
	stepped  *persistent // what the simulator steps
	watch    *watch
	periods  int // control periods simulated so far
	row      int // next row of CSV
	err      error
	builtin  bool // no flag chooses the robot
	// estimation is what the verb estimate does beside; nil for replay.
	estimation *estimation
}

// finish ends the output.
func (r *replayer) finish() error {
	switch {
	case r.rows != nil:
		return r.rows.finish()
	case r.writer != nil:
		return r.writer.Close()
	}
	return nil
}

// assemble makes the same simulator and bridge as run does, on another clock.
func (r *replayer) assemble() error {
	r.clock = &tickClock{now: r.first}
	var err error
	r.failures.keepGoing = r.cmd.KeepGoing
	r.stepped = &persistent{Model: r.made.Model, failures: &r.failures}
	if r.sim, err = sim.NewSimulator(r.stepped, r.clock, r.made.Timing.Simulator()); err != nil {
		return exitcode.Usage(err)
	}
	o := ros.Options{
		AnyStamps: true, // what was recorded was fresh then
		Clock:     r.clock,
		Log:       cli.NewLogger(r.env.Stderr).WithOptions(zap.IncreaseLevel(zap.WarnLevel)),
		Hardware:  r.made.LiveHardware(r.sim.Ports(), r.env.Robot.Shown),
	}
	transports := []ros.Transport{r.transport}
	recorded := r.out != nil && cli.IsRecording(r.cmd.Out)
	if recorded {
		if err := r.openRecording(); err != nil {
			return err
		}
		transports, o.Received = append(transports, recording.Selected(r.writer, r.cmd.Out, r.cmd.RecordAll)), r.writer.Received
	}
	if r.bridge, err = ros.NewPassiveBridge(r.sim, r.names, transports, o); err != nil {
		return err
	}
	if err := r.transport.connect(r.topics, r.names, r.sim.Ports(), r.cmd.Node, r.cmd.Recording, r.robot()); err != nil {
		return exitcode.Usage(err)
	}
	r.transport.history = &history{node: r.transport.node, sim: r.sim}
	r.watch = newWatch(r.made.Model)
	if r.out != nil && !recorded {
		r.rows, err = newSampleWriter(r.out, r.made.Model, r.env.Robot)
	}
	return err
}

func (r *replayer) openRecording() (err error) {
	watchdog := r.made.Timing.ExpiresCommands()
	o := r.env.RecordingOptions(verbReplay, watchdog, r.made, r.names.Node(), cli.WithoutFlag(os.Args[1:], "--out"))
	o.Created = r.first
	r.writer, err = record.New(r.out, r.cmd.Out, o)
	return err
}

// errEnough ends the reading of a recording.
var errEnough = errors.New("enough has been read")

// messages are those that are played, in the order of time. What went wrong is
// known when they end.
func (r *replayer) messages() (all iter.Seq[record.Message], failed func() error) {
	var err error
	return func(yield func(record.Message) bool) {
		err = record.Read(r.cmd.Recording, r.transport.wanted, func(m record.Message) error {
			if !yield(m) {
				return errEnough
			}
			return nil
		})
		if errors.Is(err, errEnough) {
			err = nil
		}
	}, func() error { return err }
}

// run lets the simulator run from the first to the last message.
func (r *replayer) run() error {
	messages, failed := r.messages()
	next, stopReading := iter.Pull(messages)
	defer stopReading()
	stop := make(chan struct{})
	total := int((r.last - r.first).Seconds() * r.made.Timing.ControlHz)
	bar := r.env.RowsProgress("replay", int64(total), "periods", r.cmd.Out)
	defer bar.End()
	ended := false
	pending, more := next()
	r.clock.tick = func(now time.Duration) {
		r.show(false)
		for more && pending.Time <= now-r.lead {
			r.transport.deliver(pending)
			pending, more = next()
		}
		bar.Set(int64(r.periods))
		r.periods++
		if !ended && (now >= r.last || r.err != nil || r.stop != nil && r.stop.Requested()) {
			ended = true
			close(stop)
		}
	}
	if err := r.sim.Run(stop); err != nil {
		return err
	}
	r.show(true)
	if err := r.env.WarnIncomplete(failed()); err != nil {
		return err
	}
	return r.err
}

// show writes what is due of the present state, at the end in any case, and ends
// the replay when the simulation has failed, of which there is nothing to write.
func (r *replayer) show(end bool) {
	r.bridge.PublishPending()
	t := float64(r.periods) / r.made.Timing.ControlHz
	r.watch.measure(t)
	if state, reason := r.sim.Condition(); state == sim.Fault && reason != sim.ReasonEStop {
		if r.err == nil {
			r.err = errors.New(r.transport.reason)
		}
		return
	}
	r.estimation.look(r.made.Model, t)
	const roundOff = 1e-9 // s
	if r.rows != nil && (end || t >= float64(r.row)/r.cmd.SampleHz-roundOff) {
		r.row = int((t+roundOff)*r.cmd.SampleHz) + 1
		if err := r.rows.write(t); err != nil && r.err == nil {
			r.err = err
		}
	}
}
