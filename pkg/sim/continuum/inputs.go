package continuum

import (
	"sinew/pkg/sim/drive"
	"sinew/pkg/sim/spatial"
)

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
