package continuum

import (
	"math"
	"slices"
	"strconv"

	"sinew/pkg/sim"
	"sinew/pkg/sim/continuum/force"
	"sinew/pkg/sim/reference"
)

// role is what a port of a Model is.
type role uint8

const (
	servoJF role = iota
	servoJP
	servoJoints
	measuredShafts
	externalWrench
	basePose
	servoInsertion
	fieldInput // of reference.Field, all in a row
	shapePose  // of reference.Shapes, all in a row
	measuredCP
	measuredCV
	measuredJS
	setpointJS
	measuredCF
	backbone
	markersMeasured
	tipPath
	baseTF
	contactList
	baseWrench
	fieldAtTip
	shapeWrench  // one for each shape, all in a row
	shapeTF      // the same
	sensorValues // the same
)

// Frames of the robot.
const (
	baseFrame = "base"
	tipFrame  = "tip"
)

// tipWrenchFrames are the frames that an external wrench may be given in, by
// axes.
var tipWrenchFrames = []string{force.WorldAxes: sim.World, force.BodyAxes: tipFrame}

// listPorts lists what models of the robot take and give, in a field and among shapes unless
// those are nil.
func (r *Robot) listPorts(movingBase bool, field *reference.Field, shapes *reference.Shapes) (ports []sim.Port, roles []role) {
	add := func(x role, p sim.Port) {
		roles = append(roles, x)
		ports = append(ports, p)
	}
	world, names := []string{sim.World}, r.tendonNames()
	if len(r.undriven()) > 0 {
		add(servoJF, r.tensionPort())
	}
	switch {
	case len(r.joints) > 0:
		add(servoJoints, r.jointPort())
		add(measuredShafts, r.shaftPort())
	case r.elastic:
		add(servoJP, r.pullPort(names))
	}
	add(externalWrench, sim.Port{Name: "external_wrench", Kind: sim.Wrench, Direction: sim.In, Unit: "N, N m", Frames: tipWrenchFrames, Group: "external_wrench"})
	if movingBase {
		add(basePose, reference.PosePort("base_pose", r.farthest()))
		add(servoInsertion, insertionPort())
	}
	if field != nil {
		for _, p := range field.Ports() {
			add(fieldInput, p)
		}
		add(fieldAtTip, sim.Port{Name: "field_at_tip", Kind: sim.Field, Direction: sim.Out, Unit: "T", Frames: world})
	}
	if shapes != nil {
		for _, p := range shapes.Ports() {
			add(shapePose, p)
		}
	}
	add(measuredCP, sim.Port{Name: "measured_cp", Kind: sim.Pose, Direction: sim.Out, Unit: "m", Frames: world, Child: tipFrame, Parent: baseFrame})
	add(measuredCV, sim.Port{Name: "measured_cv", Kind: sim.Twist, Direction: sim.Out, Unit: "m/s, rad/s", Frames: world})
	if len(names) > 0 {
		names := slices.Concat(names, r.jointNames())
		js := sim.Port{Name: "measured_js", Kind: sim.JointState, Direction: sim.Out, Labels: names, Unit: "m, m/s, N",
			Parts: sim.Position | sim.Velocity | sim.Effort, Frames: []string{baseFrame}}
		add(measuredJS, js)
		js.Name, js.Unit, js.Parts = "setpoint_js", "m, N", sim.Position|sim.Effort
		add(setpointJS, js)
	}
	add(measuredCF, sim.Port{Name: "measured_cf", Kind: sim.Wrench, Direction: sim.Out, Unit: "N, N m", Frames: []string{baseFrame}})
	add(backbone, sim.Port{Name: "backbone", Kind: sim.PoseArray, Direction: sim.Out, Unit: "m", Labels: r.nodeNames(), Frames: world})
	if len(r.points) > 0 {
		add(markersMeasured, r.markersPort())
	}
	add(tipPath, sim.Port{Name: "tip_path", Kind: sim.Path, Direction: sim.Out, Pace: sim.Slow, Unit: "m", Frames: world})
	for _, name := range r.wallNames() {
		add(shapeWrench, reference.ShapeWrenchPort(name))
	}
	for _, name := range r.wallNames() {
		add(shapeTF, reference.ShapePosePort(name))
	}
	if r.touches() {
		add(contactList, sim.Port{Name: "contacts", Kind: sim.Contacts, Direction: sim.Out, Labels: r.touchNames(), Unit: "m, N", Frames: world})
		add(baseWrench, sim.Port{Name: "base_wrench", Kind: sim.Wrench, Direction: sim.Out, Unit: "N, N m", Frames: world, Silent: true})
	}
	add(baseTF, sim.Port{Name: "base", Kind: sim.Pose, Direction: sim.Out, Unit: "m", Frames: world, Child: baseFrame, Parent: sim.World, Silent: true})
	return ports, roles
}

const (
	maxInsertion = 10          // m, beyond which a command is in another unit
	maxTwist     = 1e4         // rad
	insertRate   = 0.2         // m/s
	twistRate    = 2 * math.Pi // rad/s
)

// insertionPort moves the base along and about its axis. It supersedes base_pose, and stops
// where it is without commands.
func insertionPort() sim.Port {
	most := []float64{maxInsertion, maxTwist}
	return sim.Port{
		Name: "servo_insertion", Kind: sim.JointState, Parts: sim.Position, Direction: sim.In, Unit: "m, rad", Group: "base_pose",
		Labels: []string{"insertion", "twist"}, MaxRate: []float64{insertRate, twistRate},
		Min: []float64{-maxInsertion, -maxTwist}, Max: most, Strict: true, Hint: "units are metre and radian: 5 mm is 0.005, 90 degrees are 1.571",
		Safe: []float64{sim.Keep, sim.Keep},
	}
}

// tendonGroup is the group of the ports that drive the tendons.
const tendonGroup = "tendons"

func (r *Robot) tensionPort() sim.Port {
	p := sim.Port{
		Name: "servo_jf", Kind: sim.Tension, Direction: sim.In, Unit: "N",
		Plain: "tensions", Group: tendonGroup,
	}
	for _, k := range r.undriven() {
		t := &r.tendons[k]
		p.Labels = append(p.Labels, t.Name)
		p.Min = append(p.Min, t.MinTension)
		p.Max = append(p.Max, t.limits.MaxTension)
		p.MaxRate = append(p.MaxRate, t.limits.MaxRate)
		p.Safe = append(p.Safe, t.limits.Pretension)
	}
	return p
}

// plausiblePull is the largest pull over the length of the rod that is not in another unit.
const plausiblePull = 2

func (r *Robot) pullPort(names []string) sim.Port {
	p := sim.Port{
		Name: "servo_jp", Kind: sim.TendonLength, Direction: sim.In, Labels: names, Unit: "m", Group: tendonGroup,
		Hint: "a pull is at most twice the length of the rod; the unit is metre: 5 mm are 0.005",
	}
	for i, t := range r.tendons {
		most := plausiblePull * r.file.Rod.Length
		if pull := r.file.Tendons[i].Pull; pull != nil {
			most = max(most, plausiblePull*math.Abs(*pull))
		}
		p.Plausible = append(p.Plausible, most)
		p.MaxRate = append(p.MaxRate, t.limits.MaxPullRate)
	}
	return p
}

func (r *Robot) tendonNames() []string {
	var names []string
	for _, t := range r.tendons {
		names = append(names, t.Name)
	}
	return names
}

func (r *Robot) nodeNames() []string {
	names := make([]string, r.rod.Elements+1)
	for k := range names {
		names[k] = strconv.Itoa(k)
	}
	return names
}
