package continuum

import (
	"math"
	"slices"

	"sinew/pkg/sim"
	"sinew/pkg/sim/contact"
	"sinew/pkg/sim/continuum/force"
	"sinew/pkg/sim/environment"
	"sinew/pkg/sim/reference"
	"sinew/pkg/sim/spatial"
)

// listWalls makes the walls of the environment.
func (r *Robot) listWalls() error {
	e := &r.file.Environment
	shapes, err := environment.Shapes(e, r.files.Meshes, r.thickest())
	if err != nil {
		return err
	}
	r.environmentRadius = slices.Max(append(environment.ShapeDistances(e, shapes, spatial.Vec{}), 0))
	r.shapeDistances = environment.ShapeDistances(e, shapes, r.rod.Base.P)
	r.meshFindings = environment.MeshFindings(e, r.files.Meshes, shapes)
	r.meshNotes = environment.MeshNotes(e, shapes)
	for i := range shapes {
		s := &e.Shapes[i]
		r.walls = append(r.walls, contact.Wall{Name: s.Name, Shape: shapes[i], Friction: s.Friction})
		r.scenery = append(r.scenery, environment.ShapeMesh(s.Name, &shapes[i], r.rod.Base.P, 1.5*r.rod.Length, 1))
	}
	return nil
}

// ShapeDistances returns the greatest distance of each shape of the environment from the base, m.
func (r *Robot) ShapeDistances() []float64 { return r.shapeDistances }

// MeshFindings returns for each shape of the environment the flaws of its file that were repaired or left;
// empty for none.
func (r *Robot) MeshFindings() []string { return r.meshFindings }

// MeshNotes says for each mesh of the environment how far from its facets contact acts.
func (r *Robot) MeshNotes() []string { return r.meshNotes }

// newShapes makes the motions of the walls; nil without any.
func (r *Robot) newShapes() *reference.Shapes {
	if len(r.walls) == 0 {
		return nil
	}
	var centers []spatial.Vec
	for i := range r.walls {
		centers = append(centers, r.walls[i].Shape.Center())
	}
	return reference.NewShapes(r.wallNames(), centers, r.farthest(), r.file.Rates.Period())
}

// farthest is how far along each axis poses may be sent, m.
func (r *Robot) farthest() float64 {
	size := max(r.file.Base.Position.Norm()+r.file.Rod.Length, r.environmentRadius)
	for i := range r.file.Field.Dipoles {
		size = max(size, r.file.Field.Dipoles[i].Position.Norm())
	}
	return reference.PositionBound(size)
}

// touches reports whether there is anything that the rod may touch.
func (r *Robot) touches() bool { return len(r.walls) > 0 || r.file.Environment.SelfContact }

// contacts are those of the rod with its walls and with itself.
func (m *Model) contacts() *force.Contact { return m.engine.(*implicit).contact }

// moveShapes tells the engine where the shapes are at the end of a step of length dt.
func (m *Model) moveShapes(dt float64) {
	if m.shapes == nil {
		return
	}
	c := m.contacts()
	for w := range c.Walls {
		c.SetWallTarget(w, m.shapes.Next(w, c.WallPose(w), m.time, dt))
	}
}

// isShapeLimited reports whether a shape is behind its command.
func (m *Model) isShapeLimited() bool {
	c := m.contacts()
	for w := range c.Walls {
		if m.shapes.IsLimited(w, c.WallPose(w), m.time) {
			return true
		}
	}
	return false
}

// onShape is what the rod does to a shape, in its frame about the origin of that.
func (m *Model) onShape(w int) spatial.Wrench {
	c := m.contacts()
	at := c.WallPose(w)
	on := c.WallWrench(w, at.P)
	return spatial.Wrench{Force: at.R.ApplyT(on.Force).Neg(), Moment: at.R.ApplyT(on.Moment).Neg()}
}

var touchColor = sim.Color{R: 0.85, G: 0.20, B: 0.20, A: 1}

// mostTouchArrows is how many contact forces are drawn.
const mostTouchArrows = 16

// contactArrows is the number of arrows of contact forces.
func (r *Robot) contactArrows() int {
	if !r.touches() {
		return 0
	}
	return mostTouchArrows
}

