package strain

import "sinew/pkg/sim/spatial"

// Chart is how increments of nodes are those of strains in the shape that it was taken of. Strains
// are nearly those of a straight rod, whatever its shape: an increment by the tangent of another
// shape is good as one of the strains. As one of the nodes it is not, for a rod is some 1000 times
// stiffer in stretch than in bending, and what bends in one shape stretches in another.
type StrainDisplacement struct {
	even   []spatial.Even
	strain []spatial.Twist
}

// Take makes c the chart of the last assembly of s.
func (c *StrainDisplacement) Capture(s *State) {
	c.even = append(c.even[:0], s.evenParts...)
	c.strain = append(c.strain[:0], s.Strain...)
}

// Increment is that of State in the shape of the chart.
func (c *StrainDisplacement) StrainIncrement(s *State, eta []spatial.Vec6, dx []spatial.Twist) (turn, stretch float64) {
	return strainIncrement(s.elements, c.even, c.strain, eta, dx)
}

// Recast replaces wrenches on the nodes of s from 1 on, as assembled last, by those in the
// shape of the chart that have the same stresses.
func (c *StrainDisplacement) TransferWrenches(s *State, wrench []spatial.Vec6) {
	var passed, given spatial.Wrench // by the element beyond, to its inner end
	for e := len(wrench) - 1; e >= 0; e-- {
		w := spatial.Wrench{Force: wrench[e].Linear().Sub(passed.Force), Moment: wrench[e].Angular().Sub(passed.Moment)}
		n, m := elementStress(&s.evenParts[e], &s.Strain[e], w)
		passed, _ = nodalWrenches(&s.evenParts[e], &s.Strain[e], n, m)
		a, b := nodalWrenches(&c.even[e], &c.strain[e], n, m)
		wrench[e] = spatial.Vec6Of(b.Force.Add(given.Force), b.Moment.Add(given.Moment))
		given = a
	}
}

// stressOf is the stress of an element whose wrench on its outer end is w: the inverse of nodal.
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

// Comply sets dx to how elements give way to the total wrenches on the nodes, as assembled last, if
// these stay what they are: by the stress that balances them times the compliance of a straight element.
// It returns the largest rotation (rad) or relative stretch of an element.
func (s *State) RelaxElements(wrench []spatial.Wrench, dx []spatial.Twist) (size float64) {
	var passed spatial.Wrench // by the element beyond, to its inner end
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

// compliance returns what x yields by for a unit of stress, m/N and rad/(N m). A strain that is linear
// along the element yields to forces across it also by bending.
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

// IsStressFree reports whether no element has an elastic stress.
func (s *State) IsStressFree() bool {
	for e := range s.Strain {
		if s.Strain[e] != s.elements[e].rest {
			return false
		}
	}
	return true
}
