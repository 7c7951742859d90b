package strain

import (
	"math"

	"sinew/pkg/sim/spatial"
)

// BaseReaction returns the wrench that the clamp exerts on the rod, in base axes
// about the base origin: it balances the stress in the first element, internal
// damping included, and the weight and external load of node 0, and moves node 0 with
// the base against its inertia and drag.
func (s *State) BaseReaction() spatial.Wrench {
	x := &s.Strain[0]
	ev := spatial.EvenOf(*x)
	law := &s.elements[0]
	y := shaped(x, &s.slopes()[0])
	n, m := law.elastic(&y.mean)
	cn, cm := law.coupled(&y.slope)
	n, m = n.Add(cn), m.Add(cm)
	if d := law.damping; d > 0 {
		cn, cm = law.coupled(&s.clamp.slope[0])
		n = n.AddScaled(d, law.linear.Mul(s.clamp.rate.Linear).Add(cn))
		m = m.AddScaled(d, law.angular.Mul(s.clamp.rate.Angular).Add(cm))
	}
	n, m = s.addBranchStress(&y, n, m)
	n, m = conjugate(&y.slope, n, m)
	if s.slips.of != nil {
		m = s.addSlips(0, m, nil)
	}
	a, _ := nodal(&ev, x, n, m)
	l, r := &s.Loads[0], &s.Base.R
	f := r.ApplyT(s.opt.Gravity.Scale(s.weight * s.mass[0]).Add(l.Force).Sub(s.clamp.carried.Force)).Add(l.Follower.Force)
	c := r.ApplyT(l.Moment).Add(l.Follower.Moment).Sub(s.clamp.carried.Moment)
	return spatial.Wrench{Force: a.Force.Add(f).Neg(), Moment: a.Moment.Add(c).Neg()}
}

// difference returns T⁻¹(x) η_b − T⁻¹(−x) η_a, the increment of the coordinates x
// of an element whose ends move by the body increments (va, wa) and (vb, wb).
func difference(ev *spatial.Even, x *spatial.Twist, va, wa, vb, wb spatial.Vec) spatial.Twist {
	// 𝓔 (η_b − η_a) + ½ ad(x) (η_b + η_a)
	dv, dw := vb.Sub(va), wb.Sub(wa)
	sv, sw := vb.Add(va).Scale(0.5), wb.Add(wa).Scale(0.5)
	return spatial.Twist{
		Linear:  ev.A.Apply(dv).Add(ev.B.Apply(dw)).Add(x.Angular.Cross(sv)).Add(x.Linear.Cross(sw)),
		Angular: ev.A.Apply(dw).Add(x.Angular.Cross(sw)),
	}
}

// MaxStrain returns the largest strain in the rod: of shear, stretch, bending and
// torsion at the surface.
func (s *State) MaxStrain() float64 {
	most, slopes := 0.0, s.slopes()
	for e := range s.Strain {
		law := &s.elements[e]
		y := shaped(&s.Strain[e], &slopes[e])
		d := y.minus(&law.rest, &spatial.Twist{})
		large := 0.0
		for _, end := range [...]float64{-0.5, 0.5} {
			v, u := d.mean.Linear.AddScaled(end, d.slope.Linear), d.mean.Angular.AddScaled(end, d.slope.Angular)
			large = max(large, math.Hypot(v.X, v.Y), math.Abs(v.Z), law.radius*math.Hypot(u.X, u.Y), law.radius*math.Abs(u.Z))
		}
		most = max(most, large/law.length)
	}
	return most
}

// StateLen is the number of values that Save writes.
func (s *State) StateLen() int {
	n := 36 + 6*HistoryLevels*len(s.Strain) + 18*len(s.Pose)
	if s.rod.Order == 4 && s.lasting() {
		n += 12*len(s.Strain) + 6
	}
	return n + 9*len(s.off.bodies) + s.memoryLen()
}

// Save writes the base poses, the strains and the history to dst.
func (s *State) Save(dst []float64) {
	for _, g := range [...]*spatial.Pose{&s.Base, &s.Target} {
		g.Put(dst)
		dst = dst[12:]
	}
	for _, list := range s.twists() {
		for _, x := range list {
			x.Linear.Put(dst)
			x.Angular.Put(dst[3:])
			dst = dst[6:]
		}
	}
	for _, list := range s.vectors() {
		for _, v := range list {
			v.Put(dst)
			dst = dst[3:]
		}
	}
	for _, v := range s.atBase() {
		v.Put(dst)
		dst = dst[3:]
	}
	s.saveMemory(dst)
}

// Restore makes src, written by Save, the state.
func (s *State) Restore(src []float64) {
	for _, g := range [...]*spatial.Pose{&s.Base, &s.Target} {
		*g = spatial.PoseAt(src)
		src = src[12:]
	}
	for _, list := range s.twists() {
		for i := range list {
			list[i] = spatial.Twist{Linear: spatial.VecAt(src), Angular: spatial.VecAt(src[3:])}
			src = src[6:]
		}
	}
	for _, list := range s.vectors() {
		for i := range list {
			list[i] = spatial.VecAt(src)
			src = src[3:]
		}
	}
	for _, v := range s.atBase() {
		*v = spatial.VecAt(src)
		src = src[3:]
	}
	s.restoreMemory(src)
	s.UpdatePoses()
}

// twists, vectors and atBase are the parts of the state in the order of Save.
func (s *State) twists() [HistoryLevels + 3][]spatial.Twist {
	all := [HistoryLevels + 3][]spatial.Twist{s.Strain, s.past.strain}
	copy(all[2:], s.past.older[:])
	if s.rod.Order == 4 && s.lasting() {
		all[HistoryLevels], all[HistoryLevels+1], all[HistoryLevels+2] = s.slope, s.past.slope, s.clamp.slope[:]
	}
	return all
}

func (s *State) vectors() [9][]spatial.Vec {
	return [...][]spatial.Vec{s.past.pos, s.vel, s.past.vel, s.past.turn, s.omega, s.past.omega, s.off.past, s.off.vel, s.off.before}
}

func (s *State) atBase() [4]*spatial.Vec {
	return [4]*spatial.Vec{&s.clamp.rate.Linear, &s.clamp.rate.Angular, &s.clamp.carried.Force, &s.clamp.carried.Moment}
}
