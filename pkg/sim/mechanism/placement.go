package mechanism

import (
	"fmt"
	"math"
	"slices"

	"sinew/pkg/sim/mechanism/joint"
	"sinew/pkg/sim/spatial"
)

// place finds the poses at t = 0 of links without one, along the joints from links that have one.
// A link without a pose and without such joints is at the origin.
func (w *World) place() error {
	for _, c := range w.connections {
		copy(c.coordinate, c.Position)
	}
	w.placeLinks()
	for _, c := range w.connections {
		if c.Position == nil {
			continue
		}
		c.relative = w.framePose(&c.Parent).Inv().Mul(w.framePose(&c.Child))
		for i, want := range c.Position {
			if got := c.geometry.Coordinate(i, &c.relative, want); math.Abs(got-want) > 1e-9 {
				return &PositionError{Joint: c.Name, Coordinate: i, Position: want, Posed: got, Unit: c.unitName(i)}
			}
		}
	}
	return nil
}

// placeLinks moves links without a pose to where the coordinates of joints have them.
func (w *World) placeLinks() {
	placed := map[string]bool{"": true}
	for _, r := range w.rods {
		placed[r.Name] = r.Start != nil
	}
	for _, b := range w.bodies {
		placed[b.Name] = b.Pose != nil
	}
	for w.placeNext(placed) {
	}
}

// PositionError is the error of a joint whose position contradicts the poses of its links.
type PositionError struct {
	Joint           string
	Coordinate      int     // from 0
	Position, Posed float64 // as given, and as the poses make it
	Unit            string  // of these, SI
}

func (e *PositionError) Error() string {
	return fmt.Sprintf("joint %q: position of coordinate %d is given as %.12g %s, but the poses of links and the joints of loops make it %.12g %s; remove or correct one of them", e.Joint, e.Coordinate+1, e.Position, e.Unit, e.Posed, e.Unit)
}

// placeNext places one more link, and reports whether there was one. A joint with a position comes
// before the others.
func (w *World) placeNext(placed map[string]bool) bool {
	for _, needsPosition := range [...]bool{true, false} {
		for _, c := range w.connections {
			if needsPosition && c.Position == nil || placed[c.Parent.Link] == placed[c.Child.Link] {
				continue
			}
			g := c.geometry.Place(c.coordinate)
			if placed[c.Parent.Link] {
				w.setPose(&c.Child, w.framePose(&c.Parent).Mul(g))
			} else {
				w.setPose(&c.Parent, w.framePose(&c.Child).Mul(g.Inv()))
			}
			placed[c.Parent.Link], placed[c.Child.Link] = true, true
			return true
		}
	}
	return false
}

// framePose returns the pose of a joint's frame on a link that has a pose.
func (w *World) framePose(s *JointSide) spatial.Pose {
	if s.Link == "" {
		return s.Frame
	}
	_, g := w.link(s.Link).section(s.At)
	return g.Mul(s.Frame)
}

// setPose moves a link so that a joint's frame on it has the pose g.
func (w *World) setPose(s *JointSide, g spatial.Pose) {
	w.link(s.Link).placeSection(s.At, g.Mul(s.Frame.Inv()))
}

// closed is the largest error of a closed joint, in parts of the length of the mechanism and in rad.
const closed = 1e-12

// closedStart is the largest error of a joint that counts as closed at t = 0 where links are elastic.
const closedStart = 1e-9

// closeLoops moves rigid links as little as possible, in the metric of their masses, until every loop of rigid links is
// closed. Given positions stay. Loops with rods close in Equilibrate, along a path whose points are open: rigid loops
// have equilibria only where they are closed.
func (w *World) closeLoops() error {
	if len(w.rods) == 0 {
		holds := w.positionHolds()
		err := w.closeJoints(holds)
		if err != nil && len(holds) > 0 && w.closeJoints(nil) == nil {
			err = nil // but not at the given positions
		}
		if err != nil {
			return err
		}
		return w.checkPositions()
	}
	w.closeRigidLoops()
	worst, _ := w.openings()
	w.isOpen = worst > closedStart
	w.readCoordinates()
	return nil
}

