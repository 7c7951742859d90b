package mechanism

import (
	"slices"

	"sinew/pkg/sim/spatial"
)

// beginContacts starts a step of length 1/rate, or a search for equilibrium with rate 0, at the present poses.
func (w *World) beginContacts(rate float64) {
	c := &w.contacts
	if len(c.pairs) == 0 {
		return
	}
	copy(c.startPose, w.pose)
	copy(w.frames, c.startPose) // fixed bodies, too, begin where the last step left them
	c.rate = rate
	w.updateContacts()
	for _, p := range c.listed {
		p.beginStep(rate)
		p.friction.begin(p, w)
	}
	w.coupleNear()
	w.placeFixed()
}

// commitContacts makes the present contacts those of the state, unless there are too many.
func (w *World) commitContacts() error {
	w.updateContacts()
	if err := w.contacts.checkCount(); err != nil {
		return err
	}
	for _, p := range w.contacts.listed {
		p.friction.update(w)
		p.reported = p.normal.Scale(p.force)
		if p.friction.law.Limit > 0 {
			p.reported = p.reported.Add(p.friction.force())
		}
		p.friction.commit(p)
		p.commitGap(w.frames)
	}
	copy(w.contacts.startPose, w.frames)
	return nil
}

// placeFixed moves the surfaces of fixed bodies to where the bodies are.
func (w *World) placeFixed() {
	for _, b := range w.bodies {
		if b.IsFixed {
			w.frames[b.frame] = b.pose
		}
	}
}

// hasFreshFriction reports whether some friction acts for the first time: the acceleration at the start of the step is
// then one without it, and is no measure of that before.
func (w *World) hasFreshFriction() bool {
	for _, p := range w.contacts.listed {
		if p.mu*p.friction.normalForce > 0 && p.friction.deflection == (spatial.Vec{}) {
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

// Contact is a place where links touch each other or a wall.
type Contact struct {
	A, B string // names of the links or walls
	// Point between the surfaces (m) and unit normal from B to A, world axes.
	Point, Normal spatial.Vec
	Gap           float64     // of the surfaces, m; negative: penetration
	NormalForce   float64     // N
	Friction      spatial.Vec // on A, world axes, N
	Force         spatial.Vec // on A, friction included, world axes, N
	ArcLengths    [2]float64  // of the point on A and B where they are rods, m
}

// AppendContacts appends what touches with a force.
func (w *World) AppendContacts(all []Contact) []Contact {
	for _, p := range w.contacts.listed {
		b := &p.friction
		if b.normalForce == 0 {
			continue
		}
		all = append(all, Contact{
			A: p.a.name, B: p.b.name, Point: p.surfacePoint(), Normal: b.normal, Gap: p.gap,
			NormalForce: b.normalForce, Friction: p.reported.AddScaled(-b.normalForce, b.normal), Force: p.reported,
			ArcLengths: [2]float64{p.a.arcLength + p.shares[0]*p.a.length, p.b.arcLength + p.shares[1]*p.b.length},
		})
	}
	return all
}

// Touching returns the names of all links and walls that may touch each other, as pairs, A as in Contact; a rod with itself where it
// may touch itself.
func (w *World) Touching() (pairs [][2]string) {
	c := &w.contacts
	for _, k := range c.pairs {
		pair := [2]string{c.colliders[k[0]].name, c.colliders[k[1]].name}
		if !slices.Contains(pairs, pair) {
			pairs = append(pairs, pair)
		}
	}
	return pairs
}

// MostContacts returns the number of contacts that there can be at once.
func (w *World) MostContacts() int { return min(w.contacts.most, mostSaved) }
