package rod

import (
	"errors"
	"fmt"
	"math"

	"sinew/pkg/sim/spatial"
)

// Params describe a uniform rod.
type Params struct {
	Length   float64 // arc length at rest, m
	Elements int     // at least 1; of a Rod, as many as there are
	// Nodes are arc lengths at which there must be nodes, increasing and between the
	// ends, m. Without any, all elements are equal; see NewMesh.
	Nodes []float64
	// Order is that of the error in the length of the elements, 2 or 4; 0 means 2.
	Order    int
	Section  Section
	Material Material
	// Precurvature is the curvature about d1 and d2 and the twist about d3 at
	// rest (1/m, body axes). A rod without is straight.
	Precurvature spatial.Vec
	// Base is the pose of the clamped end: its axes are the directors there.
	Base spatial.Pose
}

// Rod is a uniform rod clamped at its base. It is immutable.
type Rod struct {
	Params
	Mesh
	Stiffness     Stiffness
	ElementLength float64     // at rest, m; the mean where elements are not equal
	ElementMass   float64     // kg, of ElementLength
	LineInertia   spatial.Vec // ρ(I1, I2, I1+I2): rotary inertia per length, kg m, body axes
}

// New makes a rod. Its error joins one per bad parameter.
func New(p Params) (*Rod, error) {
	if err := p.check(); err != nil {
		return nil, err
	}
	s, m := p.Section, p.Material
	mesh := NewMesh(p.Length, p.Elements, p.Nodes)
	p.Elements = len(mesh.Lengths)
	l := p.Length / float64(p.Elements)
	return &Rod{
		Params:        p,
		Mesh:          mesh,
		Stiffness:     stiffness(m, s),
		ElementLength: l,
		ElementMass:   m.Density * s.Area * l,
		LineInertia:   spatial.Vec{X: s.I1, Y: s.I2, Z: s.I1 + s.I2}.Scale(m.Density),
	}, nil
}

// Tributary returns the length of rod that belongs to each node, m: the weights with which
// sums over the nodes are integrals along the rod, to the order of the elements.
func (r *Rod) Tributary() []float64 {
	if r.Order == 4 {
		return r.Mesh.weights()
	}
	return r.Mesh.Tributary()
}

// NodeMasses returns the mass of the rod that belongs to each node, kg: of elements of order
// 2 half of that of the elements on both sides.
func (r *Rod) NodeMasses() []float64 {
	if r.Order == 4 {
		m := r.Tributary()
		for i := range m {
			m[i] *= r.Material.Density * r.Section.Area
		}
		return m
	}
	m := make([]float64, r.Elements+1)
	for e, l := range r.Lengths {
		half := 0.5 * (r.Material.Density * r.Section.Area * l)
		m[e] += half
		m[e+1] += half
	}
	return m
}

// check names every parameter that is not finite and positive.
func (p *Params) check() error {
	var errs []error
	for _, q := range []struct {
		name  string
		value float64
		unit  string
	}{
		{"length", p.Length, "m"},
		{"area", p.Section.Area, "m²"},
		{"second moment I1", p.Section.I1, "m⁴"},
		{"second moment I2", p.Section.I2, "m⁴"},
		{"torsion constant J", p.Section.J, "m⁴"},
		{"density", p.Material.Density, "kg/m³"},
		{"Young's modulus", p.Material.YoungsModulus, "Pa"},
		{"shear modulus", p.Material.ShearModulus, "Pa"},
		{"shear correction", p.Material.ShearCorrection, ""},
	} {
		if !(q.value > 0) || math.IsInf(q.value, 1) {
			errs = append(errs, fmt.Errorf("rod: %s is %g %s, must be positive and finite", q.name, q.value, q.unit))
		}
	}
	if p.Elements < 1 {
		errs = append(errs, fmt.Errorf("rod: %d elements, must be at least 1", p.Elements))
	}
	if p.Order != 0 && p.Order != 2 && p.Order != 4 {
		errs = append(errs, fmt.Errorf("rod: elements of order %d, must be of 2 or 4", p.Order))
	}
	before := 0.0
	for _, s := range p.Nodes {
		if !(s > before && s < p.Length) {
			errs = append(errs, fmt.Errorf("rod: node at %g m, must be beyond the one before, at %g m, and before the end at %g m", s, before, p.Length))
		}
		before = s
	}
	if !p.Precurvature.IsFinite() {
		errs = append(errs, fmt.Errorf("rod: precurvature %v 1/m is not finite", p.Precurvature))
	}
	return errors.Join(errs...)
}

// Attached is a rigid body whose centre of mass is at a node of a rod.
type Attached struct {
	Node    int
	Mass    float64     // kg
	Inertia spatial.Vec // about d1, d2, d3, kg m²
}
