package continuum

import (
	"errors"
	"fmt"
	"math"

	"sinew/pkg/sim/contact"
	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/rod/strain"
)

// Errors, in the sense of errors.Is, of robots that a method cannot do.
var (
	// ErrNoEquilibrium: the state that initial_state equilibrium asks for was not
	// found; the errors behind it say why.
	ErrNoEquilibrium = errors.New("no equilibrium")
	// ErrNotInReference: PyElastica 0.3.2 with TendonForces has no such thing, or
	// mishandles it.
	ErrNotInReference = errors.New("method reference cannot reproduce this")
	// ErrNotInExplicit: the explicit method has no such thing.
	ErrNotInExplicit = errors.New("method explicit has no such thing")
	// ErrNoJacobian: only method implicit knows the derivative of its equilibria.
	ErrNoJacobian = errors.New("the derivative of an equilibrium is for method implicit")
	// ErrNotInImplicit: the implicit method has no such thing.
	ErrNotInImplicit = errors.New("method implicit has no such thing")
)

// StepTooLargeError is the error of a time step above the stability limit.
type StepTooLargeError struct {
	Step, Limit float64 // s
	Method      string
}

func (e *StepTooLargeError) Error() string {
	return fmt.Sprintf("step_s %.6g s is above the stability limit %.6g s of method %s for this rod; use step_s %.3g s or less",
		e.Step, e.Limit, e.Method, roundDown(e.Limit))
}

// roundDown returns x > 0 with three significant digits, none larger.
func roundDown(x float64) float64 {
	unit := math.Pow(10, math.Floor(math.Log10(x))-2)
	return math.Floor(x/unit) * unit
}

// UnstableError is the error of a step that gave a number that is not finite.
// The step leaves the state as it was.
type UnstableError struct {
	Time float64 // start of the step, s
	Node int     // the first one concerned, 0 at the base
}

func (e *UnstableError) Error() string {
	return fmt.Sprintf("the solution is no longer finite at t = %.6g s, node %d; use a smaller step_s, more damping or slower tension changes",
		e.Time, e.Node)
}

// Errors, in the sense of errors.Is, of a search for equilibrium, besides those
// of package integrate. The error is an *EquilibriumError.
var (
	// ErrUnstableEquilibrium: the rod is in balance but would leave this shape.
	ErrUnstableEquilibrium = errors.New("the equilibrium is unstable")
	// ErrBuckledBetweenDisks: the tendons press so hard that the rod buckles
	// between two disks.
	ErrBuckledBetweenDisks = errors.New("the rod buckles between two disks")
)

// EquilibriumError is the error of a search for equilibrium.
type EquilibriumError struct {
	Cause          error
	Load           float64 // share of the load that could not be borne
	Iterations     int
	Residual       float64    // N
	ArcLength      float64    // of the node that is farthest out of balance, m
	Negative       int        // number of negative eigenvalues of the stiffness
	EulerLoadRatio float64    // largest total tension in a gap between disks over the Euler load of the rod there
	Gap            [2]float64 // arc lengths of the ends of that gap, m
}

func (e *EquilibriumError) Error() string {
	s := fmt.Sprintf("%v at %.3g of the load: %d iterations, %.3g N out of balance, most of it at %.4g m, %d negative eigenvalues", e.Cause, e.Load, e.Iterations, e.Residual, e.ArcLength, e.Negative)
	if e.EulerLoadRatio > 0 {
		s += fmt.Sprintf("; total tension at most %.3g of the Euler load, between %.4g and %.4g m", e.EulerLoadRatio, e.Gap[0], e.Gap[1])
	}
	switch {
	case errors.Is(e.Cause, ErrBuckledBetweenDisks):
		s += "; use less tension or more disks"
	case errors.Is(e.Cause, integrate.ErrNotConverged):
		s += "; use smaller loads, or dynamics with damping"
	}
	return s
}

func (e *EquilibriumError) Unwrap() error { return e.Cause }

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
	e := &NotConvergedError{Time: time, Step: dt, Increment: i.size}
	e.Node, e.Residual = i.worst()
	e.ArcLength = i.linear.arcLengths[e.Node]
	return e
}

// worst returns the node that is farthest out of balance, and by how much, N: moments count on the length of an
// element.
func (i *iterate) worst() (node int, residual float64) {
	l := i.linear.elementLength
	for n := range i.linear.nodes.Wrench[1:] {
		w := &i.linear.nodes.Wrench[n+1]
		if f := math.Hypot(w.Force.Norm(), w.Moment.Norm()/l); f > residual {
			node, residual = n+1, f
		}
	}
	return node, residual
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
