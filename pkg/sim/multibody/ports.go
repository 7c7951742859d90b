package multibody

import (
	"math"
	"slices"
	"strconv"

	"sinew/pkg/sim"
	"sinew/pkg/sim/mechanism"
	"sinew/pkg/sim/reference"
	"sinew/pkg/sim/robotfile"
)

// role is what a port of a Model is, and of which link, joint or commanded body.
type role struct {
	is    roleKind
	index int
}

type roleKind uint8

const (
	servoJF roleKind = iota
	servoJP
	bodyPose
	rodWrench
	bodyWrench
	wallPose
	rodEnd
	backbone
	bodyOrigin
	measuredJS
	setpointJS
	markersMeasured
	contactList
	wallWrench
	wallFrame
	reaction
	jointWrench
	energies
	frames
	sensorValues
)

// Groups of the ports that drive actuators.
const (
	effortGroup = "efforts"
	motorGroup  = "joints"
	pullGroup   = "pulls"
)

// listPorts lists the inputs and outputs of models of the robot.
func (r *Robot) listPorts(w *mechanism.World, c *contacts, shapes *reference.Shapes) (ports []sim.Port, roles []role) {
	add := func(is roleKind, index int, p sim.Port) {
		ports, roles = append(ports, p), append(roles, role{is, index})
	}
	world := []string{sim.World}
	if p := r.effortPort(); len(p.Labels) > 0 {
		add(servoJF, 0, p)
	}
	switch {
	case len(r.motors) > 0:
		add(servoJP, 0, r.motorPort())
	case len(r.elastic) > 0:
		add(servoJP, 0, r.pullPort())
	}
	for k, i := range r.posed {
		add(bodyPose, k, reference.PosePort(topic(r.file.Bodies[i].Name)+"/pose", reference.PositionBound(r.reach())))
	}
	r.addWrenchPorts(add)
	r.addWallInputs(shapes, add)
	for i := range r.file.Rods {
		name := topic(r.file.Rods[i].Name)
		add(rodEnd, i, sim.Port{Name: name + "/measured_cp", Kind: sim.Pose, Direction: sim.Out, Unit: "m", Frames: world})
	}
	for i := range r.file.Bodies {
		name := topic(r.file.Bodies[i].Name)
		add(bodyOrigin, i, sim.Port{Name: name + "/measured_cp", Kind: sim.Pose, Direction: sim.Out, Unit: "m", Frames: world})
	}
	if names := r.jointStateNames(); len(names) > 0 {
		positions, rates, efforts := r.jointStateUnits()
		js := sim.Port{Name: "measured_js", Kind: sim.JointState, Direction: sim.Out, Labels: names, Unit: "m, rad, N, N m",
			Units: slices.Concat(positions, rates, efforts), Parts: sim.Position | sim.Velocity | sim.Effort, Frames: world}
		add(measuredJS, 0, js)
		js.Name, js.Units, js.Parts = "setpoint_js", slices.Concat(positions, efforts), sim.Position|sim.Effort
		add(setpointJS, 0, js)
	}
	for i := range r.file.Rods {
		labels := make([]string, len(w.Nodes(i)))
		for k := range labels {
			labels[k] = strconv.Itoa(k)
		}
		add(backbone, i, sim.Port{Name: topic(r.file.Rods[i].Name) + "/backbone", Kind: sim.PoseArray, Direction: sim.Out, Unit: "m", Labels: labels, Frames: world})
	}
	if len(r.file.Markers) > 0 {
		p := sim.Port{Name: "markers_measured", Kind: sim.Transforms, Direction: sim.Out, Unit: "m", Frames: world}
		for i := range r.file.Markers {
			p.Labels = append(p.Labels, r.file.Markers[i].Name)
		}
		add(markersMeasured, 0, p)
	}
	r.addWallOutputs(add)
	if len(c.labels) > 0 {
		add(contactList, 0, sim.Port{Name: "contacts", Kind: sim.Contacts, Direction: sim.Out, Labels: c.labels, Unit: "m, N", Frames: world})
	}
	for i := range r.file.Joints {
		add(jointWrench, i, r.reactionPort(i, w))
	}
	for i := range r.file.Joints {
		add(reaction, i, sim.Port{Name: topic(r.file.Joints[i].Name) + "/reaction", Kind: sim.Wrench, Direction: sim.Out, Unit: "N, N m", Frames: world, Silent: true})
	}
	add(energies, 0, sim.Port{
		Name: "energies", Kind: sim.JointState, Parts: sim.Position, Direction: sim.Out, Unit: "J", Frames: world, Silent: true,
		Labels: []string{"kinetic_energy", "potential_energy", "elastic_energy"},
	})
	add(frames, 0, r.framesPort())
	return ports, roles
}

func topic(name string) string { return robotfile.TopicOf(name) }

// reach estimates how far the robot extends from the numbers of its file, m.
func (r *Robot) reach() (l float64) {
	for i := range r.file.Rods {
		l += r.file.Rods[i].Length
	}
	for i := range r.parameters.Joints {
		j := &r.parameters.Joints[i]
		l += j.Parent.Frame.P.Norm() + j.Child.Frame.P.Norm()
	}
	for i := range r.parameters.Bodies {
		if g := r.parameters.Bodies[i].Pose; g != nil {
			l = max(l, g.P.Norm())
		}
	}
	return l
}

