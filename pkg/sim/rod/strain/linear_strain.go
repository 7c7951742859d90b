package strain

import "sinew/pkg/sim/spatial"

// Elements of order 4 have a strain that is linear along the element,
//
//	l ε(s) = y + z s/l,  −l/2 ≤ s ≤ l/2.
//
// y is the mean, and z = (α, β) the slope: the growth of l times the strain from one end to the
// other. By the Magnus expansion the relative pose of the ends is exp(x) with
//
//	x = y + 1/12 [y, z] + O(l⁵),  so  y = x − 1/12 (v × β + u × α, u × β).
//
// The poses of the ends do not determine the slope. It takes the value of least energy, which is
// that of an element in equilibrium without loads between its ends. The energy is
//
//	E(x, z) = ½ (y − y⁰)ᵀ k (y − y⁰) + 1/12 (y − y⁰)ᵀ a z + 1/24 zᵀ b z
//
// with k = K/l. The coupling a and the slope stiffness b are 0 and k for a uniform section, and
// follow from rod.LinearStrainStiffness otherwise. The slope is condensed within the element, first
// α, then β.
//
// The stress conjugate to y is N. The stress conjugate to α/12 is N × u, because the force is
// constant in space and rotates in body axes. With the moments c₀, c₁, c₂ of the compliance,
//
//	y_v − y⁰_v = c₀ N + c₁ (N × u),  α/12 = c₁ N + c₂ (N × u),
//
// so x_v − 1/12 v × β − y⁰_v = c N with c = c₀ + c₁ [u]ᵀ + [u] c₁ + [u] c₂ [u]ᵀ, the compliance of
// the rotating section. The remaining energy depends on x and β, with c⁻¹ in place of k_v, and β =
// S⁻¹ (N × v + M × u − a_u (y − y⁰)_u) with the stress N, M at β = 0 and S = b_u + 1/12 ([v]ᵀ c⁻¹
// [v] + [u]ᵀ k_u [u] − a_u [u] − [u]ᵀ a_u). For a straight element this is the stiffness of the
// cubic beam element.
//
// The law is a rational function of x, and its derivative is exact.

// linearStrain is l times the strain of an element: the mean y and the slope z, m and rad.
type linearStrain struct{ mean, slope spatial.Twist }

// newLinearStrain returns the linear strain with the given slope at the coordinates x.
func newLinearStrain(x, slope *spatial.Twist) linearStrain {
	y := linearStrain{slope: *slope}
	y.updateMean(x)
	return y
}

// updateMean sets the mean to that of the present slope at the coordinates x.
func (y *linearStrain) updateMean(x *spatial.Twist) {
	v, u, a, b := &x.Linear, &x.Angular, &y.slope.Linear, &y.slope.Angular
	y.mean.Linear = v.AddScaled(-1./12, v.Cross(*b).Add(u.Cross(*a)))
	y.mean.Angular = u.AddScaled(-1./12, u.Cross(*b))
}

// minus returns y minus the linear strain with the given mean and slope.
func (y *linearStrain) minus(mean, slope *spatial.Twist) linearStrain {
	return linearStrain{
		mean:  spatial.Twist{Linear: y.mean.Linear.Sub(mean.Linear), Angular: y.mean.Angular.Sub(mean.Angular)},
		slope: spatial.Twist{Linear: y.slope.Linear.Sub(slope.Linear), Angular: y.slope.Angular.Sub(slope.Angular)},
	}
}

// condensedElement is an element with the slope of least energy.
type condensedElement struct {
	linearStrain
	n, m          spatial.Vec     // stress conjugate to the mean
	dampingFactor float64         // 1 plus the damping rate
	shear         spatial.Lower3  // c⁻¹
	flexibility   spatial.Lower3  // S⁻¹
	midpoint      *midpointTorque // nil: the element has no midpoint load
}

// condenseSlope sets o to the element with the slope of least energy at x. hat is the reference
// strain of damping and rate the damping rate.
func (e *element) condenseSlope(x *spatial.Twist, hat *linearStrain, rate float64, o *condensedElement) {
	v, u := &x.Linear, &x.Angular
	o.dampingFactor = 1 + rate
	e.shearStiffness(u, &o.shear)
	d := v.Sub(e.rest.Linear)
	if rate != 0 {
		d = d.AddScaled(rate, v.Sub(hat.mean.Linear).AddScaled(-1./12, u.Cross(hat.slope.Linear)))
	}
	n := o.shear.Apply(d)
	m := e.moment(u, hat, rate)
	f := n.Cross(*v).Add(m.Cross(*u)).AddScaled(rate, e.slopeStiffness.Angular.Mul(hat.slope.Angular))
	s := &o.flexibility
	*s = spatial.Lower3{XX: e.slopeStiffness.Angular.X, YY: e.slopeStiffness.Angular.Y, ZZ: e.slopeStiffness.Angular.Z}
	addSkewCongruence(s, &o.shear, v)
	addDiagSkewCongruence(s, u, &e.angular)
	if e.tapered {
		f = f.Sub(e.addCoupling(x, hat, rate, s))
	}
	if o.midpoint != nil {
		f = f.AddScaled(-1.5, o.midpoint.torque)
	}
	s.Invert()

	beta := s.Apply(f).Scale(1 / o.dampingFactor)
	o.n = n.AddScaled(-o.dampingFactor/12, o.shear.Apply(v.Cross(beta)))
	turned := o.n.Cross(*u)
	alpha := e.complianceMoments[2].Mul(turned)
	if e.tapered {
		alpha = alpha.Add(e.complianceMoments[1].Mul(o.n))
	}
	alpha = alpha.Scale(12).AddScaled(rate, hat.slope.Linear).Scale(1 / o.dampingFactor)
	o.slope.Linear, o.slope.Angular = alpha, beta
	o.updateMean(x)
	o.m = e.moment(&o.mean.Angular, hat, rate)
	if e.tapered {
		o.m = o.m.AddScaled(1./12, e.coupling.Angular.Mul(beta.AddScaled(rate, beta.Sub(hat.slope.Angular))))
	}
}

