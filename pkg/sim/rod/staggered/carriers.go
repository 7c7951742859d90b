package staggered

import (
	"math"

	"sinew/pkg/sim/spatial"
)

// Carriers are the two elements that carry a cross-section at a node: its axes
// are their directors, and its couples are theirs, in the given shares.
type Carriers struct {
	Left, Right           int
	LeftShare, RightShare float64
}

// beyond is the share by which the end of the rod turns further than the last
// element, as the last turns against the one before: c with (1+c)² = 3/2. A moment
// M at the end then is a couple (1+c) M on the last element, which turns it by
// (1+c) κ l against the one before, and the end by (1+c)² κ l: over the 3/2 l from
// there to the end that is right, and it is all one potential.
var beyond = math.Sqrt(1.5) - 1

// EndTurn returns by how much the cross-section at the end of a precurved rod is
// turned against what carries it: the shares of Carriers are right for curvature
// from a moment, but what was there at rest goes on for half an element.
func (x *State) EndTurn() spatial.Mat3 {
	half := 0.5
	switch {
	case x.opt.Scheme == Original:
		half = 0
	case len(x.dir) > 1:
		half -= beyond
	}
	return rotation(x.Precurvature.Scale(half * x.ElementLength))
}

// Carriers returns what carries the cross-section at node k ≥ 1. In scheme Original
// the end is the last element's.
func (x *State) Carriers(k int) Carriers {
	n := len(x.dir)
	switch {
	case k < n:
		return Carriers{k - 1, k, 0.5, 0.5}
	case n == 1 || x.opt.Scheme == Original:
		return Carriers{n - 1, n - 1, 0, 1}
	default:
		return Carriers{n - 2, n - 1, -beyond, 1 + beyond}
	}
}

// NodePose returns the pose of the cross-section at node k; see Carriers and
// EndTurn.
func (x *State) NodePose(k int) spatial.Pose {
	x.peek()
	p := x.pos[k]
	if k == 0 {
		return spatial.Pose{R: x.Base.R, P: p}
	}
	c := x.Carriers(k)
	r := x.dir[c.Right].Rot()
	if c.LeftShare != 0 {
		r = r.Mul(rotation(between(&x.dir[c.Left], &x.dir[c.Right]).Scale(-c.LeftShare)))
	}
	if k == len(x.dir) {
		r = r.Mul(x.EndTurn())
	}
	return spatial.Pose{R: r, P: p}
}

// TipTwist returns the velocity of the last node and the angular velocity of the
// cross-section there, world axes; see Carriers.
func (x *State) TipTwist() spatial.Twist {
	x.peek()
	n := len(x.dir)
	c := x.Carriers(n)
	w := x.dir[c.Right].World(x.omega[c.Right]).Scale(c.RightShare)
	w = w.AddScaled(c.LeftShare, x.dir[c.Left].World(x.omega[c.Left]))
	return spatial.Twist{Linear: x.vel[n], Angular: w}
}
