package continuum

import (
	"math"

	"sinew/pkg/sim"
	"sinew/pkg/sim/continuum/force"
	"sinew/pkg/sim/spatial"
)

// Ports implements sim.Model.
func (m *Model) Ports() []sim.Port { return m.ports }

// Command implements sim.Model.
func (m *Model) Command(i int, v []float64) {
	switch m.roles[i] {
	case servoJF:
		for p, k := range m.undriven {
			if x := v[p]; !sim.IsKeep(x) {
				m.in.Setpoints[k] = force.Setpoint{Mode: force.TensionControl, Tension: x}
			}
		}
	case servoJP:
		for k, x := range v {
			if !sim.IsKeep(x) {
				m.in.Setpoints[k] = force.Setpoint{Mode: force.LengthControl, Pull: x}
			}
		}
	case servoJoints:
		for k, x := range v {
			if !sim.IsKeep(x) {
				m.joints.states[k].Command(x, m.yield(k))
			}
		}
	case measuredShafts:
		for k, x := range v {
			if !sim.IsKeep(x) {
				m.joints.states[k].Measure(x, m.yield(k))
			}
		}
	case externalWrench:
		var w [force.TipWrenchLen]float64
		m.in.Tip.Put(w[:])
		for k, x := range v {
			if !sim.IsKeep(x) {
				w[k] = x
			}
		}
		m.in.Tip.Set(w[:])
	case basePose:
		m.twisting = false
		m.base.Command(v, m.time)
	case servoInsertion:
		m.insert(v)
	case fieldInput:
		m.field.Command(i-m.fields, v)
	case shapePose:
		m.shapes.Command(i-m.shapePoses, v, m.time)
	}
}

// Stop implements sim.Stopper.
func (m *Model) Stop(i int) {
	switch m.roles[i] {
	case servoJoints:
		for _, s := range m.joints.states {
			s.Stop()
		}
	case basePose:
		m.stopBase()
	case fieldInput:
		m.field.Stop(i - m.fields)
	case shapePose:
		k := i - m.shapePoses
		m.shapes.Stop(k, m.contacts().WallPose(k), m.time)
	}
}

// Setpoint implements sim.Model. A tension-controlled tendon would be held by the
// pull that gives its present tension, and the other way round.
func (m *Model) Setpoint(i int, dst []float64) {
	switch m.roles[i] {
	case servoJF:
		for p, k := range m.undriven {
			dst[p] = m.engine.Tension(k, m.in.Setpoints[k])
		}
	case servoJoints:
		for k, s := range m.joints.states {
			dst[k] = s.Commanded(m.yield(k))
		}
	case measuredShafts:
		for k := range m.joints.states {
			dst[k] = m.shaft(k)
		}
	case servoJP:
		for k, d := range m.in.Setpoints {
			dst[k] = d.Pull
			if d.Mode == force.TensionControl {
				dst[k] = m.pull(k) + d.Tension/m.robot.tendons[k].Stiffness
			}
		}
	case externalWrench:
		m.in.Tip.Put(dst)
	case basePose:
		putPose(dst, m.base.Target())
	case servoInsertion:
		dst[0], dst[1] = m.inserted(), m.twisted
	case fieldInput:
		m.field.Setpoint(i-m.fields, dst)
	case shapePose:
		putPose(dst, m.shapes.Target(i-m.shapePoses))
	}
}

// insert sends the base along and about its axis: by v[0] (m) from where the robot file puts
// it, and by v[1] (rad). It stays to the side, where a base_pose has brought it there.
func (m *Model) insert(v []float64) {
	to := m.base.Target()
	if !sim.IsKeep(v[0]) {
		to.P = to.P.AddScaled(v[0]-m.inserted(), to.R.Col3())
	}
	if !sim.IsKeep(v[1]) {
		turn := spatial.Vec{Z: v[1] - m.twisted}
		to.R = to.R.Mul(spatial.ExpRot(turn)).Quat().Normalized().Rot() // so that errors do not add up
		m.twisted, m.twisting = v[1], true
	}
	m.base.Send(to, m.time)
}

