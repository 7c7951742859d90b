package mechanism

import (
	"fmt"
	"math"
	"slices"

	"sinew/pkg/sim/rod/strain"
	"sinew/pkg/sim/spatial"
)

// StepDerivatives are those of one step. What decides the next step, and so is the state, are poses and velocities of all nodes, now and
// one step before: body increments, m and rad, and m/s in world axes, of a body those of its centre of mass, and rad/s in body axes.
type StepDerivatives struct {
	// ByState are the changes of poses and velocities at the end of the step by each number of the state: those of all nodes for each of
	// six coordinates, of the poses now, the velocities now, and both one step before.
	ByState []strain.LevelIncrement
	ByInput []strain.LevelIncrement // in the order of the inputs
	Poses   []spatial.Pose          // of the nodes at the end
	Inexact float64                 // relative, of the worst column; 0: round-off
}

// NotLinearisedError is the error of a step that depends on more than poses and velocities, or has kinks.
type NotLinearisedError struct{ Why string }

func (e *NotLinearisedError) Error() string { return "mechanism: the step is not linearised: " + e.Why }

// MovingNode is a node of the state of Linearise.
type MovingNode struct {
	Link string
	Node int // of a rod, from 0; of a body -1
}

// MovingNodes returns the nodes in the order of the state: those of rods, then bodies that are not fixed.
func (w *World) MovingNodes() (all []MovingNode) {
	for _, l := range w.links {
		name, _ := l.label()
		_, isBody := l.(*body)
		for k := range l.nodeCount() {
			if isBody {
				k = -1
			}
			all = append(all, MovingNode{name, k})
		}
	}
	return all
}

// AddLevelIncrements changes poses and velocities of all nodes now and one step before, as numbers of the state of Linearise.
func (w *World) AddLevelIncrements(now, before *strain.LevelIncrement) {
	s := w.newStart()
	s.move(now, before)
}

// Linearise takes the derivatives of the next step of h seconds by the state and by inputs, held throughout the step, by the implicit
// function theorem with the factors of the tangent of the solved step: the equations are taken at both values of a number of the state
// or an input with the end of the step where it is. Laws and motors at their limits stay there, and what sticks sticks. Only a Restore
// makes sense afterwards.
func (w *World) Linearise(h float64, inputs []Input) (*StepDerivatives, error) {
	if why := w.nonlinearisable(); why != "" {
		return nil, &NotLinearisedError{why}
	}
	s := w.newStart()
	s.h = h
	if err := s.solve(); err != nil {
		return nil, err
	}
	w.keepsLaws = true
	defer func() { w.keepsLaws = false }()
	d := &StepDerivatives{ByState: make([]strain.LevelIncrement, stateParts*6*len(w.pose)), Poses: slices.Clone(w.pose)}
	rights := make([][]spatial.Vec6, len(inputs))
	for i := range inputs {
		rights[i] = s.byInput(&inputs[i])
	}
	columns := s.stateColumns()
	s.beginStill(func() {})
	s.equations()
	added, ok := w.factorStep()
	if !ok {
		return nil, errSingularStep
	}
	for k := range columns {
		c := &columns[k]
		if err := w.respond(c.right, added, d); err != nil {
			return nil, err
		}
		now, before := s.still()
		if c.part == 0 {
			now.Pose[c.node][c.coordinate] = 1
		} else if c.part == 2 {
			before.Pose[c.node][c.coordinate] = 1
		}
		d.ByState[6*(c.part*len(w.pose)+c.node)+c.coordinate] = w.endIncrement(now, before)
	}
	for i, right := range rights {
		if err := w.respond(right, added, d); err != nil {
			return nil, fmt.Errorf("by input %d: %w", i+1, err)
		}
		d.ByInput = append(d.ByInput, w.endIncrement(s.still()))
	}
	return d, nil
}

// nonlinearisable says why steps have no linearisation; empty: they may have one.
func (w *World) nonlinearisable() string {
	for _, r := range w.rods {
		if !r.state.HasTwoLevelState() {
			return fmt.Sprintf("rod %q has damped elements of order 4, or a payload off its centreline; set its element_order to 2, or remove its damping or the payload", r.Name)
		}
	}
	for _, t := range w.tendons {
		if t.friction != nil {
			return fmt.Sprintf("tendon %q has friction; set its friction_coefficient to 0", t.Name)
		}
	}
	return ""
}

