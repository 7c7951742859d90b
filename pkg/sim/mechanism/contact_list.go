package mechanism

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"sinew/pkg/sim/contact"
	"sinew/pkg/sim/shape"
	"sinew/pkg/sim/spatial"
)

// contacts are the contacts of a world. Contact points of colliders that are near each other are in a list (broad phase), which is
// made anew once a collider has moved too far.
type contacts struct {
	colliders []collider
	excepted  [][2]int // pairs of links that do not touch
	ignored   [][2]string
	friction  []PairFriction
	pairs     [][2]int       // of colliders that touch if they are close; the first has an axis
	travel    float64        // the largest displacement of a collider since the last list, at the poses of the last updateContacts, m
	travelAt  []spatial.Pose // those poses
	most      int            // contact points that there can be
	margin    float64        // m

	listed, other []*contactPoint // by key; other is the list before
	unused        []*contactPoint
	found         []pointKey // scratch of listNear

	startPose     []spatial.Pose // by node, at the start of the step
	coupled, near [][2]int       // nodes that contacts couple in the matrix; near is scratch
	generation    int            // of the matrix
	rate          float64        // of the step, 1/s; 0 in statics
	hasCoupled    bool           // the last assembly has changed the matrix
	isConvex      bool           // the tangent leaves out how forces turn and move, which may make it indefinite
}

// The list is complete for gaps below listShare of the margin. Points within nearShare of it are coupled in the
// matrix, so that few steps change it.
const listShare, nearShare = 0.5, 0.01

// newContacts finds what may touch.
func (w *World) newContacts(p *Parameters) error {
	c := &w.contacts
	var err error
	if c.colliders, err = w.newColliders(p); err != nil {
		return err
	}
	for _, n := range w.connections {
		if n.Parent.Link != "" && n.Child.Link != "" {
			c.excepted = append(c.excepted, [2]int{w.indexOf(n.Parent.Link), w.indexOf(n.Child.Link)})
		}
	}
	w.exceptMeetingRods()
	for _, pair := range p.Ignore {
		if err := c.checkNames("ignored", pair); err != nil {
			return err
		}
		c.ignored = append(c.ignored, pair)
	}
	for _, f := range p.Pairs {
		if err := c.checkNames("friction", f.Of); err != nil {
			return err
		}
		if !(f.Friction >= 0) {
			return fmt.Errorf("mechanism: the friction pair %q, %q has a coefficient of %g; it needs 0 or more", f.Of[0], f.Of[1], f.Friction)
		}
		c.friction = append(c.friction, f)
	}
	for i := range c.colliders {
		a := &c.colliders[i]
		if !(a.friction >= 0) {
			return fmt.Errorf("mechanism: %q has a friction coefficient of %g; it needs 0 or more", a.name, a.friction)
		}
		if a.kind != fieldCollider {
			c.margin = max(c.margin, a.radius)
		}
		for k := range i {
			b := &c.colliders[k]
			if !w.mayTouch(a, b) {
				continue
			}
			if a.kind == fieldCollider && b.kind == fieldCollider && !a.isBox() && !b.isBox() {
				return fmt.Errorf("mechanism: contact of %q with %q is not supported: both are meshes, planes or tubes; use spheres, capsules or boxes for one of them, or ignore the pair", a.name, b.name)
			}
			switch {
			case touches(b, a):
				c.pairs = append(c.pairs, [2]int{k, i})
			case touches(a, b):
				c.pairs = append(c.pairs, [2]int{i, k})
			}
		}
	}
	c.startPose = slices.Clone(w.frames)
	c.travelAt = make([]spatial.Pose, len(w.frames)) // which no pose has
	for _, k := range c.pairs {
		c.most += parts(&c.colliders[k[0]], &c.colliders[k[1]])
	}
	w.updateContacts()
	if err := c.checkCount(); err != nil {
		return err
	}
	for _, p := range c.listed {
		p.reported = p.normal.Scale(p.force)
		p.friction.commit(p)
	}
	return w.checkOverlap()
}

