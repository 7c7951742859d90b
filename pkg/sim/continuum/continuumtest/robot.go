package continuumtest

import (
	"slices"
	"testing"

	"sinew/pkg/sim"
	"sinew/pkg/sim/continuum"
	"sinew/pkg/sim/continuum/force"
	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/spatial"
)

// Robot is a model of method implicit with its parts. Step and Equilibrate command it by its ports.
type Robot struct {
	*continuum.Model
	continuum.Parts

	servoJF, servoJP, externalWrench, basePose, measuredCF int // ports, −1: none

	initial           []float64 // state
	tensions, lengths []float64 // scratch
}

// Inputs are what is commanded: the setpoints of the tendons and the wrench on the tip.
type Inputs struct {
	Setpoints []force.Setpoint // one per tendon
	Tip       force.TipWrench
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
	port := func(name string) int {
		return slices.IndexFunc(m.Ports(), func(p sim.Port) bool { return p.Name == name })
	}
	r := &Robot{
		Model: m, Parts: parts,
		servoJF: port("servo_jf"), servoJP: port("servo_jp"), externalWrench: port("external_wrench"), basePose: port("base_pose"), measuredCF: port("measured_cf"),
	}
	n := len(parts.Tendons.Multipliers())
	r.tensions, r.lengths = make([]float64, n), make([]float64, n)
	r.initial = make([]float64, m.StateLen())
	m.Save(r.initial)
	return r
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

// Command commands inputs. Tendons are under length control only where all of them have a stiffness.
func (r *Robot) Command(in *Inputs) {
	lengths := false
	for k, d := range in.Setpoints {
		r.tensions[k], r.lengths[k] = d.Tension, sim.Keep
		if d.Mode == force.LengthControl {
			r.tensions[k], r.lengths[k] = sim.Keep, d.Pull
			lengths = true
		}
	}
	if len(in.Setpoints) > 0 {
		r.Model.Command(r.servoJF, r.tensions)
	}
	if lengths && r.servoJP < 0 {
		panic("length control of a robot whose tendons have no stiffness")
	} else if lengths {
		r.Model.Command(r.servoJP, r.lengths)
	}
	var tip [force.TipWrenchLen]float64
	in.Tip.Put(tip[:])
	r.Model.Command(r.externalWrench, tip[:])
}

// Act hands inputs to the elements, for who assembles equations without a step of the model.
func (r *Robot) Act(in *Inputs) {
	r.Loads.Tip = in.Tip
	r.Tendons.SetCommands(in.Setpoints, nil)
}

// Step advances the robot by dt seconds.
func (r *Robot) Step(dt float64, in *Inputs) error {
	r.Command(in)
	return r.Model.Step(dt)
}

// Equilibrate makes the state the equilibrium, at rest.
func (r *Robot) Equilibrate(in *Inputs) error {
	r.Command(in)
	return r.Model.Equilibrate()
}

// Reset makes the state that of a new model.
func (r *Robot) Reset() {
	if err := r.Model.Restore(r.initial); err != nil {
		panic(err)
	}
}

// MoveBase commands the pose of the base at the end of the next step, which is as long as a control period.
func (r *Robot) MoveBase(to spatial.Pose) {
	q := to.R.Quat()
	r.Model.Command(r.basePose, []float64{to.P.X, to.P.Y, to.P.Z, q.X, q.Y, q.Z, q.W})
}

// NodePose is the pose of the cross-section at a node.
func (r *Robot) NodePose(i int) spatial.Pose { return r.System.State.Pose[i] }

// Tip is the position of the last node, m.
func (r *Robot) Tip() []float64 { return Numbers(r.NodePose(r.System.Rod.Elements).P) }

// BaseWrench is the wrench of the base on the robot under inputs, base axes, N and N m.
func (r *Robot) BaseWrench(in *Inputs) spatial.Wrench {
	r.Command(in)
	var v [6]float64
	r.Model.Value(r.measuredCF, v[:])
	return spatial.Wrench{Force: spatial.VecAt(v[:]), Moment: spatial.VecAt(v[3:])}
}

// Tendon is the length of tendon k, m, and its rate, m/s.
func (r *Robot) Tendon(k int) (length, rate float64) { return r.Tendons.Length(k, r.System.State) }

// Tension is the tension of tendon k under a setpoint, N.
func (r *Robot) Tension(k int, d force.Setpoint) float64 { return r.Tendons.Tension(k, d) }

// Energy is that of the rod and the bodies on it, J.
func (r *Robot) Energy() (kinetic, elastic float64) { return r.System.State.Energy() }

// State is the state of the model.
func (r *Robot) State() []float64 {
	s := make([]float64, r.StateLen())
	r.Save(s)
	return s
}

// StepperState is the part of the state that the stepper has.
func (r *Robot) StepperState() []float64 {
	s := make([]float64, r.Stepper.StateLen())
	r.Stepper.Save(s)
	return s
}
