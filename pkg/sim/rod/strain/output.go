package strain

import (
	"math"
	"slices"

	"sinew/pkg/sim/spatial"
)

// BaseReaction returns the wrench of the clamp on the rod, in base axes about the base origin. It
// balances the stress in the first element, internal damping included, and the weight and external
// load of node 0, and it accelerates node 0 with the base against inertia and drag.
func (s *State) BaseReaction() spatial.Wrench {
	x := &s.Strain[0]
	ev := spatial.EvenOf(*x)
	law := &s.elements[0]
	y := newLinearStrain(x, &s.committedSlopes()[0])
	n, m := law.elastic(&y.mean)
	cn, cm := law.couplingStress(&y.slope)
	n, m = n.Add(cn), m.Add(cm)
	if d := law.damping; d > 0 {
		cn, cm = law.couplingStress(&s.baseReaction.slope[0])
		n = n.AddScaled(d, law.linear.Mul(s.baseReaction.rate.Linear).Add(cn))
		m = m.AddScaled(d, law.angular.Mul(s.baseReaction.rate.Angular).Add(cm))
	}
	n, m = s.addBranchStress(&y, n, m)
	n, m = conjugateStress(&y.slope, n, m)
	if s.jenkins.elements != nil {
		m = s.addJenkinsMoments(0, m, nil)
	}
	a, _ := nodalWrenches(&ev, x, n, m)
	l, r := &s.Loads[0], &s.Base.R
	f := r.ApplyT(s.opt.Gravity.Scale(s.gravityScale * s.mass[0]).Add(l.Force).Sub(s.baseReaction.inertialWrench.Force)).Add(l.Follower.Force)
	c := r.ApplyT(l.Moment).Add(l.Follower.Moment).Sub(s.baseReaction.inertialWrench.Moment)
	if s.distributed.elements != nil {
		c = c.Add(s.baseWeightMoment())
	}
	return spatial.Wrench{Force: a.Force.Add(f).Neg(), Moment: a.Moment.Add(c).Neg()}
}

// elementIncrement returns T⁻¹(x) η_b − T⁻¹(−x) η_a, the increment of the coordinates x of an
// element whose ends have the body increments (va, wa) and (vb, wb).
func elementIncrement(ev *spatial.Even, x *spatial.Twist, va, wa, vb, wb spatial.Vec) spatial.Twist {
	// 𝓔 (η_b − η_a) + ½ ad(x) (η_b + η_a)
	dv, dw := vb.Sub(va), wb.Sub(wa)
	sv, sw := vb.Add(va).Scale(0.5), wb.Add(wa).Scale(0.5)
	return spatial.Twist{
		Linear:  ev.A.Apply(dv).Add(ev.B.Apply(dw)).Add(x.Angular.Cross(sv)).Add(x.Linear.Cross(sw)),
		Angular: ev.A.Apply(dw).Add(x.Angular.Cross(sw)),
	}
}

// StrainAt returns the derivatives along the rod, per undeformed length, of the place of the cross-section (its stretch and shear) and of
// its rotation (1/m), along d1, d2, d3, at a share of the length of element e from its start. It is constant along elements of order 2 and
// linear along those of order 4.
func (s *State) StrainAt(e int, share float64) spatial.Twist {
	x, l := s.Strain[e], s.rod.Lengths[e]
	if s.elements[e].isLinear {
		y := newLinearStrain(&x, &s.committedSlopes()[e])
		x.Linear = y.mean.Linear.AddScaled(share-0.5, y.slope.Linear)
		x.Angular = y.mean.Angular.AddScaled(share-0.5, y.slope.Angular)
	}
	return spatial.Twist{Linear: x.Linear.Scale(1 / l), Angular: x.Angular.Scale(1 / l)}
}

