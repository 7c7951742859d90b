package mechanism

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/mechanism/blocks"
	"sinew/pkg/sim/mechanism/joint"
	"sinew/pkg/sim/spatial"
)

// World is a mechanism and its state.
type World struct {
	gravity     spatial.Vec
	rods        []*rodLink
	bodies      []*body
	walls       []*body // the last of bodies: fixed ones
	links       []link  // rods, then bodies
	connections []*connection
	tendons     []*routedTendon
	contacts    contacts
	pose        []spatial.Pose // by node
	frames      []spatial.Pose // pose, and after it those of fixed bodies, for contact
	owner       []link         // by node
	linkOf      []int          // its index, by node
	scale       []stiffness    // by node, in a search for equilibrium

	unknowns   []blocks.Unknown
	firstNodes []int    // by link
	pairs      [][2]int // of unknowns that links, joints and tendons couple
	matrix     *blocks.Matrix
	right      []spatial.Vec6 // by unknown: nodes, then connections
	increment  []spatial.Vec6
	residual   []spatial.Vec6
	older      []spatial.Vec6 // and correction: see solveAgain
	correction []spatial.Vec6
	// skew is the skew part of the tangent, which the matrix does not have: [[0, [F]×], [[F]×, [C]×]] with (F, C) by node, symmetric
	// parts of tangents being those of wrenches whose sum is 0.
	skew []spatial.Wrench
	size float64 // length of the mechanism, m

	formula                integrate.BDF // of the present step
	time                   float64       // s
	neutralMotion          string        // see NeutralMotion
	leftSaddle             string        // see LeftSaddle
	plastic                int           // steps of order 1 that remain after an impact
	iterations             int           // of the last step, of all its parts and trials
	parts                  int           // of the last step
	lastStep               float64       // s; 0: the level before is not set
	commandShare           float64       // of the displacement of prescribed coordinates to their commands that the step makes
	saved                  []float64     // state at the start of a step
	savedStepError         []float64     // that with the estimate of BeginStepError in place of the other one
	hasStepError           bool          // BeginStepError has been called
	impacts, impactsBefore int           // see Impacts; at the start of a step
	lastShift              float64       // of the last factors in a search for equilibrium
	rowCompliance          float64       // compliance, or staticCompliance in a search for equilibrium
	hasChangedLaw          bool          // in the last assembly some law became active or stopped to be that; see law
	keepsShares            bool          // tendons that stick keep the shares of their tension; see Sensitivities
	keepsLaws              bool          // laws stay active or inactive, whatever they are violated by
	lawRounds              int           // assemblies of a step or an equilibrium in which that was so
	isOpen                 bool          // some joint does not close before an equilibrium has been found
}

