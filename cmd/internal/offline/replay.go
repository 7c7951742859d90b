package offline

import (
	"errors"
	"fmt"
	"iter"
	"maps"
	"math"
	"os"
	"slices"
	"strings"
	"time"

	"go.uber.org/zap"

	"sinew/cmd/internal/exit"
	"sinew/cmd/internal/program"
	"sinew/cmd/internal/verb"
	"sinew/pkg/ros"
	"sinew/pkg/ros/naming"
	"sinew/pkg/ros/record"
	"sinew/pkg/sim"
)

// Replay is the verb replay: what the robot would have done, given the commands of
// a recording.
type Replay struct {
	Recording string `arg:"" help:"The .mcap or .bag file with the commands." placeholder:"FILE.mcap|.bag"`
	verb.RobotFiles

	Node     string  `help:"Node of the recording whose commands are taken; without it the only one that has any." placeholder:"/NAME"`
	SampleHz float64 `help:"Rows of CSV per simulated second." default:"100" placeholder:"HZ"`
	Out      string  `help:"CSV of samples, - is standard output; or a recording of all topics, on the clock of the recording." default:"-" placeholder:"FILE.csv|.mcap|.bag"`

	KeepGoing bool `help:"A step that fails leaves the robot where it is, and the replay goes on; the exit code is 1 all the same."`
}

// Run replays.
func (c *Replay) Run(e *verb.Env) error {
	if !(c.SampleHz > 0) {
		return exit.Usagef("--sample-hz %g: want a number above 0", c.SampleHz)
	}
	if c.Node != "" {
		c.Node = "/" + strings.Trim(c.Node, "/")
	}
	topics, err := record.Topics(c.Recording)
	if err = e.WarnIncomplete(err); err != nil {
		return exit.Usage(err)
	}
	made, err := e.Open(c.Config, nil)
	if err != nil {
		return err
	}
	names, err := naming.NewNames(e.Robot.Name, e.Args, os.LookupEnv)
	if err != nil {
		return exit.Usage(err)
	}
	r := &replayer{env: e, cmd: c, made: made, names: names, player: newPlayer(), topics: topics}
	r.first, r.last = extent(topics, names, c.Node)
	if ofSim(topics) {
		r.lead = time.Duration(math.Round(1e9 / made.Timing.ControlHz))
	}
	return r.replay()
}

// replayer replays one recording. All of it happens on one goroutine: the loop of
// the simulator, which the clock paces by the recording instead of waiting.
type replayer struct {
	env    *verb.Env
	cmd    *Replay
	made   *program.Made
	names  *naming.Names
	player *player
	topics []record.Topic

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
}

// replay replays everything and says what it was.
func (r *replayer) replay() error {
	err := r.assemble()
	if err != nil && r.writer != nil {
		_ = r.writer.Close()
		_ = os.Remove(r.cmd.Out) // there is nothing in it
		return err
	}
	if err == nil {
		err = r.run()
	}
	if r.rows != nil {
		err = errors.Join(err, r.rows.finish())
	}
	if r.writer != nil {
		err = errors.Join(err, r.writer.Close())
	}
	if r.watch != nil {
		r.watch.warn(r.env, r.stepped.steps)
	}
	if err == nil {
		r.report()
		err = r.failures.err(r.stepped.steps)
	}
	return err
}

