package sim

import (
	"fmt"
	"slices"
	"strings"

	"sinew/pkg/sim/spatial"
)

// Model is a robot together with its state. A Simulator steps it, and a bridge
// serves it to the outside. One goroutine owns a Model at a time.
//
// Values go in and out as flat slices of SI numbers, laid out and in the frame
// that the Port says; the caller makes the slices, of the port's Width. A slice is
// not retained after the call. Step, Command, Value, Setpoint, Measure and Save do
// not allocate, and they are deterministic: the same state, commands and time steps
// give the same bits. An index that is out of range may panic.
type Model interface {
	// Ports returns all inputs and outputs. The other methods address a port by
	// its index in this slice, which is the same at every call.
	Ports() []Port
	// Gauges returns the descriptions of the numbers that Measure writes.
	Gauges() []Gauge

	// Command makes v the setpoint of In port i from the next step on. v has the
	// port's width and is within its limits. Values that are Keep leave their
	// actuator as it is.
	Command(i int, v []float64)
	// Setpoint writes to dst the command on In port i that would change nothing
	// now. A ramp to a new target starts there. A value that the model cannot tell
	// is NaN.
	Setpoint(i int, dst []float64)
	// Value writes the present values of Out port i to dst. They are finite.
	Value(i int, dst []float64)
	// Measure writes the present value of every gauge to dst, in the order of
	// Gauges. The values are finite.
	Measure(dst []float64)
	// Draw describes the present scene in dst, reusing its storage.
	Draw(dst *Scene)

	// Step advances the state by dt seconds, dt > 0, under the setpoints. It
	// returns an error, which says when and why, if the step cannot be computed; the
	// state is then the one before the step.
	Step(dt float64) error

	// StateLen returns the number of values that Save writes and Restore reads.
	StateLen() int
	// Save writes the complete state, setpoints included, to dst, which has
	// StateLen values.
	Save(dst []float64)
	// Restore makes src, written by Save of a model of the same robot, the
	// present state. It returns an error, and changes nothing, if src has values
	// that are not finite.
	Restore(src []float64) error
}

// Swarm is a Model of several robots of one kind. Most of its ports are those of the first.
type Swarm interface {
	// Robots returns how many there are, numbered from 0; 0 where the model is of a single
	// robot, which has no number.
	Robots() int
	// ValueOfAll writes to dst, which has Robots times the port's width, the present values
	// of Out port i for one robot after another, and reports whether the model has them.
	// They are finite. It does not allocate.
	ValueOfAll(i int, dst []float64) bool
}

// Mechanism is a Model of several links, which joints connect. What its methods return is the caller's.
type Mechanism interface {
	// Links returns the links, rods first, in the order of the robot file.
	Links() []Link
	// Joints returns the joints in the order of the robot file.
	Joints() []Joint
	// FrameTree returns the frames, as they are now, and the joints that they leave out.
	FrameTree() FrameTree
}

// LinkKind is what a link is.
type LinkKind string

// The kinds of links.
const (
	RodLink  LinkKind = "rod"
	BodyLink LinkKind = "body"
)

// Link is a rod or a body where it is, in the world.
type Link struct {
	Name       string
	Kind       LinkKind
	ArcLengths []float64      // of the nodes of a rod, m
	Poses      []spatial.Pose // of the nodes of a rod, or of the origin of a body
}

// Joint is the state of a joint.
type Joint struct {
	Name            string
	Frame           spatial.Pose // of the joint on its child, in the world
	CoordinateNames []string
	Coordinates     []float64      // rad or m
	Reaction        spatial.Wrench // of the parent on the child about the frame, world axes, N and N m
}

// Holder is a Model that can be held where it is, to go on after a step that failed.
type Holder interface {
	// Hold lets dt seconds pass, dt ≥ 0, in which the robot stands still. It ends at
	// rest, in its shape and place of before.
	Hold(dt float64)
}

// Stopper is a Model with actuators that are on their way to where they were sent, such as a
// base that follows poses, or a motor.
type Stopper interface {
	// Stop ends the ways of the actuators of In port i: their setpoint is where they are.
	Stop(i int)
}

// Gauge describes one number about the health of a model.
type Gauge struct {
	Key  string // name in snake_case, for example "newton_iterations"
	Unit string // SI unit of the value, or empty
	// Warn is the value above which the gauge deserves attention; 0 means never.
	Warn float64
	// Hint says what a value above Warn means, in words that can follow a colon; it
	// may be empty.
	Hint string
	// Accept is the name by which a robot file accepts values above Warn; empty where it
	// cannot.
	Accept string
}

// Keys of the gauges in which models count the steps that did not converge as a whole.
// Gauges of these keys never fall but by Restore.
const (
	// DividedSteps were taken in parts.
	DividedSteps = "divided_steps"
	// UnconvergedSteps could not be taken in parts either, and were not taken.
	UnconvergedSteps = "unconverged_steps"
)

// TimeError is the key of the gauge in which models estimate how far the length of their steps has moved them, over their
// own length.
const TimeError = "time_error_over_length"

