package mechanism

import (
	"math"

	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/mechanism/blocks"
	"sinew/pkg/sim/mechanism/joint"
	"sinew/pkg/sim/spatial"
)

// connection is a joint in a world.
type connection struct {
	Joint
	geometry      *joint.Joint
	parent, child side
	parentFrame   spatial.Pose // frame of the parent's side where no loop is being closed
	unknown       int          // of the multipliers
	pair          blocks.Place
	hasPair       bool // both sides move
	turnsFreely   bool // its rows of rotations are off, while a loop is being closed
	isOff         bool // all rows are off, while rigid loops are being closed

	coordinate, past, start []float64 // present, at the level before, and at the start of the step
	hat                     []float64 // reference values of damping
	gamma                   float64   // the rate of a coordinate is γ (q − q̂); 0 in statics

	command []float64 // of the motors
	// effortScale is that of the commands of effort motors, below 1 on a path of equilibria under growing loads.
	effortScale float64
	saturated   []float64 // of the motors: the direction, ±1, of position motors at their largest effort, else 0
	// startSaturated is saturated at the start of a part of the path to an equilibrium.
	startSaturated []float64
	laws           laws
	lambda         [6]float64 // multipliers, N and N m
	held           [6]float64 // what they are near; see World.close

	// at the last assembly
	relative          spatial.Pose // of the child's frame in the parent's
	rows              joint.Rows
	onParent, onChild [6]spatial.Vec6 // derivatives of the rows, node axes
}

// side is a frame on a node.
type side struct {
	node    int          // -1: the frame is fixed in the world
	frame   spatial.Pose // in the axes of the node, or in the world
	adjoint spatial.Mat6 // from increments of the node to those of the frame
	place   blocks.Place // of rows and node
	// velocity and its rate are those of the frame, in its axes, at the start of the step, where the frame has no node.
	velocity, acceleration spatial.Vec6
}

func newSide(node int, frame spatial.Pose) side {
	t := frame.R.T()
	return side{node: node, frame: frame, adjoint: spatial.Blocks6(t, t.Mul(spatial.Skew(frame.P)).Scale(-1), spatial.Mat3{}, t)}
}

// pose returns the pose of the frame in the world.
func (s *side) pose(nodes []spatial.Pose) spatial.Pose {
	if s.node < 0 {
		return s.frame
	}
	return nodes[s.node].Mul(s.frame)
}

// position returns the origin of the frame in the world.
func (s *side) position(nodes []spatial.Pose) spatial.Vec {
	if s.node < 0 {
		return s.frame.P
	}
	return nodes[s.node].Apply(s.frame.P)
}

// onNode returns a derivative with respect to increments of the frame as one with respect to those of
// the node.
func (s *side) onNode(d *spatial.Vec6) (o spatial.Vec6) {
	if s.node < 0 {
		return o
	}
	linear := s.frame.R.Apply(d.Linear())
	return spatial.Vec6Of(linear, s.frame.R.Apply(d.Angular()).Add(s.frame.P.Cross(linear)))
}

// place computes the relative pose.
func (c *connection) place(nodes []spatial.Pose) {
	c.relative = c.parent.pose(nodes).Inv().Mul(c.child.pose(nodes))
}

// updateValues computes the relative pose and the values of the rows.
func (c *connection) updateValues(nodes []spatial.Pose) {
	c.place(nodes)
	c.geometry.Values(&c.relative, &c.rows.Value)
	for k := range c.geometry.Size() {
		if c.isFree(k) {
			c.rows.Value[k] = 0
		}
	}
}

// update computes the relative pose and the rows with their derivatives.
func (c *connection) update(nodes []spatial.Pose) {
	c.place(nodes)
	c.geometry.Rows(&c.relative, &c.rows)
	for k := range c.geometry.Size() {
		if c.isFree(k) {
			c.rows.Value[k], c.onParent[k], c.onChild[k] = 0, spatial.Vec6{}, spatial.Vec6{}
			continue
		}
		c.onParent[k], c.onChild[k] = c.parent.onNode(&c.rows.OnParent[k]), c.child.onNode(&c.rows.OnChild[k])
	}
}

// isFree reports whether row k is off.
func (c *connection) isFree(k int) bool {
	return c.isOff || c.turnsFreely && c.geometry.LocksRotation(k)
}

// begin starts a step with formula f, at whose end prescribed coordinates are at the given share between the present ones and their commands.
func (c *connection) begin(f *integrate.BDF, share float64) {
	copy(c.start, c.coordinate)
	c.laws.begin(c.coordinate, c.command, share)
	c.gamma = f.Gamma
	for i, q := range c.coordinate {
		c.hat[i] = f.Hat(spatial.Vec{X: q}, spatial.Vec{X: c.branch(c.past, c.coordinate, i)}).X
	}
}

// readCoordinates sets the coordinates to those of the present poses, angles near the last ones.
func (c *connection) readCoordinates() {
	for i := range c.coordinate {
		c.coordinate[i] = c.geometry.Coordinate(i, &c.relative, c.coordinate[i])
	}
}