// stateParts is the number of parts of the state: poses and velocities at two levels.
const stateParts = 4

// linearisedStep is the start of a step that is linearised.
type linearisedStep struct {
	*World
	h                 float64     // s
	links             [][]float64 // their states
	coordinates, past [][]float64 // by joint
	frames            []spatial.Pose
	sides             [2][][2]spatial.Pose // now and one step before, by joint: frames on parent and child where these are fixed
	offsets           [2][][]float64       // of the coordinates from those of the poses at both levels
	saturated         [][]float64          // of motors, at the end
	fixed             []body               // bodies that do not move by themselves, at the end
}

// newStart returns the present state, with the places of what is fixed.
func (w *World) newStart() (s linearisedStep) {
	s.World = w
	s.frames = slices.Clone(w.contacts.startPose)
	for _, c := range w.connections {
		s.coordinates, s.past = append(s.coordinates, slices.Clone(c.coordinate)), append(s.past, slices.Clone(c.past))
	}
	s.keepLinks()
	s.keepSides()
	return s
}

// keepLinks keeps the states of all links.
func (s *linearisedStep) keepLinks() {
	s.links = s.links[:0]
	for _, l := range s.World.links {
		values := make([]float64, l.stateLen())
		l.save(values)
		s.links = append(s.links, values)
	}
}

// keepSides keeps where fixed frames of joints are now and were one step before.
func (s *linearisedStep) keepSides() {
	for level := range s.sides {
		for _, c := range s.connections {
			var at [2]spatial.Pose
			for k, o := range [...]struct {
				*side
				of *JointSide
			}{{&c.parent, &c.Parent}, {&c.child, &c.Child}} {
				at[k] = o.frame
				if b, ok := s.link(o.of.Link).(*body); ok && o.node < 0 && level == 1 {
					at[k] = b.fixedBefore(s.lastStep).Mul(o.of.Frame)
				}
			}
			s.sides[level] = append(s.sides[level], at)
		}
	}
}

// fixedBefore returns the pose of a fixed body at the start of the last step, of so many seconds.
func (b *body) fixedBefore(last float64) spatial.Pose {
	r := b.pose.R.Mul(spatial.ExpRot(b.omega.Scale(-last)))
	return spatial.Pose{R: r, P: b.center().AddScaled(-last, b.velocity).Sub(r.Apply(b.CenterOfMass))}
}

// solve finds the end of the step.
func (s *linearisedStep) solve() error {
	w := s.World
	passes, err := w.prepare(s.h, 1)
	if err != nil {
		return err
	}
	if passes {
		return &NotLinearisedError{"accelerations at its start pass within it, so that it is divided; take another step first"}
	}
	s.keepLinks()
	for i, c := range w.connections {
		copy(s.past[i], c.past)
	}
	w.iterations, w.parts = 0, 1
	if err := w.attempt(w.order(), s.h); err != nil {
		return err
	}
	if w.hasImpact() || w.hasContactImpact() {
		return &NotLinearisedError{"something hits a stop or a surface in it; take another step first"}
	}
	if err := w.close(w.iterate); err != nil {
		return err
	}
	if err := w.checkDisks(); err != nil {
		return err
	}
	w.updateContacts()
	for _, p := range w.contacts.listed {
		if p.mu > 0 && (p.isActive() || p.friction.normalForce > 0) {
			return &NotLinearisedError{fmt.Sprintf("%q and %q touch with friction; set a friction_coefficient of 0", p.a.name, p.b.name)}
		}
	}
	for _, l := range w.links {
		l.savePath()
	}
	for _, c := range w.connections {
		s.saturated = append(s.saturated, slices.Clone(c.saturated))
	}
	for _, b := range w.bodies {
		if b.IsFixed {
			s.fixed = append(s.fixed, *b)
		}
	}
	return nil
}

