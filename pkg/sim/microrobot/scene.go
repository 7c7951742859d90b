package microrobot

import (
	"math"

	"sinew/pkg/sim"
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
	x := m.place()
	rot := x.Q.Rot()
	at := spatial.Pose{R: rot, P: x.P.Scale(k)}
	if shape := r.file.Body.Shape; shape != nil && shape.Helix != nil {
		drawHelix(dst, shape.Helix, at, k)
	} else {
		m.drawEllipsoids(dst, at, size)
	}

	dst.Arrows = fit(dst.Arrows, 2)
	b, _ := m.env.field(0, x.P)
	moment := rot.Apply(r.magnet.Moment(rot.ApplyT(b)))
	dst.Arrows[0] = arrow("field", at.P, b, fieldLength*size*b.Norm()/(b.Norm()+halfField), size, fieldColor)
	dst.Arrows[1] = arrow("magnetic_moment", at.P, moment, magnetSize*size, size, magnetColor)

	dst.Polylines = fit(dst.Polylines, 1)
	m.trail.extend(at.P, trailStep*size)
	line := &dst.Polylines[0]
	line.Name, line.Width, line.Color = "trail", trailWidth*size, trailColor
	line.Points = fit(line.Points, len(m.trail.points))
	m.trail.put(line.Points)
	m.drawWalls(dst, at.P, size)
}

// drawEllipsoids draws the robots as ellipsoids, the first of them at at.
func (m *Model) drawEllipsoids(dst *sim.Scene, at spatial.Pose, size float64) {
	k := m.robot.drawingScale
	axes := spatial.Vec{X: size, Y: size, Z: size}
	if shape := m.robot.file.Body.Shape; shape != nil && shape.Ellipsoid != nil {
		axes = shape.Ellipsoid.Scale(k)
	}
	others := m.engine.Placements()[1:]
	dst.Spheres = fit(dst.Spheres, 1+len(others))
	dst.Spheres[0] = sim.Sphere{Name: "body", Pose: at, SemiAxes: axes, Color: bodyColor}
	for i, x := range others {
		p := spatial.Pose{R: x.Q.Rot(), P: x.P.Scale(k)}
		dst.Spheres[1+i] = sim.Sphere{Name: "swarm", Pose: p, SemiAxes: axes, Color: bodyColor}
	}
}

// drawHelix draws the wire of the helix h at at, enlarged by k, as the first tube.
func drawHelix(dst *sim.Scene, h *robotfile.Helix, at spatial.Pose, k float64) {
	dst.Tubes = fit(dst.Tubes, 1)
	t := &dst.Tubes[0]
	t.Name, t.Radius, t.Color = "body", h.WireRadius*k, bodyColor
	t.Points = fit(t.Points, helixPoints+1)
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
// the wire of a helix.
func (m *Model) drawWalls(dst *sim.Scene, p spatial.Vec, size float64) {
	k := m.robot.drawingScale
	disks, tubes := 0, 0
	if s := m.robot.file.Body.Shape; s != nil && s.Helix != nil {
		tubes = 1
	}
	for _, w := range m.robot.file.Walls {
		if w.Plane != nil {
			dst.Disks = fit(dst.Disks, disks+1)
			drawPlane(&dst.Disks[disks], w.Plane, p, k, size)
			disks++
		} else {
			dst.Tubes = fit(dst.Tubes, tubes+1)
			drawVessel(&dst.Tubes[tubes], w.Cylinder, p, k, size)
			tubes++
		}
	}
	dst.Disks, dst.Tubes = fit(dst.Disks, disks), fit(dst.Tubes, tubes)
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
	t.Points = fit(t.Points, 2)
	t.Points[0], t.Points[1] = c.AddScaled(-wallSize*size/2, n), c.AddScaled(wallSize*size/2, n)
}
