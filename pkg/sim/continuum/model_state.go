package continuum

import (
	"errors"
	"fmt"
	"sinew/pkg/sim/continuum/force"

	"sinew/pkg/sim/reference"
	"sinew/pkg/sim/spatial"
)

// setpointLen is the number of values of a setpoint in a saved state.
const setpointLen = 3

// StateLen implements sim.Model.
func (m *Model) StateLen() int {
	n := 1 + setpointLen*len(m.in.Setpoints) + m.joints.stateLen() + force.TipWrenchLen + m.engine.StateLen()
	if m.base != nil {
		n += 2 + reference.PoseLen
	}
	if m.field != nil {
		n += m.field.StateLen()
	}
	if m.shapes != nil {
		n += m.shapes.StateLen()
	}
	return n + m.sensors.StateLen()
}

// Save implements sim.Model.
func (m *Model) Save(dst []float64) {
	dst = dst[:m.StateLen()]
	dst[0] = m.time
	dst = dst[1:]
	for _, d := range m.in.Setpoints {
		dst[0], dst[1], dst[2] = float64(d.Mode), d.Tension, d.Pull
		dst = dst[setpointLen:]
	}
	dst = m.joints.save(dst)
	m.in.Tip.Put(dst)
	dst = dst[force.TipWrenchLen:]
	if m.base != nil {
		dst[0], dst[1] = m.twisted, flag(m.twisting)
		m.base.Save(dst[2:])
		dst = dst[2+reference.PoseLen:]
	}
	if m.field != nil {
		m.field.Save(dst)
		dst = dst[m.field.StateLen():]
	}
	if m.shapes != nil {
		m.shapes.Save(dst)
		dst = dst[m.shapes.StateLen():]
	}
	m.engine.Save(m.sensors.Save(dst))
}

// ErrBadState is the error, in the sense of errors.Is, of a state that no Save has written.
var ErrBadState = errors.New("continuum: not a saved state of this robot")

// Restore implements sim.Model.
func (m *Model) Restore(src []float64) error {
	if len(src) != m.StateLen() {
		return fmt.Errorf("%w: %d values instead of %d", ErrBadState, len(src), m.StateLen())
	}
	for i, x := range src {
		if !spatial.IsFinite(x) {
			return fmt.Errorf("%w: value %d is %g", ErrBadState, i, x)
		}
	}
	if !m.areSetpoints(src[1:]) {
		return fmt.Errorf("%w: no such mode of control, queue of a joint or frame", ErrBadState)
	}
	m.time = src[0]
	src = src[1:]
	for k := range m.in.Setpoints {
		m.in.Setpoints[k] = force.Setpoint{Mode: force.ControlMode(src[0]), Tension: src[1], Pull: src[2]}
		src = src[setpointLen:]
	}
	src = m.joints.restore(src, &m.in)
	m.in.Tip.Set(src)
	src = src[force.TipWrenchLen:]
	if m.base != nil {
		m.twisted, m.twisting = src[0], src[1] != 0
		m.base.Restore(src[2:])
		src = src[2+reference.PoseLen:]
	}
	if m.field != nil {
		m.field.Restore(src)
		src = src[m.field.StateLen():]
	}
	if m.shapes != nil {
		m.shapes.Restore(src)
		src = src[m.shapes.StateLen():]
	}
	m.engine.Restore(m.sensors.Restore(src))
	m.setLoads()
	return nil
}

// areSetpoints reports whether src holds modes of control, joints and axes that there are.
func (m *Model) areSetpoints(src []float64) bool {
	for range m.in.Setpoints {
		if src[0] != float64(force.TensionControl) && src[0] != float64(force.LengthControl) {
			return false
		}
		src = src[setpointLen:]
	}
	for _, s := range m.joints.states {
		if !s.IsState(src) {
			return false
		}
		src = src[s.StateLen():]
	}
	a := src[force.TipWrenchLen-1]
	return a == float64(force.WorldAxes) || a == float64(force.BodyAxes)
}