// stopBase ends the way of the base where it is. What it has not turned of an insertion, which turns
// it about its axis, it has not been turned by.
func (m *Model) stopBase() {
	const roundoff = 1e-9 // rad
	now := m.engine.NodePose(0)
	left := now.R.TMul(m.base.Target().R).Log()
	if m.twisting && math.Hypot(left.X, left.Y) < roundoff {
		m.twisted -= left.Z
	}
	m.base.Send(now, m.time)
}

// inserted is how far along its axis the base is sent, m, from where the robot file puts it.
func (m *Model) inserted() float64 {
	to := m.base.Target()
	return to.P.Sub(m.robot.rod.Base.P).Dot(to.R.Col3())
}

// pull is by how much tendon k is shorter between base and last disk than in the
// stress-free rod, m.
func (m *Model) pull(k int) float64 {
	length, _ := m.engine.Tendon(k)
	return m.engine.RestLength(k) - length
}

// Value implements sim.Model.
func (m *Model) Value(i int, dst []float64) {
	n := m.robot.rod.Elements
	switch m.roles[i] {
	case measuredCP, tipPath:
		putPose(dst, m.engine.NodePose(n))
	case measuredCV:
		t := m.engine.NodeTwist(n)
		t.Linear.Put(dst)
		t.Angular.Put(dst[3:])
	case measuredJS:
		m.measureTendons(dst)
	case setpointJS:
		m.showSetpoints(dst)
	case measuredCF:
		w := m.engine.BaseWrench(&m.in)
		w.Force.Put(dst)
		w.Moment.Put(dst[3:])
	case backbone:
		for k := range n + 1 {
			putPose(dst[7*k:], m.engine.NodePose(k))
		}
	case markersMeasured:
		m.showMarkers(dst)
	case contactList:
		m.showContacts(dst)
	case baseWrench:
		w, r := m.engine.BaseWrench(&m.in), m.basePose().R
		r.Apply(w.Force).Put(dst)
		r.Apply(w.Moment).Put(dst[3:])
	case shapeWrench:
		w := m.onShape(i - m.shapeWrenches)
		w.Force.Put(dst)
		w.Moment.Put(dst[3:])
	case shapeTF:
		putPose(dst, m.contacts().WallPose(i-m.shapeFrames))
	case baseTF:
		putPose(dst, m.basePose())
	case sensorValues:
		m.sensors.Value(i-m.firstSensor, m.time, dst)
	case fieldAtTip:
		m.fieldAt(m.engine.NodePose(n).P).Put(dst)
	}
}

// measureTendons writes pulls, their rates and tensions, and beside them angles, rates and
// torques of the joints.
func (m *Model) measureTendons(dst []float64) {
	n := len(m.in.Setpoints) + len(m.joints.states)
	m.measureJoints(dst, len(m.in.Setpoints), n)
	for k, d := range m.in.Setpoints {
		length, rate := m.engine.Tendon(k)
		dst[k] = m.engine.RestLength(k) - length
		dst[n+k] = -rate
		dst[2*n+k] = m.engine.Tension(k, d)
	}
}

// showSetpoints writes pulls and tensions: of each tendon the one that is
// controlled as set and the other as it is; of each joint the commanded angle and the torque.
func (m *Model) showSetpoints(dst []float64) {
	first := len(m.in.Setpoints)
	n := first + len(m.joints.states)
	for i, s := range m.joints.states {
		dst[first+i], dst[n+first+i] = s.Commanded(m.yield(i)), m.torque(i)
	}
	for k, d := range m.in.Setpoints {
		dst[k], dst[n+k] = d.Pull, d.Tension
		if d.Mode == force.TensionControl {
			dst[k] = m.pull(k)
		} else {
			dst[n+k] = m.engine.Tension(k, d)
		}
	}
}

func putPose(dst []float64, p spatial.Pose) {
	p.P.Put(dst)
	p.R.Quat().Put(dst[3:])
}
