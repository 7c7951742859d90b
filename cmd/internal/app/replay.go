package app

import (
	"errors"
	"fmt"
	"iter"
	"os"
	"strings"
	"time"

	"go.uber.org/zap"

	"sinew/pkg/ros"
	"sinew/pkg/ros/naming"
	"sinew/pkg/ros/record"
	"sinew/pkg/sim"
)

// replayCmd is the verb replay: what the robot would have done, given the commands
// of a recording.
type replayCmd struct {
	Recording string   `arg:"" help:"The .mcap or .bag file with the commands." placeholder:"FILE.mcap|.bag"`
	Config    []string `help:"Robot file; without it the built-in robot. Further ones are laid over it." placeholder:"FILE" sep:"none"`
	Node      string   `help:"Node of the recording whose commands are taken; without it the only one that has any." placeholder:"/NAME"`
	SampleHz  float64  `help:"Rows of CSV per simulated second." default:"100" placeholder:"HZ"`
	Out       string   `help:"CSV of samples, - is standard output; or a recording of all topics, on the clock of the recording." default:"-" placeholder:"FILE.csv|.mcap|.bag"`
}

// Run replays.
func (c *replayCmd) Run(e *env) error {
	if !(c.SampleHz > 0) {
		return usagef("--sample-hz %g: want a number above 0", c.SampleHz)
	}
	if c.Node != "" {
		c.Node = "/" + strings.Trim(c.Node, "/")
	}
	topics, err := record.Topics(c.Recording)
	if err = e.forgive(err); err != nil {
		return usage(err)
	}
	made, err := e.open(c.Config, nil)
	if err != nil {
		return err
	}
	names, err := naming.NewNames(e.robot.Name, e.args, os.LookupEnv)
	if err != nil {
		return usage(err)
	}
	r := &replay{env: e, cmd: c, made: made, names: names, player: newPlayer(), topics: topics}
	r.first, r.last = extent(topics, names, c.Node)
	return r.do()
}

// forgive warns of a recording that is cut off, which is good enough.
func (e *env) forgive(err error) error {
	if errors.Is(err, record.ErrIncomplete) {
		fmt.Fprintf(e.stderr, "%s: warning: %v\n", e.robot.Name, err)
		return nil
	}
	return err
}

// replay is one replay. All of it happens on one goroutine: the loop of the
// simulator, which the clock paces by the recording instead of waiting.
type replay struct {
	env    *env
	cmd    *replayCmd
	made   *Made
	names  *naming.Names
	player *player
	topics []record.Topic

	first, last time.Duration // of the recording
	clock       *tickClock
	sim         *sim.Simulator
	bridge      *ros.PassiveBridge
	rows        *sampleWriter  // nil without CSV
	writer      *record.Writer // nil without a recording
	periods     int            // simulated so far
	row         int            // next row of CSV
	err         error
}

// do replays everything.
func (r *replay) do() error {
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
	if err == nil {
		r.report()
	}
	return err
}

// assemble makes the same simulator and bridge as run does, on another clock.
func (r *replay) assemble() error {
	t := r.made.Timing
	r.clock = &tickClock{now: r.first}
	var err error
	if r.sim, err = sim.NewSimulator(r.made.Model, r.clock, sim.Options{
		ControlHz: t.ControlHz, PublishHz: t.PublishHz, MarkerHz: t.MarkerHz,
		StepS: t.StepS, CommandTimeoutS: t.timeout(),
	}); err != nil {
		return usage(err)
	}
	o := ros.Options{
		Clock:    r.clock,
		Log:      newLogger(r.env.stderr).WithOptions(zap.IncreaseLevel(zap.WarnLevel)),
		Hardware: r.made.hardware(r.sim.Ports(), r.env.robot.Shown),
	}
	transports := []ros.Transport{r.player}
	if isRecording(r.cmd.Out) {
		if err := r.openRecording(); err != nil {
			return err
		}
		transports, o.Received = append(transports, r.writer), r.writer.Received
	}
	if r.bridge, err = ros.NewPassiveBridge(r.sim, r.names, transports, o); err != nil {
		return err
	}
	if err := r.player.connect(r.topics, r.names, r.sim.Ports(), r.cmd.Node, r.cmd.Recording); err != nil {
		return usage(err)
	}
	if r.writer == nil {
		r.rows, err = newSampleWriter(r.cmd.Out, r.env.stdout, r.made.Model, r.env.robot.Samples(r.sim.Ports()))
	}
	return err
}

