package multibody

import (
	"slices"

	"sinew/pkg/sim"
	"sinew/pkg/sim/environment"
	"sinew/pkg/sim/reference"
	"sinew/pkg/sim/shape"
	"sinew/pkg/sim/spatial"
)

// Walls are moved by commanded poses, as those of single rods.

// newShapes makes the motions of the walls.
func (r *Robot) newShapes() *reference.Shapes {
	names, centers := make([]string, len(r.parameters.Walls)), make([]spatial.Vec, len(r.parameters.Walls))
	for i := range r.parameters.Walls {
		wall := &r.parameters.Walls[i]
		names[i], centers[i] = wall.Name, wall.Shape.Center()
	}
	return reference.NewShapes(names, centers, reference.PositionBound(max(r.reach(), r.wallDistance())), r.file.Rates.Period())
}

// wallDistance returns the largest distance of the walls from the origin of the world, m.
func (r *Robot) wallDistance() float64 {
	var shapes []shape.Shape
	for i := range r.parameters.Walls {
		shapes = append(shapes, r.parameters.Walls[i].Shape)
	}
	return slices.Max(append(environment.ShapeDistances(&r.file.Environment.Environment, shapes, spatial.Vec{}), 0))
}

// addWallInputs adds the inputs of poses of walls, and addWallOutputs what walls tell.
func (r *Robot) addWallInputs(shapes *reference.Shapes, add func(is roleKind, index int, p sim.Port)) {
	for i, p := range shapes.Ports() {
		add(wallPose, i, p)
	}
}

func (r *Robot) addWallOutputs(add func(is roleKind, index int, p sim.Port)) {
	for i := range r.parameters.Walls {
		add(wallWrench, i, reference.ShapeWrenchPort(r.parameters.Walls[i].Name))
	}
	for i := range r.parameters.Walls {
		add(wallFrame, i, reference.ShapePosePort(r.parameters.Walls[i].Name))
	}
}

// moveWalls sends the walls to where their commands have them after a step of dt seconds.
func (m *Model) moveWalls(dt float64) {
	for i := range m.robot.parameters.Walls {
		m.world.MoveWall(i, m.shapes.Next(i, m.world.WallPose(i), m.time, dt))
	}
}

// arrive tells the motions of walls and commanded bodies where the step that ends now has taken them.
func (m *Model) arrive() {
	for k, i := range m.robot.posed {
		m.poses[k].Arrive(m.world.BodyPose(i), m.time)
	}
	for i := range m.robot.parameters.Walls {
		m.shapes.Arrive(i, m.world.WallPose(i), m.time)
	}
}

// wait tells the same motions that nothing has moved for dt seconds.
func (m *Model) wait(dt float64) {
	for k, i := range m.robot.posed {
		m.poses[k].Wait(m.world.BodyPose(i), dt)
	}
	for i := range m.robot.parameters.Walls {
		m.shapes.Wait(i, m.world.WallPose(i), dt)
	}
}

// areWallsLimited reports whether a wall is behind its command, areBodiesLimited whether a commanded body is.
func (m *Model) areWallsLimited() bool {
	for i := range m.robot.parameters.Walls {
		if m.shapes.IsLimited(i, m.world.WallPose(i), m.time) {
			return true
		}
	}
	return false
}

func (m *Model) areBodiesLimited() bool {
	for k, i := range m.robot.posed {
		if m.poses[k].IsLimited(m.world.BodyPose(i), m.time) {
			return true
		}
	}
	return false
}

// putWallWrench writes what links do to wall i, in its frame about the origin of that.
func (m *Model) putWallWrench(i int, dst []float64) {
	name, at := m.robot.parameters.Walls[i].Name, m.world.WallPose(i)
	var sum spatial.Wrench
	for _, o := range m.contacts.list(m.world) {
		f := o.Force
		switch name {
		case o.B:
			f = spatial.Vec{}.Sub(f)
		case o.A:
		default:
			continue
		}
		sum.Force = sum.Force.Add(f)
		sum.Moment = sum.Moment.Add(o.Point.Sub(at.P).Cross(f))
	}
	at.R.ApplyT(sum.Force).Put(dst)
	at.R.ApplyT(sum.Moment).Put(dst[3:])
}
