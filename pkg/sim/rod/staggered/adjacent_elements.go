package staggered

import (
	"math"

	"sinew/pkg/sim/rod"
	"sinew/pkg/sim/spatial"
)

// AdjacentElements are the two elements that determine the orientation of the cross-section at a
// node, and their shares. Couples on the cross-section act on the elements in the same shares.
type AdjacentElements struct {
	Left, Right           int
	LeftShare, RightShare float64
}

// newEndExtrapolation returns the share c by which the rotation of the rod's end exceeds that of
// the last element, relative to the element before: (1+c)² = 1 + l/2w, with l the length of the
// last element and w the distance of the middles of both; 3/2 for equal elements. A moment M at the
// end is a couple (1+c) M on the last element, which rotates it by (1+c) κ w relative to the one
// before, and the end by (1+c)² κ w. That is exact over the length w + l/2 to the end, and derives
// from one potential.
func newEndExtrapolation(r *rod.Rod) float64 {
	n := r.Elements
	if n == 1 {
		return 0
	}
	l, w := r.Lengths[n-1], 0.5*(r.Lengths[n-2]+r.Lengths[n-1])
	return math.Sqrt(1+l/(2*w)) - 1
}

// EndRotation returns the rotation of the cross-section at the end of a precurved rod relative to
// its adjacent elements. The shares of AdjacentElements are right for curvature from a moment,
// while the curvature at rest continues for half an element.
func (x *State) EndRotation() spatial.Mat3 {
	n := len(x.dir)
	half, l := 0.5, x.Lengths[n-1]
	switch {
	case x.opt.Scheme == Original:
		half = 0
	case n > 1:
		half -= x.endExtrapolation * (x.voronoiLength[n-2] / l)
	}
	return expRotation(x.Precurvature.Scale(half * l))
}

// AdjacentElements returns those of the cross-section at node k ≥ 1. In scheme Original the end
// belongs to the last element alone.
func (x *State) AdjacentElements(k int) AdjacentElements { return x.carriers[k] }

// setCarriers computes the adjacent elements of all nodes but the base.
func (x *State) setCarriers() {
	n := x.Elements
	x.carriers = make([]AdjacentElements, n+1)
	for k := 1; k < n; k++ {
		share := x.leftShare(k)
		x.carriers[k] = AdjacentElements{k - 1, k, share, 1 - share}
	}
	if x.carriers[n] = (AdjacentElements{n - 1, n - 1, 0, 1}); n > 1 && x.opt.Scheme != Original {
		x.carriers[n] = AdjacentElements{n - 2, n - 1, -x.endExtrapolation, 1 + x.endExtrapolation}
	}
}

// NodePose returns the pose of the cross-section at node k, world; see AdjacentElements and
// EndRotation.
func (x *State) NodePose(k int) spatial.Pose {
	x.beginRead()
	p := x.pos[k]
	if k == 0 {
		return spatial.Pose{R: x.Base.R, P: p}
	}
	c := x.AdjacentElements(k)
	r := x.dir[c.Right].Rot()
	if c.LeftShare != 0 {
		r = r.Mul(expRotation(relativeRotation(&x.dir[c.Left], &x.dir[c.Right]).Scale(-c.LeftShare)))
	}
	if k == len(x.dir) {
		r = r.Mul(x.EndRotation())
	}
	return spatial.Pose{R: r, P: p}
}

// NodeTwist returns the velocity of node k and the angular velocity of the cross-section
// there, world axes; see AdjacentElements. The base does not move.
func (x *State) NodeTwist(k int) spatial.Twist {
	x.beginRead()
	if k == 0 {
		return spatial.Twist{}
	}
	c := x.AdjacentElements(k)
	w := x.dir[c.Right].World(x.omega[c.Right]).Scale(c.RightShare)
	w = w.AddScaled(c.LeftShare, x.dir[c.Left].World(x.omega[c.Left]))
	return spatial.Twist{Linear: x.vel[k], Angular: w}
}
