package staggered

import (
	"math"

	"sinew/pkg/sim/spatial"
)

// LoadAt adds a concentrated wrench at arc length s (m), with axes that turn with
// the cross-section there if body, else world axes. The force is shared by the
// nodes and the moment by the element centres, or base and element centre, on
// both sides by the lever rule; what falls to the base the base takes.
func (x *State) LoadAt(s float64, w spatial.Wrench, body bool) {
	x.peek()
	n := len(x.dir)
	at := math.Min(math.Max(s/x.ElementLength, 0), float64(n))
	k := min(int(at), n-1)
	part := at - float64(k)
	x.push(k, w.Force.Scale(1-part), body)
	x.push(k+1, w.Force.Scale(part), body)

	at -= 0.5 // element centres
	switch last := float64(n - 1); {
	case at < 0:
		x.turn(0, w.Moment.Scale(1+2*at), body)
	case at > last:
		c := x.Carriers(n)
		share := 2 * (at - last) * c.LeftShare
		x.turn(c.Left, w.Moment.Scale(share), body)
		x.turn(c.Right, w.Moment.Scale(1-share), body)
	default:
		e := int(at)
		part = at - float64(e)
		x.turn(e, w.Moment.Scale(1-part), body)
		x.turn(min(e+1, n-1), w.Moment.Scale(part), body)
	}
}

// LoadTip adds a wrench at the end of the rod, its moment about the last node, in
// the axes of the cross-section there if body, else in world axes.
func (x *State) LoadTip(w spatial.Wrench, body bool) {
	x.peek()
	if body {
		r := x.NodePose(len(x.dir)).R
		w = spatial.Wrench{Force: r.Apply(w.Force), Moment: r.Apply(w.Moment)}
	}
	x.push(len(x.dir), w.Force, false)
	c := x.Carriers(len(x.dir))
	x.turn(c.Left, w.Moment.Scale(c.LeftShare), false)
	x.turn(c.Right, w.Moment.Scale(c.RightShare), false)
}

// push adds the force f to node k.
func (x *State) push(k int, f spatial.Vec, body bool) {
	if body {
		f = x.NodePose(k).R.Apply(f)
	}
	x.force[k] = x.force[k].Add(f)
}

// turn adds the moment m to element e.
func (x *State) turn(e int, m spatial.Vec, body bool) {
	if !body {
		m = x.dir[e].Local(m)
	}
	x.couple[e] = x.couple[e].Add(m)
}
