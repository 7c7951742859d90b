package marker

import (
	"slices"

	"sinew/msgs/geometry_msgs"
	"sinew/msgs/visualization_msgs"
	"sinew/pkg/sim"
	"sinew/pkg/sim/spatial"
)

// Reader turns markers, such as a Writer makes, into the scene that they show. Markers of other
// kinds are left out.
type Reader struct {
	shown map[markerKey]*visualization_msgs.Marker
	order []markerKey
}

// Forget begins anew.
func (r *Reader) Forget() { r.shown, r.order = nil, nil }

// Empty reports whether nothing is shown.
func (r *Reader) Empty() bool { return len(r.shown) == 0 }

// Take takes a message. It is kept.
func (r *Reader) Take(a *visualization_msgs.MarkerArray) {
	for i := range a.Markers {
		m := &a.Markers[i]
		key := markerKey{m.Ns, m.ID}
		switch m.Action {
		case visualization_msgs.MarkerDeleteall:
			r.Forget()
		case visualization_msgs.MarkerDelete:
			delete(r.shown, key)
			r.order = slices.DeleteFunc(r.order, func(k markerKey) bool { return k == key })
		default:
			if r.shown == nil {
				r.shown = map[markerKey]*visualization_msgs.Marker{}
			}
			if r.shown[key] == nil {
				r.order = append(r.order, key)
			}
			r.shown[key] = m
		}
	}
}

// Scene is what is shown.
func (r *Reader) Scene() *sim.Scene {
	s := new(sim.Scene)
	for _, key := range r.order {
		m := r.shown[key]
		c := sim.Color{R: m.Color.R, G: m.Color.G, B: m.Color.B, A: m.Color.A}
		switch m.Kind {
		case visualization_msgs.MarkerTriangleList:
			if points, radii := centreLine(m.Points); points != nil {
				s.Tubes = append(s.Tubes, sim.Tube{Name: m.Ns, Points: points, Radius: slices.Max(radii), Radii: radii, Color: c})
			} else if len(m.Points) > 0 && len(m.Points)%3 == 0 {
				s.Meshes = append(s.Meshes, sim.Mesh{Name: m.Ns, Pose: PoseOf(&m.Pose), Corners: vectors(m.Points), Color: c})
			}
		case visualization_msgs.MarkerCylinder:
			s.Disks = append(s.Disks, sim.Disk{Name: m.Ns, Pose: PoseOf(&m.Pose), Radius: m.Scale.X / 2, Thickness: m.Scale.Z, Color: c})
		case visualization_msgs.MarkerSphere:
			s.Spheres = append(s.Spheres, sim.Sphere{
				Name: m.Ns, Pose: PoseOf(&m.Pose), SemiAxes: spatial.Vec{X: m.Scale.X / 2, Y: m.Scale.Y / 2, Z: m.Scale.Z / 2}, Color: c,
			})
		case visualization_msgs.MarkerLineStrip:
			s.Polylines = append(s.Polylines, sim.Polyline{Name: m.Ns, Points: vectors(m.Points), Width: m.Scale.X, Color: c})
		case visualization_msgs.MarkerArrow:
			if len(m.Points) == 2 {
				p := vectors(m.Points)
				s.Arrows = append(s.Arrows, sim.Arrow{Name: m.Ns, From: p[0], To: p[1], Radius: m.Scale.X / 2, Color: c})
			}
		}
	}
	return s
}

// centreLine is the inverse of tubeTriangles; triangles that are no tube give nothing: those of another surface may be as many.
func centreLine(corners []geometry_msgs.Point) (points []spatial.Vec, radii []float64) {
	const lid, belt = 3 * (tubeSides - 2), 6 * tubeSides
	if n := len(corners) - 2*lid; n < belt || n%belt != 0 {
		return nil, nil
	}
	ring := func(first int) {
		var mid spatial.Vec
		for k := range tubeSides {
			mid = mid.AddScaled(1.0/tubeSides, spatial.Vec(corners[first+6*k]))
		}
		points, radii = append(points, mid), append(radii, spatial.Vec(corners[first]).Sub(mid).Norm())
	}
	ring(lid) // of each pair of triangles the first corner is below, the fifth above
	for at := lid; at < len(corners)-lid; at += belt {
		if !isBelt(corners[at : at+belt]) {
			return nil, nil
		}
		ring(at + 5)
	}
	return points, radii
}

// isBelt reports whether triangles are those between two rings: each pair shares two corners, and two with the next pair.
func isBelt(corners []geometry_msgs.Point) bool {
	for k := range tubeSides {
		pair, next := corners[6*k:], corners[6*((k+1)%tubeSides):]
		if pair[0] != pair[3] || pair[2] != pair[4] || pair[1] != next[0] || pair[2] != next[5] {
			return false
		}
	}
	return true
}

func vectors(points []geometry_msgs.Point) []spatial.Vec {
	list := make([]spatial.Vec, len(points))
	for i, p := range points {
		list[i] = spatial.Vec(p)
	}
	return list
}

// PoseOf is the pose of a message. Without an orientation it has that of its frame.
func PoseOf(p *geometry_msgs.Pose) spatial.Pose {
	q := spatial.Quat{X: p.Orientation.X, Y: p.Orientation.Y, Z: p.Orientation.Z, W: p.Orientation.W}
	if q == (spatial.Quat{}) { // not given
		q = spatial.IdentityQuat()
	}
	return spatial.Pose{P: spatial.Vec(p.Position), R: q.Normalized().Rot()}
}
