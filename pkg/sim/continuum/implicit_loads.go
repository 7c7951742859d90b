package continuum

import (
	"sinew/pkg/sim/robotfile"
	"sinew/pkg/sim/rod"
	"sinew/pkg/sim/rod/strain"
	"sinew/pkg/sim/spatial"
)

// kelvinVoigt is the time constant of internal damping of each element, s.
func (r *Robot) kelvinVoigt() []float64 {
	stretches, c := r.file.Rod.Stretches(), make([]float64, r.rod.Elements)
	for e := range c {
		c[e] = stretches[r.rod.Pieces[e].Part].Damping.KelvinVoigt
	}
	return c
}

// drag is the coefficient of drag_per_s on each node, N s/m: in proportion to the mass of
// the rod that belongs to it. Disks and payload have none.
func (r *Robot) drag() []float64 {
	return r.sum(r.rod.PartMasses, func(s *robotfile.Stretch) float64 { return s.Damping.Drag })
}

// branches are those of the material of each element; nil where there are none.
func (r *Robot) branches() [][]strain.Branch {
	return ofElements(r, func(s *robotfile.Stretch) (all []strain.Branch) {
		for _, b := range s.Viscoelasticity {
			all = append(all, strain.Branch{Ratio: b.ModulusRatio, Time: b.RelaxationTime})
		}
		return all
	})
}

// slips are the springs that slip in each element; nil where there are none.
func (r *Robot) slips() [][]strain.Slip {
	return ofElements(r, func(s *robotfile.Stretch) (all []strain.Slip) {
		for _, f := range s.BendingFriction {
			all = append(all, strain.Slip{Stiffness: f.Stiffness, Limit: f.Limit})
		}
		return all
	})
}

// ofElements returns what each element has of its section; nil where none has anything.
func ofElements[T any](r *Robot, of func(*robotfile.Stretch) []T) (all [][]T) {
	for i, s := range r.file.Rod.Stretches() {
		have := of(&s)
		if len(have) == 0 {
			continue
		}
		if all == nil {
			all = make([][]T, r.rod.Elements)
		}
		for e := range all {
			if r.rod.Pieces[e].Part == i {
				all[e] = have
			}
		}
	}
	return all
}

// rotationalDrag is the coefficient of rotational_drag_n_s on each node, N m s.
func (r *Robot) rotationalDrag() []float64 {
	return r.sum(r.rod.PartLengths, func(s *robotfile.Stretch) float64 { return s.Damping.RotationalDrag })
}

// quadraticDrag is the coefficient of quadratic_drag_kg_per_m2 on each node, kg/m.
func (r *Robot) quadraticDrag() []float64 {
	return r.sum(r.rod.PartLengths, func(s *robotfile.Stretch) float64 { return s.Damping.QuadraticDrag })
}

// sum adds up what belongs to each node of the sections, times their factor; nil where that
// is 0 in all.
func (r *Robot) sum(of func(part int) []float64, factor func(*robotfile.Stretch) float64) (sum []float64) {
	for i, s := range r.file.Rod.Stretches() {
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

// setLoads makes the external loads of the nodes those of in, times scale. A load
// between two nodes is shared by the lever rule.
func setLoads(nodes []strain.NodeLoad, mesh *rod.Mesh, in *inputs, scale float64) {
	clear(nodes)
	n := len(nodes) - 1
	addLoad(&nodes[n], &in.Tip.Wrench, in.Tip.Axes, scale)
	for i := range in.Loads {
		l := &in.Loads[i]
		k, part := mesh.At(l.At)
		addLoad(&nodes[k], &l.Wrench, l.Axes, scale*(1-part))
		addLoad(&nodes[k+1], &l.Wrench, l.Axes, scale*part)
	}
}

func addLoad(l *strain.NodeLoad, w *spatial.Wrench, a axes, scale float64) {
	if a == bodyAxes {
		l.Follower.Force = l.Follower.Force.AddScaled(scale, w.Force)
		l.Follower.Moment = l.Follower.Moment.AddScaled(scale, w.Moment)
		return
	}
	l.Force = l.Force.AddScaled(scale, w.Force)
	l.Moment = l.Moment.AddScaled(scale, w.Moment)
}

// Steps either way of what the field does: the loads on magnets are linear in the uniform field but for what slopes of
// elements take of it, and smooth in the poses of magnets, which are in lengths of the rod and rad.
const fieldStep, magnetStep = 1e-3, 1e-6

// fieldInputs are the uniform part of the field, and translations and rotations of each magnet around the robot about
// itself, world axes. Where the rod has no magnets there are none.
func (s *changes) fieldInputs() (all []input) {
	m := s.at.linear.magnets
	if m == nil {
		return nil
	}
	add := func(name, unit string, h float64, set func(h float64)) {
		x := s.newInput(name, unit)
		for _, side := range [...]float64{1, -1} {
			set(side * h)
			s.equations(&x, side/(2*h))
		}
		set(0)
		all = append(all, x)
	}
	axes := [...]spatial.Vec{{X: 1}, {Y: 1}, {Z: 1}}
	uniform := m.Field.Uniform
	for i, name := range [...]string{"field.x", "field.y", "field.z"} {
		add(name, "T", fieldStep, func(h float64) { m.Field.Uniform = uniform.AddScaled(h, axes[i]) })
	}
	for k, name := range m.Field.Names() {
		d := &m.Field.Dipoles()[k]
		was := *d
		for i, axis := range [...]string{"x", "y", "z"} {
			add("magnet."+name+"."+axis, "m", magnetStep*s.at.linear.length, func(h float64) { d.Position = was.Position.AddScaled(h, axes[i]) })
		}
		for i, axis := range [...]string{"rx", "ry", "rz"} {
			add("magnet."+name+"."+axis, "rad", magnetStep, func(h float64) {
				d.Moment = spatial.ExpRot(axes[i].Scale(h)).Apply(was.Moment)
			})
		}
		*d = was
	}
	return all
}

// scaleField multiplies what the field does to magnets.
func (s *statics) scaleField(share float64) {
	if m := s.at.linear.magnets; m != nil {
		m.Share = share
		s.at.rod.Reload()
	}
}

// hold makes what is out of equilibrium at the present shape a dead load: forces and moments that keep
// their direction in the world.
func (s *statics) hold(in *inputs) {
	s.begin(in)
	s.at.rod.Update()
	s.at.measure()
	s.Assemble(0)
	for i := range s.at.linear.x {
		l, w, r := &s.at.rod.Loads[i+1], s.at.linear.nodes.Wrench[i+1], &s.at.rod.Pose[i+1].R
		l.Force = l.Force.Sub(r.Apply(w.Force))
		l.Moment = l.Moment.Sub(r.Apply(w.Moment))
	}
}