// still returns increments of 0.
func (s *linearisedStep) still() (now, before *strain.LevelIncrement) {
	zeros := func() []spatial.Vec6 { return make([]spatial.Vec6, len(s.pose)) }
	return &strain.LevelIncrement{Pose: zeros(), Velocity: zeros()}, &strain.LevelIncrement{Pose: zeros(), Velocity: zeros()}
}

// move moves links, joints and contacts to the start of the step, changed so.
func (s *linearisedStep) move(now, before *strain.LevelIncrement) {
	w := s.World
	of := func(l link, x *strain.LevelIncrement) *strain.LevelIncrement {
		return &strain.LevelIncrement{Pose: w.of(l, x.Pose), Velocity: w.of(l, x.Velocity)}
	}
	for i, l := range w.links {
		if l.nodeCount() > 0 {
			l.restore(s.links[i], w.pose[l.firstNode():])
		}
	}
	if s.offsets[0] == nil {
		s.offsets[0], s.offsets[1] = s.coordinatesAt(0), s.coordinatesAt(1)
	}
	for _, l := range w.links {
		if l.nodeCount() > 0 {
			l.addLevelIncrements(of(l, now), of(l, before), w.pose[l.firstNode():])
		}
	}
	moved, movedBefore := s.coordinatesAt(0), s.coordinatesAt(1)
	for i, c := range w.connections {
		for k := range c.coordinate {
			c.coordinate[k] = s.coordinates[i][k] + moved[i][k] - s.offsets[0][i][k]
			c.past[k] = s.past[i][k] + movedBefore[i][k] - s.offsets[1][i][k]
		}
	}
	o := &w.contacts
	if len(o.pairs) == 0 {
		return
	}
	copy(o.startPose, s.frames)
	copy(o.startPose, w.pose)
	o.rate = 0
	for _, p := range o.listed { // without friction their state is the gap
		p.init(w, p.key)
	}
}

// coordinatesAt returns the coordinates of the joints by the poses of a level: 0 now, 1 one step before.
func (s *linearisedStep) coordinatesAt(level int) (all [][]float64) {
	near := [...][][]float64{s.coordinates, s.past}[level]
	for i, c := range s.connections {
		var at [2]spatial.Pose
		for k, o := range [...]*side{&c.parent, &c.child} {
			if at[k] = s.sides[level][i][k]; o.node < 0 {
				continue
			}
			l := s.owner[o.node]
			g := s.pose[o.node]
			if level == 1 {
				g = l.poseBefore(o.node - l.firstNode())
			}
			at[k] = g.Mul(o.frame)
		}
		relative := at[0].Inv().Mul(at[1])
		q := make([]float64, len(c.coordinate))
		for k := range q {
			q[k] = c.geometry.Coordinate(k, &relative, near[i][k])
		}
		all = append(all, q)
	}
	return all
}

// begin begins the step from its start, changed so, after set has changed an input.
func (s *linearisedStep) begin(now, before *strain.LevelIncrement, set func()) {
	s.move(now, before)
	set()
	w := s.World
	for _, l := range w.links {
		l.begin(&w.formula)
	}
	for i, c := range w.connections {
		c.begin(&w.formula, 1)
		copy(c.saturated, s.saturated[i])
	}
	for _, t := range w.tendons {
		t.begin(w)
	}
	w.beginContacts(1 / s.h)
}

// beginStill begins the step from its start, after set has changed an input.
func (s *linearisedStep) beginStill(set func()) {
	now, before := s.still()
	s.begin(now, before, set)
}

// equations returns the right-hand side of the equations at the end of the step.
func (s *linearisedStep) equations() []spatial.Vec6 {
	w := s.World
	for _, l := range w.links {
		l.restorePath(w.pose[max(l.firstNode(), 0):])
	}
	w.assemble()
	return slices.Clone(w.right)
}

// byInput returns how the equations change with an input.
func (s *linearisedStep) byInput(in *Input) []spatial.Vec6 {
	saved := make([]float64, s.StateLen())
	s.beginStill(func() {})
	s.Save(saved)
	side := func(more float64) []spatial.Vec6 {
		s.beginStill(func() { in.Set(more) })
		right := s.equations()
		s.undoInput(saved)
		return right
	}
	upper, lower := side(in.Difference/2), side(-in.Difference/2)
	return less(upper, lower, in.Difference)
}

