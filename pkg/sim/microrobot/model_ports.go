package microrobot

import (
	"sinew/pkg/sim"
	"sinew/pkg/sim/spatial"
)

// Ports implements sim.Model.
func (m *Model) Ports() []sim.Port { return m.ports }

// Command implements sim.Model.
func (m *Model) Command(i int, v []float64) {
	if m.roles[i] == fieldInput {
		m.in.Field.Command(i, v) // these ports come first
		return
	}
	if m.roles[i] == shapePose {
		m.shapes.Command(i-m.shapes.firstPort, v, m.time)
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
	switch m.roles[i] {
	case externalWrench:
		m.in.External.take(now)
	case ambientFlow:
		m.in.Flow = takeTwist(now)
	}
}

// Stop implements sim.Stopper.
func (m *Model) Stop(i int) {
	switch m.roles[i] {
	case fieldInput:
		m.in.Field.Stop(i)
	case shapePose:
		k := i - m.shapes.firstPort
		m.shapes.Stop(k, m.shapes.walls.SurfacePose(k), m.time)
	}
}

// Setpoint implements sim.Model.
func (m *Model) Setpoint(i int, dst []float64) {
	switch m.roles[i] {
	case fieldInput:
		m.in.Field.Setpoint(i, dst)
	case shapePose:
		to := m.shapes.Target(i - m.shapes.firstPort)
		to.P.Put(dst)
		to.R.Quat().Put(dst[3:])
	case externalWrench:
		m.in.External.put(dst)
	case ambientFlow:
		putTwist(dst, m.in.Flow)
	}
}

// Value implements sim.Model. measured_cv is the velocity under the present loads;
// with Brownian motion, which has none, that without the thermal loads.
// applied_wrench is all that acts besides the fluid and the walls. No value is infinite.
func (m *Model) Value(i int, dst []float64) {
	x := m.placement()
	switch m.roles[i] {
	case measuredCP, path:
		putPlacement(dst, x)
	case drawnCP:
		drawn := *x
		drawn.P = drawn.P.Scale(m.robot.drawingScale)
		putPlacement(dst, &drawn)
	case poses:
		m.putPlacements(dst)
	case contactList:
		m.showContacts(dst)
	case shapeTF:
		at := m.robot.walls.SurfacePose(i - m.shapes.firstFrame)
		at.P.Put(dst)
		at.R.Quat().Put(dst[3:])
	case measuredCV:
		m.prepare()
		v, w := m.engine.Velocity()
		putTwist(dst, spatial.Twist{Linear: v, Angular: x.Q.Apply(w)})
	case sensorValues:
		m.sensors.Value(i-m.firstSensor, m.time, dst)
	case measuredCA:
		m.prepare()
		putTwist(dst, m.engine.(inertialEngine).Acceleration())
	case fieldAtRobot:
		m.prepare()
		b, _ := m.env.At(0, x.P)
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

// ValueOfAll implements sim.Swarm for poses and velocities.
func (m *Model) ValueOfAll(i int, dst []float64) bool {
	switch m.roles[i] {
	case measuredCP:
		m.putPlacements(dst)
	case measuredCV:
		m.prepare()
		m.engine.(multiBodyEngine).Motions(m.motions)
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
