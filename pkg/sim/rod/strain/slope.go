package strain

import "sinew/pkg/sim/spatial"

// Elements of order 4 have a curvature (twist included) that is linear along the element,
//
//	l ε(s) = y + (0, β) s/l,  −l/2 ≤ s ≤ l/2,
//
// with y the mean and β, rad, by how much l times the curvature grows from one end to the
// other: the slope. By the Magnus expansion the ends are then exp(x) apart with
//
//	x = y + 1/12 [y, (0, β)] + O(l⁵),  so  y = x − 1/12 (v × β, u × β).
//
// The slope is what the poses of the ends leave open. It takes the value with the least
// energy, which is that of the equilibrium of an element without loads between its ends,
//
//	E(x, β) = ½ (y − y⁰)ᵀ k (y − y⁰) + 1/12 (y − y⁰)_uᵀ a β + 1/24 βᵀ b β,
//
// k = K/l, k_u its angular part; a and b, the coupling and the bow, are 0 and k_u where the
// section is the same all along the element, else see rod.Bow. So it is condensed within the
// element: β = S⁻¹ (N × v + M × u − a (y − y⁰)_u) with N, M the stress at β = 0 and
// S = b + 1/12 ([v]ᵀ k_v [v] + [u]ᵀ k_u [u] − a [u] − [u]ᵀ a). For a straight element this is
// the stiffness of the beam that bends between its nodes. Shear and stretch stay constant: what
// their slopes would give is of second order, and smaller than all of the error of order 2 by
// the square of the radius over the length of the rod, or by the shear strain that the thrust
// of tendons makes where it turns from stretching to shearing.
//
// With S, v and u those of the iterate the law is a rational function of x, its derivative
// exact.

// shape is the strain of an element: the mean y and the slope β.
type shape struct {
	mean  spatial.Twist
	slope spatial.Vec
}

// stiffness is the second derivative of the energy of an element with respect to x.
type stiffness struct {
	linear, angular spatial.Vec  // where it is diagonal
	full            bool         // it is the blocks
	k11, k21, k22   spatial.Mat3 // the upper right one is k21ᵀ
}

// shaped returns the shape with a slope at x.
func shaped(x *spatial.Twist, slope spatial.Vec) shape {
	return shape{
		mean: spatial.Twist{
			Linear:  x.Linear.AddScaled(-1./12, x.Linear.Cross(slope)),
			Angular: x.Angular.AddScaled(-1./12, x.Angular.Cross(slope)),
		},
		slope: slope,
	}
}

// settle returns the slope of least energy at x, and S⁻¹, of which the lower triangle counts.
// Damping holds it to hat.
func (e *element) settle(x *spatial.Twist, hat *shape, gamma float64) (slope spatial.Vec, flexibility spatial.Mat3) {
	n, m, stiffer := e.stress(x, &hat.mean, gamma)
	f := n.Cross(x.Linear).Add(m.Cross(x.Angular))
	f = f.AddScaled(stiffer-1, e.bow.Mul(hat.slope))
	s := spatial.Diag3(e.bow)
	addCross(&s, &x.Linear, &e.linear)
	addCross(&s, &x.Angular, &e.angular)
	if e.tapered {
		f = f.Sub(e.couple(x, hat, stiffer-1, &s))
	}
	flexibility = s.Inv()
	return flexibility.Apply(f).Scale(1 / stiffer), flexibility
}

// couple adds the coupling's −1/12 (a [u] + [u]ᵀ a) to s and returns what it takes from
// N × v + M × u, with the rate of damping.
func (e *element) couple(x *spatial.Twist, hat *shape, rate float64, s *spatial.Mat3) spatial.Vec {
	u := spatial.Skew(x.Angular.Scale(-1. / 12))
	addColumnsT(s, &u, &e.coupling)
	*s = s.Add(rows(&e.coupling, &u))
	d := x.Angular.Sub(e.rest.Angular).AddScaled(rate, x.Angular.Sub(hat.mean.Angular))
	return e.coupling.Mul(d).AddScaled(rate, e.coupled(hat.slope).Cross(x.Angular))
}

// coupled returns what a slope adds to the moment.
func (e *element) coupled(slope spatial.Vec) spatial.Vec { return e.coupling.Mul(slope).Scale(1. / 12) }

