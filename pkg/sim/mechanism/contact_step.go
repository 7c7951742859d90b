package mechanism

import "sinew/pkg/sim/spatial"

// beginContacts starts a step of length 1/rate, or a search for equilibrium with rate 0, at the present poses.
func (w *World) beginContacts(rate float64) {
	c := &w.contacts
	if len(c.pairs) == 0 {
		return
	}
	copy(c.startPose, w.pose)
	c.rate = rate
	w.updateContacts()
	for _, p := range c.listed {
		p.beginStep(rate)
		p.friction.begin(p, w)
	}
	w.coupleNear()
}

// commitContacts makes the present contacts those of the state.
func (w *World) commitContacts() {
	w.updateContacts()
	for _, p := range w.contacts.listed {
		p.friction.update(w)
		p.reported = p.normal.Scale(p.force)
		if p.friction.law.Limit > 0 {
			p.reported = p.reported.Add(p.friction.force())
		}
		p.friction.commit(p)
		p.commitGap(w.pose)
	}
}

// contactsHaveChanged reports whether the last assembly has a tangent that is not that of its forces, or a new
// matrix.
func (w *World) contactsHaveChanged() bool {
	if w.contacts.hasCoupled {
		return true
	}
	for _, p := range w.contacts.listed {
		if p.friction.hasChanged {
			return true
		}
	}
	return false
}

// hasContactImpact reports whether colliders touch that were apart at the start of the step.
func (w *World) hasContactImpact() bool {
	for _, p := range w.contacts.listed {
		if p.isImpact() {
			return true
		}
	}
	return false
}

// contactShare returns the largest share, at most 1, of the increment that lets no collider go through another: none
// gets deeper than half the smaller of the radii of their laws.
func (w *World) contactShare() (share float64) {
	c := &w.contacts
	if share = 1; len(c.pairs) == 0 {
		return share
	}
	most := 0.0
	for i := range c.colliders {
		a := &c.colliders[i]
		most = max(most, w.colliderShift(a))
	}
	if travel := w.contactTravel(); 2*(travel+most) > (1-listShare)*c.margin {
		w.listNear(2 * most)
		for _, p := range c.listed {
			p.update(w.pose)
		}
	}
	for _, p := range c.listed {
		depth := 0.5 * min(p.a.lawRadius, p.b.lawRadius)
		room := p.gap + depth
		shift := w.colliderShift(p.a) + w.colliderShift(p.b)
		if shift*share <= room {
			continue
		}
		if p.isNear {
			shift = -p.gapChange(w)
		}
		if shift*share > room {
			share = max(room, 0.5*depth) / shift
		}
	}
	return share
}

// gapChange returns the change of the gap by the increment, to first order, m.
func (c *contactPoint) gapChange(w *World) (sum float64) {
	for i := range c.nodePoints {
		if s := &c.nodePoints[i]; s.node >= 0 {
			x := &w.increment[s.node]
			d := x.Linear().Scale(s.weight).Add(x.Angular().Cross(s.arm))
			sum += sideSign(i) * c.normal.Dot(w.pose[s.node].R.Apply(d))
		}
	}
	return sum
}

// colliderShift returns a bound of the displacement of a collider by the increment, to first order, m.
func (w *World) colliderShift(c *collider) (most float64) {
	if c.kind == fieldCollider {
		if c.node < 0 {
			return 0
		}
		x := &w.increment[c.node]
		return x.Linear().Norm() + x.Angular().Norm()*(c.local.Norm()+c.bound)
	}
	for i := range c.knots {
		k := &c.knots[i]
		if k.node < 0 {
			continue
		}
		x := &w.increment[k.node]
		d := x.Linear().Add(x.Angular().Cross(k.at))
		most = max(most, d.Norm()+0.25*c.length*x.Angular().Cross(k.tangent).Norm())
	}
	return most
}

// Contact is a place where links touch each other or a wall.
type Contact struct {
	A, B string // names of the links or walls
	// Point between the surfaces (m) and unit normal from B to A, world axes.
	Point, Normal spatial.Vec
	Gap           float64     // of the surfaces, m; negative: penetration
	Force         spatial.Vec // on A, friction included, world axes, N
	ArcLengths    [2]float64  // of the point on A and B where they are rods, m
}

// AppendContacts appends what touches with a force.
func (w *World) AppendContacts(all []Contact) []Contact {
	for _, p := range w.contacts.listed {
		if p.friction.normalForce == 0 {
			continue
		}
		all = append(all, Contact{
			A: p.a.name, B: p.b.name, Point: p.surfacePoint(), Normal: p.normal, Gap: p.gap, Force: p.reported,
			ArcLengths: [2]float64{p.a.arcLength + p.shares[0]*p.a.length, p.b.arcLength + p.shares[1]*p.b.length},
		})
	}
	return all
}

// mostSaved bounds the contact points whose state is saved; those beyond lose their friction.
const mostSaved = 256

// savedPoint is the number of values of a contact point in a saved state.
const savedPoint = 13

// stateLen returns the number of values of the contacts in a saved state.
func (c *contacts) stateLen() int {
	n := 0
	for _, k := range c.pairs {
		n += parts(&c.colliders[k[0]], &c.colliders[k[1]])
	}
	return savedPoint * min(n, mostSaved)
}

// save writes the state of the points that touch, in the order of their keys; the first value is 1 + the index of a
// collider, or 0 after the last point.
func (c *contacts) save(dst []float64) {
	for _, p := range c.listed {
		b := &p.friction
		if b.normalForce == 0 || len(dst) == 0 {
			continue
		}
		dst[0], dst[1], dst[2], dst[3] = float64(1+p.key.a), float64(p.key.b), float64(p.key.part), b.normalForce
		b.deflection.Put(dst[4:])
		b.normal.Put(dst[7:])
		p.reported.Put(dst[10:])
		dst = dst[savedPoint:]
	}
	clear(dst)
}

// restoreContacts makes the state that was saved that of the contacts at the present poses.
func (w *World) restoreContacts(src []float64) {
	c := &w.contacts
	if len(c.pairs) == 0 {
		return
	}
	copy(c.startPose, w.pose)
	c.rate = 0
	w.listNear(0)
	for _, p := range c.listed {
		p.init(w, p.key)
		if key := (pointKey{p.key.a + 1, p.key.b, p.key.part}); len(src) > 0 && key == (pointKey{int(src[0]), int(src[1]), int(src[2])}) {
			p.friction.normalForce = src[3]
			p.friction.deflection, p.friction.normal, p.reported = spatial.VecAt(src[4:]), spatial.VecAt(src[7:]), spatial.VecAt(src[10:])
			src = src[savedPoint:]
		}
	}
}