// closeRigidLoops closes the loops in which no rod can bend: of bodies, and of joints at one section of a rod. The other links
// are placed anew. Loops that do not close stay as they are, for Equilibrate to name.
func (w *World) closeRigidLoops() {
	if w.selectRigidLoops() {
		for _, l := range w.links {
			l.savePath()
		}
		hasClosed := w.closeJoints(w.positionHolds()) == nil
		for _, l := range w.links {
			if _, isRod := l.(*rodLink); isRod || !hasClosed {
				l.restorePath(w.pose[max(l.firstNode(), 0):])
			}
		}
		if hasClosed {
			for _, c := range w.connections {
				if !c.isOff {
					c.readCoordinates()
				}
			}
			w.placeLinks()
			w.newMatrix() // with the poses
		}
	}
	for _, c := range w.connections {
		c.isOff = false
	}
}

// selectRigidLoops turns off the rows of all joints but those of open rigid loops: cycles of joints without the length of a rod
// that only open joints break. It reports whether there is one.
func (w *World) selectRigidLoops() (isOpen bool) {
	for _, c := range w.connections {
		c.update(w.pose)
		c.isOff = !(c.opening(w.size) <= closedStart)
	}
	var open []*connection
	for _, c := range w.connections {
		if c.isOff && w.isRigidlyConnected(c) {
			open = append(open, c)
		}
	}
	for _, c := range open {
		c.isOff = false
	}
	for _, c := range w.connections {
		if !c.isOff && !w.isRigidlyConnected(c) {
			c.isOff = true
		}
	}
	return len(open) > 0
}

// isRigidlyConnected reports whether joints with rows other than c, without the length of a rod, connect its sides.
func (w *World) isRigidlyConnected(c *connection) bool {
	next := make([]int, len(w.pose)+1) // by node, of its cluster; the last is the world
	for i := range next {
		next[i] = i
	}
	root := func(s *side) int {
		node := s.node
		if node < 0 {
			node = len(w.pose)
		}
		for next[node] != node {
			node = next[node]
		}
		return node
	}
	for _, o := range w.connections {
		if o != c && !o.isOff {
			next[root(&o.child)] = root(&o.parent)
		}
	}
	return root(&c.child) == root(&c.parent)
}

// positionHolds returns holds at the given positions.
func (w *World) positionHolds() (holds []hold) {
	for _, c := range w.connections {
		if !c.isOff {
			for i, want := range c.Position {
				holds = append(holds, hold{c, i, want})
			}
		}
	}
	return holds
}

// closeJoints is Gauss–Newton on the rows. Coordinates that it moves past a stop are held there.
func (w *World) closeJoints(holds []hold) error {
	const most = 50
	for n := range most {
		worst, at := w.openings()
		if worst <= closed {
			passed := w.passedStops(holds)
			if n == 0 || len(passed) == 0 {
				return nil
			}
			holds = append(holds, passed...)
		}
		w.assembleMass()
		clear(w.right)
		for _, c := range w.connections {
			for k := range c.geometry.Size() {
				w.right[c.unknown][k] = -c.rows.Value[k]
			}
		}
		for i := range holds {
			w.addHold(&holds[i])
		}
		if !w.solve(1) {
			return fmt.Errorf("mechanism: joint %q does not close: the equations are singular while it is open by %.3g (in rad, or in the mechanism's length of %.3g m); give poses or positions nearer to where it closes", at.Name, worst, w.size)
		}
		turn, shift := w.incrementSize()
		w.move(min(1, 0.6/max(turn, shift/w.size)))
	}
	worst, at := w.openings()
	return fmt.Errorf("mechanism: joint %q does not close: it is open by %.3g (in rad, or in the mechanism's length of %.3g m) after %d iterations, allowed %g; give poses or positions nearer to where it closes", at.Name, worst, w.size, most, closed)
}

// hold is a coordinate that stays at a value, m or rad, while loops close.
type hold struct {
	*connection
	index int
	at    float64
}

// passedStops returns holds at the stops that coordinates without one are beyond.
func (w *World) passedStops(holds []hold) (passed []hold) {
	for _, c := range w.connections {
		if c.isOff {
			continue
		}
		for i, x := range c.Limits {
			q := c.geometry.Coordinate(i, &c.relative, c.coordinate[i])
			at, least := min(max(q, x.Min), x.Max), contradiction*w.unit(c, i)
			isHeld := slices.ContainsFunc(holds, func(h hold) bool { return h.connection == c && h.index == i })
			if math.Abs(q-at) > least && !isHeld {
				passed = append(passed, hold{c, i, at})
			}
		}
	}
	return passed
}

