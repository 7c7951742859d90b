package multibody

import (
	"math"
	"slices"
	"strconv"

	"sinew/pkg/sim"
	"sinew/pkg/sim/mechanism"
	"sinew/pkg/sim/mechanism/joint"
	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/spatial"
)

// frame is a frame of the tree and what tells where it is.
type frame struct {
	sim.TreeFrame
	parent int // frame; -1: the world
	at     placing
	index  int // of the rod, body, coordinate or tendon
	node   int // of the rod
}

// placing says by what a frame is placed.
type placing uint8

const (
	byNode placing = iota
	byBody
	byCoordinate
	byPull
)

// tree is under construction: frames are added after their parents.
type tree struct {
	robot  *Robot
	world  *mechanism.World
	frames []frame
	cuts   []sim.Cut
	body   []int   // by body: its frame, -1 before it is placed
	rod    [][]int // by rod: the frames of its nodes, nil before they are placed
}

// listFrames makes the tree: from the world along joints, in the order of the file, whichever of their sides is placed first; links that
// no joint connects to it are floating in the world.
func (r *Robot) listFrames(w *mechanism.World) {
	t := &tree{robot: r, world: w, body: make([]int, len(r.file.Bodies)), rod: make([][]int, len(r.file.Rods))}
	for i := range t.body {
		t.body[i] = -1
	}
	isUsed := make([]bool, len(r.file.Joints))
	t.spread(isUsed)
	for _, isFree := range [...]bool{false, true} { // what stays where it is before what may be placed by it
		for i := range r.file.Bodies {
			if b := &r.file.Bodies[i]; t.body[i] < 0 && (b.Motion == robotfile.FreeBody) == isFree {
				f := t.bodyFrame(i, -1)
				if b.Motion == robotfile.FixedBody {
					f.Type, f.Origin = sim.FixedFrame, t.world.BodyPose(i)
				}
				t.addLink(f)
				t.spread(isUsed)
			}
		}
	}
	for i := range t.rod {
		if t.rod[i] == nil {
			t.addLink(t.nodeFrame(i, 0, -1))
			t.spread(isUsed)
		}
	}
	for i := range r.file.Joints {
		if !isUsed[i] {
			t.cut(i)
		}
	}
	for i := range r.file.Tendons {
		t.addTendon(i)
	}
	r.frames, r.cuts = t.frames, t.cuts
}

// spread places links along joints to those that are placed.
func (t *tree) spread(isUsed []bool) {
	for hasSpread := true; hasSpread; {
		hasSpread = false
		for i := range t.robot.file.Joints {
			if isUsed[i] {
				continue
			}
			j := &t.robot.parameters.Joints[i]
			_, hasParent := t.find(&j.Parent)
			_, hasChild := t.find(&j.Child)
			if hasParent != hasChild {
				t.addJoint(i, hasChild)
				isUsed[i], hasSpread = true, true
			}
		}
	}
}

// find returns the frame of a side, -1 for the world, and reports whether it is placed.
func (t *tree) find(s *mechanism.JointSide) (frame int, ok bool) {
	if s.Link == "" {
		return -1, true
	}
	if i, node := t.section(s); node >= 0 {
		if t.rod[i] == nil {
			return 0, false
		}
		return t.rod[i][node], true
	}
	i := t.bodyOf(s.Link)
	return t.body[i], t.body[i] >= 0
}

func (t *tree) bodyOf(name string) int {
	return slices.IndexFunc(t.robot.file.Bodies, func(b robotfile.BodyLink) bool { return b.Name == name })
}

// section returns the rod of a side and the node at its arc length, -1 for what is no rod.
func (t *tree) section(s *mechanism.JointSide) (rod, node int) {
	rod = slices.IndexFunc(t.robot.file.Rods, func(l robotfile.RodLink) bool { return l.Name == s.Link })
	if rod < 0 {
		return 0, -1
	}
	for k, at := range t.world.Nodes(rod) {
		if nodes := t.world.Nodes(rod); math.Abs(at-s.At) < math.Abs(nodes[node]-s.At) {
			node = k
		}
	}
	return rod, node
}