// TimeErrorWarning is the TimeError that its gauge lets pass: of the attitude of a body alone, 0.06 rad.
const TimeErrorWarning = 0.03

// AcceptGauges takes their warnings from the gauges whose names are among those accepted.
func AcceptGauges[Name ~string](gauges []Gauge, accepted []Name) {
	for i := range gauges {
		if g := &gauges[i]; g.Accept != "" && slices.Contains(accepted, Name(g.Accept)) {
			g.Warn = 0
		}
	}
}

// Warning returns the warning for a value above Warn, with hint. It is empty for any
// other value.
func (g *Gauge) Warning(value float64) string {
	if !(g.Warn > 0 && value > g.Warn) {
		return ""
	}
	text := fmt.Sprintf("%s reached %s, above %g", g.Key, strings.TrimSpace(fmt.Sprintf("%.6g %s", value, g.Unit)), g.Warn)
	if g.Hint != "" {
		text += ": " + g.Hint
	}
	if g.Accept != "" {
		text += fmt.Sprintf(" (accept: [%s] if it is meant)", g.Accept)
	}
	return text
}

// Jacobian is how outputs of an equilibrium answer small changes of inputs: Values[i][k] is the
// change of output i by one unit of input k, in units of output i by units of input k.
type Jacobian struct {
	Outputs     []string    `json:"outputs"`
	OutputUnits []string    `json:"output_units"`
	Inputs      []string    `json:"inputs"`
	InputUnits  []string    `json:"input_units"`
	Values      [][]float64 `json:"values"`
	// Inexact is the relative change of a column at which round-off ended its iteration; 0: below 1e-13. How the equations
	// change with the base, magnets and numbers, and with states, is taken by differences, which add some 1e-7.
	Inexact float64 `json:"inexact"`
}

// Varied is a number of a robot by which a derivative is taken: models of two robots, in which it is less and
// more by the same, and which are the robot itself otherwise. The derivative moves both, and puts them back.
type Varied struct {
	Name, Unit   string
	Lower, Upper Model
	Difference   float64 // by how much the number differs between the two
}

// Differentiable is a model that may have derivatives. They leave its state unchanged.
type Differentiable interface {
	// HasDerivatives reports whether the model has derivatives; if not, the other methods fail.
	HasDerivatives() bool
	// Jacobian finds the equilibrium under the present commands, from the present shape, and its
	// derivative, also by numbers of the robot.
	Jacobian(by ...Varied) (*Jacobian, error)
	// Tangent is the same derivative at the present shape, in motion too: how the robot would follow slow
	// changes if what is out of balance kept acting as it does. In an equilibrium it is Jacobian.
	Tangent() (*Jacobian, error)
}

// Stability says what an equilibrium does when it is disturbed a little.
type Stability struct {
	IsStable  bool
	IsNeutral bool // a motion away meets no resistance: where along it the shape is, round-off decides
	// Description says so in words, with the mode that decides it: stable, neutral, unstable.
	Description string
}

// StabilityAnalyser is a model whose equilibria have a stability.
type StabilityAnalyser interface {
	// Stability is that of the present shape, which is an equilibrium, under the present commands. It leaves the state as it was. The
	// error is that of a model without such an analysis.
	Stability() (Stability, error)
	// IsClearlyStable reports whether the shape is stable and far from neutral, at the cost of one tangent; where it does not, Stability
	// decides. It leaves the state as it was.
	IsClearlyStable() bool
}

// StepErrorEstimator is a model that estimates the error of its shape that the length of its steps causes.
type StepErrorEstimator interface {
	// BeginStepError starts an estimate of what the steps from now on add, which is no part of the state. The error is that of a model
	// without estimates.
	BeginStepError() error
	// StepError is what the steps since BeginStepError have added, over the length of the robot.
	StepError() float64
	// Impacts is the number of steps since BeginStepError with an impact, whose own error the estimates leave out.
	Impacts() int
	// TimeError is the estimate of the whole error since the last equilibrium or reset, over the length of the robot; coming to rest keeps it.
	TimeError() float64
}

// PathPoint is a point of a path of equilibria under growing loads.
type PathPoint struct {
	Load     float64   // share of the loads: weight, forces, tensions, pulls, efforts and field
	Outputs  []float64 // in the order of PathOutputs
	Unstable int       // number of modes that grow; of loads without a potential 1 for any
	Event    string    // a limit point, a bifurcation or the onset of flutter; "" elsewhere
}

// PathFollower is a model whose equilibria can be followed.
type PathFollower interface {
	// PathOutputs names the outputs of points: position (m) and quaternion x, y, z, w of the tip, or of all links, world axes, and
	// coordinates of joints (rad or m).
	PathOutputs() []string
	// FollowPath visits the equilibria from the unloaded robot on as the loads grow to what they are under the present commands,
	// by continuation in arc length. It leaves the state as it was.
	FollowPath(visit func(*PathPoint) error) error
}
