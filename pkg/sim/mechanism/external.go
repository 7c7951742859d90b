package mechanism

import "sinew/pkg/sim/spatial"

// external is the wrench that acts on a link from outside until another one is set: on the origin of a body, or on the end of a rod.
type external struct {
	wrench     spatial.Wrench
	isFollower bool // in the axes of the body or of the end; otherwise in world axes
}

// SetBodyWrench makes a wrench (N, N m) act on the origin of body i from the next step on; isFollower: in its axes, otherwise in world axes. One on
// a fixed body changes nothing.
func (w *World) SetBodyWrench(i int, wrench spatial.Wrench, isFollower bool) {
	w.bodies[i].external = external{wrench, isFollower}
}

// BodyWrench returns what SetBodyWrench has set.
func (w *World) BodyWrench(i int) (wrench spatial.Wrench, isFollower bool) {
	o := &w.bodies[i].external
	return o.wrench, o.isFollower
}

// SetRodWrench makes a wrench (N, N m) act on the end of rod i from the next step on; isFollower: in the axes of its section, otherwise in
// world axes.
func (w *World) SetRodWrench(i int, wrench spatial.Wrench, isFollower bool) {
	w.rods[i].external = external{wrench, isFollower}
}

// RodWrench returns what SetRodWrench has set.
func (w *World) RodWrench(i int) (wrench spatial.Wrench, isFollower bool) {
	o := &w.rods[i].external
	return o.wrench, o.isFollower
}

// externalLen is the number of values of an external wrench in a saved state.
const externalLen = 7

func (o *external) save(dst []float64) {
	o.wrench.Force.Put(dst)
	o.wrench.Moment.Put(dst[3:])
	dst[6] = fromBool(o.isFollower)
}

func (o *external) restore(src []float64) {
	*o = external{spatial.Wrench{Force: spatial.VecAt(src), Moment: spatial.VecAt(src[3:])}, src[6] != 0}
}
