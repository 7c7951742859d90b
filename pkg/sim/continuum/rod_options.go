package continuum

import (
	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/rod/strain"
)

// kelvinVoigt is the time constant of internal damping of each element, s.
func (r *Robot) kelvinVoigt() []float64 {
	stretches, c := r.file.Rod.Segments(), make([]float64, r.rod.Elements)
	for e := range c {
		c[e] = stretches[r.rod.Properties[e].Part].Damping.KelvinVoigt
	}
	return c
}

// drag is the coefficient of drag_per_s on each node, N s/m: in proportion to the mass of
// the rod that belongs to it. Disks and payload have none.
func (r *Robot) drag() []float64 {
	return r.sum(r.rod.PartMasses, func(s *robotfile.Segment) float64 { return s.Damping.Drag })
}

// branches are those of the material of each element; nil where there are none.
func (r *Robot) branches() [][]strain.Branch {
	return ofElements(r, func(s *robotfile.Segment) (all []strain.Branch) {
		for _, b := range s.Viscoelasticity {
			all = append(all, strain.Branch{Ratio: b.ModulusRatio, Time: b.RelaxationTime})
		}
		return all
	})
}

// slips are the springs that slip in each element; nil where there are none.
func (r *Robot) slips() [][]strain.JenkinsElement {
	return ofElements(r, func(s *robotfile.Segment) (all []strain.JenkinsElement) {
		for _, f := range s.BendingFriction {
			all = append(all, strain.JenkinsElement{Stiffness: f.Stiffness, Limit: f.Limit})
		}
		return all
	})
}

// ofElements returns what each element has of its section; nil where none has anything.
func ofElements[T any](r *Robot, of func(*robotfile.Segment) []T) (all [][]T) {
	for i, s := range r.file.Rod.Segments() {
		have := of(&s)
		if len(have) == 0 {
			continue
		}
		if all == nil {
			all = make([][]T, r.rod.Elements)
		}
		for e := range all {
			if r.rod.Properties[e].Part == i {
				all[e] = have
			}
		}
	}
	return all
}

// rotationalDrag is the coefficient of rotational_drag_n_s on each node, N m s.
func (r *Robot) rotationalDrag() []float64 {
	return r.sum(r.rod.PartLengths, func(s *robotfile.Segment) float64 { return s.Damping.RotationalDrag })
}

// quadraticDrag is the coefficient of quadratic_drag_kg_per_m2 on each node, kg/m.
func (r *Robot) quadraticDrag() []float64 {
	return r.sum(r.rod.PartLengths, func(s *robotfile.Segment) float64 { return s.Damping.QuadraticDrag })
}

// sum adds up what belongs to each node of the sections, times their factor; nil where that
// is 0 in all.
func (r *Robot) sum(of func(part int) []float64, factor func(*robotfile.Segment) float64) (sum []float64) {
	for i, s := range r.file.Rod.Segments() {
		f := factor(&s)
		if f == 0 {
			continue
		}
		if sum == nil {
			sum = make([]float64, r.rod.Elements+1)
		}
		for k, x := range of(i) {
			sum[k] += f * x
		}
	}
	return sum
}
