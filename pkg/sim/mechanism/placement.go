package mechanism

import (
	"fmt"
	"math"

	"sinew/pkg/sim/mechanism/joint"
	"sinew/pkg/sim/spatial"
)

// place finds the poses at t = 0 of links without one, along the joints from links that have one.
// A link without a pose and without such joints is at the origin.
func (w *World) place() error {
	placed := map[string]bool{"": true}
	for _, r := range w.rods {
		placed[r.Name] = r.Start != nil
	}
	for _, b := range w.bodies {
		placed[b.Name] = b.Pose != nil
	}
	for w.placeNext(placed) {
	}
	for _, c := range w.connections {
		if c.Position == nil {
			continue
		}
		c.relative = w.framePose(&c.Parent).Inv().Mul(w.framePose(&c.Child))
		for i, want := range c.Position {
			if got := c.geometry.Coordinate(i, &c.relative, want); math.Abs(got-want) > 1e-9 {
				return &PositionError{Joint: c.Name, Coordinate: i, Position: want, Posed: got}
			}
			c.coordinate[i] = want
		}
	}
	return nil
}

// PositionError is the error of a joint whose position contradicts the poses of its links.
type PositionError struct {
	Joint           string
	Coordinate      int     // from 0
	Position, Posed float64 // as given, and as the poses make it, m or rad
}

func (e *PositionError) Error() string {
	return fmt.Sprintf("joint %q: position %d is given as %.12g, but is %.12g by the poses of links and the joints of loops; remove or correct one of them", e.Joint, e.Coordinate+1, e.Position, e.Posed)
}

// placeNext places one more link, and reports whether there was one. A joint with a position comes
// before the others.
func (w *World) placeNext(placed map[string]bool) bool {
	for _, needsPosition := range [...]bool{true, false} {
		for _, c := range w.connections {
			if needsPosition && c.Position == nil || placed[c.Parent.Link] == placed[c.Child.Link] {
				continue
			}
			q := c.Position
			if q == nil {
				q = c.coordinate
			}
			g := c.geometry.Place(q)
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
func (w *World) framePose(s *Side) spatial.Pose {
	if s.Link == "" {
		return s.Frame
	}
	_, g := w.link(s.Link).section(s.At)
	return g.Mul(s.Frame)
}

// setPose moves a link so that a joint's frame on it has the pose g.
func (w *World) setPose(s *Side, g spatial.Pose) {
	w.link(s.Link).placeSection(s.At, g.Mul(s.Frame.Inv()))
}

// closed is the largest error of a closed joint, in parts of the length of the mechanism and in rad.
const closed = 1e-12

// closeLoops moves rigid links as little as possible, in the metric of their masses, until every joint
// is closed: Gauss–Newton on the rows. Given positions stay. Loops with rods close in Equilibrate.
func (w *World) closeLoops() error {
	const most = 50
	if len(w.rods) > 0 {
		worst, _ := w.openings()
		w.isOpen = worst > 1e-9
		w.readCoordinates()
		return nil
	}
	for range most {
		worst, at := w.openings()
		if worst <= closed {
			return w.checkPositions()
		}
		w.assembleMass()
		clear(w.right)
		for _, c := range w.connections {
			for k := range c.geometry.Size() {
				w.right[c.unknown][k] = -c.rows.Value[k]
			}
			w.holdPosition(c)
		}
		if !w.solve(1) {
			return fmt.Errorf("mechanism: joint %q does not close: the equations are singular at an error of %.3g (parts of %.3g m, or rad); give poses or positions nearer to where it closes", at.Name, worst, w.size)
		}
		turn, shift := w.incrementSize()
		w.move(min(1, 0.6/max(turn, shift/w.size)))
	}
	worst, at := w.openings()
	return fmt.Errorf("mechanism: joint %q does not close: its error is %.3g after %d iterations (parts of %.3g m, or rad), allowed %g; give poses or positions nearer to where it closes", at.Name, worst, most, w.size, closed)
}

// holdPosition adds springs that hold the given positions of a joint in closeLoops, holding times as stiff as the masses.
func (w *World) holdPosition(c *connection) {
	const holding = 1e6
	var curvature joint.Curvature
	for i, want := range c.Position {
		parent, child := c.geometry.Gradient(i, &c.relative)
		onParent, onChild := c.parent.onNode(&parent), c.child.onNode(&child)
		stiffness := holding / w.freeCompliance(c, &onParent, &onChild)
		w.addForce(c, stiffness*(want-c.geometry.Coordinate(i, &c.relative, want)), &onParent, &onChild)
		addOuter(&curvature.Parent, stiffness, &parent, &parent)
		addOuter(&curvature.ParentChild, stiffness, &parent, &child)
		addOuter(&curvature.Child, stiffness, &child, &child)
	}
	c.addCurvature(w, &curvature)
}

// checkPositions reads the coordinates, and returns an error for a given position at which the loops do not close.
func (w *World) checkPositions() error {
	w.readCoordinates()
	for _, c := range w.connections {
		for i, want := range c.Position {
			if q := c.coordinate[i]; math.Abs(q-want) > contradiction*w.unit(c, i) {
				return &PositionError{Joint: c.Name, Coordinate: i, Position: want, Posed: q}
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
		c.update(w.pose)
		for k := range c.geometry.Size() {
			e := math.Abs(c.rows.Value[k])
			if !c.geometry.LocksRotation(k) {
				e /= w.size
			}
			if e > worst || math.IsNaN(e) {
				worst, at = e, c
			}
		}
	}
	return worst, at
}
