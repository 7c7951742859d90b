// Package program describes a program to the commands: its robot files, how a model is made
// of one, and which of its outputs are shown.
package program

import (
	"math"
	"slices"

	"sinew/launch/robots"
	"sinew/pkg/sim"
	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/spatial"
)

// Robot describes the robots of a program to the commands that all programs share.
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
	// Shape, if not nil, gives the program the command static.
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
	ArcM           []float64           // arc lengths of the nodes, base to tip, m; nil if the program has no command static
	MarkM          float64             // size of a marker at the robot in a picture, m
	ShapeDistances []float64           // how far from the robot anything of each shape of its environment is, m
	MeshFindings   []string            // flaws of the file of each shape that were repaired or left
	MeshNotes      []string            // where contact with each mesh acts, in a line each
	Describe       string              // the robot in one line
	Shown          string              // Out port whose position the status line shows instead of that of the program; empty: that
	Text           func() []byte       // the complete robot file, with all overrides
	Warnings       []robotfile.Mistake // keys without effect, and suspicious values
	Files          []string            // files that the robot file names
	// DerivesFromStart says that derivatives by numbers of the robot file are those of models that are not in equilibrium yet: with
	// friction an equilibrium depends on what was before.
	DerivesFromStart bool
	// Equilibria says which effects the equilibria of the robot omit; empty for none.
	Equilibria string
	// Sketch draws an observation of the robot for recordings that hold no scene. It draws only what
	// was measured.
	Sketch func(dst *sim.Scene, seen Observation)
	// Refined makes the robot, in its initial state, with each element divided into so many
	// and steps solved to round-off; nil for methods that refine no elements.
	Refined func(times int) (sim.Model, error)
	// NewModel makes another model of the same robot in its initial state. Models share the constants.
	NewModel func() (sim.Model, error)
	// Probe makes a smaller model that predicts the duration of a step of dt seconds, for models whose
	// own step may take too long; nil: the model itself.
	Probe func(dt float64) Probe
}

// ShownOf returns the Out port of a robot whose position the status line shows.
func (r *Robot) ShownOf(made *Instance) string {
	if made.Shown != "" {
		return made.Shown
	}
	return r.Shown
}

// Stability describes the equilibrium that is the initial state; empty where it is stable, and for robots that begin in none.
func (i *Instance) Stability() string {
	m, ok := sim.As[sim.StabilityAnalyser](i.Model)
	if !ok || !i.InEquilibrium || i.Refined == nil || m.IsClearlyStable() { // methods without a mesh that is refined settle in motion
		return ""
	}
	s, err := m.Stability()
	switch {
	case err != nil:
		return err.Error()
	case s.IsStable:
		return ""
	}
	return s.Description
}

// Observation holds measured poses of a robot, m, world frame.
type Observation struct {
	Poses []spatial.Pose // of Shown and of the others of a swarm; none if unknown
	Nodes []spatial.Pose // of the nodes of a rod, base to tip; none if unknown
	Line  []spatial.Vec  // points of a rod without orientations, base to tip
	// Shapes holds the poses of moved shapes of the environment, by the names of their topics.
	Shapes map[string]spatial.Pose
}

// Centerline returns the points along a rod in a new slice.
func (s *Observation) Centerline() []spatial.Vec {
	points := slices.Clone(s.Line)
	for _, p := range s.Nodes {
		points = append(points, p.P)
	}
	return points
}

// Probe is a small model whose steps predict the duration of the steps of a larger one.
type Probe struct {
	Model sim.Model
	StepS float64 // length of its steps, s
	Times float64 // a step of the larger model takes that many times as long
	From  string  // the part that it is, as in "1000 of 100000 robots"; empty: the whole
}

// Shape describes how the command static finds and shows an equilibrium.
type Shape struct {
	// Path and Value are the key of the robot file, and its value, with which a
	// robot starts in equilibrium, or without one.
	Path, Value, Without string
	// Port is the PoseArray of the nodes, base to tip.
	Port string
}

// SolverError is the error of a robot whose file is valid but whose initial state was not
// found.
type SolverError struct{ Err error }

func (e *SolverError) Error() string { return e.Err.Error() }
func (e *SolverError) Unwrap() error { return e.Err }

// KeyError is an error in a key of the robot file that is detected when the robot is made. Make adds
// the location of the key.
type KeyError struct {
	Key string
	Err error
}

func (e *KeyError) Error() string { return e.Key + ": " + e.Err.Error() }
func (e *KeyError) Unwrap() error { return e.Err }

// Timing holds the rates and time-outs of a robot file.
type Timing struct {
	StepS           float64 // s
	EqualSteps      bool    // a run is divided into equal steps, without a shorter last one
	ControlHz       float64
	PublishHz       float64
	MarkerHz        float64
	JacobianHz      float64
	CommandTimeoutS float64 // s; +Inf is never
	NewestCommander bool    // the newest command wins, from any sender
	AnyStamps       bool    // commands are accepted with any stamp
}

// ExpiresCommands reports whether commands expire unless they are renewed.
func (t Timing) ExpiresCommands() bool {
	return t.CommandTimeoutS > 0 && !math.IsInf(t.CommandTimeoutS, 1)
}

// Simulator returns the options of a simulator with this timing. A command time-out of 0 in
// them means never.
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
