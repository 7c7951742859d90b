package continuum

import (
	"sinew/pkg/sim"
	"sinew/pkg/sim/continuum/force"
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
	// NodeTwist is the velocity of node i = 0 … elements and the angular velocity
	// of the cross-section there, world axes.
	NodeTwist(i int) spatial.Twist
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
	Tension(k int, d force.Setpoint) float64
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

// inputs are all that acts on a robot during a step, besides gravity.
type inputs struct {
	Time      float64          // at the start of the step, s
	Setpoints []force.Setpoint // one per tendon
	Coupling  *drive.Coupling  // of tendons that give way to one another; nil: none do
	Tip       force.TipWrench
	Loads     []force.PointLoad // the loads that act now
}