// assemble makes the same simulator and bridge as run does, on another clock.
func (r *replayer) assemble() error {
	r.clock = &tickClock{now: r.first}
	var err error
	r.failures.keepGoing = r.cmd.KeepGoing
	r.stepped = &persistent{Model: r.made.Model, failures: &r.failures}
	if r.sim, err = sim.NewSimulator(r.stepped, r.clock, r.made.Timing.Simulator()); err != nil {
		return exit.Usage(err)
	}
	o := ros.Options{
		AnyStamps: true, // what was recorded was fresh then
		Clock:     r.clock,
		Log:       verb.NewLogger(r.env.Stderr).WithOptions(zap.IncreaseLevel(zap.WarnLevel)),
		Hardware:  r.made.LiveHardware(r.sim.Ports(), r.env.Robot.Shown),
	}
	transports := []ros.Transport{r.player}
	if verb.IsRecording(r.cmd.Out) {
		if err := r.openRecording(); err != nil {
			return err
		}
		transports, o.Received = append(transports, r.writer), r.writer.Received
	}
	if r.bridge, err = ros.NewPassiveBridge(r.sim, r.names, transports, o); err != nil {
		return err
	}
	if err := r.player.connect(r.topics, r.names, r.sim.Ports(), r.cmd.Node, r.cmd.Recording); err != nil {
		return exit.Usage(err)
	}
	r.watch = newWatch(r.made.Model)
	if r.writer == nil {
		r.rows, err = newSampleWriter(r.cmd.Out, r.env.Stdout, r.made.Model, r.env.Robot.Samples(r.sim.Ports()))
	}
	return err
}

func (r *replayer) openRecording() (err error) {
	if sameFile(r.cmd.Recording, r.cmd.Out) {
		return exit.Usagef("--out %s is the recording that is replayed", r.cmd.Out)
	}
	o := r.env.RecordingOptions(r.made, r.names.Node(), verb.WithoutFlag(os.Args[1:], "--out"))
	o.Created, o.Overwrite = r.first, true
	r.writer, err = record.Create(r.cmd.Out, o)
	return err
}

// sameFile reports whether two names are of one file.
func sameFile(a, b string) bool {
	x, err := os.Stat(a)
	if err != nil {
		return false
	}
	y, err := os.Stat(b)
	return err == nil && os.SameFile(x, y)
}

// errEnough ends the reading of a recording.
var errEnough = errors.New("enough has been read")

// messages are those that are played, in the order of time. What went wrong is
// known when they end.
func (r *replayer) messages() (all iter.Seq[record.Message], failed func() error) {
	var err error
	return func(yield func(record.Message) bool) {
		err = record.Read(r.cmd.Recording, r.player.wanted, func(m record.Message) error {
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
	tick := progress(r.env, max(total, 1), r.cmd.Out)
	defer tick(-1)
	ended := false
	pending, more := next()
	r.clock.tick = func(now time.Duration) {
		r.show(false)
		for more && pending.Time <= now-r.lead {
			r.player.play(pending)
			pending, more = next()
		}
		tick(r.periods)
		r.periods++
		if !ended && (now >= r.last || r.err != nil) {
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
	r.watch.look(t)
	if r.sim.State() == sim.Fault {
		if r.err == nil {
			r.err = errors.New(r.player.reason)
		}
		return
	}
	const roundOff = 1e-9 // s
	if r.rows != nil && (end || t >= float64(r.row)/r.cmd.SampleHz-roundOff) {
		r.row = int((t+roundOff)*r.cmd.SampleHz) + 1
		if err := r.rows.write(t); err != nil && r.err == nil {
			r.err = err
		}
	}
}

// report says what was replayed, and which commands did not pass as they were.
func (r *replayer) report() {
	var played []string
	for _, name := range slices.Sorted(maps.Keys(r.player.played)) {
		played = append(played, fmt.Sprintf("%s %d", name, r.player.played[name]))
	}
	fmt.Fprintf(r.env.Stderr, "%s: replayed %.3f s: %s\n", r.env.Robot.Name, float64(r.periods)/r.made.Timing.ControlHz, strings.Join(played, ", "))
	stats := r.sim.Stats()
	for v, n := range stats.Verdicts {
		if v := sim.Verdict(v); n > 0 && v != sim.Accepted {
			fmt.Fprintf(r.env.Stderr, "%s: %d commands: %v\n", r.env.Robot.Name, n, v)
		}
	}
	for _, g := range stats.Groups {
		if g.Trips > 0 {
			fmt.Fprintf(r.env.Stderr, "%s: %s: no command for %g s, gone to the safe state: %d times\n", r.env.Robot.Name, g.Name, r.made.Timing.CommandTimeoutS, g.Trips)
		}
	}
}