// moment returns the moment conjugate to a mean curvature, damping included, N m.
func (e *element) moment(u *spatial.Vec, hat *linearStrain, rate float64) spatial.Vec {
	m := e.angular.Mul(*u).Sub(e.restMoment)
	if rate != 0 {
		m = m.AddScaled(rate, e.angular.Mul(u.Sub(hat.mean.Angular)))
	}
	return m
}

// shearStiffness sets c to c⁻¹.
func (e *element) shearStiffness(u *spatial.Vec, c *spatial.Lower3) {
	c0, c2 := &e.complianceMoments[0], &e.complianceMoments[2]
	// [u] c₂ [u]ᵀ
	*c = spatial.Lower3{
		XX: c0.X + c2.Y*u.Z*u.Z + c2.Z*u.Y*u.Y, YY: c0.Y + c2.X*u.Z*u.Z + c2.Z*u.X*u.X, ZZ: c0.Z + c2.X*u.Y*u.Y + c2.Y*u.X*u.X,
		YX: -c2.Z * u.X * u.Y, ZX: -c2.Y * u.X * u.Z, ZY: -c2.X * u.Y * u.Z,
	}
	if e.tapered {
		addCommutator(c, &e.complianceMoments[1], u)
	}
	c.Invert()
}

// addCoupling adds −1/12 (a [u] + [u]ᵀ a) of the coupling to s, and returns what the coupling
// subtracts from N × v + M × u, damping included.
func (e *element) addCoupling(x *spatial.Twist, hat *linearStrain, rate float64, s *spatial.Lower3) spatial.Vec {
	a := &e.coupling.Angular
	twelfth := a.Scale(1. / 12)
	addCommutator(s, &twelfth, &x.Angular)
	d := x.Angular.Sub(e.rest.Angular).AddScaled(rate, x.Angular.Sub(hat.mean.Angular))
	return a.Mul(d).AddScaled(rate/12, a.Mul(hat.slope.Angular).Cross(x.Angular))
}

// couplingStress returns the part of the stress that is due to a slope.
func (e *element) couplingStress(slope *spatial.Twist) (n, m spatial.Vec) {
	return e.coupling.Linear.Mul(slope.Linear).Scale(1. / 12), e.coupling.Angular.Mul(slope.Angular).Scale(1. / 12)
}

// conjugateStress returns the stress conjugate to x for the stress (N, M) conjugate to y: (∂y/∂x)ᵀ
// (N, M) with ∂y/∂x = 1 + 1/12 ad(z).
func conjugateStress(slope *spatial.Twist, n, m spatial.Vec) (cn, cm spatial.Vec) {
	a, b := &slope.Linear, &slope.Angular
	return n.AddScaled(-1./12, b.Cross(n)), m.AddScaled(-1./12, b.Cross(m).Add(a.Cross(n)))
}

// elasticEnergy returns the elastic energy of a linear strain, J.
func (e *element) elasticEnergy(y *linearStrain) float64 {
	return e.quadraticForm(y.minus(&e.rest, &spatial.Twist{}))
}

// quadraticForm returns ½ yᵀ k y + 1/12 yᵀ a z + 1/24 zᵀ b z of the strain d, J.
func (e *element) quadraticForm(d linearStrain) float64 {
	y, z := &d.mean, &d.slope
	sum := halfQuadratic(&e.linear, y.Linear) + halfQuadratic(&e.angular, y.Angular)
	if e.tapered {
		n, m := e.couplingStress(z)
		sum += y.Linear.Dot(n) + y.Angular.Dot(m)
	}
	return sum + (halfQuadratic(&e.slopeStiffness.Linear, z.Linear)+halfQuadratic(&e.slopeStiffness.Angular, z.Angular))/12
}

// potential returns the energy of the element at x plus the potential of the damping stress, J.
// Where the strain is linear along the element, o is the element condensed at x.
func (e *element) potential(x *spatial.Twist, hat *linearStrain, rate float64, o *condensedElement) float64 {
	if !e.isLinear {
		return e.energy(x) + e.dissipation(x, &hat.mean, rate)
	}
	sum := e.elasticEnergy(&o.linearStrain)
	if rate != 0 {
		sum += rate * e.quadraticForm(o.minus(&hat.mean, &hat.slope))
	}
	if o.midpoint != nil {
		sum += o.midpoint.energy(&o.slope)
	}
	return sum
}
