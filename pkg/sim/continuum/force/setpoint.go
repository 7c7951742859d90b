package force

import "sinew/pkg/sim/spatial"

// Setpoint is the command of one tendon.
type Setpoint struct {
	Mode ControlMode
	// Tension is the tension at the base, N, under tension control.
	Tension float64
	// Pull is by how much the motor has shortened the tendon, m, under length
	// control: T = k (L − (L0 − Pull)) between MinTension and MaxTension, with k the
	// stiffness and L0 the routed length of the stress-free rod.
	Pull float64
}

// ControlMode says what of a tendon is commanded.
type ControlMode uint8

// The control modes.
const (
	TensionControl ControlMode = iota
	LengthControl
)

// Axes says in which axes a load keeps its direction.
type Axes uint8

// The axes of a load.
const (
	WorldAxes Axes = iota // a dead load
	BodyAxes              // a follower load
)

// TipWrench acts at the end of the rod, its moment about the last node, N and N m.
type TipWrench struct {
	spatial.Wrench
	Axes Axes
}

// PointLoad is a concentrated wrench on the centreline, N and N m.
type PointLoad struct {
	At float64 // arc length, m
	spatial.Wrench
	Axes  Axes
	Until float64 // s; the load acts in steps that start before
}

// TipWrenchLen is the number of values of a TipWrench on a port and in a saved state.
const TipWrenchLen = 7

// Put writes the wrench as a port of kind Wrench with several frames does.
func (w *TipWrench) Put(dst []float64) {
	w.Force.Put(dst)
	w.Moment.Put(dst[3:])
	dst[6] = float64(w.Axes)
}

// Set reads what Put wrote.
func (w *TipWrench) Set(src []float64) {
	w.Force = spatial.VecAt(src)
	w.Moment = spatial.VecAt(src[3:])
	w.Axes = Axes(src[6])
}