// New returns the mechanism at t = 0. Its error names the link or joint that is wrong.
func New(p Parameters) (*World, error) {
	if err := checkParameters(&p); err != nil {
		return nil, err
	}
	w := &World{gravity: p.Gravity, rowCompliance: compliance}
	if err := w.newLinks(&p); err != nil {
		return nil, err
	}
	var errs []error
	for _, j := range p.Joints {
		errs = append(errs, w.connect(j))
	}
	for _, t := range p.Tendons {
		errs = append(errs, w.addTendon(&t))
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	if err := w.place(); err != nil {
		return nil, err
	}
	w.newSystem()
	if err := w.closeLoops(); err != nil {
		return nil, err
	}
	undeformed, err := w.undeformed(p)
	if err != nil {
		return nil, err
	}
	for i, t := range w.tendons {
		if err := t.checkLengths(w); err != nil {
			return nil, err
		}
		t.rest = undeformed.tendons[i].path.Length()
	}
	if err := w.checkStart(); err != nil {
		return nil, err
	}
	w.startCommands()
	for _, b := range w.bodies {
		b.target = b.pose
	}
	if err := w.newContacts(&p); err != nil {
		return nil, err
	}
	w.saved = make([]float64, w.StateLen())
	return w, w.startVelocities()
}

// undeformed returns the mechanism, which has the parameters p, with all rods in their rest shapes.
func (w *World) undeformed(p Parameters) (*World, error) {
	if !slices.ContainsFunc(p.Rods, func(r Rod) bool { return r.Deformation != nil }) {
		return w, nil
	}
	p.Rods = slices.Clone(p.Rods)
	for i := range p.Rods {
		p.Rods[i].Deformation = nil
	}
	return New(p)
}

// newLinks makes rods and bodies.
func (w *World) newLinks(p *Parameters) error {
	for _, r := range p.Rods {
		var at []float64
		for _, j := range p.Joints {
			for _, s := range [...]*JointSide{&j.Parent, &j.Child} {
				if s.Link == r.Name {
					at = append(at, s.At)
				}
			}
		}
		for _, t := range p.Tendons {
			for _, h := range t.Route {
				if h.Link == r.Name {
					at = append(at, h.At)
				}
			}
		}
		l, err := newRod(r, at, p.Gravity)
		if err != nil {
			return fmt.Errorf("mechanism: rod %q: %w", r.Name, err)
		}
		w.rods, w.links = append(w.rods, l), append(w.links, l)
	}
	for _, b := range p.Bodies {
		if err := checkBody(&b); err != nil {
			return err
		}
		l := newBody(b, p.Gravity)
		w.bodies, w.links = append(w.bodies, l), append(w.links, l)
	}
	for _, o := range p.Walls {
		at := spatial.IdentityPose()
		l := newBody(Body{Name: o.Name, Pose: &at, IsFixed: true, Friction: o.Friction, Shapes: []Shape{{Shape: o.Shape}}}, p.Gravity)
		w.bodies, w.walls, w.links = append(w.bodies, l), append(w.walls, l), append(w.links, l)
	}
	return nil
}

// connect adds a joint.
func (w *World) connect(p Joint) error {
	g, err := joint.New(p.Type, p.Axis, p.SecondAxis)
	if err != nil {
		return fmt.Errorf("mechanism: joint %q: %w", p.Name, err)
	}
	n := g.Coordinates()
	if err := checkLaws(&p, n); err != nil {
		return err
	}
	for _, s := range [...]*JointSide{&p.Parent, &p.Child} {
		if s.Frame.R == (spatial.Mat3{}) {
			s.Frame.R = spatial.Identity3()
		}
		if s.Link != "" && w.link(s.Link) == nil {
			return fmt.Errorf("mechanism: joint %q connects %q, which is no link", p.Name, s.Link)
		}
	}
	if p.Parent.Link == p.Child.Link && p.Parent.At == p.Child.At {
		return fmt.Errorf("mechanism: joint %q has both sides at one place of %q (\"\" is the world); it needs two links, or two sections of a rod", p.Name, p.Parent.Link)
	}
	if !w.moves(p.Parent.Link) && !w.moves(p.Child.Link) {
		return fmt.Errorf("mechanism: joint %q connects nothing that moves; its parent or child needs to be a rod, or a body that is not fixed", p.Name)
	}
	values := func() []float64 { return make([]float64, n) }
	w.connections = append(w.connections, &connection{
		Joint: p, geometry: g, coordinate: values(), past: values(), start: values(), hat: values(),
		laws: newLaws(&p), command: values(), effortScale: 1, saturated: values(), startSaturated: values(),
	})
	return nil
}

// link returns the link of the given name, or nil.
func (w *World) link(name string) link {
	for _, l := range w.links {
		if n, _ := l.label(); n == name {
			return l
		}
	}
	return nil
}

// newSystem makes sides of connections and the matrix, once the links have their places.
func (w *World) newSystem() {
	var pairs [][2]int
	first := make([]int, len(w.links))
	for i, l := range w.links {
		first[i] = len(w.owner)
		for range l.nodeCount() {
			w.owner, w.linkOf = append(w.owner, l), append(w.linkOf, i)
		}
		for _, p := range l.pairs() {
			pairs = append(pairs, [2]int{first[i] + p[0], first[i] + p[1]})
		}
	}
	nodes := len(w.owner)
	fixed := 0
	for _, b := range w.bodies {
		if b.IsFixed {
			b.frame = nodes + fixed
			fixed++
		}
	}
	w.frames = make([]spatial.Pose, nodes+fixed)
	w.pose = w.frames[:nodes:nodes]
	unknowns := make([]blocks.Unknown, nodes, nodes+len(w.connections))
	for i := range unknowns {
		unknowns[i].Size = 6
	}
	for _, c := range w.connections {
		c.unknown = len(unknowns)
		unknowns = append(unknowns, blocks.Unknown{Size: c.geometry.Size(), Constraint: true})
		c.parent, c.child = w.side(&c.Parent, first), w.side(&c.Child, first)
		c.parentFrame = c.parent.frame
		for _, s := range [...]*side{&c.parent, &c.child} {
			if s.node >= 0 {
				pairs = append(pairs, [2]int{c.unknown, s.node})
			}
		}
		if n := len(c.laws.list); n > 0 {
			c.laws.unknown = len(unknowns)
			unknowns = append(unknowns, blocks.Unknown{Size: n, Constraint: true})
			for _, s := range [...]*side{&c.parent, &c.child} {
				if s.node >= 0 {
					pairs = append(pairs, [2]int{c.laws.unknown, s.node})
				}
			}
		}
		if c.hasPair = c.parent.node >= 0 && c.child.node >= 0; c.hasPair {
			pairs = append(pairs, [2]int{c.parent.node, c.child.node})
		}
	}
	for _, t := range w.tendons {
		pairs = append(pairs, t.connect(w, first, &unknowns)...)
	}
	w.unknowns, w.pairs, w.firstNodes = unknowns, pairs, first
	w.newMatrix()
	for _, x := range [...]*[]spatial.Vec6{&w.right, &w.increment, &w.residual, &w.older, &w.correction} {
		*x = make([]spatial.Vec6, len(unknowns))
	}
	w.skew = make([]spatial.Wrench, nodes)
	w.size = w.length()
}

// newMatrix makes a matrix with the couplings of links, joints, tendons and present contacts, and finds the places of
// blocks in it.
func (w *World) newMatrix() {
	w.contacts.generation++
	w.matrix = blocks.New(w.unknowns, slices.Concat(w.pairs, w.contacts.coupled))
	for i, l := range w.links {
		l.connect(w.firstNodes[i], w)
	}
	for _, t := range w.tendons {
		t.place(w)
	}
	for _, c := range w.connections {
		for _, s := range [...]*side{&c.parent, &c.child} {
			if s.node >= 0 {
				s.place = w.matrix.Place(c.unknown, s.node)
			}
		}
		if len(c.laws.list) > 0 {
			if c.parent.node >= 0 {
				c.laws.parentPlace = w.matrix.Place(c.laws.unknown, c.parent.node)
			}
			if c.child.node >= 0 {
				c.laws.childPlace = w.matrix.Place(c.laws.unknown, c.child.node)
			}
		}
		if c.hasPair {
			c.pair = w.matrix.Place(c.parent.node, c.child.node)
		}
	}
}

// side returns the side of a connection on its node; first are the first nodes of the links.
func (w *World) side(s *JointSide, first []int) side {
	for i, l := range w.links {
		if name, _ := l.label(); name != s.Link {
			continue
		}
		node, g := l.section(s.At)
		if l.nodeCount() == 0 {
			return newSide(-1, g.Mul(s.Frame))
		}
		return newSide(first[i]+node, s.Frame)
	}
	return newSide(-1, s.Frame)
}

// length returns the largest distance of a joint from the origin of a body or from its centre of mass,
// and the largest extent of a link, m.
func (w *World) length() (l float64) {
	for _, c := range w.connections {
		for _, s := range [...]*JointSide{&c.Parent, &c.Child} {
			if b, ok := w.link(s.Link).(*body); ok {
				l = max(l, s.Frame.P.Norm(), s.Frame.P.Sub(b.CenterOfMass).Norm())
			}
		}
	}
	for _, k := range w.links {
		l = max(l, k.extent())
	}
	return l
}

// sameNode is the share of the length of a rod by which arc lengths of one node differ: round-off, and the differences of lengths by which
// derivatives are taken.
const sameNode = 1e-8

// nodesWith returns arc lengths of nodes between the ends of a rod: the given ones, and those of at that differ
// by more than sameNode from the given ones and the ends.
func nodesWith(nodes, at []float64, length float64) []float64 {
	all := slices.Clone(nodes)
	for _, s := range at {
		isNear := func(n float64) bool { return math.Abs(n-s) < sameNode*length }
		if !isNear(0) && !isNear(length) && !slices.ContainsFunc(all, isNear) {
			all = append(all, s)
		}
	}
	slices.Sort(all)
	return all
}
