package staggered

import (
	"math"

	"sinew/pkg/sim/rod"
	"sinew/pkg/sim/spatial"
)

// Carriers are the two elements that carry a cross-section at a node: its axes
// are their directors, and its couples are theirs, in the given shares.
type AdjacentElements struct {
	Left, Right           int
	LeftShare, RightShare float64
}

// beyond returns the share by which the end of the rod turns further than the last
// element, as the last turns against the one before: c with (1+c)² = 1 + l/2w, with l
// the length of the last element and w the distance of the middles of both, 3/2 where
// they are equal. A moment M at the end then is a couple (1+c) M on the last element, which
// turns it by (1+c) κ w against the one before, and the end by (1+c)² κ w: over the
// w + l/2 from there to the end that is right, and it is all one potential.
func newEndExtrapolation(r *rod.Rod) float64 {
	n := r.Elements
	if n == 1 {
		return 0
	}
	l, w := r.Lengths[n-1], 0.5*(r.Lengths[n-2]+r.Lengths[n-1])
	return math.Sqrt(1+l/(2*w)) - 1
}

// EndTurn returns by how much the cross-section at the end of a precurved rod is
// turned against what carries it: the shares of Carriers are right for curvature
// from a moment, but what was there at rest goes on for half an element.
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

// Carriers returns what carries the cross-section at node k ≥ 1. In scheme Original
// the end is the last element's.
func (x *State) AdjacentElements(k int) AdjacentElements { return x.carriers[k] }

// setCarriers works out the carriers of all nodes but the base.
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

// NodePose returns the pose of the cross-section at node k; see Carriers and
// EndTurn.
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

// TipTwist returns the velocity of the last node and the angular velocity of the
// cross-section there, world axes; see Carriers.
func (x *State) TipTwist() spatial.Twist {
	x.beginRead()
	n := len(x.dir)
	c := x.AdjacentElements(n)
	w := x.dir[c.Right].World(x.omega[c.Right]).Scale(c.RightShare)
	w = w.AddScaled(c.LeftShare, x.dir[c.Left].World(x.omega[c.Left]))
	return spatial.Twist{Linear: x.vel[n], Angular: w}
}
