package tendon

import (
	"slices"

	"sinew/pkg/sim/rod/staggered"
	"sinew/pkg/sim/spatial"
)

// Corrected is a tendon on an explicitly stepped rod of scheme staggered.Corrected. A hole rotates
// with the directors on both sides of its disk, in the shares of staggered.State.AdjacentElements.
// The loads are therefore the exact gradient of tension times length, and of second order in the
// element length. The mass of the disks is an attached body of the rod.
type Corrected struct {
	base       spatial.Vec
	nodes      []int
	holes      []spatial.Vec // in the axes of the cross-section at the disk
	transverse bool
}

// NewCorrected returns the tendon on route t for rods like x. With transverse, disks take only the
// part of a reaction in their plane, as in Rao, Peyron, Lilge and Burgner-Kahrs, "How to model
// tendon-driven continuum robots and benchmark modelling performance", Front. Robot. AI 7 (2021)
// 630245; the last disk takes all of it.
func NewCorrected(t *Route, x *staggered.State, transverse bool) *Corrected {
	c := &Corrected{base: t.Base, nodes: t.Nodes, holes: slices.Clone(t.Holes), transverse: transverse}
	if last := len(c.nodes) - 1; c.nodes[last] == x.Elements {
		c.holes[last] = x.EndRotation().Apply(c.holes[last])
	}
	return c
}

// holePosition returns the position of hole i, world, m.
func (t *Corrected) holePosition(x *staggered.State, i int) spatial.Vec {
	k, h := t.nodes[i], t.holes[i]
	c, dir := x.AdjacentElements(k), x.Directors()
	return x.Positions()[k].Add(holeOffset(&dir[c.Left], h.Scale(c.LeftShare))).Add(holeOffset(&dir[c.Right], h.Scale(c.RightShare)))
}

// holeVelocity returns the velocity of hole i, world, m/s.
func (t *Corrected) holeVelocity(x *staggered.State, i int) spatial.Vec {
	k, h := t.nodes[i], t.holes[i]
	c, dir, omega := x.AdjacentElements(k), x.Directors(), x.AngularVelocities()
	left := dir[c.Left].World(omega[c.Left].Cross(h.Scale(c.LeftShare)))
	right := dir[c.Right].World(omega[c.Right].Cross(h.Scale(c.RightShare)))
	return x.Velocities()[k].Add(left).Add(right)
}

// AddLoads adds the forces and couples of the tendon under a tension (N) to the external loads of
// the rod. It returns the wrench of the base on the tendon: force in world axes, moment about the
// base origin in world axes.
func (t *Corrected) AddLoads(x *staggered.State, tension float64) spatial.Wrench {
	arm := x.Base.R.Apply(t.base)
	at, u := chordForce(x.Base.P.Add(arm), t.holePosition(x, 0), tension)
	base := spatial.Wrench{Force: u.Neg(), Moment: u.Cross(arm)}
	last := len(t.nodes) - 1
	for i := range t.nodes {
		var next spatial.Vec // force of the chord after the disk; 0 after the last disk
		if i < last {
			at, next = chordForce(at, t.holePosition(x, i+1), tension)
		}
		f := next.Sub(u)
		u = next
		if t.transverse && i < last {
			f = t.inPlane(x, i, f)
		}
		t.addForce(x, i, f)
	}
	return base
}

// addForce applies the force f (world, N) at hole i.
func (t *Corrected) addForce(x *staggered.State, i int, f spatial.Vec) {
	k, h := t.nodes[i], t.holes[i]
	c, dir, force, couple := x.AdjacentElements(k), x.Directors(), x.Forces(), x.Couples()
	force[k] = force[k].Add(f)
	couple[c.Left] = couple[c.Left].Add(h.Cross(dir[c.Left].Local(f)).Scale(c.LeftShare))
	couple[c.Right] = couple[c.Right].Add(h.Cross(dir[c.Right].Local(f)).Scale(c.RightShare))
}

// inPlane returns f without its component along the normal of disk i.
func (t *Corrected) inPlane(x *staggered.State, i int, f spatial.Vec) spatial.Vec {
	dir, c := x.Directors(), x.AdjacentElements(t.nodes[i])
	n := dir[c.Left].D3.Scale(c.LeftShare).Add(dir[c.Right].D3.Scale(c.RightShare)).Unit()
	return f.AddScaled(-f.Dot(n), n)
}

// Length returns the length (m) of the tendon from the base plate to its last disk, and its rate
// (m/s).
func (t *Corrected) Length(x *staggered.State) (length, rate float64) {
	a := x.Base.Apply(t.base)
	var va spatial.Vec
	for i := range t.nodes {
		b, vb := t.holePosition(x, i), t.holeVelocity(x, i)
		d := b.Sub(a)
		l := d.Norm()
		length += l
		rate += d.Dot(vb.Sub(va)) / l
		a, va = b, vb
	}
	return length, rate
}
