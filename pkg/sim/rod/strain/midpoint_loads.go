package strain

import "sinew/pkg/sim/spatial"

// A load per length that rotates with the rod, as magnetisation has, acts on an element of order 4
// by Simpson's rule: on its ends and on its midpoint. The midpoint of an element with linear strain
// is
//
//	g_a exp(½ x) exp(0, −⅛ β),
//
// half way along the arc of constant strain between the ends, rotated back by an eighth of the
// slope, to the order of the element. The effect of the slope of shear and stretch is omitted. With
// V the potential of a load at the pose h = g_a exp(½ x) and T its torque there, the potential at
// the midpoint is V(h) + ⅛ β·T(h) to first order in β. The slope of least energy becomes S⁻¹ (N × v
// + M × u − … − 3/2 T): a distributed torque bends an element as a shear force does, which loads
// lumped to the ends would miss. The rest is exact: wrenches are the gradient of this potential,
// and the tangent is its second derivative along geodesics.
//
// Loads at different midpoints may depend on each other's poses. The potential is of first order in
// each β, so each element is condensed alone, with the torque at its midpoint for zero slopes of
// the others. Products of the slopes of two elements are omitted.

// MidpointLoads are loads at the midpoints of elements of order 4.
type MidpointLoads interface {
	// HasLoad reports whether an element has a load at its midpoint.
	HasLoad(element int) bool
	// IsCoupled reports whether loads depend on the poses of other midpoints, so that LoadPlacement
	// needs EndJacobians.
	IsCoupled() bool
	// Torque returns the torque at zero slope, N m in axes of the midpoint, and the potential
	// there, J, without that of sources on the rod.
	Torque(element int, at *LoadPlacement) (torque spatial.Vec, potential float64)
	// Load returns the load at the present slopes, to first order in these.
	Load(element int, at *LoadPlacement) MidpointLoad
}

// LoadPlacement is where loads act on a rod.
type LoadPlacement struct {
	Nodes          []spatial.Pose
	Midpoints      []spatial.Pose // by element with a load: pose half way along its arc of constant strain, world
	SlopeRotations []spatial.Vec  // by element: rotation vector of its midpoint by the slope, rad, axes of the midpoint
	// EndJacobians are, by element, the derivatives of the midpoint's pose with respect to the body
	// increments of the ends, of the last AssembleElements; nil: they are not needed.
	EndJacobians [][2]spatial.Mat6
}

// MidpointLoad is a load at a midpoint, in its axes, with its derivatives.
type MidpointLoad struct {
	Wrench                                 spatial.Wrench
	LinLin, RotRot                         spatial.Lower3 // symmetric part of the tangent, −∂(wrench)/∂(increment)
	RotLin                                 spatial.Mat3
	TorqueByDisplacement, TorqueByRotation spatial.Mat3 // derivatives of the torque at zero slope with respect to the body increment of the pose
}

// midpointTorque is the load at the midpoint of an element during its condensation.
type midpointTorque struct {
	torque    spatial.Vec
	potential float64
}

// newMidpoints allocates the state of the elements with midpoint loads.
func (s *State) newMidpoints() {
	if s.opt.MidpointLoads == nil {
		return
	}
	for e := range s.condensed {
		if s.elements[e].isLinear && s.opt.MidpointLoads.HasLoad(e) {
			s.condensed[e].midpoint, s.hasMidpointLoads = new(midpointTorque), true
		}
	}
	if !s.hasMidpointLoads {
		return
	}
	n := len(s.condensed)
	s.placement.Midpoints, s.placement.SlopeRotations = make([]spatial.Pose, n), make([]spatial.Vec, n)
	if s.opt.MidpointLoads.IsCoupled() {
		s.placement.EndJacobians = make([][2]spatial.Mat6, n)
	}
}

// InvalidateLoads requires new slopes after a change of the midpoint loads.
func (s *State) InvalidateLoads() { s.condensedValid = s.condensedValid && !s.hasMidpointLoads }

// midpointPose returns the pose half way along the arc of constant strain of element e, world.
func (s *State) midpointPose(e int) spatial.Pose {
	x := &s.Strain[e]
	return s.Pose[e].Mul(spatial.Exp(spatial.Twist{Linear: x.Linear.Scale(0.5), Angular: x.Angular.Scale(0.5)}))
}

// slopeRotation returns the rotation vector of the midpoint by a slope, rad.
func slopeRotation(slope *spatial.Twist) spatial.Vec { return slope.Angular.Scale(-1. / 8) }

// updateMidpoints computes the midpoint poses at the present strains.
func (s *State) updateMidpoints() {
	for e := range s.placement.Midpoints {
		if s.condensed[e].midpoint != nil {
			s.placement.Midpoints[e] = s.midpointPose(e)
		}
	}
}

