package strain

import (
	"sinew/pkg/sim/rod"
	"sinew/pkg/sim/spatial"
)

// element is the constitutive law of an element. Its coordinates are x = (v, u) with g_b = g_a
// exp(x): shears and stretch v, m, and curvatures and twist u, rad, all times the rest length. Its
// stress σ = (N, M), N and N m, is conjugate to x:
//
//	σ = K (x/l − ε⁰) + (γ/l) C (x − x̂).
//
// The second term is internal damping with C = c K in one step of a BDF, where γ (x − x̂) is the
// rate of x. Its damping rate is γ c, and 0 in statics. Maxwell branches add to that rate; see
// Branch. Where the strain is linear along the element, x is its mean in this law; see
// linearStrain.
type element struct {
	linear, angular          spatial.Vec    // K/l: N/m and N m/rad
	restForce, restMoment    spatial.Vec    // K ε⁰, N and N m
	coupling, slopeStiffness spatial.Twist  // of a linear strain, N/m and N m/rad; see linear_strain.go
	complianceMoments        [3]spatial.Vec // moments c₀, c₁, c₂ of the compliance to forces, m/N; see linear_strain.go
	rest                     spatial.Twist
	damping                  float64 // c, s
	length                   float64 // l, m
	radius                   float64 // of the surface, m
	tapered                  bool    // coupling is not 0
	isLinear                 bool    // the strain is linear along the element; see linear_strain.go
}

// newElement returns the law of element i; kelvinVoigt is its damping time c, s.
func newElement(r *rod.Rod, i int, kelvinVoigt float64) element {
	l, p := r.Lengths[i], &r.Properties[i]
	k := p.Stiffness
	if r.Order == 4 {
		k = rod.Stiffness{Shear: p.Shear.Mean, Bend: p.Bend.Mean}
	}
	e := element{
		length: l, radius: p.Radius,
		linear: k.Shear.Scale(1 / l), angular: k.Bend.Scale(1 / l),
		coupling:       spatial.Twist{Linear: p.Shear.Coupling.Scale(1 / l), Angular: p.Bend.Coupling.Scale(1 / l)},
		slopeStiffness: spatial.Twist{Linear: p.Shear.Slope.Scale(1 / l), Angular: p.Bend.Slope.Scale(1 / l)},
		rest:           spatial.Twist{Linear: spatial.Vec{Z: l}, Angular: p.Precurvature.Scale(l)},
		damping:        kelvinVoigt, isLinear: r.Order == 4, tapered: r.Order == 4 && p.Bend.Coupling != spatial.Vec{},
	}
	e.complianceMoments[0], e.complianceMoments[1], e.complianceMoments[2] = p.Shear.Compliance()
	for m := range e.complianceMoments {
		e.complianceMoments[m] = e.complianceMoments[m].Scale(l)
	}
	e.restForce, e.restMoment = e.linear.Mul(e.rest.Linear), e.angular.Mul(e.rest.Angular)
	return e
}

// scale multiplies the stiffness, and with it the damping, by factor.
func (e *element) scale(factor float64) {
	for _, v := range [...]*spatial.Vec{
		&e.linear, &e.angular, &e.restForce, &e.restMoment, &e.coupling.Linear, &e.coupling.Angular, &e.slopeStiffness.Linear, &e.slopeStiffness.Angular,
	} {
		*v = v.Scale(factor)
	}
	for m := range e.complianceMoments {
		e.complianceMoments[m] = e.complianceMoments[m].Scale(1 / factor)
	}
}

// elastic returns the stress at x without damping, N and N m.
func (e *element) elastic(x *spatial.Twist) (n, m spatial.Vec) {
	n = e.linear.Mul(x.Linear).Sub(e.restForce)
	m = e.angular.Mul(x.Angular).Sub(e.restMoment)
	return n, m
}

// energy returns the elastic energy at x, J.
func (e *element) energy(x *spatial.Twist) float64 {
	return halfQuadratic(&e.linear, x.Linear.Sub(e.rest.Linear)) + halfQuadratic(&e.angular, x.Angular.Sub(e.rest.Angular))
}

// dissipation returns ½ γ (x − x̂)ᵀ (C/l) (x − x̂), the potential of the damping stress for the
// damping rate rate = γ c, J.
func (e *element) dissipation(x, hat *spatial.Twist, rate float64) float64 {
	return rate * (halfQuadratic(&e.linear, x.Linear.Sub(hat.Linear)) + halfQuadratic(&e.angular, x.Angular.Sub(hat.Angular)))
}

// halfQuadratic returns ½ dᵀ diag(k) d.
func halfQuadratic(k *spatial.Vec, d spatial.Vec) float64 {
	return 0.5 * (k.X*d.X*d.X + k.Y*d.Y*d.Y + k.Z*d.Z*d.Z)
}

// stress returns the stress at x and the factor by which damping stiffens the element.
func (e *element) stress(x, hat *spatial.Twist, rate float64) (n, m spatial.Vec, dampingFactor float64) {
	n, m = e.elastic(x)
	if rate != 0 {
		n = n.AddScaled(rate, e.linear.Mul(x.Linear.Sub(hat.Linear)))
		m = m.AddScaled(rate, e.angular.Mul(x.Angular.Sub(hat.Angular)))
	}
	return n, m, 1 + rate
}

