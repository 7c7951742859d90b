package offline

import (
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"time"

	"sinew/cmd/internal/cli"
	"sinew/cmd/internal/program"
	"sinew/pkg/ros/naming"
	"sinew/pkg/sim"
	"sinew/pkg/sim/trajectory"
)

// RecordedCommands returns the commands that a recording has for the robot, as
// replay finds them, and the time of the recording from which theirs is counted.
// They are held however long no command follows.
func RecordedCommands(e *cli.Env, file, node string, made *program.Instance) (*trajectory.Commands, time.Duration, error) {
	topics, err := readTopics(e, file)
	if err != nil {
		return nil, 0, err
	}
	names, err := naming.NewNames(e.Robot.Name, e.Args, os.LookupEnv)
	if err != nil {
		return nil, 0, err
	}
	r := &replayer{env: e, cmd: &Replay{Recording: file, Node: node, SampleHz: 1}, made: made, names: names, topics: topics}
	r.first, r.last = extent(topics, names, node)
	log, err := r.standing()
	if err != nil {
		return nil, 0, err
	}
	err = r.run()
	fmt.Fprintf(e.Stderr, "%s: commands of %s are %s\n", e.Robot.Name, file, r.transport.playedTopics(r.transport.commands))
	r.sayDropped()
	if err == nil {
		err = r.refused()
	}
	return &log.table, r.first, err
}

// standing makes the replay one of a robot that stands still, whose commands are written down.
func (r *replayer) standing() (*commandLog, error) {
	const controlHz = 1e4 // high, so that commands act when they came
	log := &commandLog{Model: r.made.Model}
	standing := *r.made
	standing.Model = log
	standing.Timing = program.Timing{StepS: 1 / controlHz, ControlHz: controlHz, PublishHz: 1, MarkerHz: 1, CommandTimeoutS: math.Inf(1)}
	r.made, r.transport = &standing, newRecordedTransport()
	if err := r.assemble(); err != nil {
		return nil, err
	}
	log.elapsed = func() float64 {
		t := (r.clock.now - r.first).Seconds()
		if t < 1.5/controlHz { // what is there from the beginning arrives in the first period
			return 0
		}
		return t
	}
	return log, nil
}

// firstCommands are the commands with which the recording begins. The replay itself reports what is refused.
func (r *replayer) firstCommands() (*trajectory.Commands, error) {
	model, err := r.made.NewModel()
	if err != nil {
		return nil, err
	}
	made := *r.made
	made.Model = model
	quiet := *r.env
	quiet.Stderr = io.Discard
	first := &replayer{env: &quiet, cmd: &Replay{Recording: r.cmd.Recording, Node: r.cmd.Node, SampleHz: 1}, made: &made, names: r.names, topics: r.topics, first: r.first, last: r.first}
	log, err := first.standing()
	if err != nil {
		return nil, err
	}
	return &log.table, first.run()
}

// commandLog is a model that writes down what it is commanded, and stands still.
type commandLog struct {
	sim.Model
	elapsed func() float64 // s
	table   trajectory.Commands
}

// Ports implements sim.Model. There are no limits to the rate: setpoints are what
// was commanded.
func (l *commandLog) Ports() []sim.Port {
	ports := slices.Clone(l.Model.Ports())
	for i := range ports {
		ports[i].MaxRate = nil
	}
	return ports
}

// Command implements sim.Model.
func (l *commandLog) Command(i int, v []float64) {
	l.table.Add(l.elapsed(), trajectory.Row{i: slices.Clone(v)})
	l.Model.Command(i, v)
}

// Step implements sim.Model.
func (l *commandLog) Step(float64) error { return nil }