// LoadPlacement returns where loads act at the present strains, with the slopes of the last
// condensation.
func (s *State) LoadPlacement() *LoadPlacement {
	if !s.condensedValid {
		s.updateMidpoints()
	}
	return &s.placement
}

// CommittedLoadPlacement returns where loads act at the end of the last step.
func (s *State) CommittedLoadPlacement() *LoadPlacement {
	s.updateMidpoints()
	for e := range s.placement.SlopeRotations {
		s.placement.SlopeRotations[e] = slopeRotation(&s.slope[e])
	}
	s.condensedValid = s.condensedValid && !s.hasMidpointLoads
	return &s.placement
}

// energy returns the potential of the load at a slope, J.
func (m *midpointTorque) energy(slope *spatial.Twist) float64 {
	return m.potential - slopeRotation(slope).Dot(m.torque)
}

// MidpointBaseWrench returns the part of the first element's midpoint load that acts on node 0,
// body axes.
func (s *State) MidpointBaseWrench() (w spatial.Wrench) {
	if s.condensed[0].midpoint == nil {
		return w
	}
	l := s.opt.MidpointLoads.Load(0, s.CommittedLoadPlacement())
	h := newMidpointMap(&s.Strain[0])
	w, _ = h.endWrenches(&l.Wrench)
	return w
}

// midpointMap is the derivative of the pose h half way between the ends with respect to these. For
// body increments η_a, η_b of the ends, that of h is H_a η_a + H_b η_b with
//
//	H_b = (1 + exp(−½ ad x))⁻¹ = ½ + ½ tanh(¼ ad x),  H_a = (1 + exp(½ ad x))⁻¹.
//
// The odd part is ½ [[O, U], [0, O]] with O = f [u]×, U = f [v]× + 2 f′ (u·v) [u]×, and f, f′, f″
// of spatial.TanCoefs.
type midpointMap struct {
	x          *spatial.Twist
	f, f1, f2  float64
	uv         float64     // u·v
	odd, mixed spatial.Vec // ½ O = [odd]×, ½ U = [mixed]×
}

func newMidpointMap(x *spatial.Twist) midpointMap {
	h := midpointMap{x: x, uv: x.Angular.Dot(x.Linear)}
	h.f, h.f1, h.f2 = spatial.TanCoefs(x.Angular.Norm2())
	h.odd = x.Angular.Scale(0.5 * h.f)
	h.mixed = combine(0.5*h.f, &x.Linear, h.f1*h.uv, &x.Angular)
	return h
}

// endWrenches returns the parts of a wrench at h that act on the ends.
func (h *midpointMap) endWrenches(w *spatial.Wrench) (a, b spatial.Wrench) {
	f, m := h.odd.Cross(w.Force), h.mixed.Cross(w.Force).Add(h.odd.Cross(w.Moment))
	force, moment := w.Force.Scale(0.5), w.Moment.Scale(0.5)
	return spatial.Wrench{Force: force.Add(f), Moment: moment.Add(m)}, spatial.Wrench{Force: force.Sub(f), Moment: moment.Sub(m)}
}

// jacobians returns H_a and H_b.
func (h *midpointMap) jacobians() (a, b dual) {
	var half, none spatial.Mat3
	half.XX, half.YY, half.ZZ = 0.5, 0.5, 0.5
	return dual{minusSkew(&half, &h.odd), minusSkew(&none, &h.mixed)}, dual{plusSkew(&half, &h.odd), plusSkew(&none, &h.mixed)}
}

// geometricTangent returns P₁ and P₂ of the second derivative of h along geodesics times a wrench
// (F, C): (η_b − η_a)ᵀ [[0, P₁], [P₁, P₂]] dx.
func (h *midpointMap) geometricTangent(w *spatial.Wrench) (p1, p2 spatial.Mat3) {
	v, u := &h.x.Linear, &h.x.Angular
	fu, fv, cu := w.Force.Cross(*u), w.Force.Cross(*v), w.Moment.Cross(*u)
	p1 = spatial.Skew(w.Force.Scale(0.5 * h.f))
	c := fu.Scale(h.f1)
	p1.AddOuter(&c, u)
	p2 = spatial.Skew(combine(0.5*h.f, &w.Moment, h.f1*h.uv, &w.Force))
	p2.AddOuter(&c, v)
	c = cu.Add(fv).Scale(h.f1).AddScaled(2*h.f2*h.uv, fu)
	p2.AddOuter(&c, u)
	return p1, p2
}

