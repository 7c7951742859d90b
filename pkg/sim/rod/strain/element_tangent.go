package strain

import "sinew/pkg/sim/spatial"

// The exact tangent of an element, K_xy = −∂f_x/∂η_y for x, y ∈ {a, b}, is
//
//	K_xy = S_xᵀ k S_y + (Q ± P) S_y,  S_b = T⁻¹(x),  S_a = −T⁻¹(−x).
//
// k = [[k11, k21ᵀ], [k21, k22]] is the stiffness, which is diagonal where the strain is constant. Q
// = ½ [[0, [N]×], [[N]×, [M]×]], P follows from evenPartGradient, and the sign is + for x = b and −
// for x = a. Here S_b = [[A, B], [0, A]], where A and B include the odd part, and S_a = −[[Aᵀ, Bᵀ],
// [0, Aᵀ]].
//
// K_ba = K_abᵀ, because increments of different nodes commute. Increments of one node do not, so
// K_aa and K_bb have a skew part −½ [[0, [F]×], [[F]×, [C]×]] with the wrench (F, C) on the node.
// tangent omits it and so computes the Hessian of the energy along geodesics.

// tangent sets bb to the symmetric part of K_bb and, if aa is not nil, adds that of K_aa to aa and
// sets ab to K_ab. Of aa and bb only the lower triangles count. g is exp(x), n and m are the
// stress, and fa and fb the nodal wrenches.
func (k *stiffness) tangent(ev *spatial.Even, g *spatial.Pose, x *spatial.Twist, n, m spatial.Vec, fa, fb *spatial.Wrench, aa, ab, bb *spatial.Mat6) {
	half := spatial.Twist{Linear: x.Linear.Scale(0.5), Angular: x.Angular.Scale(0.5)}
	a, b := plusSkew(&ev.A, &half.Angular), plusSkew(&ev.B, &half.Linear)
	p12, p22 := evenPartGradient(ev, x, &n, &m)
	n, m = n.Scale(0.5), m.Scale(0.5)

	// Y = Bᵀ k11 + Aᵀ k21 + P12 + [n]×, Z = Bᵀ k12 + Aᵀ k22 + P22 + [m]×
	y, z := plusSkew(&p12, &n), plusSkew(&p22, &m)
	if k.isFull {
		k12 := k.k21.T()
		ka := prod(&k.k11, &a)
		addTProd2(&y, &b, &k.k11, &a, &k.k21)
		addTProd2(&z, &b, &k12, &a, &k.k22)
		var h hessian
		h.linLin, h.rotLin = lowerTProd(&a, &ka), prod(&y, &a)
		addHalfSkew(&h.rotLin, &fb.Force)
		h.rotRot = withHalfMoment(lowerProd2(&y, &b, &z, &a), &fb.Moment)
		bb.LinLin().SetLower(h.linLin)
		bb.RotLin().Set(h.rotLin)
		bb.RotRot().SetLower(h.rotRot)
		if aa != nil {
			h.transferToA(g, fa, fb, aa, ab)
		}
		return
	}
	addTransposedTimesDiag(&y, &b, &k.linear)
	addTransposedTimesDiag(&z, &a, &k.angular)
	ka := diagTimes(&k.linear, &a)
	bb.LinLin().SetLower(lowerTProd(&a, &ka))
	bb.RotLin().Set(withHalfSkew(prod(&y, &a), &fb.Force))
	bb.RotRot().SetLower(withHalfMoment(lowerProd2(&y, &b, &z, &a), &fb.Moment))
	if aa == nil {
		return
	}

	// W = P12 − [n]×, Y = B k11 + P12 − [n]×, Z = A k22 + P22 − [m]×, X = A k11
	w := minusSkew(&p12, &n)
	y, z = w, minusSkew(&p22, &m)
	var xk spatial.Mat3
	addTimesDiag(&xk, &a, &k.linear)
	addTimesDiag(&y, &b, &k.linear)
	addTimesDiag(&z, &a, &k.angular)
	aa.LinLin().AddLower(lowerProdT(&xk, &a))
	aa.RotLin().Add(withHalfSkew(prodT(&y, &a), &fa.Force))
	aa.RotRot().AddLower(withHalfMoment(lowerProdT2(&y, &b, &z, &a), &fa.Moment))
	ab.LinLin().SetNeg(prod(&xk, &a))
	ab.LinRot().SetNeg(prod2(&xk, &b, &w, &a))
	ab.RotLin().SetNeg(prod(&y, &a))
	ab.RotRot().SetNeg(prod2(&y, &b, &z, &a))
}

// hessian is K_bb along geodesics.
type hessian struct {
	linLin spatial.Lower3
	rotLin spatial.Mat3
	rotRot spatial.Lower3
}

// transferToA computes the blocks of node a from those of node b: a displacement of a alone equals
// the opposite rigid motion of the rest of the element. With A the adjoint of the inverse of exp(x)
// = (R, p), H the Hessian K_bb along geodesics and (F, C) the wrench on b,
//
//	K_ab = −Aᵀ (H + ½ [[0, [F]×], [[F]×, [C]×]]),  K_aa = Aᵀ H A.
//
// Aᵀ = [[R, 0], [[p]× R, R]] transforms a wrench on b in its axes to one on a. For a full stiffness
// this takes fewer operations than the formulas of tangent.
func (h *hessian) transferToA(g *spatial.Pose, fa, fb *spatial.Wrench, aa, ab *spatial.Mat6) {
	r, p := &g.R, &g.P
	full, turned := h.linLin.Full(), h.rotLin
	addHalfSkew(&turned, &fb.Force)
	linLin, rotLin := prod(r, &full), prod(r, &turned)
	turned = h.rotLin.T()
	addHalfSkew(&turned, &fb.Force)
	full = h.rotRot.Full()
	addHalfSkew(&full, &fb.Moment)
	linRot, rotRot := prod(r, &turned), prod(r, &full)
	addSkewTimes(&rotLin, &linLin, p)
	addSkewTimes(&rotRot, &linRot, p)
	ab.LinLin().SetNeg(linLin)
	ab.LinRot().SetNeg(linRot)
	ab.RotLin().SetNeg(rotLin)
	ab.RotRot().SetNeg(rotRot)

	rotLin = prodT(&rotLin, r)
	last := lowerProdT(&rotRot, r)
	subTimesSkew(&last, &rotLin, p)
	aa.LinLin().AddLower(lowerProdT(&linLin, r))
	aa.RotLin().Add(withHalfSkew(rotLin, &fa.Force))
	aa.RotRot().AddLower(withHalfMoment(last, &fa.Moment))
}
