// Package program is what a program tells the verbs about its robot: its files,
// how a model is made of one, and what of the model is shown.
package program

import (
	"math"
	"slices"

	"sinew/launch/robots"
	"sinew/pkg/sim"
	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/spatial"
)

// Robot is what a program adds to the verbs that all programs share.
type Robot struct {
	Name    string // program and default node name
	Summary string // one line for --help
	// File makes an empty robot file of the program's kind; see Files.
	File func() File
	// Builtin are the robots that come with the program; the first one is what it runs
	// without a robot file.
	Builtin []robots.Robot
	// Shown is the Out port whose position the status line shows.
	Shown string
	// Shape, if not nil, gives the program the verb static.
	Shape *Shape
	// Samples gives the columns of the CSV that sim writes, after t, in order.
	Samples func(ports []sim.Port) []Samples
	// RobotColumn is the column of CSVs that numbers the robots of a swarm, the last one where
	// there is a swarm; empty for a program without swarms.
	RobotColumn string
}

// Samples are CSV columns that show values of an Out port, from First on.
type Samples struct {
	Port    string
	First   int
	Columns []string
}

// Instance is what a robot file describes.
type Instance struct {
	Model          sim.Model // in its initial state
	InEquilibrium  bool      // the initial state is an equilibrium
	Timing         Timing
	DisabledTopics []string            // topics that are not published
	Running        LiveFile            // the robot file while the robot runs
	Markers        []robotfile.Marker  // points that are measured beside that of Shown
	Hardware       robotfile.Hardware  // the hardware that the robot is compared with
	LengthM        float64             // length of the robot, m; errors are given in percent of it
	ArcM           []float64           // arc lengths of the nodes, base to tip, m; nil where the program has no verb static
	MarkM          float64             // size of a marker at the robot in a picture, m
	ShapeDistances []float64           // how far from the robot anything of each shape of its environment is, m
	Describe       string              // the robot in one line
	Text           func() []byte       // the complete robot file, with all that was laid over it
	Warnings       []robotfile.Mistake // keys of the robot file without effect
	Files          []string            // files that the robot file names
	// Equilibria is what the equilibria of the robot leave out, for people; empty for nothing.
	Equilibria string
	// Sketch draws what was measured of the robot, where nobody recorded how it looked; what was not measured
	// is not drawn.
	Sketch func(dst *sim.Scene, seen Observation)
	// Refined makes the robot, in its initial state, with each element divided into so many
	// and steps solved to round-off; nil where there are no elements, or none that can.
	Refined func(times int) (sim.Model, error)
	// NewModel makes one more model of the same robot, in its initial state, that shares what never changes.
	NewModel func() (sim.Model, error)
	// Probe makes what tells how long a step of dt seconds takes, where the model itself
	// may take too long for one; nil: the model itself.
	Probe func(dt float64) Probe
}

// Observation are measured poses, m, world frame.
type Observation struct {
	Poses []spatial.Pose // of Shown and of the others of a swarm; none if unknown
	Nodes []spatial.Pose // of a rod, base to tip; none if unknown
	Line  []spatial.Vec  // points of a rod, base to tip, of which no more is known
	// Shapes is where shapes of the environment have been moved to, by the names of their topics.
	Shapes map[string]spatial.Pose
}

// Centerline are the points along a rod, of their own.
func (s *Observation) Centerline() []spatial.Vec {
	points := slices.Clone(s.Line)
	for _, p := range s.Nodes {
		points = append(points, p.P)
	}
	return points
}

// Probe is a model of its own whose steps tell how long those of a larger one take.
type Probe struct {
	Model sim.Model
	StepS float64 // length of its steps, s
	Times float64 // a step of the larger model takes that many times as long
	From  string  // what it is a part of, as in "1000 of 100000 robots"; empty: the whole
}

// Shape tells how a program with the verb static finds and shows an equilibrium.
type Shape struct {
	// Path and Value are the key of the robot file, and its value, with which a
	// robot starts in equilibrium, or without one.
	Path, Value, Without string
	// Port is the PoseArray of the nodes, base to tip.
	Port string
}

// SolverError is the error of a robot whose file is right, but whose initial
// state could not be found.
type SolverError struct{ Err error }

func (e *SolverError) Error() string { return e.Err.Error() }
func (e *SolverError) Unwrap() error { return e.Err }

// KeyError is the error of a robot that shows only when it is made, and of which a key of
// the robot file is the cause. Make adds the place of the key.
type KeyError struct {
	Key string
	Err error
}

func (e *KeyError) Error() string { return e.Key + ": " + e.Err.Error() }
func (e *KeyError) Unwrap() error { return e.Err }

// Timing is what a robot file says about time.
type Timing struct {
	StepS           float64 // s
	EqualSteps      bool    // a run is divided into equal steps, so that the last is no shorter
	ControlHz       float64
	PublishHz       float64
	MarkerHz        float64
	JacobianHz      float64
	CommandTimeoutS float64 // s; +Inf is never
	NewestCommander bool    // the newest command wins, whoever sends it
	AnyStamps       bool    // commands are taken whatever their stamps say
}

// ExpiresCommands reports whether commands that are not renewed are taken back at all.
func (t Timing) ExpiresCommands() bool {
	return t.CommandTimeoutS > 0 && !math.IsInf(t.CommandTimeoutS, 1)
}

// Simulator returns the options of a simulator of this timing, in which a command
// timeout of 0 is never.
func (t Timing) Simulator() sim.Options {
	timeout := t.CommandTimeoutS
	if math.IsInf(timeout, 1) {
		timeout = 0
	}
	return sim.Options{
		ControlHz: t.ControlHz, PublishHz: t.PublishHz, MarkerHz: t.MarkerHz,
		StepS: t.StepS, CommandTimeoutS: timeout, NewestCommander: t.NewestCommander,
	}
}