func (r *replay) openRecording() (err error) {
	if sameFile(r.cmd.Recording, r.cmd.Out) {
		return usagef("--out %s is the recording that is replayed", r.cmd.Out)
	}
	o := r.env.recordingOptions(r.made, r.names.Node(), withoutFlag(os.Args[1:], "--out"))
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
func (r *replay) messages() (all iter.Seq[record.Message], failed func() error) {
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
func (r *replay) run() error {
	messages, failed := r.messages()
	next, stopReading := iter.Pull(messages)
	defer stopReading()
	stop := make(chan struct{})
	total := int((r.last - r.first).Seconds() * r.made.Timing.ControlHz)
	tick := r.env.progress(max(total, 1), r.cmd.Out)
	defer tick(-1)
	ended := false
	pending, more := next()
	r.clock.tick = func(now time.Duration) {
		r.show(false)
		for more && pending.Time <= now {
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
	if err := r.env.forgive(failed()); err != nil {
		return err
	}
	return r.err
}

// show writes what is due of the present state, at the end in any case, and ends
// the replay when the simulation has failed.
func (r *replay) show(end bool) {
	r.bridge.PublishPending()
	t := float64(r.periods) / r.made.Timing.ControlHz
	const roundOff = 1e-9 // s
	if r.rows != nil && (end || t >= float64(r.row)/r.cmd.SampleHz-roundOff) {
		r.row = int((t+roundOff)*r.cmd.SampleHz) + 1
		if err := r.rows.write(t); err != nil && r.err == nil {
			r.err = err
		}
	}
	if r.sim.State() == sim.Fault && r.err == nil {
		r.err = fmt.Errorf("t = %g s: the simulation failed: %s", t, r.player.reason)
	}
}

// report says what was replayed, and which commands did not pass as they were.
func (r *replay) report() {
	var heard []string
	for _, name := range sortedKeys(r.player.played) {
		heard = append(heard, fmt.Sprintf("%s %d", name, r.player.played[name]))
	}
	fmt.Fprintf(r.env.stderr, "%s: replayed %.3f s: %s\n", r.env.robot.Name, float64(r.periods)/r.made.Timing.ControlHz, strings.Join(heard, ", "))
	stats := r.sim.Stats()
	for v, n := range stats.Verdicts {
		if v := sim.Verdict(v); n > 0 && v != sim.Accepted {
			fmt.Fprintf(r.env.stderr, "%s: %d commands: %v\n", r.env.robot.Name, n, v)
		}
	}
	for _, g := range stats.Groups {
		if g.Trips > 0 {
			fmt.Fprintf(r.env.stderr, "%s: %s: no command for %g s, gone to the safe state: %d times\n", r.env.robot.Name, g.Name, r.made.Timing.CommandTimeoutS, g.Trips)
		}
	}
}

// tickClock is the time of a recording. It passes only while somebody sleeps.
type tickClock struct {
	now  time.Duration
	tick func(now time.Duration)
}

// Now implements sim.Clock.
func (c *tickClock) Now() time.Duration { return c.now }

// SleepUntil implements sim.Clock.
func (c *tickClock) SleepUntil(t time.Duration) {
	c.now = max(c.now, t)
	c.tick(c.now)
}

// extent is the time from which to which a recording is replayed: from the first
// message to the last. In a recording of run, simulated time 0 is when the node
// first told its state; nothing but commands that came too early is before that.
func extent(topics []record.Topic, names *naming.Names, node string) (first, last time.Duration) {
	any := false
	for _, t := range topics {
		if t.Messages == 0 {
			continue
		}
		if !any || t.First < first {
			first = t.First
		}
		if !any || t.Last > last {
			last = t.Last
		}
		any = true
	}
	if node == "" {
		node = names.Node()
	}
	for _, t := range topics {
		if t.Messages > 0 && t.Name == node+"/operating_state" {
			first = t.First
		}
	}
	return first, last
}
