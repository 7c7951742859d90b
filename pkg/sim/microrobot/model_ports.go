package microrobot

import (
	"sinew/pkg/sim"
	"sinew/pkg/sim/spatial"
)

// Ports implements sim.Model.
func (m *Model) Ports() []sim.Port { return m.ports }

// Command implements sim.Model. A field command sets the field at the gradient's
// centre and ends a rotation; it leaves the gradient. A rotating field replaces the
// field and leaves the gradient; its phase goes on from the last one. An axis without
// direction leaves the axis. The lag of coils delays currents alone: a commanded field
// is what coils make.
func (m *Model) Command(i int, v []float64) {
	if m.roles[i] == coilCurrents {
		for k, x := range v {
			if !sim.IsKeep(x) {
				m.in.Targets[k] = x
			}
		}
		return
	}
	var buffer [8]float64
	now := buffer[:len(v)]
	m.Setpoint(i, now)
	for k, x := range v {
		if !sim.IsKeep(x) {
			now[k] = x
		}
	}
	m.accept(m.roles[i], now)
}

// accept makes v the setpoint.
func (m *Model) accept(r role, v []float64) {
	in := &m.in
	switch r {
	case field:
		in.setField(spatial.VecAt(v), in.target().Gradient, m.time)
	case fieldGradient:
		in.setField(spatial.VecAt(v), takeGradient(v[3:]), m.time)
	case rotatingField:
		in.setRotating(v)
	case externalWrench:
		in.External.take(v)
	case ambientFlow:
		in.Flow = takeTwist(v)
	}
}

// Setpoint implements sim.Model. A rotating field amounts to the field that it is now.
func (m *Model) Setpoint(i int, dst []float64) {
	in := &m.in
	switch m.roles[i] {
	case field:
		in.target().Field.Put(dst)
	case fieldGradient:
		to := in.target()
		to.Field.Put(dst)
		putGradient(dst[3:], to.Gradient)
	case rotatingField:
		in.Rotating.put(dst)
	case coilCurrents:
		copy(dst, in.Targets)
	case externalWrench:
		in.External.put(dst)
	case ambientFlow:
		putTwist(dst, in.Flow)
	}
}

// Value implements sim.Model. measured_cp and path are what the camera shows, if there
// is one; all else is exact. measured_cv is the velocity under the present loads;
// with Brownian motion, which has none, that without the thermal loads.
// applied_wrench is all that acts besides the fluid and the walls. No value is infinite.
func (m *Model) Value(i int, dst []float64) {
	x := m.place()
	switch m.roles[i] {
	case measuredCP, path:
		putPlacement(dst, m.measured())
	case drawnCP:
		drawn := *x
		drawn.P = drawn.P.Scale(m.robot.drawingScale)
		putPlacement(dst, &drawn)
	case poses:
		m.putPlacements(dst)
	case measuredCV:
		m.prepare()
		v, w := m.engine.Velocity()
		putTwist(dst, spatial.Twist{Linear: v, Angular: x.Q.Apply(w)})
	case measuredCA:
		m.prepare()
		putTwist(dst, m.engine.(accelerator).Acceleration())
	case fieldAtRobot:
		m.prepare()
		b, _ := m.env.field(0, x.P)
		b.Put(dst)
	case appliedWrench:
		m.prepare()
		rot := x.Q.Rot()
		f, t := m.env.load(0, x.P, &rot)
		f.Put(dst)
		t.Put(dst[3:])
	}
	saturate(dst)
}

// Robots implements sim.Swarm.
func (m *Model) Robots() int {
	if m.robot.file.Swarm == nil {
		return 0
	}
	return len(m.engine.Placements())
}

// ValueOfAll implements sim.Swarm for poses and velocities. A camera looks at the first
// robot alone, so these poses are exact.
func (m *Model) ValueOfAll(i int, dst []float64) bool {
	switch m.roles[i] {
	case measuredCP:
		m.putPlacements(dst)
	case measuredCV:
		m.prepare()
		m.engine.(crowd).Motions(m.motions)
		for k, x := range m.engine.Placements() {
			t := m.motions[k]
			t.Angular = x.Q.Apply(t.Angular)
			putTwist(dst[twistLen*k:], t)
		}
	default:
		return false
	}
	saturate(dst)
	return true
}

// putPlacements writes where the robots are.
func (m *Model) putPlacements(dst []float64) {
	for k, x := range m.engine.Placements() {
		putPlacement(dst[placementLen*k:], &x)
	}
}
