package shape

import (
	"math"

	"sinew/pkg/sim/shape/mesh"
	"sinew/pkg/sim/spatial"
)

// Numbers of drawings.
const (
	drawnAround = 32  // corners of a circle
	drawnCap    = 8   // rings of a half ball
	drawnRings  = 100 // rings of a tube, about
)

// Triangles returns the surface for a picture, in the frame in which the shape was built,
// counterclockwise as seen from the free side. Of a plane it is the square of the given half
// width (m) about the point of the plane nearest to the centre; others ignore both. It is
// made anew at each call.
func (s *Shape) Triangles(center spatial.Vec, half float64) []mesh.Triangle {
	switch s.kind {
	case planeKind:
		u := s.axis.Perpendicular().Scale(half)
		v := s.axis.Cross(u)
		o := center.AddScaled(-center.Sub(s.from).Dot(s.axis), s.axis)
		a, b, c, d := o.Sub(u).Sub(v), o.Add(u).Sub(v), o.Add(u).Add(v), o.Sub(u).Add(v)
		return []mesh.Triangle{{a, b, c}, {a, c, d}}
	case sphereKind, capsuleKind:
		axis := s.axis
		if s.kind == sphereKind {
			axis = spatial.Vec{Z: 1}
		}
		d := drawing{across: axis.Perpendicular()}
		d.cap(s.from, axis, s.radius, -math.Pi/2, 0)
		if s.kind == sphereKind {
			d.last = nil
		}
		d.cap(s.to(), axis, s.radius, 0, math.Pi/2)
		return d.triangles
	case tubeKind:
		return s.tube.triangles()
	case boxKind:
		return s.boxTriangles()
	}
	return s.mesh.Triangles()
}

// drawing joins rings to a surface.
type drawing struct {
	across    spatial.Vec // unit, about where rings begin, so that they are not twisted
	last      []spatial.Vec
	triangles []mesh.Triangle
}

// ring adds a circle about the axis and joins it to the last one. A surface whose rings go
// along the axis shows its outside.
func (d *drawing) ring(center, axis spatial.Vec, radius float64) {
	d.across = d.across.AddScaled(-d.across.Dot(axis), axis).Unit()
	up := axis.Cross(d.across)
	ring := make([]spatial.Vec, drawnAround)
	for i := range ring {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / drawnAround)
		ring[i] = center.AddScaled(radius*cos, d.across).AddScaled(radius*sin, up)
	}
	for i, b := range d.last {
		j := (i + 1) % drawnAround
		for _, t := range [2]mesh.Triangle{{b, d.last[j], ring[j]}, {b, ring[j], ring[i]}} {
			if t[1].Sub(t[0]).Cross(t[2].Sub(t[0])).Norm2() > 0 { // not at a pole
				d.triangles = append(d.triangles, t)
			}
		}
	}
	d.last = ring
}

// cap adds the part of a ball between two latitudes, about the axis.
func (d *drawing) cap(center, axis spatial.Vec, radius, from, to float64) {
	for k := range drawnCap + 1 {
		sin, cos := math.Sincos(from + (to-from)*float64(k)/drawnCap)
		if k == 0 && from == -math.Pi/2 || k == drawnCap && to == math.Pi/2 {
			cos = 0
		}
		d.ring(center.AddScaled(radius*sin, axis), axis, radius*cos)
	}
}

// triangles returns the inside of the bore.
func (u *tube) triangles() []mesh.Triangle {
	var d drawing
	every := max(1, len(u.samples)/drawnRings)
	for i := 0; i < len(u.samples); i++ {
		if i%every != 0 && i != len(u.samples)-1 {
			continue
		}
		s := &u.samples[i]
		l := u.segments[s.piece].eval(s.at)
		speed := l.c1.Norm()
		axis := l.c1.Scale(1 / speed)
		up := -l.r1 / speed // the ball touches the wall in the circle of this latitude (sine)
		if i == 0 {
			d.across = axis.Perpendicular()
		}
		switch {
		case i == 0 && u.closed:
			d.cap(l.c, axis, l.r, -math.Pi/2, math.Asin(up))
		case i == len(u.samples)-1 && u.closed:
			d.cap(l.c, axis, l.r, math.Asin(up), math.Pi/2)
		default:
			d.ring(l.c.AddScaled(l.r*up, axis), axis, l.r*math.Sqrt(1-up*up))
		}
	}
	for i := range d.triangles {
		t := &d.triangles[i]
		t[1], t[2] = t[2], t[1]
	}
	return d.triangles
}
