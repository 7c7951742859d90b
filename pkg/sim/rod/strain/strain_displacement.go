package strain

import "sinew/pkg/sim/spatial"

// StrainDisplacement is the map from node increments to strain increments (the strain-displacement
// matrix of finite elements) at a captured shape. An increment that a tangent of another shape
// gives is a good increment of strains, since strains hardly depend on the overall shape. It is a
// poor increment of nodes: a rod is some 1000 times stiffer in stretch than in bending, and what
// bends one shape stretches another.
type StrainDisplacement struct {
	even   []spatial.Even
	strain []spatial.Twist
}

// Capture copies the map of the last assembly of s.
func (c *StrainDisplacement) Capture(s *State) {
	c.even = append(c.even[:0], s.evenParts...)
	c.strain = append(c.strain[:0], s.Strain...)
}

// StrainIncrement is State.StrainIncrement at the captured shape.
func (c *StrainDisplacement) StrainIncrement(s *State, eta []spatial.Vec6, dx []spatial.Twist) (turn, stretch float64) {
	return strainIncrement(s.elements, c.even, c.strain, nil, eta, dx)
}

// TransferWrenches replaces the wrenches on the nodes of s (node 1 first), at its last assembly, by
// those at the captured shape that cause the same stresses.
func (c *StrainDisplacement) TransferWrenches(s *State, wrench []spatial.Vec6) {
	var passed, given spatial.Wrench // wrenches of the next element on its inner end, at the two shapes
	for e := len(wrench) - 1; e >= 0; e-- {
		w := spatial.Wrench{Force: wrench[e].Linear().Sub(passed.Force), Moment: wrench[e].Angular().Sub(passed.Moment)}
		n, m := elementStress(&s.evenParts[e], &s.Strain[e], w)
		passed, _ = nodalWrenches(&s.evenParts[e], &s.Strain[e], n, m)
		a, b := nodalWrenches(&c.even[e], &c.strain[e], n, m)
		wrench[e] = spatial.Vec6Of(b.Force.Add(given.Force), b.Moment.Add(given.Moment))
		given = a
	}
}

// elementStress returns the stress of an element with the wrench w on its outer end: the inverse of
// nodalWrenches.
func elementStress(ev *spatial.Even, x *spatial.Twist, w spatial.Wrench) (n, m spatial.Vec) {
	v, u := x.Linear, x.Angular.Scale(0.5)
	inverse := spatial.Mat3{
		XX: -ev.A.XX, XY: -ev.A.XY - u.Z, XZ: -ev.A.XZ + u.Y,
		YX: -ev.A.YX + u.Z, YY: -ev.A.YY, YZ: -ev.A.YZ - u.X,
		ZX: -ev.A.ZX - u.Y, ZY: -ev.A.ZY + u.X, ZZ: -ev.A.ZZ,
	}.Inv()
	n = inverse.Apply(w.Force)
	m = inverse.Apply(w.Moment.Add(ev.B.Apply(n)).AddScaled(-0.5, v.Cross(n)))
	return n, m
}

// RelaxElements sets dx to the strain increments of one element-wise relaxation (block Jacobi): of
// each element the compliance of a straight element times the stress that balances the total
// wrenches on the nodes at the last assembly. It returns the largest rotation (rad) or relative
// stretch of an element.
func (s *State) RelaxElements(wrench []spatial.Wrench, dx []spatial.Twist) (size float64) {
	var passed spatial.Wrench // wrench of the next element on its inner end
	for e := len(dx) - 1; e >= 0; e-- {
		w, x := &wrench[e+1], &s.Strain[e]
		n, m := elementStress(&s.evenParts[e], x, spatial.Wrench{Force: w.Force.Add(passed.Force).Neg(), Moment: w.Moment.Add(passed.Moment).Neg()})
		passed, _ = nodalWrenches(&s.evenParts[e], x, n, m)
		c := s.elements[e].compliance()
		dx[e] = spatial.Twist{Linear: c.Linear.Mul(n), Angular: c.Angular.Mul(m)}
		size = max(size, dx[e].Angular.Norm(), dx[e].Linear.Norm()/s.elements[e].length)
	}
	return size
}

// compliance returns the diagonal of ∂x/∂σ, m/N and rad/(N m). In elements of order 4, a transverse
// force also bends the element, which adds to the shear compliance.
func (e *element) compliance() spatial.Twist {
	c := spatial.Twist{
		Linear:  spatial.Vec{X: 1 / e.linear.X, Y: 1 / e.linear.Y, Z: 1 / e.linear.Z},
		Angular: spatial.Vec{X: 1 / e.angular.X, Y: 1 / e.angular.Y, Z: 1 / e.angular.Z},
	}
	if e.isLinear {
		bow := e.length * e.length / 12
		c.Linear.X += bow * c.Angular.Y
		c.Linear.Y += bow * c.Angular.X
	}
	return c
}

// IsStressFree reports whether all strains equal the rest strains.
func (s *State) IsStressFree() bool {
	for e := range s.Strain {
		if s.Strain[e] != s.elements[e].rest {
			return false
		}
	}
	return true
}
