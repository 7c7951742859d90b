package mechanism

import (
	"fmt"
	"math"
	"slices"

	"sinew/pkg/sim/contact"
	"sinew/pkg/sim/shape"
	"sinew/pkg/sim/spatial"
)

// Shape is a part of the surface of a body, in body axes.
type Shape struct {
	Name  string // "", or a name by which Ignore excepts it, as body.name
	Shape shape.Shape
}

// Wall is a shape of the world, which is where it was made until MoveWall moves it.
type Wall struct {
	Name     string
	Shape    shape.Shape
	Friction float64 // Coulomb coefficient
}

// colliderKind is what a collider may touch.
type colliderKind int

const (
	axisCollider   colliderKind = iota // element of a rod, capsule or sphere: touches axes and fields
	cornerCollider                     // of a box: touches fields
	edgeCollider                       // of a box: touches edges
	fieldCollider                      // signed distance field: touches axes and corners
)

// collider is a piece of the surface of a link, or of the world. All but fields are an axis, a straight or cubic
// curve between two endpoints, with a radius about it. Corners and edges are those of the core of a box, with
// the radius of its rounding.
type collider struct {
	kind     colliderKind
	link     int    // index in World.links
	name     string // of the link or wall
	part     string // of the shape, as link.shape; "": has no name
	isWall   bool
	friction float64
	mass     float64 // that an impact stops, kg; infinite: does not move

	// What gives the law of contact its stiffness: a radius (m), and either that of a rod (N/m) or the force that
	// it carries at a gap of 0 (N); infinite for what does not move.
	lawRadius, stiffness, carried float64

	endpoints [2]endpoint
	segment   *contact.Segment
	length    float64 // of the axis, m
	radius    float64 // of the surface, m
	isPoint   bool    // a sphere or a corner
	arcLength float64 // of the first endpoint of an element of a rod, m
	hasFirst  bool    // the first endpoint of an element touches walls: it is a free start
	// precurvature of an element of a rod, 1/m
	precurvature float64

	field shape.Shape // in the axes of its node
	node  int         // in World.frames
	// pose of its node, and where that was when contacts were listed
	pose, lastPose spatial.Pose

	local              spatial.Vec // centre of a field, in the axes of its node
	center, lastCenter spatial.Vec // of the bounding sphere, and where it was when contacts were listed
	bound, lastBound   float64     // radius of that, m
}

// endpoint is an end of an axis: a point with the unit tangent of the curve, on a node.
type endpoint struct {
	node        int         // in World.frames
	at, tangent spatial.Vec // in the axes of the node, m
}

func (k *endpoint) place(nodes []spatial.Pose) contact.HermiteNode {
	g := &nodes[k.node]
	return contact.NewHermiteNode(g.Apply(k.at), g.R.Apply(k.tangent))
}

// edgeRounding is the radius of the rounding of a box over half its shortest edge with which mechanisms expect
// boxes: penetration stays below it; see contact.NormalLaw.
const edgeRounding = 0.02

// NewBox returns a box of the given edge lengths (m) with the origin and axes of the pose, for contact in mechanisms.
func NewBox(size spatial.Vec, pose spatial.Pose) (shape.Shape, error) {
	s, err := shape.NewBox(size, edgeRounding*0.5*min(size.X, size.Y, size.Z))
	return s.Moved(pose), err
}

// newColliders returns the surfaces of everything. Nodes of the links are known.
func (w *World) newColliders(p *Parameters) (all []collider, err error) {
	first := len(w.links) - len(w.walls) // walls before the others
	for n := range w.links {
		i := (first + n) % len(w.links)
		switch l := w.links[i].(type) {
		case *rodLink:
			all = l.appendColliders(all, i, p)
		case *body:
			if all, err = w.appendShapes(all, i, l, i >= first); err != nil {
				return nil, err
			}
		}
	}
	return all, nil
}

