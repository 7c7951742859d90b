package staggered

import "sinew/pkg/sim/spatial"

// AddLoadAt adds a concentrated wrench at arc length s (m), with axes that rotate with the
// cross-section there if body, else in world axes. The nodes share the force, and the element
// centres (or base and element centre) share the moment, by linear interpolation. The share of the
// base goes to the clamp.
func (x *State) AddLoadAt(s float64, w spatial.Wrench, body bool) {
	x.beginRead()
	n := len(x.dir)
	k, part := x.ElementAt(s)
	x.addForce(k, w.Force.Scale(1-part), body)
	x.addForce(k+1, w.Force.Scale(part), body)

	off := part - 0.5 // from the middle of the element, in element lengths
	switch {
	case off < 0 && k == 0:
		x.addMoment(0, w.Moment.Scale(1+2*off), body)
	case off > 0 && k == n-1:
		c := x.AdjacentElements(n)
		share := 2 * off * c.LeftShare
		x.addMoment(c.Left, w.Moment.Scale(share), body)
		x.addMoment(c.Right, w.Moment.Scale(1-share), body)
	case off == 0:
		x.addMoment(k, w.Moment, body)
	default:
		e := k
		if off < 0 {
			e--
			off += x.voronoiLength[e] / x.Lengths[k]
		}
		part = off * (x.Lengths[k] / x.voronoiLength[e])
		x.addMoment(e, w.Moment.Scale(1-part), body)
		x.addMoment(e+1, w.Moment.Scale(part), body)
	}
}

// AddTipLoad adds a wrench at the end of the rod with its moment about the last node, in the axes
// of the cross-section there if body, else in world axes.
func (x *State) AddTipLoad(w spatial.Wrench, body bool) {
	x.beginRead()
	if body {
		r := x.NodePose(len(x.dir)).R
		w = spatial.Wrench{Force: r.Apply(w.Force), Moment: r.Apply(w.Moment)}
	}
	x.addForce(len(x.dir), w.Force, false)
	c := x.AdjacentElements(len(x.dir))
	x.addMoment(c.Left, w.Moment.Scale(c.LeftShare), false)
	x.addMoment(c.Right, w.Moment.Scale(c.RightShare), false)
}

// addForce adds the force f to node k.
func (x *State) addForce(k int, f spatial.Vec, body bool) {
	if body {
		f = x.NodePose(k).R.Apply(f)
	}
	x.force[k] = x.force[k].Add(f)
}

// addMoment adds the moment m to element e.
func (x *State) addMoment(e int, m spatial.Vec, body bool) {
	if !body {
		m = x.dir[e].Local(m)
	}
	x.couple[e] = x.couple[e].Add(m)
}
