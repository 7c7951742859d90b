package sensor

import (
	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/rod"
	"sinew/pkg/sim/spatial"
)

// place is the Frame at a place of a robot file.
func (r *Robot) place(p *robotfile.Place) Frame {
	if p.World {
		return standing(*p.Position)
	}
	return r.Frame(p)
}

// standing is a point of the world, m.
type standing spatial.Vec

func (p standing) Pose() spatial.Pose {
	return spatial.Pose{R: spatial.Identity3(), P: spatial.Vec(p)}
}

func (standing) Twist() spatial.Twist { return spatial.Twist{} }

// On is the Frame at a point of a cross-section of a rod, offset (m) from the centreline along d1, d2, d3.
func On(at rod.Nodes, place rod.Place, offset spatial.Vec) Frame {
	return &onRod{at, place, offset}
}

type onRod struct {
	nodes  rod.Nodes
	place  rod.Place
	offset spatial.Vec
}

func (f *onRod) Pose() spatial.Pose {
	g := f.place.Pose(f.nodes)
	g.P = g.Apply(f.offset)
	return g
}

func (f *onRod) Twist() spatial.Twist {
	return lever(f.place.Twist(f.nodes), f.place.Pose(f.nodes).R.Apply(f.offset))
}

// Body is the Frame at a point of a body, offset (m) from its origin in its axes. pose and twist are those of the origin, world axes.
func Body(pose func() spatial.Pose, twist func() spatial.Twist, offset spatial.Vec) Frame {
	return &onBody{pose, twist, offset}
}

type onBody struct {
	pose   func() spatial.Pose
	twist  func() spatial.Twist
	offset spatial.Vec
}

func (f *onBody) Pose() spatial.Pose {
	g := f.pose()
	g.P = g.Apply(f.offset)
	return g
}

func (f *onBody) Twist() spatial.Twist { return lever(f.twist(), f.pose().R.Apply(f.offset)) }

// lever is the motion of a point at an offset from the origin of a motion, world axes.
func lever(t spatial.Twist, offset spatial.Vec) spatial.Twist {
	t.Linear = t.Linear.Add(t.Angular.Cross(offset))
	return t
}
