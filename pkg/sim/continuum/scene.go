package continuum

import (
	"math"
	"slices"

	"sinew/pkg/sim"
	"sinew/pkg/sim/continuum/force"
	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/spatial"
)

// Proportions of what is drawn.
const (
	diskThickness = 0.12 // disk's thickness over its radius
	tendonWidth   = 0.3  // line's width over the rod's radius, also of springs
	arrowRadius   = 0.3  // arrow's radius over the rod's
	cutThickness  = 0.3  // thickness of a cross-section that is drawn alone over its radius
)

var (
	rodColor    = sim.Color{R: 0.75, G: 0.78, B: 0.82, A: 1}
	diskColor   = sim.Color{R: 0.30, G: 0.34, B: 0.40, A: 0.8}
	arrowColor  = sim.Color{R: 0.95, G: 0.60, B: 0.10, A: 1}
	springColor = sim.Color{R: 0.20, G: 0.60, B: 0.35, A: 1}
	mutedColor  = sim.Color{R: 0.50, G: 0.50, B: 0.55, A: 1} // of tendons of unknown tension
)

// Draw implements sim.Model: the rod as a tube, of several sections as one for each, the disks, the tendons as lines
// from blue (slack) to red (greatest tension), the springs as lines to their points in the world, and an arrow for an external force
// on the tip; with magnets also these, those around the rod and the field, with an environment
// its walls and the largest contact forces. It allocates
// only for a scene it has not drawn before.
func (m *Model) Draw(dst *sim.Scene) {
	r := m.robot
	dst.Polylines = fit(dst.Polylines, len(r.tendons)+len(r.file.Springs))
	others := 1 + m.arrows()
	dst.Arrows = fit(dst.Arrows, others+r.contactArrows())

	r.drawNodes(dst, m.engine)
	for k := range r.tendons {
		m.drawTendon(k, &dst.Polylines[k])
	}
	r.drawSprings(dst.Polylines[len(r.tendons):], m.engine)
	m.drawArrow(&dst.Arrows[0])
	m.drawMagnets(dst, 1)
	m.drawContacts(dst, others)
}

// nodes are the poses of the nodes of a rod, base to tip.
type nodes interface {
	NodePose(i int) spatial.Pose
}

// drawNodes draws the rod and the disks.
func (r *Robot) drawNodes(dst *sim.Scene, at nodes) {
	dst.Tubes = fit(dst.Tubes, len(r.tubes))
	dst.Disks = fit(dst.Disks, len(r.drawn))
	for i, t := range r.tubes {
		tube := &dst.Tubes[i]
		tube.Name, tube.Radius, tube.Radii, tube.Color = "backbone", t.Radius, t.Radii, rodColor
		tube.Points = fit(tube.Points, t.Last-t.First+1)
		for k := range tube.Points {
			tube.Points[k] = at.NodePose(t.First + k).P
		}
	}
	for i, d := range r.drawn {
		dst.Disks[i] = sim.Disk{
			Name: d.name, Pose: at.NodePose(d.node),
			Radius: d.radius, Thickness: diskThickness * d.radius, Color: diskColor,
		}
	}
}

// fit returns s with length n, with its storage if that suffices.
func fit[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}

func (m *Model) drawTendon(k int, line *sim.Polyline) {
	t := &m.robot.tendons[k]
	share := 0.0
	if t.limits.MaxTension > 0 {
		share = max(0, min(m.engine.Tension(k, m.in.Setpoints[k])/t.limits.MaxTension, 1))
	}
	m.robot.drawRoute(k, line, m.basePose(), m.engine)
	line.Color = tensionColor(float32(share))
}

// drawRoute draws the line of a tendon without its color.
func (r *Robot) drawRoute(k int, line *sim.Polyline, base spatial.Pose, at nodes) {
	t := &r.tendons[k]
	line.Name, line.Width = t.Name, tendonWidth*r.rod.Section.Radius()
	line.Points = fit(line.Points, len(t.Route.Nodes)+1)
	line.Points[0] = base.Apply(t.Route.Base)
	for i, node := range t.Route.Nodes {
		line.Points[i+1] = at.NodePose(node).Apply(t.Route.Holes[i])
	}
}

