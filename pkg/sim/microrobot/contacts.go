package microrobot

import (
	"math"

	"sinew/pkg/sim"
	"sinew/pkg/sim/environment"
	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/reference"
	"sinew/pkg/sim/shape"
	"sinew/pkg/sim/spatial"
	"sinew/pkg/sim/stokes"
)

// listShapes makes the shapes of the environment.
func (r *Robot) listShapes(meshes environment.Meshes) ([]shape.Shape, error) {
	const reach = 2 // half-widths from the reference point within which distances to meshes are needed
	return environment.Shapes(&r.file.Environment, meshes, reach*r.body.Shape.Hull.Bound())
}

// drawShapes makes the picture of the environment.
func (r *Robot) drawShapes(shapes []shape.Shape) {
	for i := range shapes {
		name := r.file.Environment.Shapes[i].Name
		r.shapeMeshes = append(r.shapeMeshes, environment.ShapeMesh(name, &shapes[i], r.file.Body.Position, wallSize*r.size, r.drawingScale))
	}
}

// ShapeDistances is how far from the initial place of the body anything of each shape of the environment is at most, m.
func (r *Robot) ShapeDistances() []float64 { return r.shapeDistances }

// MeshFindings returns for each shape of the environment the flaws of its file that were repaired or left;
// empty for none.
func (r *Robot) MeshFindings() []string { return r.meshFindings }

// MeshNotes says for each mesh of the environment how far from its facets contact acts.
func (r *Robot) MeshNotes() []string { return r.meshNotes }

// farthest is how far along each axis poses may be sent, m.
func (r *Robot) farthest() float64 {
	size := max(r.file.Body.Position.Norm()+r.size, r.shapesReach)
	for i := range r.file.Field.Dipoles {
		size = max(size, r.file.Field.Dipoles[i].Position.Norm())
	}
	return reference.PositionBound(size)
}

// hasShapes reports whether there is an environment.
func (r *Robot) hasShapes() bool { return len(r.shapeMeshes) > 0 }

// movesShapes reports whether commands move the environment: without inertia, for contact knows
// no impulse of a wall.
func (r *Robot) movesShapes() bool { return r.hasShapes() && r.inertial == nil }

// shapeNames are the names of the shapes of the environment.
func (r *Robot) shapeNames() (names []string) {
	for i := range r.file.Environment.Shapes {
		names = append(names, r.file.Environment.Shapes[i].Name)
	}
	return names
}

// reachable returns the share of the way from one place to another, at most 1, that takes no
// point of the body through a shape: to the nearest one, and half of the body's thickness
// further. Distances know on which side a body is that has not gone deeper.
func (r *Robot) reachable(from, to *integrate.Placement) float64 {
	if !r.hasShapes() {
		return 1
	}
	way := to.P.Sub(from.P).Norm()
	if r.body.Shape.Radius == 0 {
		way += r.size * from.Q.Conj().Mul(to.Q).Log().Norm()
	}
	if way <= r.thinnest/2 {
		return 1
	}
	rot := from.Q.Rot()
	hull := r.hull(&rot)
	most := r.walls.Clearance(from.P, &hull) + r.thinnest/2
	if way > most {
		return most / way
	}
	return 1
}

// robotContact is where a robot presses on a shape.
type robotContact struct {
	stokes.Touch
	point spatial.Vec // world, m
}

// touchingContacts is what presses on shapes: all that there is, and the largest forces of it.
type touchingContacts struct {
	count        float64
	force, depth float64 // largest, N and m
	listed       []robotContact
}

