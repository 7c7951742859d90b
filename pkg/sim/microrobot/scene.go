package microrobot

import (
	"math"

	"sinew/pkg/sim"
	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/spatial"
)

// Proportions of what is drawn, over the robot's drawn half-length.
const (
	drawnSize   = 0.1  // m, of the half-length, within a factor of √10
	arrowRadius = 0.05 // of the half-length
	fieldLength = 2.5  // of the arrow in a strong field
	magnetSize  = 1.6  // of the arrow along the magnetic moment
	trailWidth  = 0.04
	trailStep   = 0.2  // least way between points of the trail
	wallSize    = 20   // of what is shown of a wall
	helixPoints = 60   // of the wire
	halfField   = 2e-3 // T, at which the arrow has half its length
)

var (
	bodyColor   = sim.Color{R: 0.75, G: 0.78, B: 0.82, A: 1}
	magnetColor = sim.Color{R: 0.85, G: 0.15, B: 0.15, A: 1}
	fieldColor  = sim.Color{R: 0.10, G: 0.45, B: 0.95, A: 1}
	trailColor  = sim.Color{R: 0.10, G: 0.80, B: 0.30, A: 1}
	wallColor   = sim.Color{R: 0.60, G: 0.60, B: 0.55, A: 0.3}
)

// drawingScale is the power of ten by which markers are larger than what they show,
// so that viewers that see nothing below a centimetre show a robot of micrometres.
func drawingScale(size float64) float64 {
	return math.Pow(10, math.Round(math.Log10(drawnSize/size)))
}

// Draw is that of sim.Model: the body, its magnetic moment (red), the field (blue, as
// long as B/(B + 2 mT)), the way behind it (green) and the walls, all enlarged about
// the world origin by the gauge drawing_scale. It allocates only for a scene it has
// not drawn before.
func (m *Model) Draw(dst *sim.Scene) {
	m.prepare()
	r := m.robot
	dst.Scale = r.drawing
	k, size := r.drawing, r.size*r.drawing
	rot := m.x.Q.Rot()
	at := spatial.Pose{R: rot, P: m.x.P.Scale(k)}
	m.drawBody(dst, at, size)

	dst.Arrows = fit(dst.Arrows, 2)
	b, _ := m.dyn.fieldAt(0, m.x.P)
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

// arrow points along v, if v has a direction.
func arrow(name string, from, v spatial.Vec, length, size float64, c sim.Color) sim.Arrow {
	a := sim.Arrow{Name: name, From: from, To: from, Radius: arrowRadius * size, Color: c}
	if n := v.Norm(); n > 0 {
		a.To = from.AddScaled(length/n, v)
	}
	return a
}

// drawBody draws a helix as its wire and any other body as an ellipsoid.
func (m *Model) drawBody(dst *sim.Scene, at spatial.Pose, size float64) {
	shape, k := m.robot.file.Body.Shape, m.robot.drawing
	if shape == nil || shape.Helix == nil {
		axes := spatial.Vec{X: size, Y: size, Z: size}
		if shape != nil && shape.Ellipsoid != nil {
			axes = shape.Ellipsoid.Scale(k)
		}
		others := m.others()
		dst.Spheres = fit(dst.Spheres, 1+len(others))
		dst.Spheres[0] = sim.Sphere{Name: "body", Pose: at, SemiAxes: axes, Color: bodyColor}
		for i, x := range others {
			p := spatial.Pose{R: x.Q.Rot(), P: x.P.Scale(k)}
			dst.Spheres[1+i] = sim.Sphere{Name: "swarm", Pose: p, SemiAxes: axes, Color: bodyColor}
		}
		return
	}
	h := shape.Helix
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

// drawWalls draws planes as disks near the robot and vessels as tubes.
func (m *Model) drawWalls(dst *sim.Scene, p spatial.Vec, size float64) {
	k := m.robot.drawing
	disks, tubes := 0, 0
	if s := m.robot.file.Body.Shape; s != nil && s.Helix != nil {
		tubes = 1 // the wire is the first one
	}
	dst.Disks = fit(dst.Disks, m.robot.planes)
	dst.Tubes = fit(dst.Tubes, tubes+len(m.robot.file.Walls)-m.robot.planes)
	for _, w := range m.robot.file.Walls {
		if w.Plane != nil {
			n := w.Plane.Normal.Unit()
			foot := p.AddScaled(w.Plane.Point.Scale(k).Sub(p).Dot(n), n)
			e := n.Perpendicular()
			dst.Disks[disks] = sim.Disk{
				Name: "wall", Pose: spatial.Pose{R: spatial.FromColumns(e, n.Cross(e), n), P: foot},
				Radius: wallSize * size / 2, Thickness: arrowRadius * size, Color: wallColor,
			}
			disks++
			continue
		}
		n := w.Cylinder.Axis.Unit()
		c := w.Cylinder.Center.Scale(k)
		c = c.AddScaled(p.Sub(c).Dot(n), n)
		t := &dst.Tubes[tubes]
		t.Name, t.Radius, t.Color = "vessel", w.Cylinder.Radius*k, wallColor
		t.Points = fit(t.Points, 2)
		t.Points[0], t.Points[1] = c.AddScaled(-wallSize*size/2, n), c.AddScaled(wallSize*size/2, n)
		tubes++
	}
}

// fit returns s with length n, with its storage if that suffices.
func fit[T any](s []T, n int) []T {
	if cap(s) < n {
		grown := make([]T, n)
		copy(grown, s)
		return grown
	}
	return s[:n]
}
