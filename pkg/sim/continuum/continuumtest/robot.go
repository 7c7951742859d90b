package continuumtest

import (
	"testing"

	"sinew/pkg/sim/continuum"
	"sinew/pkg/sim/continuum/force"
	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/spatial"
)

// Robot is a model of method implicit with its parts. Its steps and equilibria are those of the solver, under Inputs: they leave the
// ports, the clock and the drives of the model alone.
type Robot struct {
	*continuum.Model
	continuum.Parts
}

// Inputs are all that acts on a Robot, besides gravity.
type Inputs struct {
	Time      float64          // at the start of the step, s
	Setpoints []force.Setpoint // one per tendon
	Tip       force.TipWrench
	Loads     []force.PointLoad
}

// New makes the robot of a robot file.
func New(t testing.TB, f *robotfile.Continuum) *Robot {
	t.Helper()
	m, err := continuum.New(f)
	if err != nil {
		t.Fatal(err)
	}
	return Of(t, m)
}

// Parse makes a robot file of its text.
func Parse(t testing.TB, text string) *robotfile.Continuum {
	t.Helper()
	f, err := robotfile.Parse[robotfile.Continuum]("robot.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// Of returns the robot of a model.
func Of(t testing.TB, m *continuum.Model) *Robot {
	t.Helper()
	parts, ok := m.Parts()
	if !ok {
		t.Fatal("the model is not of method implicit")
	}
	return &Robot{m, parts}
}

// Pulling are inputs of tension control.
func Pulling(tensions ...float64) *Inputs {
	in := &Inputs{}
	for _, t := range tensions {
		in.Setpoints = append(in.Setpoints, force.Setpoint{Tension: t})
	}
	return in
}

// ControlLength puts tendon k under length control with a pull, m.
func (in *Inputs) ControlLength(k int, pull float64) {
	in.Setpoints[k] = force.Setpoint{Mode: force.LengthControl, Pull: pull}
}

// Command hands inputs to the elements of the robot.
func (r *Robot) Command(in *Inputs) {
	r.Loads.Tip, r.Loads.Points = in.Tip, in.Loads
	r.Tendons.SetCommands(in.Setpoints, nil)
}

// Step advances the robot by dt seconds.
func (r *Robot) Step(dt float64, in *Inputs) error {
	r.Command(in)
	return r.Stepper.Step(in.Time, dt)
}

// NodePose is the pose of the cross-section at a node.
func (r *Robot) NodePose(i int) spatial.Pose { return r.System.Rod.Pose[i] }

// State is the state of rod and elements.
func (r *Robot) State() []float64 {
	s := make([]float64, r.Stepper.StateLen())
	r.Stepper.Save(s)
	return s
}
