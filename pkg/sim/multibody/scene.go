package multibody

import (
	"errors"
	"math"

	"sinew/pkg/sim"
	"sinew/pkg/sim/continuum/rodmodel"
	"sinew/pkg/sim/environment"
	"sinew/pkg/sim/mechanism"
	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/rod"
	"sinew/pkg/sim/shape"
	"sinew/pkg/sim/spatial"
)

// Proportions of what is drawn.
const (
	diskThickness = 0.12 // disk's thickness over its radius
	tendonWidth   = 2e-3 // line's width over the size of the robot, also of axes
	axisLength    = 0.06 // of a joint over the size of the robot
	bodyRadius    = 0.015
	spokeWidth    = 6e-3 // of a body without shapes to its joints, line's width over the size of the robot
)

var (
	rodColor  = sim.Color{R: 0.75, G: 0.78, B: 0.82, A: 1}
	diskColor = sim.Color{R: 0.30, G: 0.34, B: 0.40, A: 0.8}
	bodyColor = sim.Color{R: 0.55, G: 0.62, B: 0.72, A: 1}
	axisColor = sim.Color{R: 0.95, G: 0.60, B: 0.10, A: 1}
)

// visuals are the visual geometry of a robot.
type visuals struct {
	tubes   []tube
	disks   []disk
	bodies  []bodyMesh
	spheres []int // bodies without shapes
	spokes  []spoke
	axes    []axis
	walls   []sim.Mesh
	markers []marker
}

// tube is a section of a rod.
type tube struct {
	rodmodel.Tube
	rod  int
	name string
}

// disk is one on a rod.
type disk struct {
	rod, node int
	name      string
	radius    float64 // m
}

// bodyMesh is a shape of a body, in its axes.
type bodyMesh struct {
	body int
	mesh sim.Mesh
}

// axis is the axis of a joint in its frame on the parent.
type axis struct {
	joint int
	name  string
	along spatial.Vec
}

// spoke is a line from the centre of mass of a body without shapes to one of its joints.
type spoke struct {
	body, joint int
	isParent    bool // of the joint
}

// marker is a point of a link.
type marker struct {
	isRod bool
	index int
	node  int
	at    spatial.Vec
}

func (k *marker) pose(w *mechanism.World) (g spatial.Pose) {
	if k.isRod {
		g = w.NodePoses(k.index)[k.node]
	} else {
		g = w.BodyPose(k.index)
	}
	g.P = g.Apply(k.at)
	return g
}

// listVisuals lists what is drawn, from a model as its links are placed.
func (r *Robot) listVisuals(m *Model, files environment.Meshes) error {
	v := &r.visuals
	for i := range r.file.Rods {
		mesh := m.world.Mesh(i)
		for _, t := range rodmodel.Tubes(&r.file.Rods[i].Rod, mesh) {
			v.tubes = append(v.tubes, tube{t, i, r.file.Rods[i].Name})
		}
		r.listDisks(i, mesh)
	}
	if err := r.listBodies(files); err != nil {
		return err
	}
	for i := range r.file.Markers {
		v.markers = append(v.markers, r.marker(&r.file.Markers[i], m))
	}
	r.size = m.extent()
	for i := range r.file.Joints {
		if j := &r.file.Joints[i]; j.Type != "fixed" && j.Type != "spherical" {
			v.axes = append(v.axes, axis{i, j.Name, j.Axis.Unit().Scale(axisLength * r.size)})
		}
	}
	shapes, err := environment.Shapes(&r.file.Environment.Environment, files, r.size)
	for i := range shapes {
		if err == nil {
			v.walls = append(v.walls, environment.ShapeMesh(r.file.Environment.Shapes[i].Name, &shapes[i], spatial.Vec{}, 1.5*r.size, 1))
		}
	}
	return err
}

// listDisks lists the disks of rod i, of those at one node the largest.
func (r *Robot) listDisks(i int, mesh *rod.Rod) {
	radius := make([]float64, mesh.Elements+1)
	for _, t := range r.file.RodTendons(i) {
		f := &r.file.Tendons[t.Index]
		route, err := routeOf(&f.Tendon, mesh)
		if err != nil {
			continue // addRod has found it
		}
		for _, d := range route.Disks(0, f.Disks.Radius) {
			radius[d.Node] = max(radius[d.Node], d.Radius)
		}
	}
	for node, x := range radius {
		if x > 0 {
			r.visuals.disks = append(r.visuals.disks, disk{i, node, r.file.Rods[i].Name, x})
		}
	}
}