// addHold adds a spring that holds a coordinate, holding times as stiff as the masses.
func (w *World) addHold(h *hold) {
	const holding = 1e6
	c := h.connection
	var curvature joint.Curvature
	parent, child := c.geometry.Gradient(h.index, &c.relative)
	onParent, onChild := c.parent.onNode(&parent), c.child.onNode(&child)
	stiffness := holding / w.freeCompliance(c, &onParent, &onChild)
	w.addForce(c, stiffness*(h.at-c.geometry.Coordinate(h.index, &c.relative, h.at)), &onParent, &onChild)
	addOuter(&curvature.Parent, stiffness, &parent, &parent)
	addOuter(&curvature.ParentChild, stiffness, &parent, &child)
	addOuter(&curvature.Child, stiffness, &child, &child)
	c.addCurvature(w, &curvature)
}

// checkPositions reads the coordinates, and returns an error for a given position at which the loops do not close.
func (w *World) checkPositions() error {
	w.readCoordinates()
	for _, c := range w.connections {
		for i, want := range c.Position {
			if q := c.coordinate[i]; math.Abs(q-want) > contradiction*w.unit(c, i) {
				return &PositionError{Joint: c.Name, Coordinate: i, Position: want, Posed: q, Unit: c.unitName(i)}
			}
		}
	}
	return nil
}

// contradiction is the error of a joint or an active law, in parts of the length of the mechanism or in rad, above which
// the constraints contradict each other: convergence and the compliance of rows leave less.
const contradiction = 1e-7

// checkClosed computes all rows, and returns an error that names a joint which contradicts other joints, motors or stops.
func (w *World) checkClosed() error {
	if worst, at := w.openings(); worst > contradiction {
		return &ContradictionError{Joint: at.Name, By: worst, size: w.size, coordinate: -1}
	}
	for _, c := range w.connections {
		for k := range c.laws.list {
			o := &c.laws.list[k]
			if !o.isActive {
				continue
			}
			q := c.geometry.Coordinate(o.coordinate, &c.relative, c.coordinate[o.coordinate])
			if e, unit := math.Abs(o.opening(q)), w.unit(c, o.coordinate); e > contradiction*unit {
				return &ContradictionError{Joint: c.Name, By: e, coordinate: o.coordinate, at: q, unit: c.unitName(o.coordinate), allowed: contradiction * unit, what: o.kind}
			}
		}
	}
	for _, t := range w.tendons {
		if err := t.checkTension(w); err != nil {
			return err
		}
	}
	return nil
}

// unitName returns the SI unit of coordinate i.
func (c *connection) unitName(i int) string {
	if c.geometry.IsAngle(i) {
		return "rad"
	}
	return "m"
}

// unit is the scale of coordinate i of a joint: the length of the mechanism, m, or 1 rad.
func (w *World) unit(c *connection, i int) float64 {
	if c.geometry.IsAngle(i) {
		return 1
	}
	return w.size
}

// readCoordinates sets the coordinates to those of the present rows, with the level before.
func (w *World) readCoordinates() {
	for _, c := range w.connections {
		c.readCoordinates()
		copy(c.past, c.coordinate)
	}
}

// openings computes all rows, and returns the largest error, in parts of the length of the mechanism or in
// rad, and its joint.
func (w *World) openings() (worst float64, at *connection) {
	for _, c := range w.connections {
		c.updateValues(w.pose)
		if e := c.opening(w.size); e > worst || math.IsNaN(e) {
			worst, at = e, c
		}
	}
	return worst, at
}

// opening returns the largest error of the present rows of a joint, in parts of the given length or in rad.
func (c *connection) opening(size float64) (worst float64) {
	for k := range c.geometry.Size() {
		e := math.Abs(c.rows.Value[k])
		if !c.geometry.LocksRotation(k) {
			e /= size
		}
		if e > worst || math.IsNaN(e) {
			worst = e
		}
	}
	return worst
}
