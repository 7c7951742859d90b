package rod

import (
	"slices"

	"sinew/pkg/sim/spatial"
)

// Place is a cross-section anywhere along a mesh. It is no node of its own: to be looked at does not change how a rod moves.
type Place struct {
	Node  int     // the last one at or before it, but the end
	Share float64 // of the way from there to the next
}

// Nodes are the cross-sections at the nodes of a rod that moves.
type Nodes interface {
	// NodePose returns the pose of node i, world.
	NodePose(i int) spatial.Pose
	// NodeTwist returns velocity (m/s) and angular velocity (rad/s) of node i, world axes.
	NodeTwist(i int) spatial.Twist
}

// PlaceAt returns the cross-section at arc length s, m, or at the end if that is nearer.
func (r *Rod) PlaceAt(s float64) Place {
	s = min(s, r.Length)
	k, _ := slices.BinarySearch(r.ArcLengths[1:r.Elements], s)
	if k+1 < r.Elements && r.ArcLengths[k+1] == s {
		k++
	}
	from, to := r.ArcLengths[k], r.ArcLengths[k+1]
	return Place{Node: k, Share: (s - from) / (to - from)}
}

// Pose is the pose of the cross-section: between two nodes that of an element of constant strain.
func (c Place) Pose(at Nodes) spatial.Pose {
	g := at.NodePose(c.Node)
	switch {
	case c.Share >= 1:
		g = at.NodePose(c.Node + 1)
	case c.Share > 0:
		way := g.Inv().Mul(at.NodePose(c.Node + 1)).Log()
		way.Linear, way.Angular = way.Linear.Scale(c.Share), way.Angular.Scale(c.Share)
		g = g.Mul(spatial.Exp(way))
	}
	return g
}

// Twist is the velocity of the cross-section (m/s) and its angular velocity (rad/s), world axes: the rate of Pose.
func (c Place) Twist(at Nodes) spatial.Twist {
	if c.Share == 0 {
		return at.NodeTwist(c.Node)
	}
	if c.Share >= 1 {
		return at.NodeTwist(c.Node + 1)
	}
	from, to := at.NodePose(c.Node), at.NodePose(c.Node+1)
	way := from.Inv().Mul(to).Log()
	part := spatial.Twist{Linear: way.Linear.Scale(c.Share), Angular: way.Angular.Scale(c.Share)}
	start, end := inBody(from, at.NodeTwist(c.Node)), inBody(to, at.NodeTwist(c.Node+1))
	// of the start where the other ones are, in their axes
	atEnd := spatial.Exp(way).AdjointInv(start)
	here := spatial.Exp(part).AdjointInv(start)
	rate := series(way, spatial.Twist{Linear: end.Linear.Sub(atEnd.Linear), Angular: end.Angular.Sub(atEnd.Angular)}, inverseTangent[:])
	own := series(part, rate, tangent[:])
	g := from.Mul(spatial.Exp(part))
	return spatial.Twist{
		Linear:  g.R.Apply(here.Linear.AddScaled(c.Share, own.Linear)),
		Angular: g.R.Apply(here.Angular.AddScaled(c.Share, own.Angular)),
	}
}

// inBody gives a twist in world axes, of the origin of g, in the axes of g.
func inBody(g spatial.Pose, t spatial.Twist) spatial.Twist {
	return spatial.Twist{Linear: g.R.ApplyT(t.Linear), Angular: g.R.ApplyT(t.Angular)}
}

// Coefficients, of the powers of ad from 0 on, of the tangent of exp from the right, which makes the rate of x the body twist of exp(x), and
// of its inverse (Iserles et al., Acta Numerica 9 (2000) 215). What is left out is 1e-5 at a rotation of 1 rad between nodes.
var (
	tangent        = [...]float64{1, -1. / 2, 1. / 6, -1. / 24, 1. / 120, -1. / 720, 1. / 5040, -1. / 40320}
	inverseTangent = [...]float64{1, 1. / 2, 1. / 12, 0, -1. / 720, 0, 1. / 30240, 0, -1. / 1209600}
)

// series is the sum of the powers of ad(x) with coefficients c, applied to y.
func series(x, y spatial.Twist, c []float64) (sum spatial.Twist) {
	for _, c := range c {
		sum.Linear, sum.Angular = sum.Linear.AddScaled(c, y.Linear), sum.Angular.AddScaled(c, y.Angular)
		y = spatial.Ad(x, y)
	}
	return sum
}