// effortPort takes tensions of tendons and efforts of motors.
func (r *Robot) effortPort() sim.Port {
	p := sim.Port{Name: "servo_jf", Kind: sim.Tension, Direction: sim.In, Unit: "N", Plain: "tensions", Group: effortGroup}
	if len(r.efforts) > 0 {
		p.Unit = "N, N m"
		for range r.file.Tendons {
			p.Units = append(p.Units, "N")
		}
	}
	for i := range r.file.Tendons {
		t := &r.file.Tendons[i]
		p.Labels = append(p.Labels, t.Name)
		p.Min, p.Max = append(p.Min, t.MinTension), append(p.Max, t.Limits.MaxTension)
		safe := t.Limits.Pretension
		if t.Pull != nil && !r.sharesTendons() { // the tension of what begins under length control is nobody's until it is commanded
			safe = sim.Keep
		}
		p.MaxRate, p.Safe = append(p.MaxRate, t.Limits.MaxRate), append(p.Safe, safe)
	}
	for _, i := range r.efforts {
		c := &r.coordinates[i]
		most := r.parameters.Joints[c.joint].Motor[c.index].MaxEffort
		p.Labels, p.Units = append(p.Labels, c.name), append(p.Units, r.effortUnit(c))
		p.Min, p.Max = append(p.Min, -most), append(p.Max, most)
		p.MaxRate, p.Safe = append(p.MaxRate, c.maxRate), append(p.Safe, 0)
	}
	return p
}

// motorPort takes coordinates of position motors and of prescribed motions. Without commands they stop where they are. Package
// reference limits the rate of prescribed coordinates; see reference.Coordinate.
func (r *Robot) motorPort() sim.Port {
	p := sim.Port{Name: "servo_jp", Kind: sim.JointState, Parts: sim.Position, Direction: sim.In, Unit: "rad", Group: motorGroup}
	for _, i := range r.motors {
		c := &r.coordinates[i]
		f := &r.file.Joints[c.joint]
		low, high := f.Bounds(c.index)
		rate := c.maxRate
		if c.motor == mechanism.PrescribedMotor {
			rate = math.Inf(1)
		}
		p.Labels, p.Units = append(p.Labels, c.name), append(p.Units, r.unit(c))
		p.Min, p.Max, p.MaxRate, p.Safe = append(p.Min, low), append(p.Max, high), append(p.MaxRate, rate), append(p.Safe, sim.Keep)
	}
	r.addPulls(&p)
	if slices.Contains(p.Units, "m") {
		p.Unit = "rad, m"
	} else {
		p.Units = nil
	}
	return p
}

// sharesTendons reports whether servo_jf and servo_jp command the same actuators: tendons under length control, each of which obeys
// what was commanded last.
func (r *Robot) sharesTendons() bool {
	return len(r.motors)+len(r.efforts) == 0 && len(r.elastic) == len(r.file.Tendons)
}

// plausiblePull is the largest pull over the length of the robot that is not in another unit.
const plausiblePull = 2

// pullPort takes pulls of the tendons that have a stiffness, where there are no motors.
func (r *Robot) pullPort() sim.Port {
	p := sim.Port{
		Name: "servo_jp", Kind: sim.TendonLength, Direction: sim.In, Unit: "m", Group: pullGroup,
		Hint: "a pull is at most twice the length of the robot; the unit is metre: 5 mm are 0.005",
	}
	if r.sharesTendons() {
		p.Group = effortGroup
	}
	for _, i := range r.elastic {
		t := &r.file.Tendons[i]
		p.Labels, p.MaxRate = append(p.Labels, t.Name), append(p.MaxRate, t.Limits.MaxPullRate)
		p.Plausible = append(p.Plausible, r.largestPull(i))
		if !r.sharesTendons() {
			p.Safe = append(p.Safe, sim.Keep)
		}
	}
	return p
}

// largestPull is the largest plausible pull of a tendon, m.
func (r *Robot) largestPull(i int) float64 {
	most := plausiblePull * max(r.reach(), r.restLength[i])
	if pull := r.file.Tendons[i].Pull; pull != nil {
		most = max(most, plausiblePull*math.Abs(*pull))
	}
	return most
}

// addPulls adds the tendons that have a stiffness to the port of the motors.
func (r *Robot) addPulls(p *sim.Port) {
	for _, i := range r.elastic {
		t := &r.file.Tendons[i]
		most := r.largestPull(i)
		p.Labels, p.Units = append(p.Labels, t.Name), append(p.Units, "m")
		p.Min, p.Max, p.MaxRate, p.Safe = append(p.Min, -most), append(p.Max, most), append(p.MaxRate, t.Limits.MaxPullRate), append(p.Safe, sim.Keep)
	}
}

// unit returns the SI unit of a coordinate.
func (r *Robot) unit(c *coordinate) string {
	if r.file.Joints[c.joint].IsAngle(c.index) {
		return "rad"
	}
	return "m"
}

// effortUnit returns the SI unit of the effort of a coordinate.
func (r *Robot) effortUnit(c *coordinate) string {
	if r.file.Joints[c.joint].IsAngle(c.index) {
		return "N m"
	}
	return "N"
}

// jointStateUnits are the SI units of tendons and coordinates, of their rates and of their efforts.
func (r *Robot) jointStateUnits() (positions, rates, efforts []string) {
	for range r.file.Tendons {
		positions, efforts = append(positions, "m"), append(efforts, "N")
	}
	for i := range r.coordinates {
		c := &r.coordinates[i]
		positions, efforts = append(positions, r.unit(c)), append(efforts, r.effortUnit(c))
	}
	for _, unit := range positions {
		rates = append(rates, unit+"/s")
	}
	return positions, rates, efforts
}

// jointStateNames are the names of tendons and coordinates.
func (r *Robot) jointStateNames() (names []string) {
	for i := range r.file.Tendons {
		names = append(names, r.file.Tendons[i].Name)
	}
	for i := range r.coordinates {
		names = append(names, r.coordinates[i].name)
	}
	return names
}
