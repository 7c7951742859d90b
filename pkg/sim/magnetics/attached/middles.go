package attached

import (
	"sinew/pkg/sim/magnetics"
	"sinew/pkg/sim/rod/strain"
	"sinew/pkg/sim/spatial"
)

var _ strain.Middles = (*Magnets)(nil)

// Loaded implements strain.Middles.
func (m *Magnets) Loaded(element int) bool {
	return m.middles != nil && m.middles[element] != spatial.Vec{}
}

// Torque implements strain.Middles.
func (m *Magnets) Torque(element int, at spatial.Pose) (torque spatial.Vec, potential float64) {
	field, _ := m.Field.Here(at.P)
	moment, b := m.middles[element].Scale(m.Share), at.R.ApplyT(field)
	return moment.Cross(b), -moment.Dot(b)
}

// Load implements strain.Middles.
func (m *Magnets) Load(element int, at spatial.Pose, turn spatial.Vec) (l strain.MiddleLoad) {
	moment := m.middles[element].Scale(m.Share)
	b, g := m.Field.Here(at.P)
	turned := moment.Add(turn.Cross(moment))
	var slope magnetics.Gradient
	if m.Field.HasSources {
		slope = m.Field.SlopeAlong(at.P, at.R.Apply(turned))
	}
	w, t := magnetics.Attached(&at.R, turned, b, g, slope)
	l.Wrench, l.LinLin, l.RotLin, l.RotRot = w, t.LinLin, t.RotLin, t.RotRot

	// the torque is m × Rᵀ B(p)
	cross := spatial.Skew(moment)
	l.ByTurn = cross.Mul(spatial.Skew(at.R.ApplyT(b)))
	if g != (magnetics.Gradient{}) {
		l.ByMove = cross.Mul(at.R.TMul(g.Mat().Mul(at.R)))
	}
	return l
}
