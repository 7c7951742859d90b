package mechanism

import (
	"errors"
	"fmt"
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

// Number is a number of a mechanism that it answers: two mechanisms in which it is less and more by half of the difference, and which are
// the mechanism itself otherwise. They answer with the commands that they have themselves.
type Number struct {
	Name         string
	Lower, Upper *World
	Difference   float64
}

// Sensitivity is how an equilibrium answers a small change of an input or a number, per unit of it.
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

// ErrNotComparable is the error of a number with which the unknowns of the mechanism change.
var ErrNotComparable = errors.New("with it the nodes, joints, tendons or contact pairs of the mechanism change, so it has no derivative; sweep two values of it")

// Sensitivities returns how the present shape answers inputs, and after them numbers, by the implicit function theorem: the equations are
// taken at both values of an input with all links where they are, and what the input changes is solved for with the tangent. What is
// out of balance keeps acting as it does. Stops, friction and largest efforts that act go on acting. The state stays as it was.
func (w *World) Sensitivities(inputs []Input, numbers []Number) ([]Sensitivity, error) {
	saved := make([]float64, w.StateLen())
	w.Save(saved)
	defer w.Restore(saved)
	w.rowCompliance = staticCompliance
	defer func() { w.rowCompliance = compliance }()
	w.scaleNodes()
	w.beginFrictionTangent()
	w.assembleAtRest()
	here := make([]float64, w.StateLen())
	w.Save(here)
	w.keepsShares = true
	defer func() { w.keepsShares = false }()
	var all []Sensitivity
	var rights [][]spatial.Vec6
	var rates [][][]spatial.Vec // of the segments of tendons, by inputs alone
	add := func(lower, upper *equationsAt, difference float64) {
		all, rights = append(all, upper.outputs.less(lower.outputs, difference)), append(rights, less(upper.right, lower.right, difference))
		rates = append(rates, chordRates(upper.chords, lower.chords, difference))
	}
	for i := range inputs {
		in := &inputs[i]
		in.Set(in.Difference / 2)
		upper := w.equationsHere()
		w.Restore(here)
		in.Set(-in.Difference / 2)
		lower := w.equationsHere()
		w.Restore(here)
		add(lower, upper, in.Difference)
	}
	for _, n := range numbers {
		if name := w.historyOf(); name != "" {
			return nil, fmt.Errorf("%s: the friction of tendon %q follows the motion before, so the equilibrium has no derivative by it; begin with initial_state: equilibrium under the same commands, or sweep two values of it", n.Name, name)
		}
		if !n.Lower.isComparable(w) || !n.Upper.isComparable(w) {
			return nil, fmt.Errorf("%s: %w", n.Name, ErrNotComparable)
		}
		add(n.Lower.equationsOf(w), n.Upper.equationsOf(w), n.Difference)
	}
	w.assembleAtRest()
	if !w.factorShifted(leastShift) {
		return nil, ErrNoSensitivity
	}
	friction, err := w.newWoodbury(w.solveUnshifted)
	if err != nil {
		return nil, err
	}
	for i := range all {
		friction.addInput(rights[i], rates[i])
		w.solveUnshifted(rights[i])
		friction.apply(w.increment)
		w.addResponse(&all[i])
	}
	return all, nil
}

// solveUnshifted sets increment to the solution for a right-hand side without the shift of the last factors.
func (w *World) solveUnshifted(right []spatial.Vec6) {
	copy(w.right, right)
	w.solveAgain()
	for range shiftCorrections {
		copy(w.right, right)
		for k, scale := range w.scale {
			x := &w.increment[k]
			addWrench(&w.right[k], x.Linear().Scale(w.lastShift*scale.linear), x.Angular().Scale(w.lastShift*scale.angular))
		}
		w.solveAgain()
	}
}

// IsEquilibrium reports whether the present state is at rest in an equilibrium under the present commands, but for round-off. It leaves
// the state as it was.
func (w *World) IsEquilibrium() bool {
	saved := make([]float64, w.StateLen())
	w.Save(saved)
	defer w.Restore(saved)
	for i := range w.pose {
		l := w.owner[i]
		if l.nodeVelocity(i-l.firstNode()) != (spatial.Vec6{}) {
			return false
		}
	}
	w.rowCompliance = staticCompliance
	defer func() { w.rowCompliance = compliance }()
	w.scaleNodes()
	w.beginFrictionTangent()
	w.assembleAtRest()
	if !w.factorShifted(leastShift) {
		return false
	}
	turn, shift := w.incrementSize()
	return max(turn, shift/w.size) < converged
}

// assembleAtRest assembles the equations of an equilibrium under the whole load.
func (w *World) assembleAtRest() {
	w.setPath(1, 1, slices.Repeat([]spatial.Pose{spatial.IdentityPose()}, len(w.connections)))
	w.beginContacts(0)
	if w.keepsShares {
		for _, t := range w.tendons {
			if t.capstan == capstanSticking {
				t.capstan = capstanHeld
			}
		}
	}
	for _, c := range w.connections {
		c.laws.prescribe(c.command)
	}
	w.assemble()
	w.addPenalty()
}

// equationsAt are the right-hand side of the equations of an equilibrium at a value of an input, and what the input itself moves.
type equationsAt struct {
	right   []spatial.Vec6
	outputs outputs
	chords  [][]spatial.Vec // of tendons
}

// equationsHere returns those of the present state.
func (w *World) equationsHere() *equationsAt {
	w.assembleAtRest()
	return &equationsAt{slices.Clone(w.right), w.outputs(), w.chords()}
}

// equationsOf returns those with the links and multipliers of another mechanism, and leaves the state as it was.
func (w *World) equationsOf(other *World) *equationsAt {
	saved := make([]float64, w.StateLen())
	w.Save(saved)
	defer w.Restore(saved)
	w.takeEquilibrium(other)
	return w.equationsHere()
}

// isComparable reports whether another mechanism has the same unknowns.
func (w *World) isComparable(other *World) bool {
	isSame := w != other && slices.Equal(w.unknowns, other.unknowns) && len(w.links) == len(other.links) &&
		len(w.connections) == len(other.connections) && len(w.tendons) == len(other.tendons) && slices.Equal(w.contacts.pairs, other.contacts.pairs)
	for i := 0; isSame && i < len(w.links); i++ {
		isSame = w.links[i].nodeCount() == other.links[i].nodeCount() && w.links[i].stateLen() == other.links[i].stateLen()
	}
	for i := 0; isSame && i < len(w.connections); i++ {
		isSame = w.connections[i].stateLen() == other.connections[i].stateLen()
	}
	for i := 0; isSame && i < len(w.tendons); i++ {
		isSame = w.tendons[i].stateLen() == other.tendons[i].stateLen()
	}
	return isSame
}

// takeEquilibrium takes links that move, multipliers and contacts from another mechanism with the same unknowns. Commands and fixed
// bodies stay.
func (w *World) takeEquilibrium(other *World) {
	values := make([]float64, other.StateLen())
	w.scale = other.scale
	for i, l := range w.links {
		if l.nodeCount() > 0 {
			other.links[i].save(values)
			l.restore(values, w.pose[l.firstNode():])
		}
	}
	for i, t := range w.tendons {
		tension, pulls, pull := t.Tension, t.pulls, t.pull
		other.tendons[i].save(values)
		t.restore(values)
		t.Tension, t.pulls, t.pull = tension, pulls, pull
	}
	for i, c := range w.connections {
		command := slices.Clone(c.command)
		other.connections[i].exchange(values, func(here, there *float64) { *there = *here })
		c.exchange(values, func(here, there *float64) { *here = *there })
		copy(c.command, command)
		c.update(w.pose)
	}
	other.contacts.save(values)
	w.restoreContacts(values)
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
