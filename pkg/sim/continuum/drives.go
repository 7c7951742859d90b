package continuum

import (
	"slices"

	"sinew/pkg/sim"
	"sinew/pkg/sim/continuum/force"
	"sinew/pkg/sim/drive"
	"sinew/pkg/sim/robotfile"
)

// joint is a motor joint with the tendons on its pulley.
type joint struct {
	name       string
	constants  drive.Joint
	initial    float64 // commanded angle, rad
	compliance float64 // of the shaft, rad/(N m)
	wound      []wound
	limits     robotfile.JointLimits
}

// wound is a tendon on a pulley: an angle of the pulley pulls it by arm times that, and rest.
type wound struct {
	tendon    int
	arm, rest float64 // m
}

// addJoints makes the joints of the robot file and takes their tendons from those that are
// commanded one by one.
func (r *Robot) addJoints() {
	for i := range r.file.Drives.Joints {
		f := &r.file.Drives.Joints[i]
		j := joint{
			name: f.Name, initial: f.Angle, compliance: f.Compliance, limits: f.Limits,
			constants: drive.Joint{DeadTime: f.DeadTime, Lag: f.Lag, Gain: f.Gain, Backlash: f.Backlash, Shortest: r.file.ShortestStep()},
		}
		for _, w := range f.Tendons {
			k := slices.IndexFunc(r.tendons, func(a actuator) bool { return a.Name == w.Name })
			j.wound = append(j.wound, wound{k, w.Gain * f.Pulley, w.RestPull})
			r.tendons[k].driven = true
		}
		r.joints = append(r.joints, j)
	}
}

// undriven lists the tendons that no joint moves.
func (r *Robot) undriven() (list []int) {
	for k := range r.tendons {
		if !r.tendons[k].driven {
			list = append(list, k)
		}
	}
	return list
}

// joints are the motor joints of a model.
type joints struct {
	robot    *Robot
	states   []*drive.State
	coupling *drive.Coupling // nil: no tendon gives way to another
}

func (r *Robot) newJoints() joints {
	j := joints{robot: r}
	shared := r.file.Drives.SharedCompliance > 0
	for i := range r.joints {
		j.states = append(j.states, drive.NewState(r.joints[i].constants, r.joints[i].initial))
		shared = shared || r.joints[i].compliance > 0
	}
	if shared {
		j.coupling = drive.NewCoupling(len(r.tendons))
	}
	return j
}

// advance moves the joints by dt seconds, and pull makes that the pulls of their tendons.
func (j *joints) advance(dt float64, in *inputs) {
	for _, s := range j.states {
		s.Advance(dt)
	}
	j.pull(in)
}

// undo takes the last advance back.
func (j *joints) undo(in *inputs) {
	for _, s := range j.states {
		s.Undo()
	}
	j.pull(in)
}

// settle lets the joints come to rest.
func (j *joints) settle(in *inputs) {
	for _, s := range j.states {
		s.Settle()
	}
	j.pull(in)
}

// pull sets what the joints want of their tendons, and how far these give way to one another. A
// shaft whose angle is measured has given way already.
func (j *joints) pull(in *inputs) {
	in.Coupling = j.coupling
	if j.coupling != nil {
		j.coupling.Reset(j.robot.file.Drives.SharedCompliance)
	}
	for i, s := range j.states {
		c := &j.robot.joints[i]
		for _, w := range c.wound {
			in.Setpoints[w.tendon] = force.Setpoint{Mode: force.LengthControl, Pull: w.arm*s.Pulley() + w.rest}
			if j.coupling == nil || s.Measured() {
				continue
			}
			for _, v := range c.wound {
				j.coupling.Add(w.tendon, v.tendon, w.arm, v.arm, c.compliance)
			}
		}
	}
}

func (j *joints) stateLen() (n int) {
	for _, s := range j.states {
		n += s.StateLen()
	}
	return n
}

// save writes the joints to dst and returns the rest of it.
func (j *joints) save(dst []float64) []float64 {
	for _, s := range j.states {
		s.Save(dst)
		dst = dst[s.StateLen():]
	}
	return dst
}

// restore reads what save wrote and returns the rest of src.
func (j *joints) restore(src []float64, in *inputs) []float64 {
	for _, s := range j.states {
		s.Restore(src)
		src = src[s.StateLen():]
	}
	j.pull(in)
	return src
}

// torque is what the tendons of joint i turn it back with, N m.
func (m *Model) torque(i int) (sum float64) {
	for _, w := range m.robot.joints[i].wound {
		sum += w.arm * m.engine.Tension(w.tendon, m.in.Setpoints[w.tendon])
	}
	return sum
}

// yield is by what angle the shaft of joint i gives way to its tendons, rad.
func (m *Model) yield(i int) float64 {
	if c := m.robot.joints[i].compliance; c > 0 {
		return c * m.torque(i)
	}
	return 0
}

// shaft is the angle of the shaft of joint i under load, rad.
func (m *Model) shaft(i int) float64 {
	s := m.joints.states[i]
	if s.Measured() {
		return s.Shaft()
	}
	return s.Shaft() - m.yield(i)
}

// showJoints takes note of the angles of the shafts, dt seconds after the last time; 0: at rest.
func (m *Model) showJoints(dt float64) {
	for i, s := range m.joints.states {
		s.SetLoadedAngle(m.shaft(i), dt)
	}
}

// measureJoints writes the angle, rate and torque of each joint, in a joint state of width
// values, from first on.
func (m *Model) measureJoints(dst []float64, first, width int) {
	for i, s := range m.joints.states {
		dst[first+i] = m.shaft(i)
		dst[width+first+i] = s.Rate()
		dst[2*width+first+i] = m.torque(i)
	}
}

// jointGroup is the group of the ports that take angles.
const jointGroup = "joints"

// jointPort commands the joints. Without commands they stop where they are.
func (r *Robot) jointPort() sim.Port {
	p := sim.Port{
		Name: "servo_jp", Kind: sim.JointState, Parts: sim.Position, Direction: sim.In, Unit: "rad", Group: jointGroup, Labels: r.jointNames(),
	}
	for i := range r.joints {
		l := &r.joints[i].limits
		p.Min, p.Max, p.MaxRate = append(p.Min, l.Min), append(p.Max, l.Max), append(p.MaxRate, l.MaxRate)
		p.Safe = append(p.Safe, sim.Keep)
	}
	return p
}

// shaftPort takes angles of shafts that were measured.
func (r *Robot) shaftPort() sim.Port {
	p := sim.Port{
		Name: "shaft_jp", Kind: sim.JointState, Parts: sim.Position, Direction: sim.In, Unit: "rad", Group: jointGroup, Labels: r.jointNames(), Measured: true,
		Strict: true, Hint: "the unit is radian: 90 degrees are 1.571",
	}
	for range r.joints {
		p.Min, p.Max = append(p.Min, -maxTwist), append(p.Max, maxTwist)
		p.Safe = append(p.Safe, sim.Keep)
	}
	return p
}

func (r *Robot) jointNames() (names []string) {
	for i := range r.joints {
		names = append(names, r.joints[i].name)
	}
	return names
}
