package strain

import "sinew/pkg/sim/spatial"

// stiffness is the second derivative of the energy of an element with respect to x.
type stiffness struct {
	linear, angular spatial.Vec  // where it is diagonal
	full            bool         // it is the blocks
	k11, k21, k22   spatial.Mat3 // the upper right one is k21ᵀ
}

// condense sets k to the second derivative of the energy of a settled element. With
//
//	G = 1 + 1/12 [β],  H = −1/12 [α] − [N] (c₂ [u] − c₁),
//
// and c as in slope.go, the force changes by c dN = G dv + Hᵀ du − 1/12 [v] dβ, from which
// follow the derivatives before β is condensed,
//
//	E_vv = Gᵀ c⁻¹ G,  E_uv = H c⁻¹ G,  E_uu = Gᵀ k_u G + [N] c₂ [N] + H c⁻¹ Hᵀ,
//
// and P = ∂²E/∂x∂β with the blocks ([N] − Gᵀ c⁻¹ [v])/12 and
// ([M] − Gᵀ k_u [u] + Gᵀ a_u − H c⁻¹ [v])/12. What β takes is P W Pᵀ, W = (∂²E/∂β²)⁻¹ being
// 12 S⁻¹. Damping divides c, c₁ and c₂, and multiplies all other stiffness, by its factor.
func (e *element) condense(x *spatial.Twist, o *settled, k *stiffness) {
	k1, k2 := o.shear.Scale(o.stiffer), e.angular.Scale(o.stiffer)
	g := spatial.Skew(o.slope.Angular.Scale(1. / 12))
	g.XX, g.YY, g.ZZ = 1, 1, 1
	k1g, k2g := prod(&k1, &g), rows(&k2, &g)
	v, u := spatial.Skew(x.Linear.Scale(-1./12)), spatial.Skew(x.Angular.Scale(-1./12))
	n := spatial.Skew(o.n)
	give := e.give[2].Scale(1 / o.stiffer)
	ng := columns(&n, &give) // [N] c₂
	h := e.leverage(x, o, &ng)
	hk := prod(&h, &k1)

	p1, p2 := spatial.Skew(o.n.Scale(1./12)), spatial.Skew(o.m.Scale(1./12))
	addTProd(&p1, &k1g, &v)
	addTProd(&p2, &k2g, &u)
	addProd(&p2, &hk, &v)
	if e.tapered {
		a := e.coupling.Angular.Scale(o.stiffer / 12)
		addColumnsT(&p2, &g, &a)
	}
	w := o.flexibility.Scale(-12 / o.stiffer)
	wp1, wp2 := prodT(&w, &p1), prodT(&w, &p2)
	gt, ht := g.T(), h.T()
	k11, k22, lever := lowerProd2(&p1, &wp1, &gt, &k1g), lowerProd2(&p2, &wp2, &gt, &k2g), lowerProd2(&ng, &n, &hk, &ht)
	k22.Add(&lever)
	k.full = true
	k.k11, k.k22, k.k21 = k11.Full(), k22.Full(), prod2(&p2, &wp1, &hk, &g)
}

// leverage returns H; ng is [N] c₂ over the factor of damping.
func (e *element) leverage(x *spatial.Twist, o *settled, ng *spatial.Mat3) spatial.Mat3 {
	h := spatial.Skew(o.slope.Linear.Scale(-1. / 12))
	u := spatial.Skew(x.Angular.Neg())
	addProd(&h, ng, &u)
	if e.tapered {
		n, give := spatial.Skew(o.n), e.give[1].Scale(1/o.stiffer)
		addColumns(&h, &n, &give)
	}
	return h
}
