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

	if k.full {
		carry(x, fa, fb, aa, ab, bb)
		return
	}

	// W = P12 − [n]×, Y = B k11 + P12 − [n]×, Z = A k22 + P22 − [m]×, X = A k11
	w := minusSkew(&p12, &n)
	y, z = w, minusSkew(&p22, &m)
	var xk spatial.Mat3
	addColumns(&xk, &a, &k.linear)
	addColumns(&y, &b, &k.linear)
	addColumns(&z, &a, &k.angular)
	aa.LinLin().AddLower(lowerProdT(&xk, &a))
	aa.RotLin().Add(withHalfSkew(prodT(&y, &a), &fa.Force))
	aa.RotRot().AddLower(withHalfMoment(lowerProdT2(&y, &b, &z, &a), &fa.Moment))
	ab.LinLin().SetNeg(prod(&xk, &a))
	ab.LinRot().SetNeg(prod2(&xk, &b, &w, &a))
	ab.RotLin().SetNeg(prod(&y, &a))
	ab.RotRot().SetNeg(prod2(&y, &b, &z, &a))
}

// carry makes the blocks of node a of that of node b, which moves with the element as if it
// were a rigid body when a moves back: with A the adjoint of the inverse of exp(x) = (R, p),
// H the Hessian K_bb along geodesics and (F, C) the wrench on b,
//
//	K_ab = −Aᵀ (H + ½ [[0, [F]×], [[F]×, [C]×]]),  K_aa = Aᵀ H A.
//
// Aᵀ makes a wrench on b in its axes one on a. This is less work than the formulas of b
// once more where the stiffness is full.
func carry(x *spatial.Twist, fa, fb *spatial.Wrench, aa, ab, bb *spatial.Mat6) {
	g := spatial.Exp(*x)
	h := *bb
	h.Mirror()
	force, moment := fb.Force.Scale(0.5), fb.Moment.Scale(0.5)
	h.LinRot().AddSkew(force)
	h.RotLin().AddSkew(force)
	h.RotRot().AddSkew(moment)
	for j := range 6 {
		f, m := shift(&g, h[j], h[6+j], h[12+j], h[18+j], h[24+j], h[30+j])
		h[j], h[6+j], h[12+j], h[18+j], h[24+j], h[30+j] = f.X, f.Y, f.Z, m.X, m.Y, m.Z
	}
	for i := range h {
		ab[i] = -h[i]
	}
	for i := range 3 { // K_aa is symmetric
		n, k := (*spatial.Vec6)(h[6*i:6*i+6]), (*spatial.Vec6)(aa[6*i:6*i+6])
		f := g.R.Apply(n.Linear())
		k[0] += f.X
		k[1] += f.Y
		k[2] += f.Z
	}
	for i := 3; i < 6; i++ {
		n, k := (*spatial.Vec6)(h[6*i:6*i+6]), (*spatial.Vec6)(aa[6*i:6*i+6])
		f, m := shift(&g, n[0], n[1], n[2], n[3], n[4], n[5])
		k[0] += f.X
		k[1] += f.Y
		k[2] += f.Z
		k[3] += m.X
		k[4] += m.Y
		k[5] += m.Z
	}
	aa.RotLin().AddSkew(fa.Force.Scale(0.5))
	aa.RotRot().AddSkew(fa.Moment.Scale(0.5))
}

// shift returns a wrench on b, in its axes about it, as one on a: R f and R m + p × R f.
func shift(g *spatial.Pose, fx, fy, fz, mx, my, mz float64) (f, m spatial.Vec) {
	r, p := &g.R, &g.P
	f.X = r.XX*fx + r.XY*fy + r.XZ*fz
	f.Y = r.YX*fx + r.YY*fy + r.YZ*fz
	f.Z = r.ZX*fx + r.ZY*fy + r.ZZ*fz
	m.X = r.XX*mx + r.XY*my + r.XZ*mz + p.Y*f.Z - p.Z*f.Y
	m.Y = r.YX*mx + r.YY*my + r.YZ*mz + p.Z*f.X - p.X*f.Z
	m.Z = r.ZX*mx + r.ZY*my + r.ZZ*mz + p.X*f.Y - p.Y*f.X
	return f, m
}
