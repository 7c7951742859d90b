package microrobot

import (
	"math"

	"sinew/pkg/sim"
	"sinew/pkg/sim/integrate"
	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/spatial"
)

// Draw implements sim.Model: the body, its magnetic moment (red), the field (blue, as
// long as B/(B + 2 mT)), the path behind it (green) and the walls, all enlarged about
// the world origin by the gauge drawing_scale. It allocates only for a scene it has
// not drawn before.
func (m *Model) Draw(dst *sim.Scene) {
	m.prepare()
	r := m.robot
	dst.Scale = r.drawingScale
	k, size := r.drawingScale, r.size*r.drawingScale
	x := m.placement()
	rot := x.Q.Rot()
	at := spatial.Pose{R: rot, P: x.P.Scale(k)}
	r.drawBodies(dst, at, m.engine.Placements()[1:])

	dst.Arrows = resize(dst.Arrows, 2+r.contactArrows())
	b, _ := m.env.At(0, x.P)
	moment := rot.Apply(r.magnet.Moment(rot.ApplyT(b)))
	dst.Arrows[0] = arrow("field", at.P, b, fieldLength*size*b.Norm()/(b.Norm()+halfField), size, fieldColor)
	dst.Arrows[1] = arrow("magnetic_moment", at.P, moment, magnetSize*size, size, magnetColor)

	dst.Polylines = resize(dst.Polylines, 1)
	m.trail.extend(at.P, trailStep*size)
	line := &dst.Polylines[0]
	line.Name, line.Width, line.Color = "trail", trailWidth*size, trailColor
	line.Points = resize(line.Points, len(m.trail.points))
	m.trail.put(line.Points)
	r.drawWalls(dst, at.P)
	m.drawContacts(dst, 2)
}

// maxContactArrows is how many contact forces are drawn.
const maxContactArrows = 16

// contactArrows is the number of arrows of contact forces.
func (r *Robot) contactArrows() int {
	if !r.hasShapes() {
		return 0
	}
	return maxContactArrows
}

// drawContacts draws, from arrow first on, the largest contact forces: the largest of all as
// long as half of the body, those that there are not as points.
func (m *Model) drawContacts(dst *sim.Scene, first int) {
	r := m.robot
	if !r.hasShapes() {
		return
	}
	l := m.listContacts()
	k, size := r.drawingScale, r.size*r.drawingScale
	for i := range maxContactArrows {
		from, force := m.placement().P.Scale(k), spatial.Vec{}
		if i < len(l.listed) {
			from, force = l.listed[i].point.Scale(k), l.listed[i].Normal.Scale(l.listed[i].Push/l.force)
		}
		dst.Arrows[first+i] = arrow("contact", from, force, size*force.Norm(), size, touchColor)
	}
}

// drawBodies draws the robots, the first of them at at, which is enlarged, before anything else: a
// helix as a tube, cuboids as meshes, cylinders as disks, and all others as ellipsoids.
func (r *Robot) drawBodies(dst *sim.Scene, at spatial.Pose, others []integrate.Placement) {
	k, shape := r.drawingScale, r.file.Body.Shape
	dst.Meshes, dst.Disks = dst.Meshes[:0], dst.Disks[:0]
	if shape != nil && shape.Helix != nil {
		drawHelix(dst, shape.Helix, at, k)
		return
	}
	bodies := 1 + len(others)
	place := func(i int) (name string, p spatial.Pose) {
		if i == 0 {
			return "body", at
		}
		x := &others[i-1]
		return "swarm", spatial.Pose{R: x.Q.Rot(), P: x.P.Scale(k)}
	}
	switch {
	case shape != nil && shape.Cuboid != nil:
		for i := range bodies {
			name, p := place(i)
			dst.Meshes = append(dst.Meshes, sim.Mesh{Name: name, Corners: r.cuboidCorners, Pose: p, Color: bodyColor})
		}
	case shape != nil && shape.Cylinder != nil:
		for i := range bodies {
			name, p := place(i)
			// the axis of a disk is its z axis, that of the body x
			p.R = spatial.FromColumns(p.R.Col2(), p.R.Col3(), p.R.Col1())
			dst.Disks = append(dst.Disks, sim.Disk{Name: name, Pose: p, Radius: k * shape.Cylinder.Radius, Thickness: k * shape.Cylinder.Length, Color: bodyColor})
		}
	default:
		axes := spatial.Vec{X: r.size, Y: r.size, Z: r.size}.Scale(k)
		if shape != nil && shape.Ellipsoid != nil {
			axes = shape.Ellipsoid.Scale(k)
		}
		dst.Spheres = resize(dst.Spheres, bodies)
		for i := range bodies {
			name, p := place(i)
			dst.Spheres[i] = sim.Sphere{Name: name, Pose: p, SemiAxes: axes, Color: bodyColor}
		}
	}
}

