package strain

import "sinew/pkg/sim/spatial"

// The exact tangent of an element, K_xy = −∂f_x/∂η_y for x, y ∈ {a, b}, is
//
//	K_xy = S_xᵀ k S_y + (Q ± P) S_y,  S_b = T⁻¹(x),  S_a = −T⁻¹(−x),
//
// with k the stiffness, Q = ½ [[0, [N]×], [[N]×, [M]×]], P from curve, + for
// x = b and − for x = a. Here S_b = [[A, B], [0, A]], A and B with the odd part
// included, so S_a = −[[Aᵀ, Bᵀ], [0, Aᵀ]].
//
// K_ba = K_abᵀ, because increments of different nodes commute. Those of one node
// do not, so K_aa and K_bb have a skew part; it is −½ [[0, [F]×], [[F]×, [C]×]]
// with (F, C) the wrench on the node. tangent leaves it out and so computes the
// Hessian of the energy along geodesics.

// tangent sets bb to the symmetric part of K_bb and, if aa is not nil, adds that
// of K_aa to aa and sets ab to K_ab. Of aa and bb only the lower triangles count.
// n, m is the stress, fa and fb are the nodal wrenches, and stiffer multiplies
// the stiffness.
func (e *element) tangent(ev *spatial.Even, x *spatial.Twist, n, m spatial.Vec, stiffer float64, fa, fb *spatial.Wrench, aa, ab, bb *spatial.Mat6) {
	half := spatial.Twist{Linear: x.Linear.Scale(0.5), Angular: x.Angular.Scale(0.5)}
	a, b := plusSkew(&ev.A, &half.Angular), plusSkew(&ev.B, &half.Linear)
	p12, p22 := curve(ev, x, &n, &m)
	k1, k2 := e.linear.Scale(stiffer), e.angular.Scale(stiffer)
	n, m = n.Scale(0.5), m.Scale(0.5)

	// Y = Bᵀ k1 + P12 + [n]×, Z = Aᵀ k2 + P22 + [m]×
	y, z := plusSkew(&p12, &n), plusSkew(&p22, &m)
	addColumnsT(&y, &b, &k1)
	addColumnsT(&z, &a, &k2)
	ka := rows(&k1, &a)
	bb.LinLin().SetLower(lowerTProd(&a, &ka))
	bb.RotLin().Set(withHalfSkew(prod(&y, &a), &fb.Force))
	bb.RotRot().SetLower(withHalfMoment(lowerProd2(&y, &b, &z, &a), &fb.Moment))
	if aa == nil {
		return
	}

	// W = P12 − [n]×, Y = B k1 + W, Z = A k2 + P22 − [m]×, X = A k1
	w := minusSkew(&p12, &n)
	y, z = w, minusSkew(&p22, &m)
	addColumns(&y, &b, &k1)
	addColumns(&z, &a, &k2)
	var xk spatial.Mat3
	addColumns(&xk, &a, &k1)
	aa.LinLin().AddLower(lowerProdT(&xk, &a))
	aa.RotLin().Add(withHalfSkew(prodT(&y, &a), &fa.Force))
	aa.RotRot().AddLower(withHalfMoment(lowerProdT2(&y, &b, &z, &a), &fa.Moment))
	ab.LinLin().SetNeg(prod(&xk, &a))
	ab.LinRot().SetNeg(prod2(&xk, &b, &w, &a))
	ab.RotLin().SetNeg(prod(&y, &a))
	ab.RotRot().SetNeg(prod2(&y, &b, &z, &a))
}
