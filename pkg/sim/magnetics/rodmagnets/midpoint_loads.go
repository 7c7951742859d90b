package rodmagnets

import (
	"sinew/pkg/sim/magnetics"
	"sinew/pkg/sim/rod/strain"
	"sinew/pkg/sim/spatial"
)

var _ strain.MidpointLoads = (*Magnets)(nil)

// HasLoad implements strain.MidpointLoads.
func (m *Magnets) HasLoad(element int) bool {
	return m.midpoints != nil && m.midpoints[element] != spatial.Vec{}
}

// IsCoupled implements strain.MidpointLoads.
func (m *Magnets) IsCoupled() bool { return m.sources != nil }

// Torque implements strain.MidpointLoads.
func (m *Magnets) Torque(element int, at *strain.LoadPlacement) (torque spatial.Vec, potential float64) {
	pose := &at.Midpoints[element]
	field, _ := m.Field.Here(pose.P)
	moment, b := m.midpoints[element].Scale(m.Scale), pose.R.ApplyT(field)
	potential = -moment.Dot(b)
	if m.sources != nil {
		for i := range m.sources[element] {
			d := m.sources[element][i].dipole(at)
			more, _ := d.At(pose.P)
			field = field.Add(more)
		}
		b = pose.R.ApplyT(field)
	}
	return moment.Cross(b), potential
}

// Load implements strain.MidpointLoads.
func (m *Magnets) Load(element int, at *strain.LoadPlacement) (l strain.MidpointLoad) {
	pose, moment := &at.Midpoints[element], m.midpoints[element].Scale(m.Scale)
	turned := moment.Add(at.SlopeRotations[element].Cross(moment))
	var f localField
	f.b, f.g = m.Field.Here(pose.P)
	if m.Field.HasSources {
		f.slope = m.Field.SlopeAlong(pose.P, pose.R.Apply(turned))
	}
	if m.sources != nil {
		for i := range m.sources[element] {
			d := m.sources[element][i].dipole(at)
			f.add(&d, pose.P, pose.R.Apply(turned))
		}
	}
	w, t := magnetics.Attached(&pose.R, turned, f.b, f.g, f.slope)
	l.Wrench, l.LinLin, l.RotLin, l.RotRot = w, t.LinLin, t.RotLin, t.RotRot
	if m.sources != nil {
		m.addSlopeTerms(&l, element, at)
	}

	// the torque is m × Rᵀ B(p)
	cross := spatial.Skew(moment)
	l.TorqueByRotation = cross.Mul(spatial.Skew(pose.R.ApplyT(f.b)))
	if f.g != (magnetics.Gradient{}) {
		l.TorqueByDisplacement = cross.Mul(pose.R.TMul(f.g.Mat().Mul(pose.R)))
	}
	return l
}

// addSlopeTerms adds the effect of the slopes of other elements: to first order, the change of
// their dipoles by the slope rotation acts on the dipole at zero slope.
func (m *Magnets) addSlopeTerms(l *strain.MidpointLoad, element int, at *strain.LoadPlacement) {
	pose, moment := &at.Midpoints[element], m.midpoints[element].Scale(m.Scale)
	var f localField
	for i := range m.sources[element] {
		if o := &m.sources[element][i]; o.Middle {
			d := magnetics.Dipole{Position: at.Midpoints[o.Node].P, Moment: at.Midpoints[o.Node].R.Apply(at.SlopeRotations[o.Node].Cross(o.Moment))}
			f.add(&d, pose.P, pose.R.Apply(moment))
		}
	}
	w, t := magnetics.Attached(&pose.R, moment, f.b, f.g, f.slope)
	l.Wrench.Force, l.Wrench.Moment = l.Wrench.Force.Add(w.Force), l.Wrench.Moment.Add(w.Moment)
	l.LinLin.Add(&t.LinLin)
	l.RotLin = l.RotLin.Add(t.RotLin)
	l.RotRot.Add(&t.RotRot)
}

// localField is the flux density at a point with its gradient, and the derivative of the gradient
// along a dipole.
type localField struct {
	b        spatial.Vec
	g, slope magnetics.Gradient
}

// add adds the field of d at p, with a dipole along (world axes) there.
func (f *localField) add(d *magnetics.Dipole, p, along spatial.Vec) {
	b, g := d.At(p)
	f.b, f.g, f.slope = f.b.Add(b), f.g.Add(g), f.slope.Add(d.SlopeAlong(p, along))
}