// cuboidTriangles returns the corners of the triangles of a cuboid with the given edges.
func cuboidTriangles(edges spatial.Vec) (corners []spatial.Vec) {
	for axis := range 3 {
		for _, side := range [...]float64{-0.5, 0.5} {
			at := func(u, v float64) spatial.Vec {
				var x [3]float64
				x[axis], x[(axis+1)%3], x[(axis+2)%3] = side, u*side*2, v
				return edges.Mul(spatial.Vec{X: x[0], Y: x[1], Z: x[2]})
			}
			a, b, c, d := at(-0.5, -0.5), at(0.5, -0.5), at(0.5, 0.5), at(-0.5, 0.5)
			corners = append(corners, a, b, c, a, c, d)
		}
	}
	return corners
}

// Sketch sets dst to the scene of measured poses (m, world frame) of the robot, and of the others
// of a swarm: the bodies, the moment of a permanent magnet and the walls, enlarged as by
// Model.Draw. It draws neither field nor path, which are unknown. For a swarm of helices it draws
// the first. Shapes of the environment have the poses in shapes, by the names of their topics, or
// otherwise those of the robot file.
func (r *Robot) Sketch(dst *sim.Scene, poses []spatial.Pose, shapes map[string]spatial.Pose) {
	*dst = sim.Scene{Scale: r.drawingScale}
	if len(poses) == 0 {
		return
	}
	others := make([]integrate.Placement, len(poses)-1)
	for i, p := range poses[1:] {
		others[i] = integrate.Placement{Q: p.R.Quat(), P: p.P}
	}
	at := spatial.Pose{R: poses[0].R, P: poses[0].P.Scale(r.drawingScale)}
	r.drawBodies(dst, at, others)
	if moment, permanent := r.magnet.IsPermanent(); permanent {
		size := r.size * r.drawingScale
		dst.Arrows = []sim.Arrow{arrow("magnetic_moment", at.P, at.R.Apply(moment), magnetSize*size, size, magnetColor)}
	}
	r.drawWalls(dst, at.P)
	for i := len(dst.Meshes) - len(r.shapeMeshes); i < len(dst.Meshes); i++ {
		if place, given := shapes[robotfile.TopicOf(dst.Meshes[i].Name)]; given {
			dst.Meshes[i].Pose = spatial.Pose{R: place.R, P: place.P.Scale(r.drawingScale)}
		}
	}
}

// drawHelix draws the wire of the helix h at at, enlarged by k, as the first tube.
func drawHelix(dst *sim.Scene, h *robotfile.Helix, at spatial.Pose, k float64) {
	dst.Tubes = resize(dst.Tubes, 1)
	t := &dst.Tubes[0]
	t.Name, t.Radius, t.Color = "body", h.WireRadius*k, bodyColor
	t.Points = resize(t.Points, helixPoints+1)
	sense := 1.0
	if h.Handedness == robotfile.LeftHanded {
		sense = -1
	}
	for i := range t.Points {
		s := h.Length * (float64(i)/helixPoints - 0.5)
		sin, cos := math.Sincos(sense * 2 * math.Pi * s / h.Pitch)
		t.Points[i] = at.Apply(spatial.Vec{X: s, Y: h.Radius * cos, Z: h.Radius * sin}.Scale(k))
	}
}

// drawWalls draws planes as disks near the robot at p and vessels as tubes, which follow
// the wire of a helix, and the shapes of the environment.
func (r *Robot) drawWalls(dst *sim.Scene, p spatial.Vec) {
	bodies := len(dst.Meshes)
	dst.Meshes = append(dst.Meshes, r.shapeMeshes...)
	for i := range r.shapeMeshes {
		at := r.walls.SurfacePose(i)
		at.P = at.P.Scale(r.drawingScale)
		dst.Meshes[bodies+i].Pose = at
	}
	k := r.drawingScale
	size := r.size * k
	disks, tubes := len(dst.Disks), 0
	if s := r.file.Body.Shape; s != nil && s.Helix != nil {
		tubes = 1
	}
	for _, w := range r.file.Walls {
		if w.Plane != nil {
			dst.Disks = resize(dst.Disks, disks+1)
			drawPlane(&dst.Disks[disks], w.Plane, p, k, size)
			disks++
		} else {
			dst.Tubes = resize(dst.Tubes, tubes+1)
			drawVessel(&dst.Tubes[tubes], w.Cylinder, p, k, size)
			tubes++
		}
	}
	dst.Disks, dst.Tubes = resize(dst.Disks, disks), resize(dst.Tubes, tubes)
}