// checkOverlap refuses colliders that penetrate each other so much at t = 0 that contact would push them apart on the wrong
// side. It does not check mechanisms with open joints, whose links the search for equilibrium moves first.
func (w *World) checkOverlap() error {
	if w.isOpen {
		return nil
	}
	for _, p := range w.contacts.listed {
		if most := deepest * min(p.a.lawRadius, p.b.lawRadius); p.isNear && -p.gap > most {
			return &OverlapError{A: p.a.name, B: p.b.name, Depth: -p.gap, Most: most, At: p.surfacePoint()}
		}
	}
	return nil
}

// checkNames refuses a pair in which a name is that of nothing that has a surface.
func (c *contacts) checkNames(what string, pair [2]string) error {
	for _, name := range pair {
		if !slices.ContainsFunc(c.colliders, func(o collider) bool { return o.isNamed(name) }) {
			return fmt.Errorf("mechanism: the %s pair %q, %q: %q is no wall, rod or body with shapes, and no shape; remove the pair, or give the body shapes", what, pair[0], pair[1], name)
		}
	}
	return nil
}

// pairFriction returns the Coulomb coefficient of a pair of colliders.
func (c *contacts) pairFriction(a, b *collider) float64 {
	for i := range c.friction {
		if f := &c.friction[i]; areNamed(a, b, f.Of) {
			return f.Friction
		}
	}
	return min(a.friction, b.friction)
}

// areNamed reports whether two colliders are those that a pair names, in either order.
func areNamed(a, b *collider, pair [2]string) bool {
	return a.isNamed(pair[0]) && b.isNamed(pair[1]) || a.isNamed(pair[1]) && b.isNamed(pair[0])
}

// isBox reports whether the collider is the field of a box, which has corners and edges besides.
func (c *collider) isBox() bool {
	_, _, ok := c.field.Core()
	return ok
}

func (w *World) indexOf(name string) int {
	return slices.IndexFunc(w.links, func(l link) bool { n, _ := l.label(); return n == name })
}

// exceptMeetingRods excepts rods that one body holds at places closer than the sum of their radii, where they overlap.
func (w *World) exceptMeetingRods() {
	radius := func(link int) (r float64) {
		for i := range w.contacts.colliders {
			if c := &w.contacts.colliders[i]; c.link == link {
				r = max(r, c.radius)
			}
		}
		return r
	}
	type rodSide struct { // of a joint, with the other side
		rod   int
		other *JointSide
	}
	var all []rodSide
	for _, n := range w.connections {
		for _, s := range [...][2]*JointSide{{&n.Parent, &n.Child}, {&n.Child, &n.Parent}} {
			if i := w.indexOf(s[0].Link); i >= 0 && i < len(w.rods) {
				all = append(all, rodSide{i, s[1]})
			}
		}
	}
	for i, a := range all {
		for _, b := range all[:i] {
			if a.other.Link == b.other.Link && a.rod != b.rod && a.other.Frame.P.Sub(b.other.Frame.P).Norm() < radius(a.rod)+radius(b.rod) {
				w.contacts.excepted = append(w.contacts.excepted, [2]int{a.rod, b.rod})
			}
		}
	}
}

func (c *collider) isNamed(name string) bool { return c.name == name || c.part == name && name != "" }

// mayTouch reports whether two colliders touch if they are close.
func (w *World) mayTouch(a, b *collider) bool {
	if math.IsInf(a.mass, 1) && math.IsInf(b.mass, 1) {
		return false
	}
	if a.link == b.link { // what lies between them is a bend at least; see contact.MinSeparation
		isSelf := a.link < len(w.rods) && w.rods[a.link].SelfContact
		return isSelf && math.Abs(a.arcLength-b.arcLength)-max(a.length, b.length) >= contact.MinSeparation*a.radius
	}
	for _, n := range w.contacts.excepted {
		if n == [2]int{a.link, b.link} || n == [2]int{b.link, a.link} {
			return false
		}
	}
	for _, n := range w.contacts.ignored {
		if areNamed(a, b, n) {
			return false
		}
	}
	return true
}

