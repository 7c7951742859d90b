package continuum

import (
	"sinew/pkg/sim"
	"sinew/pkg/sim/drive"
	"sinew/pkg/sim/spatial"
)

// engine is the state of a robot's rod and tendons, stepped by one method. All
// methods but Equilibrate run without allocating.
type engine interface {
	// Reset makes the state stress-free and at rest.
	Reset()
	// Equilibrate makes the state the equilibrium under in, at rest.
	Equilibrate(in *inputs) error
	// Step advances the state by dt seconds under in, which holds throughout. It
	// fails with an *UnstableError or another error that says when and where, and
	// then leaves the state as it was.
	Step(dt float64, in *inputs) error
	// Rest stops the rod where it is.
	Rest()

	// NodePose is the pose of the cross-section at node i = 0 … elements.
	NodePose(i int) spatial.Pose
	// TipTwist is the velocity of the last node and the angular velocity of the
	// cross-section there, world axes.
	TipTwist() spatial.Twist
	// BaseWrench is the wrench, about the base origin and in base axes, that the
	// base exerts on the robot: by the clamp on the rod and by the motors, which
	// belong to the base, on the tendons. It is the present state's under in.
	BaseWrench(in *inputs) spatial.Wrench
	// Tendon is the routed length of tendon k from the hole in the base plate to
	// its last disk (m), and how fast that grows (m/s).
	Tendon(k int) (length, rate float64)
	// RestLength is the routed length of tendon k in the stress-free rod, m.
	RestLength(k int) float64
	// Tension is the present tension of tendon k at the base under setpoint d, N.
	Tension(k int, d setpoint) float64
	// Energy is the kinetic energy of rod and disks and the elastic energy of the
	// rod, J.
	Energy() (kinetic, elastic float64)
	// MaxStrain is the largest strain anywhere in the rod: of shear, stretch,
	// bending and torsion at the surface.
	MaxStrain() float64

	// Gauges lists what Measure writes to dst, beyond what every model measures.
	Gauges() []sim.Gauge
	Measure(dst []float64)

	// StateLen, Save and Restore are as in sim.Model, of the state alone.
	// Restore is given finite values only.
	StateLen() int
	Save(dst []float64)
	Restore(src []float64)
}

// mover is an engine whose base plate can move.
type mover interface {
	// MoveBase makes to the pose of the base at the end of the next step. Before
	// the first call the base stands still.
	MoveBase(to spatial.Pose)
}

// neighbour is an engine that finds its equilibrium from that of a robot nearby.
type neighbour interface {
	// Lead makes the engine keep the tangent of every equilibrium that it finds.
	Lead()
	// EquilibrateBeside makes the state the equilibrium under in, at rest, from the one that
	// leader, under the same commands, has found last. It fails where that does not lead there,
	// and then leaves any state.
	EquilibrateBeside(leader engine, in *inputs) error
	// FollowBeside takes what differs between both robots to first order: it makes the state the shape of the leader and, times
	// how much differs, its derivative. It fails where there is none, and then leaves any state.
	FollowBeside(leader engine, in *inputs) error
}

// inputs are all that acts on a robot during a step, besides gravity.
type inputs struct {
	Time      float64         // at the start of the step, s
	Start     float64         // of the step as a whole, of which this one may be a part, s
	Setpoints []setpoint      // one per tendon
	Coupling  *drive.Coupling // of tendons that give way to one another; nil: none do
	Tip       tipWrench
	Loads     []load // the loads that act now
}

// setpoint is what is wanted of one tendon.
type setpoint struct {
	Mode controlMode
	// Tension is the tension at the base, N, under tension control.
	Tension float64
	// Pull is by how much the motor has shortened the tendon, m, under length
	// control: T = max(0, k (L − (L0 − Pull))), with k the stiffness and L0 the
	// routed length of the stress-free rod.
	Pull float64
}

type controlMode uint8

const (
	tensionControl controlMode = iota
	lengthControl
)

// axes says in which axes a load keeps its direction.
type axes uint8

const (
	worldAxes axes = iota // a dead load
	bodyAxes              // a follower load
)

// tipWrench acts at the end of the rod, its moment about the last node.
type tipWrench struct {
	spatial.Wrench
	Axes axes
}

// load is a concentrated wrench on the centreline.
type load struct {
	At float64 // arc length, m
	spatial.Wrench
	Axes  axes
	Until float64 // s; the load acts in steps that start before
}

// wrenchLen is the number of values of a tipWrench on a port and in a saved state.
const wrenchLen = 7

// put writes the wrench as a port of kind Wrench with several frames does.
func (w *tipWrench) put(dst []float64) {
	w.Force.Put(dst)
	w.Moment.Put(dst[3:])
	dst[6] = float64(w.Axes)
}

// take reads what put wrote.
func (w *tipWrench) take(src []float64) {
	w.Force = spatial.VecAt(src)
	w.Moment = spatial.VecAt(src[3:])
	w.Axes = axes(src[6])
}