// assemble adds the rows with their multipliers, and springs, to the system.
func (c *connection) assemble(w *World) {
	c.update(w.pose)
	var curvature joint.Curvature
	c.geometry.AddCurvature(&c.relative, &c.lambda, &curvature)
	right := &w.right[c.unknown]
	for k := range c.geometry.Size() {
		right[k] = -c.rows.Value[k]
		w.addForce(c, -c.lambda[k], &c.onParent[k], &c.onChild[k])
	}
	c.assembleSprings(w, &curvature)
	c.assembleLaws(w, &curvature)
	c.addCurvature(w, &curvature)
	c.addRows(w)
	c.addLawRows(w)
}

// addRows adds the derivatives of the rows to the matrix. A row that is off has the diagonal entry −1, so that the number of negative
// pivots stays.
func (c *connection) addRows(w *World) {
	for k := range c.geometry.Size() {
		if c.isFree(k) {
			w.matrix.Diagonal(c.unknown)[7*k] = -1
		}
	}
	for _, s := range [...]struct {
		*side
		rows *[6]spatial.Vec6
	}{{&c.parent, &c.onParent}, {&c.child, &c.onChild}} {
		if s.node < 0 {
			continue
		}
		var b spatial.Mat6
		for k := range c.geometry.Size() {
			copy(b[6*k:], s.rows[k][:])
		}
		w.matrix.Add(s.place, &b)
	}
}

// assembleSprings adds springs, dampers and motors on the coordinates. Their second derivatives go to
// curvature.
func (c *connection) assembleSprings(w *World, curvature *joint.Curvature) {
	for i := range c.coordinate {
		c.saturate(w, i)
		effort, stiffness := c.effort(i)
		if effort == 0 && stiffness == 0 {
			continue
		}
		parent, child := c.geometry.Gradient(i, &c.relative)
		c.geometry.AddCoordinateCurvature(i, &c.relative, effort, curvature)
		for r := range 6 {
			for k := range 6 {
				curvature.Parent[6*r+k] += stiffness * parent[r] * parent[k]
				curvature.ParentChild[6*r+k] += stiffness * parent[r] * child[k]
				curvature.Child[6*r+k] += stiffness * child[r] * child[k]
			}
		}
		onParent, onChild := c.parent.onNode(&parent), c.child.onNode(&child)
		w.addForce(c, -effort, &onParent, &onChild)
	}
}

// effort returns what spring, damper and motor of coordinate i push it back with, N or N m, and the
// derivative of that with respect to the coordinate.
func (c *connection) effort(i int) (effort, stiffness float64) {
	if c.Spring == nil && c.Motor == nil {
		return 0, 0
	}
	q := c.geometry.Coordinate(i, &c.relative, c.coordinate[i])
	effort, stiffness = c.motorEffort(i, q)
	if c.Spring != nil {
		s := &c.Spring[i]
		effort += s.Stiffness*(q-s.Rest) + s.Damping*c.rate(i)
		stiffness += s.Stiffness + c.gamma*s.Damping
	}
	return effort, stiffness
}

// rate returns the rate of coordinate i at the present pose, m/s or rad/s.
func (c *connection) rate(i int) float64 {
	if c.Type != joint.Spherical {
		return c.gamma * (c.geometry.Coordinate(i, &c.relative, c.coordinate[i]) - c.hat[i])
	}
	var q [3]float64
	for k := range q {
		q[k] = c.geometry.Coordinate(k, &c.relative, 0)
	}
	return c.gamma * (c.branch(q[:], c.hat, i) - c.hat[i])
}

// branch returns coordinate i of those of q that are nearest to the coordinates near: the rotation vector of a spherical joint
// jumps from π to −π about its axis, which is no motion.
func (c *connection) branch(q, near []float64, i int) float64 {
	if c.Type != joint.Spherical {
		return q[i]
	}
	v, w := spatial.Vec{X: q[0], Y: q[1], Z: q[2]}, spatial.Vec{X: near[0], Y: near[1], Z: near[2]}
	length := v.Norm()
	if length == 0 {
		return q[i]
	}
	turns := math.Round((w.Dot(v)/length - length) / (2 * math.Pi))
	return q[i] * (1 + 2*math.Pi*turns/length)
}

// addCurvature adds the curvature of the frames to the blocks of the nodes.
func (c *connection) addCurvature(w *World, o *joint.Curvature) {
	if c.parent.node >= 0 {
		addCongruence(w.matrix.Diagonal(c.parent.node), &c.parent.adjoint, &o.Parent, &c.parent.adjoint)
	}
	if c.child.node >= 0 {
		addCongruence(w.matrix.Diagonal(c.child.node), &c.child.adjoint, &o.Child, &c.child.adjoint)
	}
	if c.hasPair {
		var b spatial.Mat6
		addCongruence(&b, &c.parent.adjoint, &o.ParentChild, &c.child.adjoint)
		w.matrix.Add(c.pair, &b)
	}
}

// addCongruence adds aᵀ m b to o.
func addCongruence(o, a, m, b *spatial.Mat6) {
	var t spatial.Mat6
	t.SubTMul(m, a)
	o.SubTMul(&t, b)
}