// drawSprings draws the lines of the springs, from the rod to the world.
func (r *Robot) drawSprings(lines []sim.Polyline, at nodes) {
	for i := range r.file.Springs {
		s, line := &r.file.Springs[i], &lines[i]
		line.Name, line.Width, line.Color = s.Name, tendonWidth*r.rod.Section.Radius(), springColor
		if s.Name == "" {
			line.Name = "spring"
		}
		line.Points = fit(line.Points, 2)
		line.Points[0], line.Points[1] = at.NodePose(r.rod.NearestNode(s.At)).P, s.Point
	}
}

// tensionColor runs from blue at 0 over violet to red at 1, which stand out from
// light and dark backgrounds alike.
func tensionColor(x float32) sim.Color {
	return sim.Color{R: 0.05 + 0.9*x, G: 0.35 - 0.25*x, B: 0.95 - 0.85*x, A: 1}
}

// drawArrow draws the external force so long as it would bend the rod by small
// deflection theory, at most as long as the rod.
func (m *Model) drawArrow(a *sim.Arrow) {
	r := m.robot.rod
	tip := m.engine.NodePose(r.Elements)
	f := m.in.Tip.Force
	if m.in.Tip.Axes == force.BodyAxes {
		f = tip.R.Apply(f)
	}
	*a = sim.Arrow{Name: "external_force", From: tip.P, To: tip.P, Radius: arrowRadius * r.Section.Radius(), Color: arrowColor}
	if size := f.Norm(); size > 0 {
		length := math.Min(size*r.Length*r.Length*r.Length/(3*r.Stiffness.Bend.X), r.Length)
		a.To = tip.P.Add(f.Scale(length / size))
	}
}

// measuredNodes are poses of nodes that were measured.
type measuredNodes []spatial.Pose

// NodePose implements nodes.
func (n measuredNodes) NodePose(i int) spatial.Pose { return n[i] }

// Sketch describes in dst what was measured of the robot (m, world frame): with the poses of all its nodes, base to tip, its
// whole shape; otherwise with points along it its line; otherwise with a pose of the tip the cross-sections of the
// rod there and, where the robot file has it, at the base: what is between them is unknown. The walls are where shapes
// has them, by the names of their topics, and others where the robot file has them.
func (r *Robot) Sketch(dst *sim.Scene, tips, along []spatial.Pose, line []spatial.Vec, shapes map[string]spatial.Pose) {
	*dst = sim.Scene{Meshes: slices.Clone(r.scenery)}
	for i := range dst.Meshes {
		if place, given := shapes[robotfile.TopicOf(dst.Meshes[i].Name)]; given {
			dst.Meshes[i].Pose = place
		}
	}
	switch {
	case len(along) == len(r.rod.ArcLengths):
		at := measuredNodes(along)
		r.drawNodes(dst, at)
		dst.Polylines = make([]sim.Polyline, len(r.tendons)+len(r.file.Springs))
		for k := range r.tendons {
			r.drawRoute(k, &dst.Polylines[k], along[0], at)
			dst.Polylines[k].Color = mutedColor
		}
		r.drawSprings(dst.Polylines[len(r.tendons):], at)
	case len(line) > 1:
		dst.Tubes = []sim.Tube{{Name: "backbone", Points: line, Radius: r.rod.Section.Radius(), Color: rodColor}}
	case len(tips) > 0:
		dst.Disks = []sim.Disk{r.cut("base", r.rod.Base, 0), r.cut("tip", tips[0], len(r.rod.Properties)-1)}
	}
}

// cut is the cross-section of a piece of the rod as a thin disk.
func (r *Robot) cut(name string, at spatial.Pose, piece int) sim.Disk {
	radius := r.rod.Properties[piece].Radius
	return sim.Disk{Name: name, Pose: at, Radius: radius, Thickness: cutThickness * radius, Color: rodColor}
}