// MaxStrain returns the largest strain of the rod: of shear, stretch, bending and torsion at the
// surface.
func (s *State) MaxStrain() float64 {
	most, slopes := 0.0, s.committedSlopes()
	for e := range s.Strain {
		law := &s.elements[e]
		y := newLinearStrain(&s.Strain[e], &slopes[e])
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

// StateLen returns the number of values that Save writes.
func (s *State) StateLen() int {
	n := 36 + 6*HistoryLevels*len(s.Strain) + 18*len(s.Pose)
	if s.rod.Order == 4 && s.hasSlopeState() {
		n += 12*len(s.Strain) + 6
	}
	return n + 6*len(s.distributed.rate) + 9*len(s.eccentric.bodies) + s.historyLen()
}

// basePosesLen is the number of values of the poses of the base in a saved state.
const basePosesLen = 24

// ContinuousState returns the run of the saved state of which weighted means of states, followed by AlignPast, are a state: strains,
// velocities and their past.
func (s *State) ContinuousState() (first, n int) { return basePosesLen, s.StateLen() - basePosesLen }

// AlignPast places the nodes of the level before as its strains do, after a Restore of a mean of states: poses of a mean of strains are a mean
// of poses to first order only.
func (s *State) AlignPast() {
	was := spatial.Pose{R: s.Pose[0].R.Mul(spatial.ExpRot(s.past.rotation[0].Neg())), P: s.past.pos[0]}
	for e := range s.past.strain {
		was = was.Mul(spatial.Exp(s.past.strain[e]))
		s.past.pos[e+1], s.past.rotation[e+1] = was.P, was.R.TMul(s.Pose[e+1].R).Log()
	}
}

// scaledStiffness is that of the elements over what it is at first.
type scaledStiffness struct {
	factor float64   // 0: ScaleStiffness has not been called
	first  []element // as they are at first
}

// ScaleStiffness makes the stiffness of the rod that of its elements at first times factor, above 0. It allocates in the first call.
func (s *State) ScaleStiffness(factor float64) {
	k := &s.stiffness
	if factor == k.factor {
		return
	}
	if k.first == nil {
		k.first = slices.Clone(s.elements)
	}
	k.factor = factor
	for e := range s.elements {
		s.elements[e] = k.first[e]
		s.elements[e].scale(factor)
	}
	s.condensedValid = false
}

// Save writes the base poses, the strains and the history to dst.
func (s *State) Save(dst []float64) {
	for _, g := range [...]*spatial.Pose{&s.Base, &s.Target} {
		g.Put(dst)
		dst = dst[12:]
	}
	for _, list := range s.savedTwists() {
		for _, x := range list {
			x.Linear.Put(dst)
			x.Angular.Put(dst[3:])
			dst = dst[6:]
		}
	}
	for _, list := range s.savedVectors() {
		for _, v := range list {
			v.Put(dst)
			dst = dst[3:]
		}
	}
	for _, v := range s.savedBaseVectors() {
		v.Put(dst)
		dst = dst[3:]
	}
	s.saveHistory(dst)
}

// Restore makes src, written by Save, the state.
func (s *State) Restore(src []float64) {
	for _, g := range [...]*spatial.Pose{&s.Base, &s.Target} {
		*g = spatial.PoseAt(src)
		src = src[12:]
	}
	for _, list := range s.savedTwists() {
		for i := range list {
			list[i] = spatial.Twist{Linear: spatial.VecAt(src), Angular: spatial.VecAt(src[3:])}
			src = src[6:]
		}
	}
	for _, list := range s.savedVectors() {
		for i := range list {
			list[i] = spatial.VecAt(src)
			src = src[3:]
		}
	}
	for _, v := range s.savedBaseVectors() {
		*v = spatial.VecAt(src)
		src = src[3:]
	}
	s.restoreHistory(src)
	s.UpdatePoses()
}

// savedTwists, savedVectors and savedBaseVectors return the parts of the state in the order of
// Save.
func (s *State) savedTwists() [HistoryLevels + 3][]spatial.Twist {
	all := [HistoryLevels + 3][]spatial.Twist{s.Strain, s.past.strain}
	copy(all[2:], s.past.older[:])
	if s.rod.Order == 4 && s.hasSlopeState() {
		all[HistoryLevels], all[HistoryLevels+1], all[HistoryLevels+2] = s.slope, s.past.slope, s.baseReaction.slope[:]
	}
	return all
}

func (s *State) savedVectors() [11][]spatial.Vec {
	return [...][]spatial.Vec{s.past.pos, s.vel, s.past.vel, s.past.rotation, s.omega, s.past.omega, s.eccentric.past, s.eccentric.vel, s.eccentric.pastVel, s.distributed.rate, s.distributed.pastRate}
}

func (s *State) savedBaseVectors() [4]*spatial.Vec {
	return [4]*spatial.Vec{&s.baseReaction.rate.Linear, &s.baseReaction.rate.Angular, &s.baseReaction.inertialWrench.Force, &s.baseReaction.inertialWrench.Moment}
}
