package tendon

import (
	"sinew/pkg/sim/rod"
	"sinew/pkg/sim/spatial"
)

// Corrected loads an explicitly stepped rod of scheme rod.Corrected. A hole turns
// with the mean of the directors on both sides of its disk, so that the loads are
// the exact gradient of tension times length and second order in the element
// length. The mass of the disks is the rod's matter.
type Corrected struct {
	route      *Route
	transverse bool
}

// NewCorrected makes a tendon. With transverse its disks take only that part of a
// reaction that lies in their plane, as in Rao, Peyron, Lilge and Burgner-Kahrs,
// "How to model tendon-driven continuum robots and benchmark modelling
// performance", Front. Robot. AI 7 (2021) 630245; the last disk takes all.
func NewCorrected(t *Route, transverse bool) *Corrected {
	return &Corrected{route: t, transverse: transverse}
}

// sides returns the directors of the elements on both sides of node k ≥ 1.
func sides(dir []rod.Directors, k int) (left, right int) {
	return k - 1, min(k, len(dir)-1)
}

// hole returns where hole i is.
func (t *Corrected) hole(x *rod.Explicit, i int) spatial.Vec {
	k, h := t.route.Nodes[i], t.route.Holes[i].Scale(0.5)
	l, r := sides(x.Directors(), k)
	return x.Positions()[k].Add(across(&x.Directors()[l], h)).Add(across(&x.Directors()[r], h))
}

// velocity returns how fast hole i moves.
func (t *Corrected) velocity(x *rod.Explicit, i int) spatial.Vec {
	k, h := t.route.Nodes[i], t.route.Holes[i].Scale(0.5)
	dir, omega := x.Directors(), x.AngularVelocities()
	l, r := sides(dir, k)
	return x.Velocities()[k].Add(dir[l].World(omega[l].Cross(h))).Add(dir[r].World(omega[r].Cross(h)))
}

// Load adds to the rod's external loads those of the tendon under a tension (N).
// It returns the wrench that the base exerts on the tendon: force in world axes,
// moment about the base origin in world axes.
func (t *Corrected) Load(x *rod.Explicit, tension float64) spatial.Wrench {
	arm := x.Base.R.Apply(t.route.Base)
	at, u := pullTo(x.Base.P.Add(arm), t.hole(x, 0), tension)
	base := spatial.Wrench{Force: u.Neg(), Moment: u.Cross(arm)}
	last := len(t.route.Nodes) - 1
	for i := range t.route.Nodes {
		var next spatial.Vec // pull of the chord after the disk; none after the last
		if i < last {
			at, next = pullTo(at, t.hole(x, i+1), tension)
		}
		f := next.Sub(u)
		u = next
		if t.transverse && i < last {
			f = t.inPlane(x, i, f)
		}
		t.push(x, i, f)
	}
	return base
}

// push applies the force f at hole i.
func (t *Corrected) push(x *rod.Explicit, i int, f spatial.Vec) {
	k, h := t.route.Nodes[i], t.route.Holes[i].Scale(0.5)
	dir, force, couple := x.Directors(), x.Forces(), x.Couples()
	force[k] = force[k].Add(f)
	l, r := sides(dir, k)
	couple[l] = couple[l].Add(h.Cross(dir[l].Local(f)))
	couple[r] = couple[r].Add(h.Cross(dir[r].Local(f)))
}

// inPlane removes from f the part along the normal of disk i.
func (t *Corrected) inPlane(x *rod.Explicit, i int, f spatial.Vec) spatial.Vec {
	dir := x.Directors()
	l, r := sides(dir, t.route.Nodes[i])
	n := dir[l].D3.Add(dir[r].D3).Unit()
	return f.AddScaled(-f.Dot(n), n)
}

// Length returns the routed length (m) of the tendon from the base plate to the
// last disk, and how fast it grows (m/s).
func (t *Corrected) Length(x *rod.Explicit) (length, rate float64) {
	a := x.Base.Apply(t.route.Base)
	var va spatial.Vec
	for i := range t.route.Nodes {
		b, vb := t.hole(x, i), t.velocity(x, i)
		d := b.Sub(a)
		l := d.Norm()
		length += l
		rate += d.Dot(vb.Sub(va)) / l
		a, va = b, vb
	}
	return length, rate
}