// addCross adds 1/12 [v]ᵀ diag(k) [v] to s.
func addCross(s *spatial.Mat3, v, k *spatial.Vec) {
	x, y, z := v.X*(1./12), v.Y*(1./12), v.Z*(1./12)
	s.XX += k.Y*z*v.Z + k.Z*y*v.Y
	s.YY += k.X*z*v.Z + k.Z*x*v.X
	s.ZZ += k.X*y*v.Y + k.Y*x*v.X
	xy, xz, yz := k.Z*x*v.Y, k.Y*x*v.Z, k.X*y*v.Z
	s.XY -= xy
	s.YX -= xy
	s.XZ -= xz
	s.ZX -= xz
	s.YZ -= yz
	s.ZY -= yz
}

// bend returns the stress conjugate to x at the slope of least energy and sets k to its
// derivative.
func (e *element) bend(x *spatial.Twist, hat *shape, gamma float64, k *stiffness) (n, m spatial.Vec) {
	slope, flexibility := e.settle(x, hat, gamma)
	y := shaped(x, slope)
	n, m, stiffer := e.stress(&y.mean, &hat.mean, gamma)
	if e.tapered {
		m = m.Add(e.coupled(slope.AddScaled(stiffer-1, slope.Sub(hat.slope))))
	}
	e.condense(x, &slope, &flexibility, n, m, stiffer, k)
	return conjugate(&slope, n, m)
}

// conjugate returns the stress conjugate to x of one, (N, M), conjugate to y: Gᵀ (N, M) with
// G = ∂y/∂x = 1 + 1/12 [β]×.
func conjugate(slope *spatial.Vec, n, m spatial.Vec) (cn, cm spatial.Vec) {
	return n.AddScaled(-1./12, slope.Cross(n)), m.AddScaled(-1./12, slope.Cross(m))
}

// condense sets k to Gᵀ k G − P W Pᵀ: P = ∂²E/∂x∂β has the blocks (−Gᵀ k_v [v]× + [N]×)/12 and
// (−Gᵀ k_u [u]× + [M]× + Gᵀ a)/12, and W = (∂²E/∂β²)⁻¹ is 12 S⁻¹ over the factor of damping.
func (e *element) condense(x *spatial.Twist, slope *spatial.Vec, flexibility *spatial.Mat3, n, m spatial.Vec, stiffer float64, k *stiffness) {
	k1, k2 := e.linear.Scale(stiffer), e.angular.Scale(stiffer)
	g := spatial.Skew(slope.Scale(1. / 12))
	g.XX, g.YY, g.ZZ = 1, 1, 1
	k1g, k2g := rows(&k1, &g), rows(&k2, &g)
	v, u := spatial.Skew(x.Linear.Scale(-1./12)), spatial.Skew(x.Angular.Scale(-1./12))
	p1, p2 := spatial.Skew(n.Scale(1./12)), spatial.Skew(m.Scale(1./12))
	addTProd(&p1, &k1g, &v)
	addTProd(&p2, &k2g, &u)
	if e.tapered {
		a := e.coupling.Scale(stiffer / 12)
		addColumnsT(&p2, &g, &a)
	}
	w := flexibility.Scale(-12 / stiffer)
	wp1, wp2 := prodT(&w, &p1), prodT(&w, &p2)
	k.full = true
	k.k11, k.k22 = prod(&p1, &wp1), prod(&p2, &wp2)
	k.k21 = prod(&p2, &wp1)
	addTProd(&k.k11, &g, &k1g)
	addTProd(&k.k22, &g, &k2g)
}

// stored returns the elastic energy of a shape, J.
func (e *element) stored(y *shape) float64 {
	return e.energy(&y.mean) + e.bent(y.mean.Angular.Sub(e.rest.Angular), y.slope)
}

// bent returns the energy of a slope beside a mean curvature, both times the length, J.
func (e *element) bent(curvature, slope spatial.Vec) float64 {
	return (quadratic(&e.bow, slope) + curvature.Dot(e.coupling.Mul(slope))) / 12
}

// potential returns the energy of the element at x and the slope of least energy, J, with the
// potential of the damping stress.
func (e *element) potential(x *spatial.Twist, hat *shape, gamma float64) float64 {
	if !e.linearly {
		return e.energy(x) + e.dissipation(x, &hat.mean, gamma*e.damping)
	}
	slope, _ := e.settle(x, hat, gamma)
	y := shaped(x, slope)
	sum := e.stored(&y)
	if rate := gamma * e.damping; rate != 0 {
		sum += e.dissipation(&y.mean, &hat.mean, rate) + rate*e.bent(y.mean.Angular.Sub(hat.mean.Angular), slope.Sub(hat.slope))
	}
	return sum
}
