package continuum

import (
	"sinew/pkg/sim"
	"sinew/pkg/sim/rod"
	"sinew/pkg/sim/spatial"
)

// point is a point that a cross-section carries, such as a marker.
type point struct {
	rod.Place
	offset spatial.Vec // from the centreline, along d1, d2, d3, m
}

// listMarkers places the markers of the robot file.
func (r *Robot) listMarkers() {
	for i := range r.file.Markers {
		f := &r.file.Markers[i]
		r.points = append(r.points, point{r.rod.PlaceAt(f.At), spatial.VecAt(f.Offset)})
	}
}

// markersPort tells where the markers are.
func (r *Robot) markersPort() sim.Port {
	p := sim.Port{Name: "markers_measured", Kind: sim.Transforms, Direction: sim.Out, Unit: "m", Frames: []string{sim.World}}
	for i := range r.file.Markers {
		p.Labels = append(p.Labels, r.file.Markers[i].Name)
	}
	return p
}

// place is the pose of a point, with the axes of its cross-section.
func (p *point) place(at rod.Nodes) spatial.Pose {
	g := p.Pose(at)
	g.P = g.Apply(p.offset)
	return g
}

// showMarkers writes the poses of the markers.
func (m *Model) showMarkers(dst []float64) {
	for i := range m.robot.points {
		putPose(dst[7*i:], m.robot.points[i].place(m.engine))
	}
}
