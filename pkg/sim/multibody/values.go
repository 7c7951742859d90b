package multibody

import (
	"slices"

	"sinew/pkg/sim"
	"sinew/pkg/sim/mechanism"
	"sinew/pkg/sim/reference"
	"sinew/pkg/sim/spatial"
)

// Ports implements sim.Model.
func (m *Model) Ports() []sim.Port { return m.ports }

// Command implements sim.Model.
func (m *Model) Command(i int, v []float64) {
	switch x := m.roles[i]; x.is {
	case servoJF:
		for k, value := range v {
			switch {
			case sim.IsKeep(value):
			case k < len(m.length):
				m.world.SetTension(k, value)
			default:
				m.setpoint[m.robot.efforts[k-len(m.length)]] = value
			}
		}
	case servoJP:
		for k, value := range v {
			switch {
			case sim.IsKeep(value):
			case k < len(m.robot.motors):
				n := m.robot.motors[k]
				m.setpoint[n] = value
				m.prescribed[n].Command(value, m.time)
			default:
				m.world.SetPull(m.robot.elastic[k-len(m.robot.motors)], value)
			}
		}
	case bodyPose:
		m.poses[x.index].Command(v, m.time)
	case rodWrench, bodyWrench:
		m.commandWrench(x, v)
	case wallPose:
		m.shapes.Command(x.index, v, m.time)
	}
}

// pull returns by how much the motor of tendon k has shortened it, m: the commanded pull, or where the tension is under control that
// which gives it.
func (m *Model) pull(k int) float64 {
	pull, isControlled := m.world.TendonPull(k)
	if isControlled {
		return pull
	}
	pull = m.robot.restLength[k] - m.length[k]
	if stiffness := m.robot.file.Tendons[k].Stiffness; stiffness > 0 {
		pull += m.world.TendonTension(k) / stiffness
	}
	return pull
}

// Stop implements sim.Stopper.
func (m *Model) Stop(i int) {
	switch x := m.roles[i]; x.is {
	case servoJP:
		for _, n := range m.robot.motors {
			if m.robot.coordinates[n].motor == mechanism.PrescribedMotor {
				m.setpoint[n] = m.now[n]
				m.prescribed[n].Command(m.now[n], m.time)
			}
		}
	case bodyPose:
		m.poses[x.index].Send(m.world.BodyPose(m.robot.posed[x.index]), m.time)
	case wallPose:
		m.shapes.Stop(x.index, m.world.WallPose(x.index), m.time)
	}
}

// Setpoint implements sim.Model.
func (m *Model) Setpoint(i int, dst []float64) {
	switch x := m.roles[i]; x.is {
	case servoJF:
		for k := range m.length {
			dst[k] = m.world.TendonTension(k)
		}
		for k, n := range m.robot.efforts {
			dst[len(m.length)+k] = m.setpoint[n]
		}
	case servoJP:
		for k, n := range m.robot.motors {
			dst[k] = m.setpoint[n]
		}
		for k, i := range m.robot.elastic {
			dst[len(m.robot.motors)+k] = m.pull(i)
		}
	case bodyPose:
		putPose(dst, m.poses[x.index].Target())
	case rodWrench, bodyWrench:
		m.putWrench(x, dst)
	case wallPose:
		putPose(dst, m.shapes.Target(x.index))
	}
}

// Value implements sim.Model.
func (m *Model) Value(i int, dst []float64) {
	switch x := m.roles[i]; x.is {
	case rodEnd:
		poses := m.world.NodePoses(x.index)
		putPose(dst, poses[len(poses)-1])
	case backbone:
		for k, g := range m.world.NodePoses(x.index) {
			putPose(dst[7*k:], g)
		}
	case bodyOrigin:
		putPose(dst, m.world.BodyPose(x.index))
	case measuredJS:
		m.measureJoints(dst)
	case setpointJS:
		m.showSetpoints(dst)
	case markersMeasured:
		for k := range m.robot.visuals.markers {
			putPose(dst[7*k:], m.robot.visuals.markers[k].pose(m.world))
		}
	case wallWrench:
		m.putWallWrench(x.index, dst)
	case wallFrame:
		putPose(dst, m.world.WallPose(x.index))
	case contactList:
		m.showContacts(dst)
	case reaction:
		w := m.world.Reaction(x.index)
		w.Force.Put(dst)
		w.Moment.Put(dst[3:])
	case jointWrench:
		m.putReaction(x.index, dst)
	case frames:
		m.placeFrames(m.framePoses)
		for k, g := range m.framePoses {
			putPose(dst[7*k:], g)
		}
	case sensorValues:
		m.sensors.Value(x.index, m.time, dst)
	case energies:
		dst[0], dst[1], dst[2] = m.world.Energy()
	}
}