// appendShapes appends the shapes of a body, which is the given link.
func (w *World) appendShapes(all []collider, link int, b *body, isWall bool) (_ []collider, err error) {
	for k := range b.Shapes {
		c := collider{link: link, name: b.Name, isWall: isWall, friction: b.Friction, mass: b.Mass, node: b.node, carried: b.carried()}
		if b.Shapes[k].Name != "" {
			c.part = b.Name + "." + b.Shapes[k].Name
		}
		if b.IsFixed {
			c.node, c.mass, c.carried, c.stiffness, c.lawRadius = b.frame, math.Inf(1), 0, math.Inf(1), math.Inf(1)
			w.frames[b.frame] = b.pose
		}
		if all, err = c.appendShape(all, &b.Shapes[k].Shape); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// carried returns the force that a body presses with at rest: its weight, that on Earth if there is less, and its
// loads, N.
func (b *body) carried() float64 {
	const earth = 9.80665
	sum := b.Mass * max(b.gravity.Norm(), earth)
	for i := range b.Loads {
		sum += b.Loads[i].Wrench.Force.Norm()
	}
	return sum
}

// appendShape appends the colliders of a shape, with the rest of c.
func (c collider) appendShape(all []collider, s *shape.Shape) ([]collider, error) {
	moves := !math.IsInf(c.mass, 1)
	if from, to, radius, ok := s.Segment(); ok {
		c.setLawRadius(radius)
		return append(all, c.axis(axisCollider, from, to, radius)), nil
	}
	c.kind = fieldCollider
	c.field = *s
	lo, hi := c.field.Bounds()
	c.local, c.bound = lo.Add(hi).Scale(0.5), 0.5*hi.Sub(lo).Norm()
	if !c.isWall && !c.isBounded() {
		return nil, fmt.Errorf("mechanism: a shape of body %q is a plane or a tube, which only walls can be; move it to environment.shapes", c.name)
	}
	half, radius, isBox := s.Core()
	if moves {
		d := hi.Sub(lo)
		c.setLawRadius(0.5 * min(d.X, d.Y, d.Z))
	}
	if !isBox {
		return append(all, c), nil
	}
	if moves {
		c.setLawRadius(min(half.X, half.Y, half.Z) + radius)
	}
	all = append(all, c)
	c.carried /= 4 // a face rests on four corners
	corner := func(i int) spatial.Vec {
		sign := func(bit int) float64 { return float64(2*(i>>bit&1) - 1) }
		return c.field.Pose().Apply(half.Mul(spatial.Vec{X: sign(0), Y: sign(1), Z: sign(2)}))
	}
	for i := range 8 {
		all = append(all, c.axis(cornerCollider, corner(i), corner(i), radius))
		for bit := range 3 {
			if i>>bit&1 == 0 {
				all = append(all, c.axis(edgeCollider, corner(i), corner(i|1<<bit), radius))
			}
		}
	}
	return all, nil
}

// setLawRadius sets the radius of the law of what moves.
func (c *collider) setLawRadius(radius float64) {
	if !math.IsInf(c.mass, 1) {
		c.lawRadius = radius
	}
}

// axis returns c as a straight axis on its node.
func (c collider) axis(kind colliderKind, from, to spatial.Vec, radius float64) collider {
	d := to.Sub(from)
	c.kind, c.field, c.length, c.radius, c.isPoint = kind, shape.Shape{}, d.Norm(), radius, d.Norm() == 0
	if !c.isPoint {
		d = d.Unit()
	}
	c.endpoints = [2]endpoint{{c.node, from, d}, {c.node, to, d}}
	c.segment = contact.NewSegment(c.length, [2]float64{radius, radius})
	return c
}

// appendColliders appends the elements of a rod.
func (l *rodLink) appendColliders(all []collider, link int, p *Parameters) []collider {
	isHeld := slices.ContainsFunc(p.Joints, func(j Joint) bool {
		return j.Parent.Link == l.Name && j.Parent.At == 0 || j.Child.Link == l.Name && j.Child.At == 0
	})
	masses := l.mesh.NodeMasses()
	for e, length := range l.mesh.Lengths {
		properties := &l.mesh.Properties[e]
		radius := l.ContactRadius
		if radius == 0 {
			radius = properties.Radius
		}
		c := collider{
			link: link, name: l.Name, friction: l.Friction, mass: masses[e+1], node: l.first,
			lawRadius: radius, stiffness: contact.NodeStiffness(l.mesh, e, false),
			length: length, radius: radius, arcLength: l.mesh.ArcLengths[e], hasFirst: e == 0 && !isHeld,
			segment:      contact.NewSegment(length, [2]float64{radius, radius}),
			precurvature: math.Hypot(properties.Precurvature.X, properties.Precurvature.Y),
		}
		d3 := spatial.Vec{Z: 1}
		c.endpoints = [2]endpoint{{l.first + e, spatial.Vec{}, d3}, {l.first + e + 1, spatial.Vec{}, d3}}
		all = append(all, c)
	}
	return all
}

// law returns the normal law between two colliders: that of the softer one, scaled with the smaller radius.
func (c *collider) law(o *collider) contact.NormalLaw {
	radius := min(c.lawRadius, o.lawRadius)
	of := func(c *collider) float64 {
		if c.carried > 0 {
			return contact.StiffnessUnderLoad(c.carried, radius)
		}
		return c.stiffness
	}
	l := contact.NewNormalLaw(min(of(c), of(o)), radius, true)
	l.SetImpactDamping(1 / (1/c.mass + 1/o.mass))
	return l
}

// updateBound moves the bounding sphere to the present poses.
func (c *collider) updateBound(nodes []spatial.Pose) {
	if c.kind == fieldCollider {
		c.pose = nodes[c.node]
		c.center = c.pose.Apply(c.local)
		return
	}
	a, b := c.endpoints[0].place(nodes), c.endpoints[1].place(nodes)
	c.center, c.bound = c.segment.BoundingSphere(&a, &b)
	c.bound += c.radius
}

// isBounded reports whether the shape of a field has a bounding sphere.
func (c *collider) isBounded() bool { return spatial.IsFinite(c.bound) }

// travel returns a bound of the displacement of the surface since contacts were listed, m.
func (c *collider) travel() float64 {
	if c.kind == fieldCollider && !c.isBounded() { // its surface is far from any center
		if c.pose == c.lastPose {
			return 0
		}
		return math.Inf(1)
	}
	return c.center.Sub(c.lastCenter).Norm() + max(0, c.bound-c.lastBound)
}
