package mechanism

import (
	"fmt"

	"sinew/pkg/sim/spatial"
)

// StateLen returns the number of values that Save writes.
func (w *World) StateLen() int {
	n := 4
	for _, t := range w.tendons {
		n += t.stateLen()
	}
	for _, l := range w.links {
		n += l.stateLen()
	}
	for _, c := range w.connections {
		n += c.stateLen()
	}
	return n + w.contacts.stateLen()
}

// Save writes the state to dst: what the next step and all outputs depend on. The neutral motion of the
// last equilibrium is not part of it.
func (w *World) Save(dst []float64) {
	dst[0], dst[1], dst[2], dst[3] = w.time, w.lastStep, float64(w.plastic), fromBool(w.isOpen)
	dst = dst[4:]
	for _, t := range w.tendons {
		t.save(dst)
		dst = dst[t.stateLen():]
	}
	for _, l := range w.links {
		l.save(dst)
		dst = dst[l.stateLen():]
	}
	for _, c := range w.connections {
		c.exchange(dst, func(here, there *float64) { *there = *here })
		dst = dst[c.stateLen():]
	}
	w.contacts.save(dst)
}

// Restore makes src, written by Save of the same mechanism, the state.
func (w *World) Restore(src []float64) {
	w.restore(src)
	for _, b := range w.bodies {
		b.target = b.pose
	}
}

// restore is Restore, after which bodies move to where they were sent.
func (w *World) restore(src []float64) {
	w.time, w.lastStep, w.plastic, w.isOpen = src[0], src[1], int(src[2]), src[3] != 0
	src = src[4:]
	for _, t := range w.tendons {
		t.restore(src)
		src = src[t.stateLen():]
	}
	for _, l := range w.links {
		l.restore(src, w.pose[max(l.firstNode(), 0):])
		src = src[l.stateLen():]
	}
	for _, l := range w.rods {
		l.time = w.time
		l.setLoads(1)
	}
	for _, c := range w.connections { // a search for equilibrium that failed leaves joints open
		c.setParentFrame(c.parentFrame)
		c.turnsFreely = false
	}
	for _, b := range w.bodies {
		w.placeSides(b)
	}
	for _, c := range w.connections {
		c.exchange(src, func(here, there *float64) { *here = *there })
		src = src[c.stateLen():]
		c.update(w.pose)
	}
	w.restoreContacts(src)
}

func fromBool(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

func (c *connection) stateLen() int {
	return 5*len(c.coordinate) + len(c.lambda) + 1 + 4*len(c.laws.list)
}

// exchange calls copy with every value of the state and its place in values.
func (c *connection) exchange(values []float64, copy func(here, there *float64)) {
	at := 0
	next := func(here *float64) {
		copy(here, &values[at])
		at++
	}
	for _, list := range [...][]float64{c.coordinate, c.past, c.hat, c.command, c.saturated, c.lambda[:]} {
		for i := range list {
			next(&list[i])
		}
	}
	next(&c.gamma)
	for i := range c.laws.list {
		o := &c.laws.list[i]
		if o.activity = fromBool(o.isActive); !o.isAtMax {
			o.activity = -o.activity
		}
		next(&o.multiplier)
		next(&o.anchor)
		next(&o.free)
		next(&o.activity)
		o.isActive, o.isAtMax = o.activity != 0, o.activity > 0
	}
}

func (b *body) stateLen() int { return 31 + bodyErrorLen + externalLen }

func (b *body) save(dst []float64) {
	b.pose.Put(dst)
	for i, v := range b.vectors() {
		v.Put(dst[12+3*i:])
	}
	dst[30] = b.time
	b.timeError.save(dst[31:])
	b.external.save(dst[31+bodyErrorLen:])
}

func (b *body) restore(src []float64, pose []spatial.Pose) {
	b.pose = spatial.PoseAt(src)
	for i, v := range b.vectors() {
		*v = spatial.VecAt(src[12+3*i:])
	}
	b.time = src[30]
	b.timeError.restore(src[31:])
	b.external.restore(src[31+bodyErrorLen:])
	if !b.IsFixed {
		pose[0] = b.pose
	}
}

// vectors returns the vectors of the state.
func (b *body) vectors() [6]*spatial.Vec {
	return [...]*spatial.Vec{&b.velocity, &b.omega, &b.before.position, &b.before.velocity, &b.before.omega, &b.before.turn}
}

func (l *rodLink) stateLen() int {
	return l.state.StateLen() + l.timeError.StateLen() + externalLen
}

func (l *rodLink) save(dst []float64) {
	l.state.Save(dst)
	dst = dst[l.state.StateLen():]
	l.timeError.Save(dst)
	l.external.save(dst[l.timeError.StateLen():])
}

func (l *rodLink) restore(src []float64, pose []spatial.Pose) {
	l.state.Restore(src)
	src = src[l.state.StateLen():]
	l.timeError.Restore(src)
	l.external.restore(src[l.timeError.StateLen():])
	copy(pose, l.state.Pose)
}

// mostSaved is the number of contact points that may act at once, so that a saved state, whose size is that of the
// mechanism, has the friction of all of them.
const mostSaved = 1024

// savedPoint is the number of values of a contact point in a saved state.
const savedPoint = 13

// stateLen returns the number of values of the contacts in a saved state.
func (c *contacts) stateLen() int { return savedPoint * min(c.most, mostSaved) }

// save writes the state of the points that touch, in the order of their keys; the first value is 1 + the index of a
// collider, or 0 after the last point.
func (c *contacts) save(dst []float64) {
	for _, p := range c.listed {
		b := &p.friction
		if b.normalForce == 0 {
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

// checkCount returns an error where more contact points act than a saved state has.
func (c *contacts) checkCount() error {
	count := 0
	for _, p := range c.listed {
		if p.force != 0 {
			count++
		}
	}
	if count > mostSaved {
		return fmt.Errorf("mechanism: %d contact points act at once, allowed %d; use fewer shapes or elements where links lie on each other, or ignore pairs", count, mostSaved)
	}
	return nil
}

// restoreContacts makes the state that was saved that of the contacts at the present poses.
func (w *World) restoreContacts(src []float64) {
	c := &w.contacts
	if len(c.pairs) == 0 {
		return
	}
	w.placeFixed()
	copy(c.startPose, w.frames)
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