// drawPlane draws what of the plane w is near the robot at p.
func drawPlane(d *sim.Disk, w *robotfile.Plane, p spatial.Vec, k, size float64) {
	n := w.Normal.Unit()
	foot := p.AddScaled(w.Point.Scale(k).Sub(p).Dot(n), n)
	e := n.Perpendicular()
	*d = sim.Disk{
		Name: "wall", Pose: spatial.Pose{R: spatial.FromColumns(e, n.Cross(e), n), P: foot},
		Radius: wallSize * size / 2, Thickness: arrowRadius * size, Color: wallColor,
	}
}

// drawVessel draws what of the vessel w is near the robot at p.
func drawVessel(t *sim.Tube, w *robotfile.Cylinder, p spatial.Vec, k, size float64) {
	n := w.Axis.Unit()
	c := w.Center.Scale(k)
	c = c.AddScaled(p.Sub(c).Dot(n), n)
	t.Name, t.Radius, t.Color = "vessel", w.Radius*k, wallColor
	t.Points = resize(t.Points, 2)
	t.Points[0], t.Points[1] = c.AddScaled(-wallSize*size/2, n), c.AddScaled(wallSize*size/2, n)
}

// Proportions of what is drawn, over the robot's drawn half-length.
const (
	drawnSize   = 0.1  // m, of the half-length, within a factor of √10
	arrowRadius = 0.05 // of the half-length
	fieldLength = 2.5  // of the arrow in a strong field
	magnetSize  = 1.6  // of the arrow along the magnetic moment
	trailWidth  = 0.04
	trailStep   = 0.2  // least distance between points of the trail
	wallSize    = 20   // of what is shown of a wall
	helixPoints = 60   // of the wire
	halfField   = 2e-3 // T, at which the arrow has half its length
)

var (
	bodyColor   = sim.Color{R: 0.75, G: 0.78, B: 0.82, A: 1}
	magnetColor = sim.Color{R: 0.85, G: 0.15, B: 0.15, A: 1}
	fieldColor  = sim.Color{R: 0.10, G: 0.45, B: 0.95, A: 1}
	trailColor  = sim.Color{R: 0.10, G: 0.80, B: 0.30, A: 1}
	touchColor  = sim.Color{R: 0.95, G: 0.60, B: 0.10, A: 1}
	wallColor   = sim.Color{R: 0.60, G: 0.60, B: 0.55, A: 0.3}
)

// drawingScale returns the power of ten by which markers are larger than what they show,
// so that viewers that see nothing below a centimetre show a robot of micrometres.
func drawingScale(size float64) float64 {
	return math.Pow(10, math.Round(math.Log10(drawnSize/size)))
}

// arrow returns an arrow along v, of no length where v has no direction.
func arrow(name string, from, v spatial.Vec, length, size float64, c sim.Color) sim.Arrow {
	a := sim.Arrow{Name: name, From: from, To: from, Radius: arrowRadius * size, Color: c}
	if n := v.Norm(); n > 0 {
		a.To = from.AddScaled(length/n, v)
	}
	return a
}

// resize returns s with length n, with its storage if that suffices.
func resize[T any](s []T, n int) []T {
	if cap(s) < n {
		grown := make([]T, n)
		copy(grown, s)
		return grown
	}
	return s[:n]
}

// trailPoints is the number of points of the robot's path in a drawing.
const trailPoints = 400

// trail is the path that has been drawn: always the same number of newest points, so
// that a scene keeps its shape.
type trail struct {
	points  [trailPoints]spatial.Vec
	oldest  int
	started bool
}

// extend makes p the newest point. It replaces the one before unless that is at least
// step away from the point before it.
func (t *trail) extend(p spatial.Vec, step float64) {
	if !t.started {
		for i := range t.points {
			t.points[i] = p
		}
		t.oldest, t.started = 0, true
		return
	}
	newest := (t.oldest + trailPoints - 1) % trailPoints
	before := (newest + trailPoints - 1) % trailPoints
	if p == t.points[newest] {
		return
	}
	if t.points[newest].Sub(t.points[before]).Norm() < step {
		t.points[newest] = p
		return
	}
	t.points[t.oldest] = p
	t.oldest = (t.oldest + 1) % trailPoints
}

// put writes the points to dst, the oldest first.
func (t *trail) put(dst []spatial.Vec) {
	n := copy(dst, t.points[t.oldest:])
	copy(dst[n:], t.points[:t.oldest])
}

// reset begins a new path.
func (t *trail) reset() { t.started = false }
