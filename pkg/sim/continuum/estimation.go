package continuum

import (
	"sinew/pkg/sim"
	"sinew/pkg/sim/continuum/force"
	"sinew/pkg/sim/spatial"
)

var _ sim.Estimable = (*Model)(nil)

// ContinuousState implements sim.Estimable: strains, velocities and their past, and the velocities of which sensors make accelerations.
func (m *Model) ContinuousState() []sim.Span {
	e, ok := m.engine.(*implicit)
	if !ok {
		return nil
	}
	first, n := e.stepper.ContinuousState()
	engine := m.StateLen() - e.StateLen()
	all := m.sensors.ContinuousState()
	for i := range all {
		all[i].First += engine - m.sensors.StateLen()
	}
	return append(all, sim.Span{First: engine + first, Len: n})
}

// RestoreMean implements sim.Estimable.
func (m *Model) RestoreMean(src []float64) error {
	if err := m.Restore(src); err != nil {
		return err
	}
	if e, ok := m.engine.(*implicit); ok {
		e.system.State.AlignPast()
	}
	return nil
}

// ArcLengths implements sim.Estimable.
func (m *Model) ArcLengths() []float64 { return m.robot.ArcLengths() }

// OnlyPredict implements sim.Estimable.
func (m *Model) OnlyPredict() {
	m.sensors.Stop()
	m.before = nil
	if e, ok := m.engine.(*implicit); ok {
		e.stepper.LeaveOutTimeError()
	}
}

// ReadSensor implements sim.Estimable.
func (m *Model) ReadSensor(i int, dst []float64) { m.sensors.Read(i-m.firstSensor, dst) }

// Disturb implements sim.Estimable.
func (m *Model) Disturb(forces []sim.PointForce) {
	m.disturbances = m.disturbances[:0]
	for _, x := range forces {
		m.disturbances = append(m.disturbances, force.PointLoad{At: x.ArcLength, Wrench: spatial.Wrench{Force: x.Force}, Axes: force.WorldAxes})
	}
}

// ScaleStiffness implements sim.Estimable.
func (m *Model) ScaleStiffness(factor float64) {
	if e, ok := m.engine.(*implicit); ok {
		e.system.State.ScaleStiffness(factor)
	}
}
