package continuum

import (
	"strconv"

	"sinew/pkg/sim"
	"sinew/pkg/sim/spatial"
)

// role is what a port of a Model is.
type role uint8

const (
	servoJF role = iota
	servoJP
	externalWrench
	basePose
	measuredCP
	measuredCV
	measuredJS
	setpointJS
	measuredCF
	backbone
	tipPath
	baseTF
)

// Frames of the robot.
const (
	baseFrame = "base"
	tipFrame  = "tip"
)

// tipWrenchFrames are the frames that an external wrench may be given in, by
// axes.
var tipWrenchFrames = []string{worldAxes: sim.World, bodyAxes: tipFrame}

func (m *Model) listPorts() {
	add := func(r role, p sim.Port) {
		m.roles = append(m.roles, r)
		m.ports = append(m.ports, p)
	}
	world, names := []string{sim.World}, m.tendonNames()
	if len(names) > 0 {
		add(servoJF, m.tensionPort(names))
	}
	if m.robot.transduce {
		add(servoJP, sim.Port{Name: "servo_jp", Kind: sim.TendonLength, Direction: sim.In, Labels: names, Unit: "m", Group: tendonGroup})
	}
	add(externalWrench, sim.Port{Name: "external_wrench", Kind: sim.Wrench, Direction: sim.In, Unit: "N, N m", Frames: tipWrenchFrames, Group: "external_wrench"})
	if m.base != nil {
		k := sim.Keep // without commands the base stays
		add(basePose, sim.Port{Name: "base_pose", Kind: sim.Pose, Direction: sim.In, Unit: "m", Frames: world, Group: "base_pose",
			Safe: []float64{k, k, k, k, k, k, k}})
	}
	add(measuredCP, sim.Port{Name: "measured_cp", Kind: sim.Pose, Direction: sim.Out, Unit: "m", Frames: world, Child: tipFrame, Parent: baseFrame})
	add(measuredCV, sim.Port{Name: "measured_cv", Kind: sim.Twist, Direction: sim.Out, Unit: "m/s, rad/s", Frames: world})
	if len(names) > 0 {
		js := sim.Port{Name: "measured_js", Kind: sim.JointState, Direction: sim.Out, Labels: names, Unit: "m, m/s, N",
			Parts: sim.Position | sim.Velocity | sim.Effort, Frames: []string{baseFrame}}
		add(measuredJS, js)
		js.Name, js.Unit, js.Parts = "setpoint_js", "m, N", sim.Position|sim.Effort
		add(setpointJS, js)
	}
	add(measuredCF, sim.Port{Name: "measured_cf", Kind: sim.Wrench, Direction: sim.Out, Unit: "N, N m", Frames: []string{baseFrame}})
	add(backbone, sim.Port{Name: "backbone", Kind: sim.PoseArray, Direction: sim.Out, Unit: "m", Labels: m.nodeNames(), Frames: world})
	add(tipPath, sim.Port{Name: "tip_path", Kind: sim.Path, Direction: sim.Out, Pace: sim.Slow, Unit: "m", Frames: world})
	add(baseTF, sim.Port{Name: "base", Kind: sim.Pose, Direction: sim.Out, Unit: "m", Frames: world, Child: baseFrame, Parent: sim.World, Silent: true})
}

// tendonGroup is the group of the ports that drive the tendons.
const tendonGroup = "tendons"

func (m *Model) tensionPort(names []string) sim.Port {
	p := sim.Port{
		Name: "servo_jf", Kind: sim.Tension, Direction: sim.In, Labels: names, Unit: "N",
		Plain: "tensions", Group: tendonGroup,
	}
	for _, t := range m.robot.tendons {
		p.Min = append(p.Min, 0)
		p.Max = append(p.Max, t.limits.MaxTension)
		p.MaxRate = append(p.MaxRate, t.limits.MaxRate)
		p.Safe = append(p.Safe, t.limits.Pretension)
	}
	return p
}

func (m *Model) tendonNames() []string {
	var names []string
	for _, t := range m.robot.tendons {
		names = append(names, t.name)
	}
	return names
}

func (m *Model) nodeNames() []string {
	names := make([]string, m.robot.rod.Elements+1)
	for k := range names {
		names[k] = strconv.Itoa(k)
	}
	return names
}

// Ports is that of sim.Model.
func (m *Model) Ports() []sim.Port { return m.ports }

// Command is that of sim.Model.
func (m *Model) Command(i int, v []float64) {
	switch m.roles[i] {
	case servoJF:
		for k, x := range v {
			if !sim.IsKeep(x) {
				m.in.Drives[k] = drive{Mode: tensionControl, Tension: x}
			}
		}
	case servoJP:
		for k, x := range v {
			if !sim.IsKeep(x) {
				m.in.Drives[k] = drive{Mode: lengthControl, Pull: x}
			}
		}
	case externalWrench:
		var w [wrenchLen]float64
		m.in.Tip.put(w[:])
		for k, x := range v {
			if !sim.IsKeep(x) {
				w[k] = x
			}
		}
		m.in.Tip.take(w[:])
	case basePose:
		m.base.command(v, m.time)
	}
}

// Setpoint is that of sim.Model. A tension-controlled tendon would be held by the
// pull that gives its present tension, and the other way round.
func (m *Model) Setpoint(i int, dst []float64) {
	switch m.roles[i] {
	case servoJF:
		for k, d := range m.in.Drives {
			dst[k] = m.engine.Tension(k, d)
		}
	case servoJP:
		for k, d := range m.in.Drives {
			dst[k] = d.Pull
			if d.Mode == tensionControl {
				dst[k] = m.pull(k) + d.Tension/m.robot.tendons[k].stiffness
			}
		}
	case externalWrench:
		m.in.Tip.put(dst)
	case basePose:
		putPose(dst, m.base.target)
	}
}

// pull is by how much tendon k is shorter between base and last disk than in the
// stress-free rod, m.
func (m *Model) pull(k int) float64 {
	length, _ := m.engine.Tendon(k)
	return m.engine.RestLength(k) - length
}

// Value is that of sim.Model.
func (m *Model) Value(i int, dst []float64) {
	n := m.robot.rod.Elements
	switch m.roles[i] {
	case measuredCP, tipPath:
		putPose(dst, m.engine.NodePose(n))
	case measuredCV:
		t := m.engine.TipTwist()
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
	case baseTF:
		putPose(dst, m.basePose())
	}
}

// measureTendons writes pulls, their rates and tensions.
func (m *Model) measureTendons(dst []float64) {
	n := len(m.in.Drives)
	for k, d := range m.in.Drives {
		length, rate := m.engine.Tendon(k)
		dst[k] = m.engine.RestLength(k) - length
		dst[n+k] = -rate
		dst[2*n+k] = m.engine.Tension(k, d)
	}
}

// showSetpoints writes pulls and tensions: of each tendon the one that is
// controlled as set and the other as it is.
func (m *Model) showSetpoints(dst []float64) {
	n := len(m.in.Drives)
	for k, d := range m.in.Drives {
		dst[k], dst[n+k] = d.Pull, d.Tension
		if d.Mode == tensionControl {
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

// put writes the wrench as a port of kind Wrench with several frames does.
func (w *tipWrench) put(dst []float64) {
	w.Force.Put(dst)
	w.Moment.Put(dst[3:])
	dst[6] = float64(w.Axes)
}

// take reads what put wrote.
func (w *tipWrench) take(src []float64) {
	w.Force = spatial.VecAt(src)
	w.Moment = spatial.VecAt(src[3:])
	w.Axes = axes(src[6])
}
