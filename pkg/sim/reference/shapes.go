package reference

import (
	"sinew/pkg/sim"
	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/spatial"
)

// Shapes are the motions of the shapes around a robot that commanded poses prescribe. A pose
// places the frame in which the shape was made, which the identity leaves in the world. The
// speed of a shape is that of its centre, about which it turns.
type Shapes struct {
	shapes   []shapePose
	farthest float64 // m
}

// shapePose is a shape in the hand of an arm.
type shapePose struct {
	topic  string
	center spatial.Vec // in the frame of the shape, m
	target spatial.Pose
	motion *Pose // of axes at the centre
}

// NewShapes makes the motions of shapes with those names and centres, which stay until they
// are commanded, to at most farthest (m) along each axis. period is the control period, s.
func NewShapes(names []string, centers []spatial.Vec, farthest, period float64) *Shapes {
	s := &Shapes{farthest: farthest}
	for i, name := range names {
		at := spatial.IdentityPose()
		c := shapePose{topic: robotfile.TopicOf(name), center: centers[i], target: at}
		c.motion = NewPose(c.ofCenter(at), period)
		s.shapes = append(s.shapes, c)
	}
	return s
}

// ShapeFrame is the frame of a shape, private to its robot.
func ShapeFrame(name string) string { return "shapes/" + robotfile.TopicOf(name) }

// ShapeWrenchPort tells of the wrench on a shape, in its frame about the origin of that.
func ShapeWrenchPort(name string) sim.Port {
	return sim.Port{
		Name: robotfile.TopicOf(name) + "/wrench", Kind: sim.Wrench, Direction: sim.Out, Unit: "N, N m",
		Frames: []string{ShapeFrame(name)},
	}
}

// ShapePosePort places the frame of a shape: where its pose is the identity, on the world's.
func ShapePosePort(name string) sim.Port {
	return sim.Port{
		Name: ShapeFrame(name), Kind: sim.Pose, Direction: sim.Out, Unit: "m", Frames: []string{sim.World},
		Child: ShapeFrame(name), Parent: sim.World, Silent: true,
	}
}

// ofCenter returns where the axes at the centre are while the shape is at a pose.
func (c *shapePose) ofCenter(at spatial.Pose) spatial.Pose {
	return spatial.Pose{R: at.R, P: at.Apply(c.center)}
}

// Ports returns the In ports, by which the other methods number the shapes. Without commands
// a shape stays.
func (s *Shapes) Ports() []sim.Port {
	all := make([]sim.Port, len(s.shapes))
	for i := range all {
		all[i] = PosePort(s.shapes[i].topic+"/pose", s.farthest)
	}
	return all
}

// Command makes v, laid out as sim.Pose, the target of shape i at time t. A position may be
// kept value by value, an orientation only as a whole.
func (s *Shapes) Command(i int, v []float64, t float64) {
	c := &s.shapes[i]
	c.target = overlaid(c.target, v)
	c.motion.Send(c.ofCenter(c.target), t)
}

// Stop ends the way of shape i, which is at now, at time t.
func (s *Shapes) Stop(i int, now spatial.Pose, t float64) {
	c := &s.shapes[i]
	c.target = now
	c.motion.Send(c.ofCenter(now), t)
}

// Target is the newest commanded pose of shape i.
func (s *Shapes) Target(i int) spatial.Pose { return s.shapes[i].target }

// Next is the pose at time t + dt of shape i, which is at now at time t.
func (s *Shapes) Next(i int, now spatial.Pose, t, dt float64) spatial.Pose {
	c := &s.shapes[i]
	if now == c.target {
		return now
	}
	to := c.motion.Next(c.ofCenter(now), t, dt)
	if to == c.motion.target {
		return c.target
	}
	return spatial.Pose{R: to.R, P: to.P.Sub(to.R.Apply(c.center))}
}

// Wait tells that shape i stays at now for dt seconds, because no step could be taken.
func (s *Shapes) Wait(i int, now spatial.Pose, dt float64) {
	c := &s.shapes[i]
	c.motion.Wait(c.ofCenter(now), dt)
}

// Arrive tells where a step that ends at time t has taken shape i.
func (s *Shapes) Arrive(i int, now spatial.Pose, t float64) {
	c := &s.shapes[i]
	c.motion.Arrive(c.ofCenter(now), t)
}

// IsLimited reports whether shape i, at now at time t, does not follow its command but goes
// at MaxSpeed or MaxTurn.
func (s *Shapes) IsLimited(i int, now spatial.Pose, t float64) bool {
	c := &s.shapes[i]
	return now != c.target && c.motion.IsLimited(c.ofCenter(now), t)
}

// shapeLen is the number of values of a motion in a saved state.
const shapeLen = PoseLen + 12

// StateLen is the number of values that Save writes.
func (s *Shapes) StateLen() int { return shapeLen * len(s.shapes) }

// Save writes the motions to dst.
func (s *Shapes) Save(dst []float64) {
	for i := range s.shapes {
		c := &s.shapes[i]
		c.target.Put(dst)
		c.motion.Save(dst[12:])
		dst = dst[shapeLen:]
	}
}

// Restore makes src, written by Save, the motions.
func (s *Shapes) Restore(src []float64) {
	for i := range s.shapes {
		c := &s.shapes[i]
		c.target = spatial.PoseAt(src)
		c.motion.Restore(src[12:])
		src = src[shapeLen:]
	}
}
