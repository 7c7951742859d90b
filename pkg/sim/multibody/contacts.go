package multibody

import (
	"cmp"
	"slices"

	"sinew/pkg/sim"
	"sinew/pkg/sim/environment"
	"sinew/pkg/sim/mechanism"
	"sinew/pkg/sim/spatial"
)

// contacts are the labels of what may touch, and scratch.
type contacts struct {
	labels []string
	number map[[2]string]int // of the label of a link and what it touches
	found  []mechanism.Contact
}

// labelSeparator stands between a link and what it touches.
const labelSeparator = "/"

// newContacts labels every link that may touch another link, a wall or itself.
func (r *Robot) newContacts(w *mechanism.World) *contacts {
	c := &contacts{number: map[[2]string]int{}, found: make([]mechanism.Contact, 0, w.MostContacts())}
	add := func(link, other string) {
		if _, has := c.number[[2]string{link, other}]; !has && r.isLink(link) {
			c.number[[2]string{link, other}] = len(c.labels)
			c.labels = append(c.labels, topic(link)+labelSeparator+topic(other))
		}
	}
	for _, pair := range w.Touching() {
		add(pair[0], pair[1])
		add(pair[1], pair[0])
	}
	return c
}

// isLink reports whether a name is that of a rod or body; otherwise it is that of a wall.
func (r *Robot) isLink(name string) bool {
	for i := range r.file.Rods {
		if r.file.Rods[i].Name == name {
			return true
		}
	}
	for i := range r.file.Bodies {
		if r.file.Bodies[i].Name == name {
			return true
		}
	}
	return false
}

// list lists what touches, the largest normal forces first.
func (c *contacts) list(w *mechanism.World) []mechanism.Contact {
	c.found = w.AppendContacts(c.found[:0])
	slices.SortStableFunc(c.found, func(a, b mechanism.Contact) int { return cmp.Compare(b.NormalForce, a.NormalForce) })
	return c.found
}

// showContacts writes what touches, laid out as sim.Contacts: each contact once for every link that it acts on.
func (m *Model) showContacts(dst []float64) {
	all := m.contacts.list(m.world)
	dst[0], dst[1], dst[2] = float64(len(all)), 0, 0
	for i := range all {
		dst[1], dst[2] = max(dst[1], all[i].NormalForce), max(dst[2], -all[i].Gap)
	}
	dst = dst[sim.ContactHead:]
	for i := range all {
		o := &all[i]
		for side, pair := range [...][2]string{{o.A, o.B}, {o.B, o.A}} {
			k, isLink := m.contacts.number[pair]
			if !isLink || len(dst) == 0 {
				continue
			}
			normal, friction := o.Normal, o.Friction
			if side == 1 {
				normal, friction = spatial.Vec{}.Sub(normal), spatial.Vec{}.Sub(friction) // without negative zeros
			}
			dst = environment.AppendContact(dst, k, o.ArcLengths[side], o.Gap, o.NormalForce, o.Point, normal, friction)
		}
	}
	environment.EndContacts(dst)
}

var contactColor = sim.Color{R: 0.85, G: 0.20, B: 0.20, A: 1}

// mostArrows is how many contact forces are drawn.
const mostArrows = 16

// countArrows returns the number of arrows of contact forces.
func (m *Model) countArrows() int {
	if len(m.contacts.labels) == 0 {
		return 0
	}
	return mostArrows
}

// drawContacts draws the largest contact forces, each on the first of its links: the largest of all as long as a tenth of the robot.
// Those that there are not are points.
func (m *Model) drawContacts(dst []sim.Arrow) {
	if len(dst) == 0 {
		return
	}
	all, origin := m.contacts.list(m.world), m.anywhere()
	for i := range dst {
		a := sim.Arrow{Name: "contact", From: origin, To: origin, Radius: arrowRadius * m.robot.size, Color: contactColor}
		if i < len(all) {
			a.From = all[i].Point
			a.To = a.From.AddScaled(arrowShare*m.robot.size/all[0].NormalForce, all[i].Force)
		}
		dst[i] = a
	}
}

// anywhere returns a point of the robot.
func (m *Model) anywhere() spatial.Vec {
	if len(m.robot.file.Rods) > 0 {
		return m.world.NodePoses(0)[0].P
	}
	return m.world.BodyPose(0).P
}