// measureJoints writes pulls, their rates and tensions of tendons, and coordinates, their rates and the efforts of motors.
func (m *Model) measureJoints(dst []float64) {
	n := len(m.length) + len(m.robot.coordinates)
	for k := range m.length {
		dst[k], dst[n+k], dst[2*n+k] = m.robot.restLength[k]-m.length[k], -m.rate[k], m.world.TendonTension(k)
	}
	for i := range m.robot.coordinates {
		c, k := &m.robot.coordinates[i], len(m.length)+i
		dst[k], dst[n+k] = m.world.Coordinates(c.joint)[c.index], m.world.Rate(c.joint, c.index)
		dst[2*n+k] = m.world.Effort(c.joint, c.index)
	}
}

// showSetpoints writes pulls and tensions of tendons; of coordinates what is commanded as set, and the rest as it is.
func (m *Model) showSetpoints(dst []float64) {
	n := len(m.length) + len(m.robot.coordinates)
	for k := range m.length {
		dst[k], dst[n+k] = m.pull(k), m.world.TendonTension(k)
	}
	for i := range m.robot.coordinates {
		c, k := &m.robot.coordinates[i], len(m.length)+i
		dst[k], dst[n+k] = m.world.Coordinates(c.joint)[c.index], m.world.Effort(c.joint, c.index)
		switch c.motor {
		case mechanism.EffortMotor:
			dst[n+k] = m.setpoint[i]
		case mechanism.PositionMotor, mechanism.PrescribedMotor:
			dst[k] = m.setpoint[i]
		}
	}
}

func putPose(dst []float64, p spatial.Pose) {
	p.P.Put(dst)
	p.R.Quat().Put(dst[3:])
}

// widest is the joint error above which the gauge warns, in parts of the length of the robot or in rad.
const widest = 1e-6

// approachWarn is the share of their distance by which two disks have come together at a hole that deserves attention.
const approachWarn = 0.9

// hasDisks reports whether a tendon runs through disks of a rod.
func (r *Robot) hasDisks() bool {
	return slices.ContainsFunc(r.parameters.Tendons, func(t mechanism.Tendon) bool { return t.Disks.Rod != "" })
}

// Gauges implements sim.Model.
func (m *Model) Gauges() []sim.Gauge {
	all := []sim.Gauge{
		{Key: "newton_iterations", Warn: mechanism.MaxIterations - 1},
		{Key: "joint_error", Warn: widest, Hint: "largest constraint violation of a joint, in rad or in the mechanism's length; use a smaller solver.step_s"},
		{Key: sim.TimeError, Warn: sim.TimeErrorWarning, Accept: sim.TimeError, Hint: "estimated time-discretisation error; use a smaller solver.step_s, slower commands or more damping"},
		{Key: "kinetic_energy", Unit: "J"},
		{Key: "elastic_energy", Unit: "J"},
		{Key: sim.DividedSteps, Warn: 0.5, Hint: "steps that did not converge as a whole were taken in parts"},
		{Key: sim.UnconvergedSteps, Warn: 0.5, Hint: "steps failed"},
	}
	limited := func(key, what string) sim.Gauge {
		return sim.Gauge{Key: key, Warn: 0.5, Hint: "1: a " + what + " is behind its command, whose speed exceeds " + reference.SpeedLimitText}
	}
	if len(m.poses) > 0 {
		all = append(all, limited("body_speed_limited", "commanded body"))
	}
	if len(m.robot.parameters.Walls) > 0 {
		all = append(all, limited("shape_speed_limited", "shape"))
	}
	if m.robot.hasDisks() {
		all = append(all, sim.Gauge{Key: "disk_approach", Warn: approachWarn, Hint: "two disks come near one another in the hole of a tendon; 1: they touch; use less tension or pull"})
	}
	if len(m.contacts.labels) > 0 {
		all = append(all, sim.Gauge{Key: "contacts"}, sim.Gauge{Key: "contact_force_max", Unit: "N"})
	}
	return all
}

// Measure implements sim.Model.
func (m *Model) Measure(dst []float64) {
	kinetic, _, elastic := m.world.Energy()
	*(*[7]float64)(dst) = [...]float64{float64(m.iterations), m.world.ConstraintViolation(), m.world.TimeError(), kinetic, elastic, float64(m.divided), float64(m.failed)}
	dst = dst[7:]
	if len(m.poses) > 0 {
		dst[0] = flag(m.areBodiesLimited())
		dst = dst[1:]
	}
	if len(m.robot.parameters.Walls) > 0 {
		dst[0] = flag(m.areWallsLimited())
		dst = dst[1:]
	}
	if m.robot.hasDisks() {
		dst[0] = 1 - m.world.DiskDistance()
		dst = dst[1:]
	}
	if len(m.contacts.labels) > 0 {
		dst[0], dst[1] = 0, 0
		for _, o := range m.contacts.list(m.world) {
			dst[0], dst[1] = dst[0]+1, max(dst[1], o.NormalForce)
		}
	}
}

func flag(on bool) float64 {
	if on {
		return 1
	}
	return 0
}