// sideFrame returns a frame, not yet placed, of the link of a side.
func (t *tree) sideFrame(s *mechanism.JointSide, parent int) frame {
	if i, node := t.section(s); node >= 0 {
		return t.nodeFrame(i, node, parent)
	}
	return t.bodyFrame(t.bodyOf(s.Link), parent)
}

// bodyFrame is that of a body, floating.
func (t *tree) bodyFrame(i, parent int) frame {
	b := &t.robot.parameters.Bodies[i]
	f := frame{TreeFrame: t.floating(topic(b.Name)), parent: parent, at: byBody, index: i}
	if b.Mass > 0 {
		f.Inertial = &sim.Inertial{Mass: b.Mass, Center: b.CenterOfMass, Inertia: b.Inertia}
	}
	return f
}

// nodeFrame is that of a node of a rod, floating. The last one has the name of the rod.
func (t *tree) nodeFrame(i, node, parent int) frame {
	name := topic(t.robot.file.Rods[i].Name)
	if nodes := len(t.world.Nodes(i)); node < nodes-1 {
		name += "/" + strconv.Itoa(node)
	}
	return frame{TreeFrame: t.floating(name), parent: parent, at: byNode, index: i, node: node}
}

func (t *tree) floating(name string) sim.TreeFrame {
	return sim.TreeFrame{Name: name, Joint: name, Type: sim.FloatingFrame, Origin: spatial.IdentityPose()}
}

// addLink adds the frame of a body or of a node, and with it the other nodes of its rod, each floating in its neighbour.
func (t *tree) addLink(f frame) int {
	n := t.add(f)
	if f.at == byBody {
		t.body[f.index] = n
		return n
	}
	nodes := make([]int, len(t.world.Nodes(f.index)))
	nodes[f.node] = n
	t.rod[f.index] = nodes
	for k := f.node + 1; k < len(nodes); k++ {
		nodes[k] = t.add(t.nodeFrame(f.index, k, nodes[k-1]))
	}
	for k := f.node - 1; k >= 0; k-- {
		nodes[k] = t.add(t.nodeFrame(f.index, k, nodes[k+1]))
	}
	return n
}

func (t *tree) add(f frame) int {
	f.Parent = sim.World
	if f.parent >= 0 {
		f.Parent = t.frames[f.parent].Name
	}
	t.frames = append(t.frames, f)
	return len(t.frames) - 1
}

// addJoint places the link on the other side of joint i: its child, or its parent of one that is reversed.
func (t *tree) addJoint(i int, isReversed bool) {
	j := &t.robot.parameters.Joints[i]
	from, to := &j.Parent, &j.Child
	if isReversed {
		from, to = to, from
	}
	at, _ := t.find(from)
	switch j.Type {
	case joint.Fixed:
		f := t.sideFrame(to, at)
		f.Joint, f.Type, f.Origin = j.Name, sim.FixedFrame, from.Frame.Mul(to.Frame.Inv())
		t.addLink(f)
		return
	case joint.Spherical: // whose coordinates are no turns one after the other
		f := t.sideFrame(to, at)
		f.Joint = j.Name
		t.addLink(f)
		return
	}
	chain := t.chain(i, at, from.Frame, isReversed)
	last := &chain[len(chain)-1]
	if to.Frame == spatial.IdentityPose() { // the frame of the joint is that of the link
		f := t.sideFrame(to, last.parent)
		last.Name, last.Inertial, last.at, last.index, last.node = f.Name, f.Inertial, f.at, f.index, f.node
		if len(chain) > 1 {
			last.parent = t.addChain(chain[:len(chain)-1])
		}
		t.addLink(*last)
		return
	}
	f := t.sideFrame(to, t.addChain(chain))
	f.Type, f.Origin = sim.FixedFrame, to.Frame.Inv()
	t.addLink(f)
}

