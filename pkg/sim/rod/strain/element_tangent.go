package strain

import "sinew/pkg/sim/spatial"

// The exact tangent of an element, K_xy = −∂f_x/∂η_y for x, y ∈ {a, b}, is
//
//	K_xy = S_xᵀ k S_y + (Q ± P) S_y,  S_b = T⁻¹(x),  S_a = −T⁻¹(−x),
//
// with k = [[k11, k21ᵀ], [k21, k22]] the stiffness, diagonal where the strain is constant, Q = ½ [[0, [N]×], [[N]×, [M]×]], P from curve, + for
// x = b and − for x = a. Here S_b = [[A, B], [0, A]], A and B with the odd part
// included, so S_a = −[[Aᵀ, Bᵀ], [0, Aᵀ]].
//
// K_ba = K_abᵀ, because increments of different nodes commute. Those of one node
// do not, so K_aa and K_bb have a skew part; it is −½ [[0, [F]×], [[F]×, [C]×]]
// with (F, C) the wrench on the node. tangent leaves it out and so computes the
// Hessian of the energy along geodesics.

// tangent sets bb to the symmetric part of K_bb and, if aa is not nil, adds that
// of K_aa to aa and sets ab to K_ab. Of aa and bb only the lower triangles count.
// n, m is the stress, k the stiffness, and fa and fb are the nodal wrenches.
func (k *stiffness) tangent(ev *spatial.Even, x *spatial.Twist, n, m spatial.Vec, fa, fb *spatial.Wrench, aa, ab, bb *spatial.Mat6) {
	half := spatial.Twist{Linear: x.Linear.Scale(0.5), Angular: x.Angular.Scale(0.5)}
	a, b := plusSkew(&ev.A, &half.Angular), plusSkew(&ev.B, &half.Linear)
	p12, p22 := curve(ev, x, &n, &m)
	n, m = n.Scale(0.5), m.Scale(0.5)

	// Y = Bᵀ k11 + Aᵀ k21 + P12 + [n]×, Z = Bᵀ k12 + Aᵀ k22 + P22 + [m]×
	y, z := plusSkew(&p12, &n), plusSkew(&p22, &m)
	var ka spatial.Mat3
	if k.full {
		k12 := k.k21.T()
		ka = prod(&k.k11, &a)
		addTProd(&y, &b, &k.k11)
		addTProd(&y, &a, &k.k21)
		addTProd(&z, &b, &k12)
		addTProd(&z, &a, &k.k22)
	} else {
		ka = rows(&k.linear, &a)
		addColumnsT(&y, &b, &k.linear)
		addColumnsT(&z, &a, &k.angular)
	}
	bb.LinLin().SetLower(lowerTProd(&a, &ka))
	bb.RotLin().Set(withHalfSkew(prod(&y, &a), &fb.Force))
	bb.RotRot().SetLower(withHalfMoment(lowerProd2(&y, &b, &z, &a), &fb.Moment))
	if aa == nil {
		return
	}

	// W = A k12 + P12 − [n]×, Y = B k11 + A k21 + P12 − [n]×, Z = B k12 + A k22 + P22 − [m]×,
	// X = A k11
	w := minusSkew(&p12, &n)
	y, z = w, minusSkew(&p22, &m)
	var xk spatial.Mat3
	if k.full {
		k12 := k.k21.T()
		xk = prod(&a, &k.k11)
		addProd(&w, &a, &k12)
		addProd(&y, &b, &k.k11)
		addProd(&y, &a, &k.k21)
		addProd(&z, &b, &k12)
		addProd(&z, &a, &k.k22)
	} else {
		addColumns(&xk, &a, &k.linear)
		addColumns(&y, &b, &k.linear)
		addColumns(&z, &a, &k.angular)
	}
	aa.LinLin().AddLower(lowerProdT(&xk, &a))
	aa.RotLin().Add(withHalfSkew(prodT(&y, &a), &fa.Force))
	aa.RotRot().AddLower(withHalfMoment(lowerProdT2(&y, &b, &z, &a), &fa.Moment))
	ab.LinLin().SetNeg(prod(&xk, &a))
	ab.LinRot().SetNeg(prod2(&xk, &b, &w, &a))
	ab.RotLin().SetNeg(prod(&y, &a))
	ab.RotRot().SetNeg(prod2(&y, &b, &z, &a))
}