// stressAndStiffness returns the stress at x and sets k to its derivative. Where the strain is
// linear along the element, o is the element condensed at x.
func (e *element) stressAndStiffness(x *spatial.Twist, hat *linearStrain, rate float64, o *condensedElement, k *stiffness) (n, m spatial.Vec) {
	if e.isLinear {
		e.condenseTangent(x, o, k)
		return conjugateStress(&o.slope, o.n, o.m)
	}
	n, m, dampingFactor := e.stress(x, &hat.mean, rate)
	k.linear, k.angular, k.isFull = e.linear.Scale(dampingFactor), e.angular.Scale(dampingFactor), false
	return n, m
}

// nodalWrenches returns the wrenches of the stress on the ends, in body axes about the nodes:
// −T⁻ᵀ(x) σ on b and +T⁻ᵀ(−x) σ on a. They are minus the gradients of the energy.
func nodalWrenches(ev *spatial.Even, x *spatial.Twist, n, m spatial.Vec) (a, b spatial.Wrench) {
	v, u := x.Linear, x.Angular
	evenN := ev.A.Apply(n)
	evenM := ev.B.Apply(n).Add(ev.A.Apply(m))
	oddN := u.Cross(n).Scale(0.5)
	oddM := u.Cross(m).Add(v.Cross(n)).Scale(0.5)
	a = spatial.Wrench{Force: evenN.Add(oddN), Moment: evenM.Add(oddM)}
	b = spatial.Wrench{Force: oddN.Sub(evenN), Moment: oddM.Sub(evenM)}
	return a, b
}

// evenPartGradient returns the exact derivatives of the even part of T⁻ᵀ σ with respect to x: the
// blocks P12 = ∂(A N)/∂u and P22 = ∂(B N + A M)/∂u.
func evenPartGradient(ev *spatial.Even, x *spatial.Twist, n, m *spatial.Vec) (p12, p22 spatial.Mat3) {
	v, u := x.Linear, x.Angular
	a, a1, a2 := ev.A0, ev.A1, ev.A2
	s, uv, un, um, vn := u.Norm2(), u.Dot(v), u.Dot(*n), u.Dot(*m), v.Dot(*n)
	zn, zm := combine(un, &u, -s, n), combine(um, &u, -s, m) // [u]×² N and [u]×² M
	// 𝒢(N) = 2a′ z uᵀ + a (u Nᵀ + (u·N) I − 2 N uᵀ)
	c, au := combine(2*a1, &zn, -2*a, n), u.Scale(a)
	p12 = spatial.Mat3{
		XX: a*un + c.X*u.X + au.X*n.X, XY: c.X*u.Y + au.X*n.Y, XZ: c.X*u.Z + au.X*n.Z,
		YX: c.Y*u.X + au.Y*n.X, YY: a*un + c.Y*u.Y + au.Y*n.Y, YZ: c.Y*u.Z + au.Y*n.Z,
		ZX: c.Z*u.X + au.Z*n.X, ZY: c.Z*u.Y + au.Z*n.Y, ZZ: a*un + c.Z*u.Z + au.Z*n.Z,
	}
	// P22 = 𝒢(M) + 4a″(u·v) z uᵀ + 2a′((W N) uᵀ + z vᵀ)
	//     + 2a′(u·v)(u Nᵀ + (u·N) I − 2 N uᵀ) + a (v Nᵀ + (v·N) I − 2 N vᵀ)
	d := a*um + 2*a1*uv*un + a*vn
	wn := combine(vn, &u, un, &v)
	e := combine(2*a1, &zm, -2*a, m)
	e = e.AddScaled(4*a2*uv, zn).AddScaled(2*a1, wn).AddScaled(-8*a1*uv, *n)
	f := combine(2*a1*uv, &u, a, &v)
	p22 = spatial.Mat3{
		XX: d + au.X*m.X + e.X*u.X + f.X*n.X + c.X*v.X,
		XY: au.X*m.Y + e.X*u.Y + f.X*n.Y + c.X*v.Y,
		XZ: au.X*m.Z + e.X*u.Z + f.X*n.Z + c.X*v.Z,
		YX: au.Y*m.X + e.Y*u.X + f.Y*n.X + c.Y*v.X,
		YY: d + au.Y*m.Y + e.Y*u.Y + f.Y*n.Y + c.Y*v.Y,
		YZ: au.Y*m.Z + e.Y*u.Z + f.Y*n.Z + c.Y*v.Z,
		ZX: au.Z*m.X + e.Z*u.X + f.Z*n.X + c.Z*v.X,
		ZY: au.Z*m.Y + e.Z*u.Y + f.Z*n.Y + c.Z*v.Y,
		ZZ: d + au.Z*m.Z + e.Z*u.Z + f.Z*n.Z + c.Z*v.Z,
	}
	return p12, p22
}

// combine returns s a + t b.
func combine(s float64, a *spatial.Vec, t float64, b *spatial.Vec) spatial.Vec {
	return spatial.Vec{X: s*a.X + t*b.X, Y: s*a.Y + t*b.Y, Z: s*a.Z + t*b.Z}
}
