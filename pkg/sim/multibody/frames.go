package multibody

import (
	"slices"

	"sinew/pkg/sim"
	"sinew/pkg/sim/spatial"
)

// placeFrames writes the poses of the frames in the world to dst.
func (m *Model) placeFrames(dst []spatial.Pose) {
	for i := range m.robot.frames {
		f := &m.robot.frames[i]
		switch f.at {
		case byBody:
			dst[i] = m.world.BodyPose(f.index)
			continue
		case byNode:
			dst[i] = m.world.NodePoses(f.index)[f.node]
			continue
		}
		q := 0.0
		if f.at == byPull {
			q = m.robot.restLength[f.index] - m.length[f.index]
		} else {
			c := &m.robot.coordinates[f.index]
			q = m.world.Coordinates(c.joint)[c.index]
		}
		g := spatial.Pose{R: spatial.Identity3(), P: f.Axis.Scale(q)}
		if f.Type == sim.RevoluteFrame {
			g = spatial.Pose{R: spatial.ExpRot(f.Axis.Scale(q))}
		}
		dst[i] = f.Origin.Mul(g)
		if f.parent >= 0 {
			dst[i] = dst[f.parent].Mul(dst[i])
		}
	}
}

// FrameTree implements sim.Mechanism.
func (m *Model) FrameTree() (tree sim.FrameTree) {
	poses := make([]spatial.Pose, len(m.robot.frames))
	m.placeFrames(poses)
	for i := range m.robot.frames {
		f := &m.robot.frames[i]
		o := f.TreeFrame
		switch f.at {
		case byBody:
			o.Shapes = m.robot.bodyShapes(f.index)
		case byNode:
			o.Shapes = m.robot.nodeShapes(f.index, f.node, m.world.Nodes(f.index))
		case byPull:
			o.Min, o.Max = -m.robot.size, m.robot.size
		}
		if f.Type == sim.FloatingFrame {
			if o.Origin = poses[i]; f.parent >= 0 {
				o.Origin = poses[f.parent].Inv().Mul(poses[i])
			}
		}
		tree.Frames = append(tree.Frames, o)
	}
	tree.Cuts = slices.Clone(m.robot.cuts)
	return tree
}

// framesPort places the frames of the tree.
func (r *Robot) framesPort() sim.Port {
	p := sim.Port{Name: "frames", Kind: sim.Transforms, Direction: sim.Out, Unit: "m", Frames: []string{sim.World}, Silent: true}
	for i := range r.frames {
		p.Labels, p.Parents = append(p.Labels, r.frames[i].Name), append(p.Parents, r.frames[i].Parent)
	}
	return p
}

// bodyShapes returns the shapes of body i, of one without shapes a ball.
func (r *Robot) bodyShapes(i int) (all []sim.FrameShape) {
	b := &r.file.Bodies[i]
	ball := func(center spatial.Vec, radius float64) {
		all = append(all, sim.FrameShape{Pose: spatial.Pose{R: spatial.Identity3(), P: center}, Radius: radius, Color: bodyColor})
	}
	if len(b.Shapes) == 0 {
		ball(b.CenterOfMass, bodyRadius*r.size)
	}
	for k := range b.Shapes {
		switch s := &b.Shapes[k]; {
		case s.Sphere != nil:
			ball(s.Sphere.Center, s.Sphere.Radius)
		case s.Capsule != nil:
			from, to := s.Capsule.From, s.Capsule.To
			ball(from, s.Capsule.Radius)
			ball(to, s.Capsule.Radius)
			if axis := to.Sub(from); axis.Norm() > 0 {
				d3 := axis.Unit()
				d1 := d3.Perpendicular()
				all = append(all, sim.FrameShape{
					Pose:   spatial.Pose{R: spatial.FromColumns(d1, d3.Cross(d1), d3), P: from.AddScaled(0.5, axis)},
					Radius: s.Capsule.Radius, Length: axis.Norm(), Color: bodyColor,
				})
			}
		case s.Box != nil:
			all = append(all, sim.FrameShape{Pose: spatial.Pose{R: s.Box.Orientation.Rot(), P: s.Box.Position}, Box: s.Box.Size, Color: bodyColor})
		default:
			all = append(all, sim.FrameShape{
				Pose: spatial.Pose{R: s.Mesh.Orientation.Rot(), P: s.Mesh.Position}, File: string(s.Mesh.File), Scale: s.Mesh.Scale, Color: bodyColor,
			})
		}
	}
	return all
}

// nodeShapes returns the piece of rod i about a node, from the middle of one element to the middle of the next, and its disk.
func (r *Robot) nodeShapes(i, node int, at []float64) (all []sim.FrameShape) {
	cylinder := func(from, to, radius float64, color sim.Color) {
		all = append(all, sim.FrameShape{
			Pose: spatial.Pose{R: spatial.Identity3(), P: spatial.Vec{Z: 0.5 * (from + to)}}, Radius: radius, Length: to - from, Color: color,
		})
	}
	for _, t := range r.visuals.tubes {
		if t.rod != i || node < t.First || node > t.Last {
			continue
		}
		from, to, radius := 0.0, 0.0, t.Radius
		if len(t.Radii) > 0 {
			radius = t.Radii[node-t.First]
		}
		if node > t.First {
			from = -0.5 * (at[node] - at[node-1])
		}
		if node < t.Last {
			to = 0.5 * (at[node+1] - at[node])
		}
		cylinder(from, to, radius, rodColor)
	}
	for _, d := range r.visuals.disks {
		if half := 0.5 * diskThickness * d.radius; d.rod == i && d.node == node {
			cylinder(-half, half, d.radius, diskColor)
		}
	}
	return all
}
