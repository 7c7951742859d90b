package multibody

import (
	"fmt"

	"sinew/pkg/sim/reference"
	"sinew/pkg/sim/spatial"
)

// coordinateLen is the number of values of a coordinate in a saved state.
const coordinateLen = 2 + reference.CoordinateLen

// StateLen implements sim.Model.
func (m *Model) StateLen() int {
	return 4 + coordinateLen*len(m.setpoint) + 2*len(m.length) + reference.PoseLen*len(m.poses) + m.shapes.StateLen() + m.sensors.StateLen() + m.world.StateLen()
}

// Save implements sim.Model.
func (m *Model) Save(dst []float64) {
	dst = dst[:m.StateLen()]
	dst[0], dst[1], dst[2], dst[3] = m.time, float64(m.iterations), float64(m.divided), float64(m.failed)
	dst = dst[4:]
	for i := range m.prescribed {
		dst[0], dst[1] = m.setpoint[i], m.now[i]
		m.prescribed[i].Save(dst[2:])
		dst = dst[coordinateLen:]
	}
	for i := range m.length {
		dst[0], dst[1] = m.length[i], m.rate[i]
		dst = dst[2:]
	}
	for _, p := range m.poses {
		p.Save(dst)
		dst = dst[reference.PoseLen:]
	}
	m.shapes.Save(dst)
	m.world.Save(m.sensors.Save(dst[m.shapes.StateLen():]))
}

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
	m.time, m.iterations, m.divided, m.failed = src[0], int(src[1]), uint64(src[2]), uint64(src[3])
	src = src[4:]
	for i := range m.prescribed {
		m.setpoint[i], m.now[i] = src[0], src[1]
		m.prescribed[i].Restore(src[2:])
		src = src[coordinateLen:]
	}
	for i := range m.length {
		m.length[i], m.rate[i] = src[0], src[1]
		src = src[2:]
	}
	for _, p := range m.poses {
		p.Restore(src)
		src = src[reference.PoseLen:]
	}
	m.shapes.Restore(src)
	m.world.Restore(m.sensors.Restore(src[m.shapes.StateLen():]))
	return nil
}
