package mechanism

import (
	"fmt"

	"sinew/pkg/sim/spatial"
)

// NotConvergedError is the error of a step whose iterations do not converge, also in parts.
type NotConvergedError struct {
	Link            string // whose last increment was the largest
	Iterations      int
	Shift, Rotation float64 // its last increment, m and rad
}

func (e *NotConvergedError) Error() string {
	return fmt.Sprintf("mechanism: the step does not converge: the last of %d increments moves %q by %.3g m and %.3g rad; use a smaller solver.step_s, or slower commands", e.Iterations, e.Link, e.Shift, e.Rotation)
}

// OverlapError is the error of two links, or a link and a wall, that penetrate each other so much at t = 0 that contact would push
// them apart on the wrong side.
type OverlapError struct {
	A, B        string
	Depth, Most float64     // m
	At          spatial.Vec // world axes, m
}

func (e *OverlapError) Error() string {
	return fmt.Sprintf("mechanism: %q and %q overlap by %.3g m at t = 0 at [%.4g, %.4g, %.4g] m, allowed %.3g m; move them apart, or ignore the pair", e.A, e.B, e.Depth, e.At.X, e.At.Y, e.At.Z, e.Most)
}

// ContradictionError is the error of a joint whose constraints contradict those of other joints, motors or stops.
type ContradictionError struct {
	Joint string
	By    float64 // how far off it is: m or rad of a coordinate, else in parts of the length of the mechanism or in rad

	size       float64 // length of the mechanism, m
	coordinate int     // from 0; -1: the joint is open
	at         float64 // the coordinate
	unit       string  // of the coordinate, SI
	allowed    float64 // of By, for a coordinate
	what       lawKind // that holds the coordinate
}

func (e *ContradictionError) Error() string {
	if e.coordinate < 0 {
		return fmt.Sprintf("mechanism: joint %q stays open by %.3g (in rad, or in the mechanism's length of %.3g m), allowed %g: other joints, motors or stops contradict it; change the command or remove one of them", e.Joint, e.By, e.size, contradiction)
	}
	return fmt.Sprintf("mechanism: joint %q: coordinate %d is %.6g %s and %.3g %s from where its %s holds it, allowed %.3g: other joints, motors or stops contradict it; change the command or remove one of them", e.Joint, e.coordinate+1, e.at, e.unit, e.By, e.unit, e.what, e.allowed)
}