// assembleMidpoint adds the midpoint load of element e, which has the stiffness k, to wrenches and
// tangent.
func (s *State) assembleMidpoint(e int, k *stiffness, q *Equations) {
	x, o := &s.Strain[e], &s.condensed[e]
	l := s.opt.MidpointLoads.Load(e, &s.placement)
	h := newMidpointMap(x)
	addEndWrenches(q.Wrench, e, &h, &l.Wrench)

	// D = ∂²/∂β∂h and W = −(∂²/∂β²)⁻¹: condensation of β changes the tangent of h and couples it to
	// x
	d1, d2 := l.TorqueByDisplacement.Scale(1./8), l.TorqueByRotation.Scale(1./8)
	w := o.flexibility.Scaled(-12 / o.dampingFactor)
	wd1, wd2 := prod(&w, &d1), prod(&w, &d2)
	own := block6{linLin: l.LinLin.Full(), rotLin: l.RotLin, rotRot: l.RotRot.Full()}
	addTProd(&own.linLin, &d1, &wd1)
	addTProd(&own.rotLin, &d2, &wd1)
	addTProd(&own.rotRot, &d2, &wd2)
	own.linRot = own.rotLin.T()
	var cross block6
	addTProd(&cross.linLin, &k.slopeResponse[0], &d1)
	addTProd(&cross.linRot, &k.slopeResponse[0], &d2)
	addTProd(&cross.rotLin, &k.slopeResponse[1], &d1)
	addTProd(&cross.rotRot, &k.slopeResponse[1], &d2)

	ha, hb := h.jacobians()
	sa, sb := strainJacobians(&s.evenParts[e], x)
	if s.placement.EndJacobians != nil {
		s.placement.EndJacobians[e] = [2]spatial.Mat6{midpointJacobian(&sa, &ha, &k.slopeResponse, &wd1, &wd2), midpointJacobian(&sb, &hb, &k.slopeResponse, &wd1, &wd2)}
	}
	p1, p2 := h.geometricTangent(&l.Wrench)
	back := cross.transposed()

	xb, yb := cross.times(&hb), back.times(&sb)
	own.addTimes(&yb, &hb)
	bent, turned := prod(&p1, &sb.a), prod2(&p1, &sb.b, &p2, &sb.a)
	addDiagonalBlock(q.Diag[e+1], &sb, &xb, &hb, &yb)
	addSymmetric(q.Diag[e+1], -0.5, &bent, &turned)
	if e == 0 {
		return
	}
	to := q.Next[e]
	ab := sa.transposedTimes(&xb)
	ha.addTransposedTimes(&ab, &yb)
	to.LinLin().Add(ab.linLin)
	xa, ya := cross.times(&ha), back.times(&sa)
	own.addTimes(&ya, &ha)
	bentA, turnedA := prod(&p1, &sa.a), prod2(&p1, &sa.b, &p2, &sa.a)
	addDiagonalBlock(q.Diag[e], &sa, &xa, &ha, &ya)
	addSymmetric(q.Diag[e], 0.5, &bentA, &turnedA)
	bent, turned = halfMinusTransposed(&bent, &bentA), halfMinusTransposed(&turned, &turnedA)
	addMat3(&ab.linRot, &bent)
	addMat3(&ab.rotLin, &bent)
	addMat3(&ab.rotRot, &turned)
	to.LinRot().Add(ab.linRot)
	to.RotLin().Add(ab.rotLin)
	to.RotRot().Add(ab.rotRot)
}

// midpointJacobian returns the derivative of the midpoint's pose, slope included, with respect to
// the body increment of one end: H for the pose h, and −⅛ times the derivative of β by x and h for
// the rotation.
func midpointJacobian(s, h *dual, slopeResponse *[2]spatial.Mat3, wd1, wd2 *spatial.Mat3) spatial.Mat6 {
	byMove := prod2(&slopeResponse[0], &s.a, wd1, &h.a)
	turn, own := prod2(&slopeResponse[0], &s.b, &slopeResponse[1], &s.a), prod2(wd1, &h.b, wd2, &h.a)
	return spatial.Blocks6(h.a, h.b, byMove.Scale(-1./8), h.a.Add(turn.Add(own).Scale(-1./8)))
}

// addEndWrenches adds the parts of a wrench at the midpoint of element e to the wrenches of its
// ends.
func addEndWrenches(wrench []spatial.Wrench, e int, h *midpointMap, w *spatial.Wrench) {
	a, b := h.endWrenches(w)
	first, last := &wrench[e], &wrench[e+1]
	first.Force, first.Moment = first.Force.Add(a.Force), first.Moment.Add(a.Moment)
	last.Force, last.Moment = last.Force.Add(b.Force), last.Moment.Add(b.Moment)
}