// touches reports whether two colliders have contact points of which a is the first. Of an axis and a sphere, the
// axis is, since it has two.
func touches(a, b *collider) bool {
	switch a.kind {
	case axisCollider:
		return b.kind == fieldCollider || b.kind == axisCollider && (b.isPoint || !a.isPoint)
	case cornerCollider:
		return b.kind == fieldCollider
	case edgeCollider:
		return b.kind == edgeCollider
	}
	return false
}

// listNear lists the points of all colliders that are within the margin and reach of each other at the present
// poses.
func (w *World) listNear(reach float64) {
	c := &w.contacts
	for i := range c.colliders {
		a := &c.colliders[i]
		a.updateBound(w.frames)
		a.lastCenter, a.lastBound, a.lastPose = a.center, a.bound, a.pose
	}
	c.travel = 0
	copy(c.travelAt, w.frames)
	c.found = c.found[:0]
	for _, k := range c.pairs {
		a, b := &c.colliders[k[0]], &c.colliders[k[1]]
		if a.distance(b) > c.margin+reach {
			continue
		}
		for part := range parts(a, b) {
			isSecondOfNode := part == 0 && b.kind == fieldCollider && a.isElement() && !a.hasFirst
			if !isSecondOfNode { // or held
				c.found = append(c.found, pointKey{k[0], k[1], part})
			}
		}
	}
	slices.SortFunc(c.found, compareKeys)
	old := c.listed
	c.listed, c.other = c.other[:0], old
	for _, key := range c.found {
		for len(old) > 0 && compareKeys(old[0].key, key) < 0 {
			c.unused = append(c.unused, old[0])
			old = old[1:]
		}
		if len(old) > 0 && old[0].key == key {
			c.listed = append(c.listed, old[0])
			old = old[1:]
			continue
		}
		c.listed = append(c.listed, w.newPoint(key))
	}
	c.unused = append(c.unused, old...)
}

// newPoint returns a point that has not been listed, in the state of the start of the step.
func (w *World) newPoint(key pointKey) *contactPoint {
	c := &w.contacts
	if len(c.unused) == 0 {
		block := make([]contactPoint, max(16, len(c.listed)))
		for i := range block {
			c.unused = append(c.unused, &block[i])
		}
	}
	n := len(c.unused) - 1
	p := c.unused[n]
	c.unused = c.unused[:n]
	p.init(w, key)
	return p
}

// isElement reports whether the collider is an element of a rod.
func (c *collider) isElement() bool {
	return c.kind == axisCollider && c.endpoints[0].node != c.endpoints[1].node
}

// distance returns a lower bound of the distance of two colliders, m.
func (c *collider) distance(o *collider) float64 {
	if o.kind == fieldCollider && !o.isBounded() {
		at, _ := o.field.At(o.pose.R.ApplyT(c.center.Sub(o.pose.P)), new(shape.Hint))
		return at.D - c.bound
	}
	return c.center.Sub(o.center).Norm() - c.bound - o.bound
}

func compareKeys(a, b pointKey) int {
	return cmp.Or(a.a-b.a, a.b-b.b, a.part-b.part)
}

// updateContacts computes all contacts at the present poses, and lists them anew if a collider has travelled too
// far since the last list.
func (w *World) updateContacts() {
	c := &w.contacts
	if len(c.pairs) == 0 {
		return
	}
	if !slices.Equal(c.travelAt, w.frames) { // the contacts of a step are updated more than once at the same poses
		c.travel = w.contactTravel()
		copy(c.travelAt, w.frames)
	}
	if !(2*c.travel < (1-listShare)*c.margin) {
		w.listNear(0)
	}
	for _, p := range c.listed {
		p.update(w.frames)
	}
}

// contactTravel returns the largest displacement of a collider since the last list, m.
func (w *World) contactTravel() (most float64) {
	for i := range w.contacts.colliders {
		c := &w.contacts.colliders[i]
		c.updateBound(w.frames)
		most = max(most, c.travel())
	}
	return most
}