// drawContacts draws the walls and, from arrow first on, the largest contact forces on the
// rod: the largest of all as long as a tenth of the rod, those that there are not as points.
func (m *Model) drawContacts(dst *sim.Scene, first int) {
	r := m.robot
	dst.Meshes = dst.Meshes[:0]
	if !r.touches() {
		return
	}
	dst.Meshes = append(dst.Meshes, r.scenery...)
	c := m.contacts()
	for w := range dst.Meshes {
		dst.Meshes[w].Pose = c.WallPose(w)
	}
	m.touches = c.ListContacts(m.touches[:0], mostTouchArrows)
	largest := c.Summary().Force
	for i := range mostTouchArrows {
		a := sim.Arrow{Name: "contact", From: r.rod.Base.P, To: r.rod.Base.P, Radius: arrowRadius * r.thickest(), Color: touchColor}
		if i < len(m.touches) {
			t := &m.touches[i]
			f := t.Normal.Scale(t.Force).Add(t.Friction)
			a.From = t.Point
			a.To = t.Point.AddScaled(0.1*r.rod.Length/largest, f)
		}
		dst.Arrows[first+i] = a
	}
}

// checkPlaced refuses a robot that begins inside a wall or itself. A search for its equilibrium may
// begin there, for it pushes the rod out.
func (m *Model) checkPlaced() error {
	e, ok := m.engine.(*implicit)
	if !ok {
		return nil
	}
	for _, o := range e.system.Obstacles() {
		if err := o.CheckPenetration(e.system.State, m.time); err != nil {
			return err
		}
	}
	return nil
}

// newContact places the rod among the walls; nil where it touches nothing.
func (r *Robot) newContact() *force.Contact {
	if !r.touches() {
		return nil
	}
	c := contact.New(r.rod, contact.Options{
		Walls: r.walls, Radius: r.contactRadius, Taper: r.contactTaper, Stiffness: r.file.Environment.Stiffness,
		Gravity: r.file.Gravity.Norm(), SelfContact: r.file.Environment.SelfContact,
	})
	return force.NewContact(c, r.contactRadius(0), r.file.Environment.SelfContact)
}

// thickest is the largest radius of the surface of the rod, m.
func (r *Robot) thickest() (most float64) {
	for _, radii := range r.surface {
		most = max(most, radii[0], radii[1])
	}
	return most
}

// contactRadius is the radius of the surface of the rod at an arc length, m: where sections meet, the
// larger one, for the thicker section ends there.
func (r *Robot) contactRadius(s float64) float64 {
	const roundoff = 1e-9
	e, share := r.rod.ElementAt(s)
	most := r.radiusIn(e, share)
	if share < roundoff && e > 0 {
		most = max(most, r.radiusIn(e-1, 1))
	}
	if share > 1-roundoff && e+1 < r.rod.Elements {
		most = max(most, r.radiusIn(e+1, 0))
	}
	return most
}

// radiusIn is the radius at a share of element e, m, of the ball about the centre line that touches the
// surface from within: where the radius tapers that is nearest beside the place, not at it.
func (r *Robot) radiusIn(e int, share float64) float64 {
	radius, slope := r.surfaceIn(e, share)
	return radius / math.Sqrt(1+slope*slope)
}

// contactTaper is the change of radiusIn over element e, m.
func (r *Robot) contactTaper(e int) float64 {
	_, slope := r.surfaceIn(e, 0)
	return r.rod.Lengths[e] * slope / math.Sqrt(1+slope*slope)
}

// surfaceIn is the radius of the surface at a share of element e, m, and its slope along the rod.
func (r *Robot) surfaceIn(e int, share float64) (radius, slope float64) {
	part := r.rod.Properties[e].Part
	first, last := r.rod.PartNodes(part)
	at, l := r.rod.ArcLengths, r.rod.Lengths[e]
	radii := r.surface[part]
	long := at[last] - at[first]
	return radii[0] + (at[e]+share*l-at[first])/long*(radii[1]-radii[0]), (radii[1] - radii[0]) / long
}

// wallNames are the names of the walls.
func (r *Robot) wallNames() (names []string) {
	for i := range r.walls {
		names = append(names, r.walls[i].Name)
	}
	return names
}

// touchNames are the names of what the rod may touch, as Touch.Wall counts.
func (r *Robot) touchNames() []string {
	names := r.wallNames()
	if r.file.Environment.SelfContact {
		names = append(names, contact.SelfName)
	}
	return names
}

// showContacts writes what touches, laid out as sim.Contacts.
func (m *Model) showContacts(dst []float64) {
	c := m.contacts()
	s := c.Summary()
	dst[0], dst[1], dst[2] = float64(s.Count), s.Force, s.Penetration
	m.touches = c.ListContacts(m.touches[:0], sim.MostContacts)
	dst = dst[sim.ContactHead:]
	for i := range m.touches {
		t := &m.touches[i]
		dst = environment.AppendContact(dst, t.Wall, t.ArcLength, t.Gap, t.Force, t.Point, t.Normal, t.Friction)
	}
	environment.EndContacts(dst)
}