// undoInput makes commands, wrenches from outside and fixed bodies what they are without an input.
func (s *linearisedStep) undoInput(saved []float64) {
	w := s.World
	i := 0
	for _, b := range w.bodies {
		if b.IsFixed {
			*b = s.fixed[i]
			i++
			w.placeSides(b)
		}
	}
	w.placeFixed()
	src := saved[4:]
	for _, t := range w.tendons {
		t.restore(src)
		src = src[t.stateLen():]
	}
	for _, l := range w.links {
		if l.nodeCount() > 0 {
			l.restore(src, w.pose[l.firstNode():])
		}
		src = src[l.stateLen():]
	}
	for _, c := range w.connections {
		c.exchange(src, func(here, there *float64) { *here = *there })
		src = src[c.stateLen():]
	}
}

func less(upper, lower []spatial.Vec6, difference float64) []spatial.Vec6 {
	for k := range upper {
		for r := range upper[k] {
			upper[k][r] = (upper[k][r] - lower[k][r]) / difference
		}
	}
	return upper
}

// Numbers of the state are changed by so much either way: poses in parts of the length of elements, or rad, and velocities in m/s or
// rad/s, in which the equations are polynomials of order 2.
const levelStep, velocityStep = 1e-6, 1e-2

// stateColumn is how the equations change with a number of the state.
type stateColumn struct {
	part, node, coordinate int
	right                  []spatial.Vec6
}

// stateColumns returns how the equations change with each number of the state. Those of nodes whose past does not meet in the equations of
// any node or law are taken together (Curtis, Powell and Reid, "On the estimation of sparse Jacobian matrices", IMA Journal of Applied
// Mathematics 13 (1974) 117).
func (s *linearisedStep) stateColumns() (all []stateColumn) {
	reach := s.reach()
	for _, group := range disjoint(reach, len(s.unknowns)) {
		for part := range stateParts {
			for c := range 6 {
				size := func(node int) float64 {
					switch {
					case part%2 == 1:
						return velocityStep
					case c < 3:
						return levelStep * s.owner[node].incrementLength()
					}
					return levelStep
				}
				var sides [2][]spatial.Vec6
				for k, sign := range [...]float64{1, -1} {
					now, before := s.still()
					of := [stateParts][]spatial.Vec6{now.Pose, now.Velocity, before.Pose, before.Velocity}[part]
					for _, node := range group {
						of[node][c] = sign * size(node)
					}
					s.begin(now, before, func() {})
					sides[k] = s.equations()
				}
				for _, node := range group {
					right := make([]spatial.Vec6, len(s.unknowns))
					for _, u := range reach[node] {
						for r := range right[u] {
							right[u][r] = (sides[0][u][r] - sides[1][u][r]) / (2 * size(node))
						}
					}
					all = append(all, stateColumn{part, node, c, right})
				}
			}
		}
	}
	return all
}

// reach returns by node the unknowns in whose equations its past is: its own, those of the nodes that it is coupled to, and those of the
// laws of its joints.
func (s *linearisedStep) reach() [][]int {
	reach := make([][]int, len(s.pose))
	for i := range reach {
		reach[i] = []int{i}
	}
	add := func(i, u int) {
		if i >= 0 && i < len(reach) && u >= 0 && !slices.Contains(reach[i], u) {
			reach[i] = append(reach[i], u)
		}
	}
	for _, p := range slices.Concat(s.pairs, s.contacts.coupled) {
		if p[0] < len(reach) && p[1] < len(reach) {
			add(p[0], p[1])
			add(p[1], p[0])
		}
	}
	for _, c := range s.connections {
		if len(c.laws.list) > 0 {
			add(c.parent.node, c.laws.unknown)
			add(c.child.node, c.laws.unknown)
		}
	}
	return reach
}

