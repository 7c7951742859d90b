package continuum

import (
	"fmt"
	"math"

	"sinew/pkg/sim/contact"
	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/rod/strain"
)

// NotConvergedError is the error of a step of method implicit whose equations could
// not be solved, not in parts either. The state is that of before the step.
type NotConvergedError struct {
	Time, Step float64 // s, start and length of the smallest part
	Node       int     // that is farthest out of balance, 0 at the base
	ArcLength  float64 // of that node, m
	Residual   float64 // force there, moments counted on the length of an element, N
	Increment  float64 // rad, or relative stretch, of the last iteration
}

func (e *NotConvergedError) Error() string {
	return fmt.Sprintf("no convergence at t = %.6g s, not in parts of %.3g s either: node %d (%.4g m) is %.3g N out of balance, the last increment is %.3g rad; use slower commands, more damping or a smaller step_s",
		e.Time, e.Step, e.Node, e.ArcLength, e.Residual, e.Increment)
}

// Unwrap returns integrate.ErrNotConverged.
func (e *NotConvergedError) Unwrap() error { return integrate.ErrNotConverged }

// DisksMeetError is the error of a shape in which two disks touch at the hole of a
// tendon or have passed through one another, of which the model knows nothing.
type DisksMeetError struct {
	Time      float64    // s
	Tendon    string     // in whose hole they meet
	ArcLength [2]float64 // of the disks, m; 0 is the base plate
	Ratio     float64    // of their distance there to that in the stress-free rod
}

func (e *DisksMeetError) Error() string {
	return fmt.Sprintf("the disks at %.4g m and %.4g m meet in the hole of tendon %s at t = %.6g s: their distance there is %.2g of that of the straight rod, allowed: above %g; use less tension or pull, or disks nearer to the rod",
		e.ArcLength[0], e.ArcLength[1], e.Tendon, e.Time, e.Ratio, leastApproach)
}

// CoarseMeshError is the error of an element that bends or twists by more than one
// element can.
type CoarseMeshError struct {
	Time    float64 // s
	Element int     // 0 at the base
	Angle   float64 // rad
}

func (e *CoarseMeshError) Error() string {
	return fmt.Sprintf("element %d turns by %.3g rad at t = %.6g s, allowed: at most %g; use more elements", e.Element, e.Angle, e.Time, mostTurn)
}

// CableError is the error of a tendon under length control that is longer than its
// tension makes it, or shorter.
type CableError struct {
	Time      float64 // s
	Tendon    string
	Violation float64 // by which it is too long, m; negative: too short
	Allowed   float64 // m
	Tension   float64 // N
}

func (e *CableError) Error() string {
	excess := "long"
	if e.Violation < 0 {
		excess = "short"
	}
	return fmt.Sprintf("tendon %s is %.3g m too %s for its tension of %.4g N at t = %.6g s, allowed: %.3g m; use slower pulls, a smaller step_s, or tendons that do not pull against one another",
		e.Tendon, math.Abs(e.Violation), excess, e.Tension, e.Time, e.Allowed)
}

const (
	// mostViolation is the share of the length of the robot by which a tendon under length
	// control may be off. The last increment of an iteration leaves 1e-9 at the most.
	mostViolation = 1e-6
	// leastApproach is the share of their distance that two disks keep at each hole.
	leastApproach = 0.02
	// mostTurn is the angle (rad) between the ends of an element: its strain is unique
	// up to π only.
	mostTurn = 3.0
)

// notConverged makes the error of the present iterate in a step of dt seconds. A rod that is pushed
// into the back of a wall is the cause, if it is.
func (i *iterate) notConverged(dt, time float64) error {
	if i.contacts != nil {
		if err := i.contacts.CheckCarried(i.rod, time); err != nil {
			return err
		}
	}
	l := i.linear.elementLength
	e := &NotConvergedError{Time: time, Step: dt}
	for n := range i.linear.nodes.Wrench[1:] {
		w := &i.linear.nodes.Wrench[n+1]
		if f := math.Hypot(w.Force.Norm(), w.Moment.Norm()/l); f > e.Residual {
			e.Node, e.Residual = n+1, f
		}
	}
	e.ArcLength, e.Increment = i.linear.arcLengths[e.Node], i.size
	return e
}

// refuse refuses an iterate that is no solution, or a shape of which the model knows
// nothing.
func (i *iterate) refuse(time float64) error {
	return i.refuseBut(time, (*contact.Contacts).CheckInside)
}

// refuseBut is refuse with a check of its own against walls.
func (i *iterate) refuseBut(time float64, walls func(*contact.Contacts, *strain.State, float64) error) error {
	if err := i.unheld(time); err != nil {
		return err
	}
	if err := i.overwhelmed(time); err != nil {
		return err
	}
	if i.contacts != nil {
		if err := i.contacts.CheckRoom(); err != nil {
			return err
		}
		if err := walls(i.contacts, i.rod, time); err != nil {
			return err
		}
	}
	return i.beyond(time)
}

// unheld refuses an iterate at which the constraint of a cable does not hold.
func (i *iterate) unheld(time float64) error {
	t := i.tendons
	k, v := t.worst()
	if allowed := mostViolation * i.linear.length; !(math.Abs(v) <= allowed) {
		return &CableError{Time: time, Tendon: t.actuators[k].name, Violation: v, Allowed: allowed, Tension: t.tensions[k]}
	}
	return nil
}

// beyond refuses a shape of which the model knows nothing.
func (i *iterate) beyond(time float64) error {
	if a := i.tendons.bundle.Closest(i.rod.Pose); a.Ratio < leastApproach {
		at := i.linear.arcLengths
		return &DisksMeetError{
			Time: time, Tendon: i.tendons.actuators[a.Tendon].name, Ratio: a.Ratio,
			ArcLength: [2]float64{at[a.Nodes[0]], at[a.Nodes[1]]},
		}
	}
	for e := range i.rod.Strain {
		if a := i.rod.Strain[e].Angular.Norm2(); a > mostTurn*mostTurn {
			return &CoarseMeshError{Time: time, Element: e, Angle: math.Sqrt(a)}
		}
	}
	return nil
}