// cut adds the frame of joint i, whose sides are both placed, at the end of its coordinates.
func (t *tree) cut(i int) {
	j := &t.robot.parameters.Joints[i]
	at, _ := t.find(&j.Parent)
	child, _ := t.find(&j.Child)
	name := func(n int) string {
		if n < 0 {
			return sim.World
		}
		return t.frames[n].Name
	}
	t.cuts = append(t.cuts, sim.Cut{Joint: j.Name, Type: string(j.Type), Parent: name(at), Child: name(child)})
	if j.Type != joint.Fixed && j.Type != joint.Spherical {
		t.addChain(t.chain(i, at, j.Parent.Frame, false))
	}
}

// chain returns a frame for every coordinate of joint i, one on the other; origin is that of the first one on its parent. The last has
// the name of the joint.
func (t *tree) chain(i, parent int, origin spatial.Pose, isReversed bool) (all []frame) {
	j := &t.robot.parameters.Joints[i]
	geometry, err := joint.New(j.Type, j.Axis, j.SecondAxis)
	if err != nil {
		return nil // mechanism.New has made it before
	}
	n := geometry.Coordinates()
	first := slices.IndexFunc(t.robot.coordinates, func(c coordinate) bool { return c.joint == i })
	for step := range n {
		k, axis := step, geometry.Axis(step)
		if isReversed {
			k = n - 1 - step
			axis = geometry.Axis(k).Neg()
		}
		c := &t.robot.coordinates[first+k]
		f := frame{at: byCoordinate, index: first + k, parent: parent, TreeFrame: sim.TreeFrame{
			Name: topic(j.Name), Joint: c.name, Type: sim.PrismaticFrame, Origin: origin, Axis: axis, MaxRate: math.Inf(1),
			Min: j.Limits[k].Min, Max: j.Limits[k].Max, Damping: j.Spring[k].Damping, Friction: j.Friction[k],
		}}
		if step < n-1 {
			f.Name += "/" + strconv.Itoa(step+1)
		}
		if geometry.IsAngle(k) {
			f.Type = sim.RevoluteFrame
		}
		if m := j.Motor[k]; m.Kind != mechanism.NoMotor {
			if f.MaxEffort, f.MaxRate = m.MaxEffort, c.maxRate; m.MaxEffort == 0 {
				f.MaxEffort = math.Inf(1)
			}
		}
		all = append(all, f)
		origin = spatial.IdentityPose()
	}
	return all
}

// addChain adds frames one on the other and returns the last one.
func (t *tree) addChain(chain []frame) (last int) {
	for step := range chain {
		if step > 0 {
			chain[step].parent = last
		}
		last = t.add(chain[step])
	}
	return last
}

// addTendon adds the frame of tendon i: at its motor, moved along the tendon by the pull.
func (t *tree) addTendon(i int) {
	route := t.robot.parameters.Tendons[i].Route
	s := mechanism.JointSide{Link: route[0].Link, At: route[0].At}
	at, _ := t.find(&s)
	axis := t.world.HolePosition(i, 0).Sub(t.world.HolePosition(i, 1))
	if at >= 0 {
		axis = t.pose(at).R.ApplyT(axis)
	}
	if axis == (spatial.Vec{}) {
		axis.Z = 1
	}
	f := frame{parent: at, at: byPull, index: i, TreeFrame: sim.TreeFrame{
		Name: topic(t.robot.file.Tendons[i].Name), Joint: t.robot.file.Tendons[i].Name, Type: sim.PrismaticFrame,
		Origin: spatial.Pose{R: spatial.Identity3(), P: route[0].Position}, Axis: axis.Unit(),
		MaxEffort: t.robot.file.Tendons[i].Limits.MaxTension, MaxRate: math.Inf(1),
	}}
	t.add(f)
}

// pose returns where a frame of a link or of a joint is, in the world.
func (t *tree) pose(n int) spatial.Pose {
	f := &t.frames[n]
	if f.at == byBody {
		return t.world.BodyPose(f.index)
	}
	return t.world.NodePoses(f.index)[f.node]
}
