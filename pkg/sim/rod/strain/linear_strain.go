package strain

import "sinew/pkg/sim/spatial"

// Elements of order 4 have a strain that is linear along the element,
//
//	l ε(s) = y + z s/l,  −l/2 ≤ s ≤ l/2,
//
// with y the mean and z = (α, β) by how much l times the strain grows from one end to the
// other: the slope. By the Magnus expansion the ends are then exp(x) apart with
//
//	x = y + 1/12 [y, z] + O(l⁵),  so  y = x − 1/12 (v × β + u × α, u × β).
//
// The slope is what the poses of the ends leave open. It takes the value with the least
// energy, which is that of the equilibrium of an element without loads between its ends,
//
//	E(x, z) = ½ (y − y⁰)ᵀ k (y − y⁰) + 1/12 (y − y⁰)ᵀ a z + 1/24 zᵀ b z,
//
// k = K/l; a and b, the coupling and the bow, are 0 and k where the section is the same all
// along the element, else see rod.Bow. So it is condensed within the element, first α, then β.
//
// With N the stress conjugate to y, that conjugate to α/12 is N × u: the force is the same in
// space and turns in body axes. So it makes, with the moments c₀, c₁, c₂ of the compliance,
//
//	y_v − y⁰_v = c₀ N + c₁ (N × u),  α/12 = c₁ N + c₂ (N × u),
//
// and x_v − 1/12 v × β − y⁰_v = c N with c = c₀ + c₁ [u]ᵀ + [u] c₁ + [u] c₂ [u]ᵀ: shear and
// stretch are as soft as the turning section makes them. What is left is an energy of x and β
// with c⁻¹ for k_v, and β = S⁻¹ (N × v + M × u − a_u (y − y⁰)_u) with N, M the stress at β = 0
// and S = b_u + 1/12 ([v]ᵀ c⁻¹ [v] + [u]ᵀ k_u [u] − a_u [u] − [u]ᵀ a_u). For a straight element
// this is the stiffness of the beam that bends between its nodes.
//
// The law is a rational function of x, its derivative exact.

// shape is the strain of an element: the mean y and the slope z.
type linearStrain struct{ mean, slope spatial.Twist }

// shaped returns the shape with a slope at x.
func newLinearStrain(x, slope *spatial.Twist) linearStrain {
	y := linearStrain{slope: *slope}
	y.updateMean(x)
	return y
}

// settleMean sets the mean to the one with which the slope is at x.
func (y *linearStrain) updateMean(x *spatial.Twist) {
	v, u, a, b := &x.Linear, &x.Angular, &y.slope.Linear, &y.slope.Angular
	y.mean.Linear = v.AddScaled(-1./12, v.Cross(*b).Add(u.Cross(*a)))
	y.mean.Angular = u.AddScaled(-1./12, u.Cross(*b))
}

// minus returns the difference of two shapes.
func (y *linearStrain) minus(mean, slope *spatial.Twist) linearStrain {
	return linearStrain{
		mean:  spatial.Twist{Linear: y.mean.Linear.Sub(mean.Linear), Angular: y.mean.Angular.Sub(mean.Angular)},
		slope: spatial.Twist{Linear: y.slope.Linear.Sub(slope.Linear), Angular: y.slope.Angular.Sub(slope.Angular)},
	}
}

// settled is an element with the slope of least energy.
type condensedElement struct {
	linearStrain
	n, m          spatial.Vec     // conjugate to the mean
	dampingFactor float64         // the factor of damping
	shear         spatial.Lower3  // c⁻¹
	flexibility   spatial.Lower3  // S⁻¹
	midpoint      *midpointTorque // nil: no load there
}

// settle sets o to the element with the slope of least energy at x. Damping holds it to hat.
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

// moment returns the moment conjugate to a mean curvature, with the damping of that.
func (e *element) moment(u *spatial.Vec, hat *linearStrain, rate float64) spatial.Vec {
	m := e.angular.Mul(*u).Sub(e.restMoment)
	if rate != 0 {
		m = m.AddScaled(rate, e.angular.Mul(u.Sub(hat.mean.Angular)))
	}
	return m
}

// shearing sets c to c⁻¹.
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

// couple adds the coupling's −1/12 (a [u] + [u]ᵀ a) to s and returns what it takes from
// N × v + M × u, with the rate of damping.
func (e *element) addCoupling(x *spatial.Twist, hat *linearStrain, rate float64, s *spatial.Lower3) spatial.Vec {
	a := &e.coupling.Angular
	twelfth := a.Scale(1. / 12)
	addCommutator(s, &twelfth, &x.Angular)
	d := x.Angular.Sub(e.rest.Angular).AddScaled(rate, x.Angular.Sub(hat.mean.Angular))
	return a.Mul(d).AddScaled(rate/12, a.Mul(hat.slope.Angular).Cross(x.Angular))
}

// coupled returns what a slope adds to the stress.
func (e *element) couplingStress(slope *spatial.Twist) (n, m spatial.Vec) {
	return e.coupling.Linear.Mul(slope.Linear).Scale(1. / 12), e.coupling.Angular.Mul(slope.Angular).Scale(1. / 12)
}

// conjugate returns the stress conjugate to x of one, (N, M), conjugate to y: the transpose of
// ∂y/∂x = 1 + 1/12 ad(z), times (N, M).
func conjugateStress(slope *spatial.Twist, n, m spatial.Vec) (cn, cm spatial.Vec) {
	a, b := &slope.Linear, &slope.Angular
	return n.AddScaled(-1./12, b.Cross(n)), m.AddScaled(-1./12, b.Cross(m).Add(a.Cross(n)))
}

// stored returns the elastic energy of a shape, J.
func (e *element) elasticEnergy(y *linearStrain) float64 {
	return e.quadraticForm(y.minus(&e.rest, &spatial.Twist{}))
}

// form returns ½ yᵀ k y + 1/12 yᵀ a z + 1/24 zᵀ b z, J.
func (e *element) quadraticForm(d linearStrain) float64 {
	y, z := &d.mean, &d.slope
	sum := halfQuadratic(&e.linear, y.Linear) + halfQuadratic(&e.angular, y.Angular)
	if e.tapered {
		n, m := e.couplingStress(z)
		sum += y.Linear.Dot(n) + y.Angular.Dot(m)
	}
	return sum + (halfQuadratic(&e.slopeStiffness.Linear, z.Linear)+halfQuadratic(&e.slopeStiffness.Angular, z.Angular))/12
}

// potential returns the energy of the element at x, J, with the potential of the damping
// stress. Where the strain is linear along the element, o is the element settled at x.
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
