package rodmodel

import (
	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/rod"
	"sinew/pkg/sim/rod/strain"
)

// Params returns the parameters of a rod with a material law, without nodes, order and base.
func Params(f *robotfile.Rod, law rod.Law) rod.Params {
	p := rod.Params{Length: f.Length, Elements: f.Elements}
	for _, s := range f.Segments() {
		p.Parts = append(p.Parts, part(&s, law))
	}
	if len(f.Sections) == 0 {
		all := p.Parts[0]
		p.Section, p.Material, p.Precurvature, p.Parts = all.Section, all.Material, all.Precurvature, nil
	}
	return p
}

// part makes a section of the rod.
func part(s *robotfile.Segment, law rod.Law) rod.Part {
	p := rod.Part{
		Length: s.Length,
		Material: rod.Material{
			YoungsModulus:   s.YoungsModulus,
			ShearModulus:    s.ShearModulus,
			Density:         s.Density,
			ShearCorrection: s.ShearCorrection,
			Law:             law,
		},
		Precurvature: s.Precurvature,
	}
	outer, inner := s.Radii()
	switch {
	case s.Section != nil:
		p.Section = rod.Section{Area: s.Section.Area, I1: s.Section.I1, I2: s.Section.I2, J: s.Section.J}
	case outer[0] == outer[1] && inner[0] == inner[1]:
		p.Section = rod.Ring(outer[0], inner[0])
	default:
		p.Taper = &rod.Taper{Outer: outer, Inner: inner}
	}
	return p
}

// Options returns the damping, viscoelasticity and internal friction of a rod that was made of f.
func Options(f *robotfile.Rod, r *rod.Rod) strain.Options {
	o := of{f.Segments(), r}
	return strain.Options{
		KelvinVoigt: o.kelvinVoigt(), Branches: o.branches(), JenkinsElements: o.slips(),
		Drag:           o.sum(r.PartMasses, func(s *robotfile.Segment) float64 { return s.Damping.Drag }),
		RotationalDrag: o.sum(r.PartLengths, func(s *robotfile.Segment) float64 { return s.Damping.RotationalDrag }),
		Quadratic:      o.sum(r.PartLengths, func(s *robotfile.Segment) float64 { return s.Damping.QuadraticDrag }),
	}
}

// of is a rod with the sections that it is made of.
type of struct {
	segments []robotfile.Segment
	rod      *rod.Rod
}

// kelvinVoigt is the time constant of internal damping of each element, s.
func (o of) kelvinVoigt() []float64 {
	c := make([]float64, o.rod.Elements)
	for e := range c {
		c[e] = o.segments[o.rod.Properties[e].Part].Damping.KelvinVoigt
	}
	return c
}

// branches are those of the material of each element; nil where there are none.
func (o of) branches() [][]strain.Branch {
	return ofElements(o, func(s *robotfile.Segment) (all []strain.Branch) {
		for _, b := range s.Viscoelasticity {
			all = append(all, strain.Branch{Ratio: b.ModulusRatio, Time: b.RelaxationTime})
		}
		return all
	})
}

// slips are the springs that slip in each element; nil where there are none.
func (o of) slips() [][]strain.JenkinsElement {
	return ofElements(o, func(s *robotfile.Segment) (all []strain.JenkinsElement) {
		for _, f := range s.BendingFriction {
			all = append(all, strain.JenkinsElement{Stiffness: f.Stiffness, Limit: f.Limit})
		}
		return all
	})
}

// ofElements returns what each element has of its section; nil where none has anything.
func ofElements[T any](o of, has func(*robotfile.Segment) []T) (all [][]T) {
	for i := range o.segments {
		have := has(&o.segments[i])
		if len(have) == 0 {
			continue
		}
		if all == nil {
			all = make([][]T, o.rod.Elements)
		}
		for e := range all {
			if o.rod.Properties[e].Part == i {
				all[e] = have
			}
		}
	}
	return all
}

// sum adds up what belongs to each node of the sections, times their factor: drag acts in proportion to the mass of the rod
// that belongs to a node, or to its length; disks and payload have none. It is nil where the factor is 0 in all.
func (o of) sum(parts func(part int) []float64, factor func(*robotfile.Segment) float64) (sum []float64) {
	for i := range o.segments {
		f := factor(&o.segments[i])
		if f == 0 {
			continue
		}
		if sum == nil {
			sum = make([]float64, o.rod.Elements+1)
		}
		for k, x := range parts(i) {
			sum[k] += f * x
		}
	}
	return sum
}

// Tube is a section of the rod as one sees it.
type Tube struct {
	First, Last int       // nodes
	Radius      float64   // m
	Radii       []float64 // by node, where it tapers, m
}

// Tubes lists the sections of a rod that was made of f.
func Tubes(f *robotfile.Rod, r *rod.Rod) []Tube {
	segments := f.Segments()
	all := make([]Tube, len(segments))
	for i := range all {
		t := &all[i]
		t.First, t.Last = r.PartNodes(i)
		t.Radius = r.Properties[t.First].Radius
		if outer, _ := segments[i].Radii(); outer[0] != outer[1] {
			start, end := r.ArcLengths[t.First], r.ArcLengths[t.Last]
			for _, s := range r.ArcLengths[t.First : t.Last+1] {
				t.Radii = append(t.Radii, outer[0]+(s-start)/(end-start)*(outer[1]-outer[0]))
			}
		}
	}
	return all
}
