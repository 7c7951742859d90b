package strain

import "sinew/pkg/sim/spatial"

// What is spread along an element of order 4 and turns with it, as magnetisation does, acts by
// Simpson's rule on its ends and on its middle. The middle of a strain that is linear along
// the element is at
//
//	g_a exp(½ x) exp(0, −⅛ β),
//
// half way along the arc of constant strain between the ends and turned back by an eighth of
// the slope, to the order of the element: what a slope of shear and stretch moves there is
// left out. With V the potential of a load at the pose h = g_a exp(½ x) and T the torque on it,
// that at the middle is V(h) + ⅛ β·T(h), β to first order. So β, still of least energy, is
// S⁻¹ (N × v + M × u − … − 3/2 T): a torque that is spread along an element bends it as a
// shear force does, which lumps on its ends would not. All the rest is exact: wrenches are the
// gradient of this potential and the tangent is its second derivative along geodesics.
//
// Loads in different middles may depend on where the others are. As the potential is of first
// order in each β, an element still settles by itself, by the torque on its middle when no
// slope turns the others. What follows from the slopes of two elements at once is left out.

// Middles are loads in the middles of elements of order 4.
type MidpointLoads interface {
	// Loaded reports whether there is one in an element.
	HasLoad(element int) bool
	// Coupled reports whether loads depend on where other middles are, so that Placed needs
	// Ends.
	IsCoupled() bool
	// Torque returns the torque on what no slope has turned, N m in axes of the middle, and the
	// potential there, J, without that of what acts from other places of the rod.
	Torque(element int, at *LoadPlacement) (torque spatial.Vec, potential float64)
	// Load returns what acts when slopes have turned what it acts on, to first order in that.
	Load(element int, at *LoadPlacement) MidpointLoad
}

// Placed is where the loads of a rod are.
type LoadPlacement struct {
	Nodes          []spatial.Pose
	Midpoints      []spatial.Pose // by element with a load, half way along its arc of constant strain
	SlopeRotations []spatial.Vec  // by element, what its slope turns the middle by, rad, in axes of that
	// Ends are, by element, how the turned middle follows body increments of its ends, as of the
	// last Elements; nil: nobody wants them.
	EndJacobians [][2]spatial.Mat6
}

// MiddleLoad is a load on a middle, in its axes, with its derivatives.
type MidpointLoad struct {
	Wrench                                 spatial.Wrench
	LinLin, RotRot                         spatial.Lower3 // symmetric part of the tangent, −∂(wrench)/∂(increment)
	RotLin                                 spatial.Mat3
	TorqueByDisplacement, TorqueByRotation spatial.Mat3 // of the torque without the turn, by increments of the pose
}

// middle is the load in the middle of an element where that settles.
type midpointTorque struct {
	torque    spatial.Vec
	potential float64
}

// newMiddles gives the elements with loads in their middles room for these.
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

// Reload tells that the loads in the middles have changed.
func (s *State) InvalidateLoads() { s.condensedValid = s.condensedValid && !s.hasMidpointLoads }

// halfway is the pose half way along the arc of constant strain of element e.
func (s *State) midpointPose(e int) spatial.Pose {
	x := &s.Strain[e]
	return s.Pose[e].Mul(spatial.Exp(spatial.Twist{Linear: x.Linear.Scale(0.5), Angular: x.Angular.Scale(0.5)}))
}

// turnOf is what a slope turns the middle by.
func slopeRotation(slope *spatial.Twist) spatial.Vec { return slope.Angular.Scale(-1. / 8) }

// place sets the poses of the middles to those of the present strains.
func (s *State) updateMidpoints() {
	for e := range s.placement.Midpoints {
		if s.condensed[e].midpoint != nil {
			s.placement.Midpoints[e] = s.midpointPose(e)
		}
	}
}

// Placed returns where the loads are at the present strains. Slopes are those with which the
// elements settled last.
func (s *State) LoadPlacement() *LoadPlacement {
	if !s.condensedValid {
		s.updateMidpoints()
	}
	return &s.placement
}

// PlacedAtEnd returns where the loads are at the end of the last step.
func (s *State) CommittedLoadPlacement() *LoadPlacement {
	s.updateMidpoints()
	for e := range s.placement.SlopeRotations {
		s.placement.SlopeRotations[e] = slopeRotation(&s.slope[e])
	}
	s.condensedValid = s.condensedValid && !s.hasMidpointLoads
	return &s.placement
}

