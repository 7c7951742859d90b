package offline

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"sinew/cmd/internal/cli"
	"sinew/cmd/internal/exitcode"
	"sinew/cmd/internal/output"
	"sinew/cmd/internal/program"
	"sinew/cmd/internal/trajectoryfile"
	"sinew/pkg/ros/record"
	"sinew/pkg/sim"
	"sinew/pkg/sim/spatial"
	"sinew/pkg/sim/trajectory"
)

// Estimate is the verb estimate: what the observer of a robot makes of the commands and measurements of a recording.
type Estimate struct {
	Recording string   `arg:"" help:"Read commands and measurements from this .mcap, .bag, .db3 or bag folder." placeholder:"FILE.mcap|.bag"`
	Robot     []string `arg:"" optional:"" name:"robot" help:"Read the robot file, as by --config." sep:"none"`
	Config    []string `help:"Read the robot file (default: that in the recording, or built-in)." detail:"Later files override earlier ones." placeholder:"FILE" sep:"none"`
	output.Force
	cli.RecordedTopics
	watchdogFlag

	Node     string  `help:"Use the topics of this node (default: the only node with commands)." placeholder:"/NAME"`
	Truth    string  `help:"Compare the tip with the poses of this topic; - compares none." detail:"The default is …/measured_cp of a recording of sim, and otherwise …/hardware/measured_cp if it was recorded." placeholder:"TOPIC"`
	SampleHz float64 `help:"Write this many CSV rows per second." default:"100" placeholder:"HZ"`
	Out      string  `help:"Write the estimate to CSV (-: standard output) or topics to a recording." default:"-" placeholder:"FILE.csv|.mcap|.bag"`
}

// Run estimates.
func (c *Estimate) Run(e *cli.Env) error {
	replay := &Replay{
		Recording: c.Recording, Robot: c.Robot, Config: c.Config, Force: c.Force, RecordedTopics: c.RecordedTopics, watchdogFlag: c.watchdogFlag,
		Node: c.Node, SampleHz: c.SampleHz, Out: c.Out,
	}
	return replay.run(e, &estimation{cmd: c})
}

// estimation is what a replay does for the verb estimate. Nil, it does nothing.
type estimation struct {
	cmd             *Estimate
	estimate, model trajectory.Poses // of the tip, with the measurements, and without them
	tip, shown      int              // ports of them
	values          []float64
}

// draft lets the observer read what was recorded.
func (x *estimation) draft(file program.File) error {
	if x == nil {
		return nil
	}
	if !file.Has("observer") {
		return exitcode.Usagef("a robot of this kind has no observer; see limits of observers")
	}
	file.Set("observer.hardware", "true", "estimate")
	return nil
}

// env has the columns of the estimate alone.
func (x *estimation) env(e *cli.Env) *cli.Env {
	if x == nil {
		return e
	}
	of, robot := *e, *e.Robot
	robot.Samples = func(ports []sim.Port) []program.Samples {
		return slices.DeleteFunc(e.Robot.Samples(ports), func(s program.Samples) bool { return !strings.HasPrefix(s.Port, sim.EstimateTopics) })
	}
	of.Robot = &robot
	return &of
}

// open finds what is compared with the truth.
func (x *estimation) open(m sim.Model, shown string) error {
	if x == nil {
		return nil
	}
	find := func(name string) int {
		return slices.IndexFunc(m.Ports(), func(p sim.Port) bool { return p.Name == name && p.Direction == sim.Out })
	}
	x.tip, x.shown = find(sim.EstimateTopics+shown), find(shown)
	if x.tip < 0 || x.shown < 0 {
		return exitcode.Usagef("the robot has no observer: give the key observer in a robot file, such as observer: {force: {}}")
	}
	x.values = make([]float64, m.Ports()[x.tip].Width())
	return nil
}

// look notes the estimate at time t (s) of the replay.
func (x *estimation) look(m sim.Model, t float64) {
	if x == nil {
		return
	}
	for i, to := range map[int]*trajectory.Poses{x.tip: &x.estimate, x.shown: &x.model} {
		m.Value(i, x.values)
		to.Add(t, spatial.Pose{R: spatial.QuatAt(x.values[3:]).Rot(), P: spatial.VecAt(x.values)})
	}
}

// truth is the topic that the tip is compared with; empty for none.
func (x *estimation) truth(r *replayer, simulated bool) string {
	switch {
	case x.cmd.Truth == "-":
		return ""
	case x.cmd.Truth != "":
		return x.cmd.Truth
	}
	name := r.transport.node + "/hardware/measured_cp"
	if simulated { // in another recording the simulated pose is that of the model without measurements
		name = r.transport.node + "/measured_cp"
	}
	if slices.ContainsFunc(r.topics, func(t record.Topic) bool { return t.Name == name && t.Messages > 0 }) {
		return name
	}
	return ""
}

// report compares the estimate with the truth.
func (x *estimation) report(r *replayer, simulated bool) error {
	if x == nil {
		return nil
	}
	topic := x.truth(r, simulated)
	if topic == "" {
		return nil
	}
	truth, err := trajectoryfile.Read(trajectoryfile.Source{File: x.cmd.Recording, Topic: topic, Role: trajectoryfile.Measured, Alone: true, Simulations: true})
	if err != nil {
		return exitcode.Usage(fmt.Errorf("--truth %s: %w", topic, err))
	}
	hardware := &r.made.Hardware
	if place := hardware.FramePoseOf(filepath.Base(x.cmd.Recording)); !simulated && place != spatial.IdentityPose() && (truth.Frame == "" || truth.Frame == hardware.Frame) {
		if err := truth.ToWorld(place, hardware.Mirror()); err != nil {
			return exitcode.Usage(err)
		}
	}
	truth.CountFrom(r.first)
	estimate, n := distance(&truth.Tip, &x.estimate)
	model, _ := distance(&truth.Tip, &x.model)
	if n == 0 {
		fmt.Fprintf(r.env.Stderr, "%s: warning: nothing could be compared with %s: its poses are at other times\n", r.env.Robot.Name, topic)
		return nil
	}
	fmt.Fprintf(r.env.Stderr, "%s: the tip is %s from %s in %d samples; of the model without measurements %s\n", r.env.Robot.Name, estimate, topic, n, model)
	return nil
}

// mostGap is how far apart the poses of two control periods may be, s.
const mostGap = 1

// distance says how far poses are from the truth, in how many samples.
func distance(truth, of *trajectory.Poses) (text string, n int) {
	sum, most := 0.0, 0.0
	for i, t := range truth.T {
		if p, where := of.At(t, mostGap); where == trajectory.Inside {
			off := p.P.Sub(truth.Pose[i].P).Norm()
			sum, most, n = sum+off*off, max(most, off), n+1
		}
	}
	return fmt.Sprintf("%.3g mm rms, %.3g mm at most", 1e3*math.Sqrt(sum/float64(max(n, 1))), 1e3*most), n
}
