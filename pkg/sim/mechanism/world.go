package mechanism

import (
	"errors"
	"fmt"

	"sinew/pkg/sim/mechanism/blocks"
	"sinew/pkg/sim/mechanism/joint"
	"sinew/pkg/sim/spatial"
)

// World is a mechanism in motion.
type World struct {
	gravity     spatial.Vec
	bodies      []*body
	connections []*connection
	pose        []spatial.Pose // by node

	matrix    *blocks.Matrix
	right     []spatial.Vec6 // by unknown: nodes, then connections
	increment []spatial.Vec6
	residual  []spatial.Vec6
	skew      []spatial.Vec // by node; see body.assemble
	size      float64       // length of the mechanism, m

	lastStep float64 // s; 0: the level before is not set
}

// New returns the mechanism at t = 0. Its error names the link or joint that is wrong.
func New(p Parameters) (*World, error) {
	w := &World{gravity: p.Gravity}
	for _, b := range p.Bodies {
		if err := checkBody(&b); err != nil {
			return nil, err
		}
		n := newBody(b)
		n.node = -1
		if !b.IsFixed {
			n.node = len(w.pose)
			w.pose = append(w.pose, spatial.IdentityPose())
		}
		w.bodies = append(w.bodies, n)
	}
	var errs []error
	for _, j := range p.Joints {
		errs = append(errs, w.connect(j))
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
	return w, w.startVelocities()
}

func checkBody(b *Body) error {
	if !(b.Mass > 0) {
		return fmt.Errorf("mechanism: body %q has a mass of %g kg; it needs more than 0", b.Name, b.Mass)
	}
	for k, j := range b.Inertia[:3] {
		if !(j > 0) {
			return fmt.Errorf("mechanism: body %q has a moment of inertia %d of %g kg m²; it needs more than 0", b.Name, k+1, j)
		}
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
	if p.Position != nil && len(p.Position) != n {
		return fmt.Errorf("mechanism: joint %q has %d positions; a %s joint has %d coordinates", p.Name, len(p.Position), p.Type, n)
	}
	if p.Spring != nil && len(p.Spring) != n {
		return fmt.Errorf("mechanism: joint %q has %d springs; a %s joint has %d coordinates", p.Name, len(p.Spring), p.Type, n)
	}
	for _, s := range [...]*Side{&p.Parent, &p.Child} {
		if s.Frame.R == (spatial.Mat3{}) {
			s.Frame.R = spatial.Identity3()
		}
		if s.Link != "" && w.body(s.Link) == nil {
			return fmt.Errorf("mechanism: joint %q holds %q, which is no link", p.Name, s.Link)
		}
	}
	if p.Parent.Link == p.Child.Link {
		return fmt.Errorf("mechanism: joint %q holds %q on both sides; it needs two links", p.Name, p.Parent.Link)
	}
	values := func() []float64 { return make([]float64, n) }
	w.connections = append(w.connections, &connection{
		Joint: p, geometry: g, coordinate: values(), past: values(), start: values(), hat: values(),
	})
	return nil
}

func (w *World) body(name string) *body {
	for _, b := range w.bodies {
		if b.Name == name {
			return b
		}
	}
	return nil
}

// newSystem makes sides of connections and the matrix, once the links have their places.
func (w *World) newSystem() {
	for _, b := range w.bodies {
		if b.node >= 0 {
			w.pose[b.node] = b.pose
		}
	}
	nodes := len(w.pose)
	unknowns := make([]blocks.Unknown, nodes, nodes+len(w.connections))
	for i := range unknowns {
		unknowns[i].Size = 6
	}
	var pairs [][2]int
	for _, c := range w.connections {
		c.unknown = len(unknowns)
		unknowns = append(unknowns, blocks.Unknown{Size: c.geometry.Size(), Constraint: true})
		c.parent, c.child = w.side(&c.Parent), w.side(&c.Child)
		for _, s := range [...]*side{&c.parent, &c.child} {
			if s.node >= 0 {
				pairs = append(pairs, [2]int{c.unknown, s.node})
			}
		}
		if c.hasPair = c.parent.node >= 0 && c.child.node >= 0; c.hasPair {
			pairs = append(pairs, [2]int{c.parent.node, c.child.node})
		}
	}
	w.matrix = blocks.New(unknowns, pairs)
	for _, c := range w.connections {
		for _, s := range [...]*side{&c.parent, &c.child} {
			if s.node >= 0 {
				s.place = w.matrix.Place(c.unknown, s.node)
			}
		}
		if c.hasPair {
			c.pair = w.matrix.Place(c.parent.node, c.child.node)
		}
	}
	w.right, w.increment, w.residual = make([]spatial.Vec6, len(unknowns)), make([]spatial.Vec6, len(unknowns)), make([]spatial.Vec6, len(unknowns))
	w.skew = make([]spatial.Vec, nodes)
	w.size = w.length()
}

// side returns the side of a connection on its node.
func (w *World) side(s *Side) side {
	if s.Link == "" {
		return newSide(-1, s.Frame)
	}
	b := w.body(s.Link)
	if b.node < 0 {
		return newSide(-1, b.pose.Mul(s.Frame))
	}
	return newSide(b.node, s.Frame)
}

// length returns the largest distance of a joint from the origin or centre of mass of its link, or
// the radius of gyration of a body, m.
func (w *World) length() (l float64) {
	for _, c := range w.connections {
		for _, s := range [...]*Side{&c.Parent, &c.Child} {
			if b := w.body(s.Link); b != nil {
				l = max(l, s.Frame.P.Norm(), s.Frame.P.Sub(b.CenterOfMass).Norm())
			}
		}
	}
	for _, b := range w.bodies {
		l = max(l, gyration(b))
	}
	return l
}