// energy is the potential of the load, J.
func (m *midpointTorque) energy(slope *spatial.Twist) float64 {
	return m.potential - slopeRotation(slope).Dot(m.torque)
}

// MiddleOnBase returns the part of the load in the middle of the first element that is on node
// 0, body axes.
func (s *State) MidpointBaseWrench() (w spatial.Wrench) {
	if s.condensed[0].midpoint == nil {
		return w
	}
	l := s.opt.MidpointLoads.Load(0, s.CommittedLoadPlacement())
	h := newMidpointMap(&s.Strain[0])
	w, _ = h.endWrenches(&l.Wrench)
	return w
}

// sharing is how the pose h half way between the ends follows these. With η_a, η_b the body
// increments of the ends that of h is H_a η_a + H_b η_b,
//
//	H_b = (1 + exp(−½ ad x))⁻¹ = ½ + ½ tanh(¼ ad x),  H_a = (1 + exp(½ ad x))⁻¹,
//
// of which the odd part is ½ [[O, U], [0, O]] with O = f [u]×, U = f [v]× + 2 f′ (u·v) [u]× and
// f, f′, f″ those of spatial.TanCoefs.
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

// wrenches returns the parts of a wrench on h that are on the ends.
func (h *midpointMap) endWrenches(w *spatial.Wrench) (a, b spatial.Wrench) {
	f, m := h.odd.Cross(w.Force), h.mixed.Cross(w.Force).Add(h.odd.Cross(w.Moment))
	force, moment := w.Force.Scale(0.5), w.Moment.Scale(0.5)
	return spatial.Wrench{Force: force.Add(f), Moment: moment.Add(m)}, spatial.Wrench{Force: force.Sub(f), Moment: moment.Sub(m)}
}

// toEnds returns H_a and H_b.
func (h *midpointMap) jacobians() (a, b dual) {
	var half, none spatial.Mat3
	half.XX, half.YY, half.ZZ = 0.5, 0.5, 0.5
	return dual{minusSkew(&half, &h.odd), minusSkew(&none, &h.mixed)}, dual{plusSkew(&half, &h.odd), plusSkew(&none, &h.mixed)}
}

// bent returns P₁ and P₂ of the second derivative of h along geodesics times a wrench (F, C),
// (η_b − η_a)ᵀ [[0, P₁], [P₁, P₂]] dx.
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

// addMiddle adds the load in the middle of element e to wrenches and tangent. k is the
// stiffness of the element there.
func (s *State) assembleMidpoint(e int, k *stiffness, q *Equations) {
	x, o := &s.Strain[e], &s.condensed[e]
	l := s.opt.MidpointLoads.Load(e, &s.placement)
	h := newMidpointMap(x)
	addEndWrenches(q.Wrench, e, &h, &l.Wrench)

	// D = ∂²/∂β∂h, W = −(∂²/∂β²)⁻¹: what β takes of the tangent of h, and couples it to x
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

// followed is how the turned middle follows an end: as h does, by H, and by −⅛ of what β takes of
// x and h, of which the end makes S and H.
func midpointJacobian(s, h *dual, takes *[2]spatial.Mat3, wd1, wd2 *spatial.Mat3) spatial.Mat6 {
	byMove := prod2(&takes[0], &s.a, wd1, &h.a)
	turn, own := prod2(&takes[0], &s.b, &takes[1], &s.a), prod2(wd1, &h.b, wd2, &h.a)
	return spatial.Blocks6(h.a, h.b, byMove.Scale(-1./8), h.a.Add(turn.Add(own).Scale(-1./8)))
}

// addToEnds adds the parts of a wrench half way along element e to those of its ends.
func addEndWrenches(wrench []spatial.Wrench, e int, h *midpointMap, w *spatial.Wrench) {
	a, b := h.endWrenches(w)
	first, last := &wrench[e], &wrench[e+1]
	first.Force, first.Moment = first.Force.Add(a.Force), first.Moment.Add(a.Moment)
	last.Force, last.Moment = last.Force.Add(b.Force), last.Moment.Add(b.Moment)
}