// disjoint divides the nodes into groups whose reaches do not meet, each node going to the first group that it fits in.
func disjoint(reach [][]int, unknowns int) (groups [][]int) {
	var taken [][]bool
	for i, of := range reach {
		k := 0
		for k < len(groups) && slices.ContainsFunc(of, func(u int) bool { return taken[k][u] }) {
			k++
		}
		if k == len(groups) {
			groups, taken = append(groups, nil), append(taken, make([]bool, unknowns))
		}
		groups[k] = append(groups[k], i)
		for _, u := range of {
			taken[k][u] = true
		}
	}
	return groups
}

// factorStep factors the assembled tangent. It returns the compliances that this adds to the rows of tendons, which are none of the step,
// as those of joints are.
func (w *World) factorStep() (added []float64, ok bool) {
	added = make([]float64, len(w.tendons))
	compliances := func(scale float64) {
		for i, t := range w.tendons {
			if t.unknown >= 0 {
				added[i] += scale * w.matrix.Diagonal(t.unknown)[0]
			}
		}
	}
	compliances(1)
	w.addCompliance(0)
	compliances(-1)
	return added, w.matrix.Factor()
}

// A derivative is refined until the part of it by which that changes it is mostLeft, or round-off lets it fall by less than
// stagnation, in mostRefinements at most. Above worstLeft it is none.
const mostRefinements, mostLeft, stagnation, worstLeft = 300, 1e-13, 0.5, 1e-9

// respond sets increment to the solution for a right-hand side, with the skew part of the tangent and without the compliances that
// factorStep has added.
func (w *World) respond(right []spatial.Vec6, added []float64, d *StepDerivatives) error {
	copy(w.increment, right)
	w.matrix.Solve(w.increment)
	free, last := w.freeSize(right), math.Inf(1)
	for range mostRefinements {
		w.matrix.Multiply(w.increment, w.residual)
		w.addSkew(w.residual)
		for i, t := range w.tendons {
			if t.unknown >= 0 {
				w.residual[t.unknown][0] += added[i] * w.increment[t.unknown][0]
			}
		}
		for i := range w.residual {
			for k := range w.residual[i] {
				w.correction[i][k] = right[i][k] - w.residual[i][k]
			}
		}
		w.matrix.Solve(w.correction)
		for i := range w.increment {
			for k := range w.increment[i] {
				w.increment[i][k] += w.correction[i][k]
			}
		}
		size, change := max(free, w.sizeOf(w.increment)), w.sizeOf(w.correction)
		left := change / size
		switch {
		case size == 0 || left <= mostLeft:
			return nil
		case !(left < math.Inf(1)):
			return errSingularStep
		case left > stagnation*last && left <= worstLeft:
			d.Inexact = max(d.Inexact, left)
			return nil
		}
		last = left
	}
	return fmt.Errorf("mechanism: after %d refinements %.2g of the derivative still changes, allowed: up to %g; moments that act are too large beside stiffness and inertia; use a smaller solver.step_s", mostRefinements, last, worstLeft)
}

// sizeOf returns the largest rotation or displacement over the length of the mechanism of a node.
func (w *World) sizeOf(x []spatial.Vec6) (size float64) {
	for i := range w.pose {
		size = max(size, x[i].Linear().Norm()/w.size, x[i].Angular().Norm())
	}
	return size
}

// freeSize returns the size of what wrenches would move nodes by that nothing holds, whose round-off is that of what holds them.
func (w *World) freeSize(right []spatial.Vec6) float64 {
	for i := range w.pose {
		d := w.matrix.Diagonal(i)
		for k, r := range right[i] {
			w.residual[i][k] = r / d[7*k]
		}
	}
	return w.sizeOf(w.residual)
}

// endIncrement returns the changes of poses and velocities at the end of the step, whose poses change by the increment.
func (w *World) endIncrement(now, before *strain.LevelIncrement) (x strain.LevelIncrement) {
	x.Pose = slices.Clone(w.increment[:len(w.pose)])
	for i := range w.pose {
		l := w.owner[i]
		x.Velocity = append(x.Velocity, l.velocityIncrement(&w.formula, i-l.firstNode(), &x.Pose[i], &now.Pose[i], &before.Pose[i]))
	}
	return x
}