// listContacts finds what presses on the shapes now.
func (m *Model) listContacts() *touchingContacts {
	m.prepare()
	l := &m.touches
	l.count, l.force, l.depth, l.listed = 0, 0, 0, l.listed[:0]
	for i := range m.engine.Placements() {
		x := &m.engine.Placements()[i]
		for _, t := range m.engine.Touches(i, m.room[:0]) {
			if t.Wall < 0 {
				continue
			}
			l.count++
			l.force, l.depth = math.Max(l.force, t.Push), math.Max(l.depth, -t.Gap)
			l.add(robotContact{t, x.P.Add(t.Arm)})
		}
	}
	l.force, l.depth = saturated(l.force), saturated(l.depth)
	return l
}

// add keeps t if it is among the largest forces.
func (l *touchingContacts) add(t robotContact) {
	if len(l.listed) < sim.MostContacts {
		l.listed = append(l.listed, t)
		return
	}
	least := 0
	for i := range l.listed {
		if l.listed[i].Push < l.listed[least].Push {
			least = i
		}
	}
	if t.Push > l.listed[least].Push {
		l.listed[least] = t
	}
}

// showContacts writes what presses on the shapes, laid out as sim.Contacts.
func (m *Model) showContacts(dst []float64) {
	l := m.listContacts()
	dst[0], dst[1], dst[2] = l.count, l.force, l.depth
	dst = dst[sim.ContactHead:]
	for i := range l.listed {
		t := &l.listed[i]
		dst = environment.AppendContact(dst, t.Wall, 0, t.Gap, t.Push, t.point, t.Normal, spatial.Vec{})
	}
	environment.EndContacts(dst)
}

// contactGauges are measured where there is an environment.
var contactGauges = []sim.Gauge{
	{Key: "contacts"},
	{Key: "contact_force_max", Unit: "N"},
	{Key: "penetration_over_radius", Warn: 0.01, Hint: "the body goes into a wall by more than contact does; use a smaller solver.step_s"},
}

// measureContacts writes the gauges.
func (m *Model) measureContacts(dst []float64) {
	l := m.listContacts()
	dst[0], dst[1], dst[2] = l.count, l.force, l.depth/m.robot.thinnest
}

// Touches implements engine.
func (o *overdamped) Touches(i int, dst []stokes.Touch) []stokes.Touch {
	return o.motion.touches(dst, &o.x[i])
}

// Touches implements engine.
func (s *swarm) Touches(i int, dst []stokes.Touch) []stokes.Touch {
	return s.motion.touches(dst, &s.x[i])
}

// touches appends to dst what of a robot at x presses on walls at the beginning of a step.
func (k *overdampedMotion) touches(dst []stokes.Touch, x *integrate.Placement) []stokes.Touch {
	r, h := k.robot, k.robot.file.Solver.Step
	k.begin()
	k.unhindered = true
	v, w := k.Velocity(0, *x)
	k.unhindered = false
	rot := x.Q.Rot()
	hull := r.hull(&rot)
	if r.walls.Gap(x.P, &hull) > h*(v.Norm()+r.size*w.Norm()) {
		return dst
	}
	var mobility stokes.Mobility
	if r.lubricated {
		mobility = r.nearMobility(x.P)
	} else {
		mobility = r.body.Mobility.Rotated(rot)
	}
	return r.walls.Touches(dst, x.P, &hull, &mobility, spatial.Twist{Linear: v, Angular: rot.Apply(w)}, h)
}

// Touches implements engine: the forces are means over a step.
func (e *inertial) Touches(_ int, dst []stokes.Touch) []stokes.Touch {
	m := &e.motion
	h := m.robot.file.Solver.Step
	rot := e.x[0].Q.Rot()
	hull := m.robot.hull(&rot)
	a := e.freeAcceleration()
	free := addTwists(toWorld(&rot, e.twist), spatial.Twist{Linear: a.Linear.Scale(h), Angular: a.Angular.Scale(h)})
	mobility := m.body.invMass.Rotated(rot)
	first := len(dst)
	dst = m.robot.walls.Touches(dst, e.x[0].P, &hull, &mobility, free, h)
	for i := first; i < len(dst); i++ {
		dst[i].Push /= h
	}
	return dst
}
