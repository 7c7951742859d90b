package rod

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"sinew/pkg/sim/spatial"
)

// Params describe a rod, uniform or of several parts.
type Params struct {
	Length   float64 // arc length at rest, m
	Elements int     // at least 1; in a Rod the number of its elements
	// Nodes are arc lengths of nodes, increasing and between the ends, m. Without any, all elements
	// are equal; see NewMesh.
	Nodes []float64
	// Refine is the number of equal elements into which each element is divided; 0 means 1.
	Refine int
	// Order is the order of the error in the element length, 2 or 4; 0 means 2.
	Order int
	// Parts, if not empty, make up the rod from base to tip, and replace Section, Material and
	// Precurvature. Nodes include their borders.
	Parts    []Part
	Section  Section
	Material Material
	// Precurvature is the curvature about d1 and d2 and the twist about d3 at rest, 1/m, body axes.
	// A straight rod has none.
	Precurvature spatial.Vec
	// Base is the pose of the clamped end in the world. Its axes are the directors there.
	Base spatial.Pose
}

// Rod is a rod that is clamped at its base. It is immutable. Of several parts, Section, Material
// and Precurvature are those at the base.
type Rod struct {
	Params
	Mesh
	Properties    []ElementProperties // by element
	Stiffness     Stiffness           // of several parts, the length over the compliance
	ElementLength float64             // mean length of the elements at rest, m
	ElementMass   float64             // mass of ElementLength at the base, kg
	LineInertia   spatial.Vec         // ρ(I1, I2, I1+I2) at the base: rotary inertia per length, kg m, body axes

	partBorders []int // first nodes of the parts, and the last node
}

// New returns the rod with parameters p. Its error joins one error per invalid parameter.
func New(p Params) (*Rod, error) {
	if err := p.check(); err != nil {
		return nil, err
	}
	r := &Rod{Params: p, Mesh: NewMesh(p.Length, p.Elements, p.Nodes).refined(max(p.Refine, 1))}
	r.Elements = len(r.Lengths)
	if len(p.Parts) > 0 {
		base := &p.Parts[0]
		r.Section, r.Material, r.Precurvature = base.sectionAt(0), base.Material, base.Precurvature
	}
	r.setProperties()
	r.Stiffness = r.meanStiffness()
	r.ElementLength = p.Length / float64(r.Elements)
	r.ElementMass = r.Material.Density * r.Section.Area * r.ElementLength
	r.LineInertia = spatial.Vec{X: r.Section.I1, Y: r.Section.I2, Z: r.Section.I1 + r.Section.I2}.Scale(r.Material.Density)
	return r, nil
}

// setProperties computes the constants of the elements.
func (r *Rod) setProperties() {
	parts := r.parts()
	r.partBorders = make([]int, len(parts)+1)
	r.Properties = make([]ElementProperties, r.Elements)
	s := 0.0
	for i := range parts {
		s += parts[i].Length
		r.partBorders[i+1] = r.NearestNode(s)
	}
	r.partBorders[len(parts)] = r.Elements
	for i := range parts {
		for e := r.partBorders[i]; e < r.partBorders[i+1]; e++ {
			r.Properties[e].Part = i
			from, to := r.partShares(&parts[i], e)
			r.Properties[e] = newElementProperties(&parts[i], from, to)
			r.Properties[e].Part = i
		}
	}
}

// PartNodes returns the first and the last node of a part of Params.Parts; a uniform rod is part 0.
func (r *Rod) PartNodes(part int) (first, last int) {
	return r.partBorders[part], r.partBorders[part+1]
}

// meanStiffness returns the length of the rod over the sum of the compliances of its elements.
func (r *Rod) meanStiffness() Stiffness {
	if len(r.Parts) == 0 {
		return r.Properties[0].Stiffness
	}
	var c Stiffness
	for e, l := range r.Lengths {
		k := &r.Properties[e].Stiffness
		c.Shear = c.Shear.Add(divide(l, k.Shear))
		c.Bend = c.Bend.Add(divide(l, k.Bend))
	}
	return Stiffness{Shear: divide(r.Length, c.Shear), Bend: divide(r.Length, c.Bend)}
}

// MaxStiffness returns the largest shear or stretch stiffness of any element, N.
func (r *Rod) MaxStiffness() float64 {
	most := 0.0
	for e := range r.Properties {
		k := &r.Properties[e].Stiffness.Shear
		most = max(most, k.X, k.Z)
	}
	return most
}

// check returns an error for each parameter that is not finite and positive.
func (p *Params) check() error {
	var errs []error
	if len(p.Parts) == 0 {
		errs = p.parts()[0].check("rod: ")
	}
	sum := 0.0
	for i := range p.Parts {
		errs = append(errs, p.Parts[i].check(fmt.Sprintf("rod: part %d: ", i+1))...)
		sum += p.Parts[i].Length
		if at := sum; i+1 < len(p.Parts) && !slices.ContainsFunc(p.Nodes, func(s float64) bool { return math.Abs(s-at) <= roundoff*p.Length }) {
			errs = append(errs, fmt.Errorf("rod: no node between parts %d and %d, at %g m", i+1, i+2, at))
		}
	}
	if len(p.Parts) > 0 && !(math.Abs(sum-p.Length) <= roundoff*p.Length) {
		errs = append(errs, fmt.Errorf("rod: parts are %g m long together, must be as long as the rod, %g m", sum, p.Length))
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
	return errors.Join(errs...)
}

// AttachedBody is a rigid body on a node of a rod.
type AttachedBody struct {
	Node    int
	Mass    float64     // kg
	Inertia spatial.Vec // about its centre of mass, along d1, d2, d3, kg m²
	Offset  spatial.Vec // of the centre of mass from the node, along d1, d2, d3, m
}
