package app

import (
	"errors"
	"fmt"
	"math"
	"os"
	"slices"

	"sinew/pkg/ros/naming"
	"sinew/pkg/ros/record"
	"sinew/pkg/sim"
)

// readTrialRecording reads a trial from a .mcap or .bag file: the poses of the
// hardware, and the commands, which are held however long nobody commands.
func (e *env) readTrialRecording(file, node, topic string, made *Made) (*trial, error) {
	m, err := readTrack(source{file: file, topic: topic, role: measured, alone: true})
	if err != nil {
		return nil, err
	}
	if m.warning != "" {
		fmt.Fprintf(e.stderr, "%s: warning: %s: %s\n", e.robot.Name, file, m.warning)
	}
	if want := made.Hardware.Frame; m.frame != want {
		return nil, fmt.Errorf("%s: measured in frame %q, but hardware.frame_id is %q", m.name, m.frame, want)
	}
	l := &listener{Model: made.Model}
	r, err := e.listen(file, node, made, l)
	if err != nil {
		return nil, err
	}
	tr := &trial{name: file, rotations: m.rotations, script: l.script}
	for i, at := range m.stamps {
		row := trialRow{t: (at - r.first).Seconds(), measured: true, pose: hardwarePoint{p: m.poses[i].P}}
		if m.rotations {
			row.pose.r = m.poses[i].R
		}
		if row.t >= 0 { // before, the robot was not there yet
			tr.rows = append(tr.rows, row)
		}
	}
	return tr, tr.checkPoses()
}

// listen replays the commands of a recording to a listener.
func (e *env) listen(file, node string, made *Made, l *listener) (*replay, error) {
	topics, err := record.Topics(file)
	if err = e.forgive(err); err != nil {
		return nil, err
	}
	names, err := naming.NewNames(e.robot.Name, e.args, os.LookupEnv)
	if err != nil {
		return nil, err
	}
	const often = 1e4 // Hz, so that commands act when they came
	deaf := *made
	deaf.Model = l
	deaf.Timing = Timing{StepS: 1 / often, ControlHz: often, PublishHz: 1, MarkerHz: 1, CommandTimeoutS: math.Inf(1)}
	c := &replayCmd{Recording: file, Node: node, SampleHz: 1, Out: os.DevNull}
	r := &replay{env: e, cmd: c, made: &deaf, names: names, player: newPlayer(), topics: topics}
	r.first, r.last = extent(topics, names, node)
	if err := r.assemble(); err != nil {
		return nil, err
	}
	l.elapsed = func() float64 {
		t := (r.clock.now - r.first).Seconds()
		if t < 1.5/often { // what is there from the beginning is heard in the first period
			return 0
		}
		return t
	}
	return r, errors.Join(r.run(), r.rows.finish())
}

// listener is a model that writes down what it is commanded, and stands still.
type listener struct {
	sim.Model
	elapsed func() float64 // s
	script  commands
}

// Ports is that of sim.Model, without limits to the rate: setpoints are what was
// commanded.
func (l *listener) Ports() []sim.Port {
	ports := slices.Clone(l.Model.Ports())
	for i := range ports {
		ports[i].MaxRate = nil
	}
	return ports
}

// Command is that of sim.Model.
func (l *listener) Command(i int, v []float64) {
	l.script.times = append(l.script.times, l.elapsed())
	l.script.targets = append(l.script.targets, portRow{i: slices.Clone(v)})
	l.Model.Command(i, v)
}

// Step is that of sim.Model.
func (l *listener) Step(float64) error { return nil }
