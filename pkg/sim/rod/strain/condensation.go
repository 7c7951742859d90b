package strain

import "sinew/pkg/sim/spatial"

// stiffness is the second derivative of the energy of an element with respect to x.
type stiffness struct {
	linear, angular spatial.Vec     // diagonal blocks, if not isFull
	isFull          bool            // k11, k21 and k22 hold it
	k11, k21, k22   spatial.Mat3    // blocks; the upper right one is k21ᵀ
	slopeResponse   [2]spatial.Mat3 // derivative of the slope β with respect to x, −(∂²E/∂β²)⁻¹ ∂²E/∂β∂x, where the element has a midpoint load
}

// condenseTangent sets k to the second derivative of the energy of a condensed element. With
//
//	G = 1 + 1/12 [β],  H = −1/12 [α] − [N] (c₂ [u] − c₁),
//
// and c as in linear_strain.go, the change of the force is c dN = G dv + Hᵀ du − 1/12 [v] dβ. The
// derivatives before condensation of β are therefore
//
//	E_vv = Gᵀ c⁻¹ G,  E_uv = H c⁻¹ G,  E_uu = Gᵀ k_u G + [N] c₂ [N] + H c⁻¹ Hᵀ,
//
// and P = ∂²E/∂x∂β has the blocks ([N] − Gᵀ c⁻¹ [v])/12 and ([M] − Gᵀ k_u [u] + Gᵀ a_u − H c⁻¹
// [v])/12. The condensation of β subtracts P W Pᵀ with W = (∂²E/∂β²)⁻¹ = 12 S⁻¹. The damping factor
// divides c, c₁ and c₂ and multiplies all other stiffness.
func (e *element) condenseTangent(x *spatial.Twist, o *condensedElement, k *stiffness) {
	b, v, u := o.slope.Angular.Scale(1./12), x.Linear.Scale(1./12), x.Angular.Scale(1./12)
	k1, k2 := o.shear.Scaled(o.dampingFactor), e.angular.Scale(o.dampingFactor)
	g := spatial.Skew(b)
	g.XX, g.YY, g.ZZ = 1, 1, 1
	k1g, k2g := k1, diagTimes(&k2, &g)
	addTimesSkew(&k1g, &k1, &b)
	compliance := e.complianceMoments[2].Scale(1 / o.dampingFactor)
	h := e.couplingMatrix(x, o, &compliance)
	k.k21 = prod(&h, &k1)
	hk := &k.k21

	// transpose of P
	n, m := o.n.Scale(-1./12), o.m.Scale(-1./12)
	p1, p2 := spatial.Skew(n), spatial.Skew(m)
	addSkewTimes(&p1, &k1g, &v)
	addSkewTimes(&p2, &k2g, &u)
	addSkewTimesT(&p2, hk, &v)
	if e.tapered {
		a := e.coupling.Angular.Scale(o.dampingFactor / 12)
		ag := diagTimes(&a, &g)
		p2 = p2.Add(ag)
	}
	w := o.flexibility.Scaled(-12 / o.dampingFactor)
	wp1, wp2 := prod(&w, &p1), prod(&w, &p2)
	if o.midpoint != nil {
		k.slopeResponse = [2]spatial.Mat3{wp1, wp2}
	}
	k11, k22 := lowerTProd(&p1, &wp1), lowerTProd(&p2, &wp2)
	addOnePlusSkewTTimes(&k11, &k1g, &b)
	addOnePlusSkewTTimes(&k22, &k2g, &b)
	lever := lowerProdT(hk, &h)
	k22.Add(&lever)
	addSkewDiagSkew(&k22, &o.n, &compliance)
	k.k11, k.k22 = k11.Full(), k22.Full()
	turned := *hk
	addTimesSkew(&k.k21, &turned, &b)
	addTProd(&k.k21, &p2, &wp1)
	k.isFull = true
}

// times returns the change of the stress by that of the strain of a full stiffness.
func (k *stiffness) times(v, u spatial.Vec) (n, m spatial.Vec) {
	return k.k11.Apply(v).Add(k.k21.ApplyT(u)), k.k21.Apply(v).Add(k.k22.Apply(u))
}

// couplingMatrix returns H, where compliance is c₂ over the damping factor.
func (e *element) couplingMatrix(x *spatial.Twist, o *condensedElement, compliance *spatial.Vec) spatial.Mat3 {
	less := compliance.Scale(-1)
	h := skewDiagSkew(&o.n, &less, &x.Angular)
	addSkew(&h, o.slope.Linear.Scale(-1./12))
	if e.tapered {
		n, c1 := spatial.Skew(o.n), e.complianceMoments[1].Scale(1/o.dampingFactor)
		addTimesDiag(&h, &n, &c1)
	}
	return h
}
