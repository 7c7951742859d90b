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
	x := m.place()
	rot := x.Q.Rot()
	at := spatial.Pose{R: rot, P: x.P.Scale(k)}
	r.drawBodies(dst, at, m.engine.Placements()[1:])

	dst.Arrows = fit(dst.Arrows, 2)
	b, _ := m.env.At(0, x.P)
	moment := rot.Apply(r.magnet.Moment(rot.ApplyT(b)))
	dst.Arrows[0] = arrow("field", at.P, b, fieldLength*size*b.Norm()/(b.Norm()+halfField), size, fieldColor)
	dst.Arrows[1] = arrow("magnetic_moment", at.P, moment, magnetSize*size, size, magnetColor)

	dst.Polylines = fit(dst.Polylines, 1)
	m.trail.extend(at.P, trailStep*size)
	line := &dst.Polylines[0]
	line.Name, line.Width, line.Color = "trail", trailWidth*size, trailColor
	line.Points = fit(line.Points, len(m.trail.points))
	m.trail.put(line.Points)
	r.drawWalls(dst, at.P)
}

// drawBodies draws the robots, the first of them at at, which is enlarged, as a helix or as ellipsoids.
func (r *Robot) drawBodies(dst *sim.Scene, at spatial.Pose, others []integrate.Placement) {
	k := r.drawingScale
	shape := r.file.Body.Shape
	if shape != nil && shape.Helix != nil {
		drawHelix(dst, shape.Helix, at, k)
		return
	}
	axes := spatial.Vec{X: r.size, Y: r.size, Z: r.size}.Scale(k)
	if shape != nil && shape.Ellipsoid != nil {
		axes = shape.Ellipsoid.Scale(k)
	}
	dst.Spheres = fit(dst.Spheres, 1+len(others))
	dst.Spheres[0] = sim.Sphere{Name: "body", Pose: at, SemiAxes: axes, Color: bodyColor}
	for i, x := range others {
		p := spatial.Pose{R: x.Q.Rot(), P: x.P.Scale(k)}
		dst.Spheres[1+i] = sim.Sphere{Name: "swarm", Pose: p, SemiAxes: axes, Color: bodyColor}
	}
}

// Sketch describes in dst what the measured poses (m, world frame) of the robot, and of the others of a swarm, say of
// it: the bodies, the moment of a permanent magnet and the walls, enlarged as by Model.Draw. The field and the path nobody
// tells. Of a swarm of helices it is the first.
func (r *Robot) Sketch(dst *sim.Scene, poses []spatial.Pose) {
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
func (r *Robot) drawWalls(dst *sim.Scene, p spatial.Vec) {
	k := r.drawingScale
	size := r.size * k
	disks, tubes := 0, 0
	if s := r.file.Body.Shape; s != nil && s.Helix != nil {
		tubes = 1
	}
	for _, w := range r.file.Walls {
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
