package mechanism

import (
	"errors"
	"slices"

	"sinew/pkg/sim/spatial"
)

// Input is something outside that a mechanism answers: a command, or the place of a body that does not move by itself.
type Input struct {
	// Set makes the input more by the given amount than it is, with the methods of World.
	Set func(more float64)
	// Difference is between the two values of the input at which the equations are taken, around that which it has.
	Difference float64
}

// Sensitivity is how an equilibrium answers a small change of an input, per unit of it.
type Sensitivity struct {
	Ends        []spatial.Twist // of the ends of rods: translation, m, and rotation vector, rad, world axes
	Bodies      []spatial.Twist // of the origins of bodies
	Coordinates [][]float64     // of joints, m or rad
}

const (
	// shiftCorrections are the solutions after the first that take what the shift of the tangent holds back for a load, each of which
	// leaves of its error the part that the shift has in the stiffness.
	shiftCorrections = 3
	// SensitivityError is what the compliance of rows leaves of joints to sensitivities, in parts of the largest.
	SensitivityError = 10 * staticCompliance
)

// ErrNoSensitivity is the error of a shape that is no stable equilibrium, of which there is no derivative.
var ErrNoSensitivity = errors.New("mechanism: the shape is no stable equilibrium, so it has no derivative")

// Sensitivities returns how the present shape answers inputs, by the implicit function theorem: the equations are
// taken at both values of an input with all links where they are, and what the input changes is solved for with the tangent. What is
// out of balance keeps acting as it does. Stops, friction and largest efforts that act go on acting. The state stays as it was.
func (w *World) Sensitivities(inputs []Input) ([]Sensitivity, error) {
	saved := make([]float64, w.StateLen())
	w.Save(saved)
	defer w.Restore(saved)
	w.rowCompliance = staticCompliance
	defer func() { w.rowCompliance = compliance }()
	w.scaleNodes()
	closed := slices.Repeat([]spatial.Pose{spatial.IdentityPose()}, len(w.connections))
	equations := func() {
		w.setPath(1, 1, closed)
		w.beginContacts(0)
		for _, c := range w.connections {
			c.laws.prescribe(c.command)
		}
		w.assemble()
		w.addPenalty()
	}
	all, rights := make([]Sensitivity, len(inputs)), make([][]spatial.Vec6, len(inputs))
	for i := range inputs {
		in := &inputs[i]
		in.Set(in.Difference / 2)
		equations()
		right, upper := slices.Clone(w.right), w.outputs()
		w.Restore(saved)
		in.Set(-in.Difference / 2)
		equations()
		for k := range right {
			for r := range right[k] {
				right[k][r] = (right[k][r] - w.right[k][r]) / in.Difference
			}
		}
		rights[i], all[i] = right, upper.less(w.outputs(), in.Difference)
		w.Restore(saved)
	}
	equations()
	if !w.factorShifted(leastShift) {
		return nil, ErrNoSensitivity
	}
	for i := range inputs {
		copy(w.right, rights[i])
		w.solveAgain()
		for range shiftCorrections {
			copy(w.right, rights[i])
			for k, scale := range w.scale {
				x := &w.increment[k]
				addWrench(&w.right[k], x.Linear().Scale(w.lastShift*scale.linear), x.Angular().Scale(w.lastShift*scale.angular))
			}
			w.solveAgain()
		}
		w.addResponse(&all[i])
	}
	return all, nil
}

// prescribe gives prescribed coordinates their commands.
func (l *laws) prescribe(commands []float64) {
	for i := range l.list {
		if o := &l.list[i]; o.kind == prescribedLaw {
			o.anchor = commands[o.coordinate]
		}
	}
}

// outputs are poses and coordinates.
type outputs struct {
	bodies      []spatial.Pose
	coordinates [][]float64
}

func (w *World) outputs() (o outputs) {
	for _, b := range w.bodies[:len(w.bodies)-len(w.walls)] {
		o.bodies = append(o.bodies, b.pose)
	}
	for _, c := range w.connections {
		q := make([]float64, len(c.coordinate))
		for k := range q {
			q[k] = c.geometry.Coordinate(k, &c.relative, c.coordinate[k])
		}
		o.coordinates = append(o.coordinates, q)
	}
	return o
}

// less is what an input itself moves, with all links that it does not place where they are, per unit.
func (o outputs) less(other outputs, difference float64) (s Sensitivity) {
	for i, g := range o.bodies {
		h := &other.bodies[i]
		s.Bodies = append(s.Bodies, spatial.Twist{Linear: g.P.Sub(h.P).Scale(1 / difference), Angular: g.R.MulT(h.R).Log().Scale(1 / difference)})
	}
	for i, q := range o.coordinates {
		for k := range q {
			q[k] = (q[k] - other.coordinates[i][k]) / difference
		}
		s.Coordinates = append(s.Coordinates, q)
	}
	return s
}

// addResponse adds what the increment moves.
func (w *World) addResponse(s *Sensitivity) {
	moved := func(node int) spatial.Twist {
		x, turn := &w.increment[node], w.pose[node].R
		return spatial.Twist{Linear: turn.Apply(x.Linear()), Angular: turn.Apply(x.Angular())}
	}
	for _, l := range w.rods {
		s.Ends = append(s.Ends, moved(l.firstNode()+l.nodeCount()-1))
	}
	for i, b := range w.bodies {
		if b.node >= 0 {
			s.Bodies[i] = moved(b.node)
		}
	}
	for i, c := range w.connections {
		for k := range s.Coordinates[i] {
			parent, child := c.geometry.Gradient(k, &c.relative)
			for _, side := range [...]struct {
				*side
				gradient *spatial.Vec6
			}{{&c.parent, &parent}, {&c.child, &child}} {
				if side.node >= 0 {
					onNode := side.onNode(side.gradient)
					s.Coordinates[i][k] += dot(&onNode, &w.increment[side.node])
				}
			}
		}
	}
}

// PlaceBody puts body i, which is fixed, at a pose, at rest.
func (w *World) PlaceBody(i int, to spatial.Pose) {
	if b := w.bodies[i]; b.IsFixed {
		b.pose, b.target, b.velocity, b.omega, b.before = to, to, spatial.Vec{}, spatial.Vec{}, level{}
		w.placeSides(b)
		w.placeFixed()
	}
}
