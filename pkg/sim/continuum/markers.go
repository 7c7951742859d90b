package continuum

import (
	"slices"

	"sinew/pkg/sim"
	"sinew/pkg/sim/spatial"
)

// point is a marker: a point that a cross-section carries.
type point struct {
	node   int         // the last one at or before the cross-section, but the tip
	share  float64     // of the way from there to the next
	offset spatial.Vec // from the centreline, along d1, d2, d3, m
}

// listMarkers places the markers of the robot file among the nodes. A marker makes no node of
// its own: to be seen does not change how a robot moves.
func (r *Robot) listMarkers() {
	for i := range r.file.Markers {
		f := &r.file.Markers[i]
		s := min(f.At, r.rod.Length)
		k, _ := slices.BinarySearch(r.rod.ArcLengths[1:r.rod.Elements], s)
		if k+1 < r.rod.Elements && r.rod.ArcLengths[k+1] == s {
			k++
		}
		from, to := r.rod.ArcLengths[k], r.rod.ArcLengths[k+1]
		r.points = append(r.points, point{node: k, share: (s - from) / (to - from), offset: spatial.VecAt(f.Offset)})
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

// place is the pose of a marker, with the axes of its cross-section: between two nodes that of
// an element of constant strain.
func (p *point) place(at nodes) spatial.Pose {
	g := at.NodePose(p.node)
	switch {
	case p.share >= 1:
		g = at.NodePose(p.node + 1)
	case p.share > 0:
		way := g.Inv().Mul(at.NodePose(p.node + 1)).Log()
		way.Linear, way.Angular = way.Linear.Scale(p.share), way.Angular.Scale(p.share)
		g = g.Mul(spatial.Exp(way))
	}
	g.P = g.Apply(p.offset)
	return g
}

// showMarkers writes the poses of the markers.
func (m *Model) showMarkers(dst []float64) {
	for i := range m.robot.points {
		putPose(dst[7*i:], m.robot.points[i].place(m.engine))
	}
}