// listBodies lists the shapes of bodies.
func (r *Robot) listBodies(files environment.Meshes) error {
	for i := range r.file.Bodies {
		b := &r.file.Bodies[i]
		if len(b.Shapes) == 0 {
			r.visuals.spheres = append(r.visuals.spheres, i)
			for k := range r.file.Joints {
				j := &r.file.Joints[k]
				if j.Parent.Body == b.Name || j.Child.Body == b.Name {
					r.visuals.spokes = append(r.visuals.spokes, spoke{i, k, j.Parent.Body == b.Name})
				}
			}
		}
		for k := range b.Shapes {
			mesh, err := bodyShape(b.Name, &b.Shapes[k], files)
			if err != nil {
				return err
			}
			r.visuals.bodies = append(r.visuals.bodies, bodyMesh{i, mesh})
		}
	}
	return nil
}

// bodyShape returns the surface of a shape in the axes of its body.
func bodyShape(name string, s *robotfile.BodyShape, files environment.Meshes) (m sim.Mesh, err error) {
	var solid shape.Shape
	switch {
	case s.Box != nil:
		return boxMesh(name, s.Box), nil
	case s.Mesh != nil:
		stl := files[s.Mesh.File]
		if stl == nil {
			return m, errors.New("mesh.file " + string(s.Mesh.File) + " is not given")
		}
		g := spatial.Pose{R: s.Mesh.Orientation.Rot(), P: s.Mesh.Position}
		m = sim.Mesh{Name: name, Color: bodyColor}
		for _, t := range stl.Triangles {
			for _, p := range t {
				m.Corners = append(m.Corners, g.Apply(p.Scale(s.Mesh.Scale)))
			}
		}
		return m, nil
	case s.Sphere != nil:
		solid, err = shape.NewSphere(s.Sphere.Center, s.Sphere.Radius)
	default:
		solid, err = shape.NewCapsule(s.Capsule.From, s.Capsule.To, s.Capsule.Radius)
	}
	if err != nil {
		return m, err
	}
	m = environment.ShapeMesh(name, &solid, spatial.Vec{}, 1, 1)
	m.Color = bodyColor
	return m, nil
}

// boxMesh returns the surface of a box.
func boxMesh(name string, b *robotfile.BodyBox) sim.Mesh {
	m := sim.Mesh{Name: name, Color: bodyColor}
	g := spatial.Pose{R: b.Orientation.Rot(), P: b.Position}
	axes := [...]spatial.Vec{{X: b.Size.X / 2}, {Y: b.Size.Y / 2}, {Z: b.Size.Z / 2}}
	for k := range axes {
		for _, sign := range [...]float64{-1, 1} {
			out, u, v := axes[k].Scale(sign), axes[(k+1)%3].Scale(sign), axes[(k+2)%3]
			corner := func(a, b float64) spatial.Vec { return g.Apply(out.AddScaled(a, u).AddScaled(b, v)) }
			m.Corners = append(m.Corners, corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, -1), corner(1, 1), corner(-1, 1))
		}
	}
	return m
}

// marker places a marker.
func (r *Robot) marker(f *robotfile.LinkMarker, m *Model) (k marker) {
	k.at = given(f.Position)
	for i := range r.file.Rods {
		if r.file.Rods[i].Name == f.Rod {
			k.isRod, k.index, k.node = true, i, m.world.Mesh(i).NearestNode(*f.At)
		}
	}
	for i := range r.file.Bodies {
		if r.file.Bodies[i].Name == f.Body {
			k.index = i
		}
	}
	return k
}

// extent is the largest distance within the robot, m: the diagonal of the box around nodes, bodies, frames of joints and shapes.
func (m *Model) extent() float64 {
	low, high := spatial.Vec{X: math.Inf(1), Y: math.Inf(1), Z: math.Inf(1)}, spatial.Vec{X: math.Inf(-1), Y: math.Inf(-1), Z: math.Inf(-1)}
	add := func(p spatial.Vec) {
		low = spatial.Vec{X: min(low.X, p.X), Y: min(low.Y, p.Y), Z: min(low.Z, p.Z)}
		high = spatial.Vec{X: max(high.X, p.X), Y: max(high.Y, p.Y), Z: max(high.Z, p.Z)}
	}
	for i := range m.robot.file.Rods {
		for _, g := range m.world.NodePoses(i) {
			add(g.P)
		}
	}
	for i := range m.robot.file.Bodies {
		g := m.world.BodyPose(i)
		add(g.P)
		add(g.Apply(m.robot.file.Bodies[i].CenterOfMass))
	}
	for i := range m.robot.file.Joints {
		add(m.world.JointFrame(i).P)
	}
	for _, b := range m.robot.visuals.bodies {
		g := m.world.BodyPose(b.body)
		for _, p := range b.mesh.Corners {
			add(g.Apply(p))
		}
	}
	const least = 1e-6 // m, so that there is something to see
	return max(high.Sub(low).Norm(), least)
}

// fit returns s with length n, with its storage if that suffices.
func fit[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}

// Draw implements sim.Model: rods as tubes with their disks, the shapes of bodies, bodies without shapes as balls with lines
// to their joints, tendons as lines from blue (slack) to red (greatest tension), the axes of joints, and arrows for external forces
// and the largest contact forces. It allocates only for a scene it has not drawn before.
func (m *Model) Draw(dst *sim.Scene) {
	v := &m.robot.visuals
	dst.Tubes, dst.Disks, dst.Spheres = fit(dst.Tubes, len(v.tubes)), fit(dst.Disks, len(v.disks)), fit(dst.Spheres, len(v.spheres))
	for i := range v.tubes {
		t, o := &v.tubes[i], &dst.Tubes[i]
		o.Name, o.Radius, o.Radii, o.Color = t.name, t.Radius, t.Radii, rodColor
		o.Points = fit(o.Points, t.Last-t.First+1)
		poses := m.world.NodePoses(t.rod)
		for k := range o.Points {
			o.Points[k] = poses[t.First+k].P
		}
	}
	for i, d := range v.disks {
		dst.Disks[i] = sim.Disk{Name: d.name, Pose: m.world.NodePoses(d.rod)[d.node], Radius: d.radius, Thickness: diskThickness * d.radius, Color: diskColor}
	}
	for i, b := range v.spheres {
		g, x := m.world.BodyPose(b), bodyRadius*m.robot.size
		g.P = g.Apply(m.robot.file.Bodies[b].CenterOfMass)
		dst.Spheres[i] = sim.Sphere{Name: m.robot.file.Bodies[b].Name, Pose: g, SemiAxes: spatial.Vec{X: x, Y: x, Z: x}, Color: bodyColor}
	}
	dst.Meshes = append(dst.Meshes[:0], v.walls...)
	for i := range dst.Meshes {
		dst.Meshes[i].Pose = m.world.WallPose(i)
	}
	for _, b := range v.bodies {
		b.mesh.Pose = m.world.BodyPose(b.body)
		dst.Meshes = append(dst.Meshes, b.mesh)
	}
	m.drawLines(dst)
	pushes := m.countPushed()
	dst.Arrows = fit(dst.Arrows, pushes+m.countArrows())
	m.drawPushes(dst.Arrows)
	m.drawContacts(dst.Arrows[pushes:])
}

// drawLines draws tendons, axes of joints, and bodies without shapes from their centres of mass to their joints.
func (m *Model) drawLines(dst *sim.Scene) {
	v, width := &m.robot.visuals, tendonWidth*m.robot.size
	dst.Polylines = fit(dst.Polylines, len(m.length)+len(v.axes)+len(v.spokes))
	for k := range m.length {
		t, o := &m.robot.file.Tendons[k], &dst.Polylines[k]
		share := float32(max(0, min(1, m.world.TendonTension(k)/t.Limits.MaxTension)))
		o.Name, o.Width, o.Color = t.Name, width, sim.Color{R: 0.05 + 0.9*share, G: 0.35 - 0.25*share, B: 0.95 - 0.85*share, A: 1}
		o.Points = fit(o.Points, len(m.robot.parameters.Tendons[k].Route))
		for i := range o.Points {
			o.Points[i] = m.world.HolePosition(k, i)
		}
	}
	for i, a := range v.axes {
		o, g := &dst.Polylines[len(m.length)+i], m.world.ParentFrame(a.joint)
		o.Name, o.Width, o.Color = a.name, width, axisColor
		o.Points = fit(o.Points, 2)
		o.Points[0], o.Points[1] = g.Apply(a.along.Scale(-0.5)), g.Apply(a.along.Scale(0.5))
	}
	for i, a := range v.spokes {
		o, f := &dst.Polylines[len(m.length)+len(v.axes)+i], &m.robot.file.Bodies[a.body]
		o.Name, o.Width, o.Color = f.Name, spokeWidth*m.robot.size, bodyColor
		o.Points = fit(o.Points, 2)
		o.Points[0] = m.world.BodyPose(a.body).Apply(f.CenterOfMass)
		if a.isParent {
			o.Points[1] = m.world.ParentFrame(a.joint).P
		} else {
			o.Points[1] = m.world.JointFrame(a.joint).P
		}
	}
}
