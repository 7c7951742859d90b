package env

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"sinew/pkg/sim"
)

// component is one value of a port.
type component struct{ name, unit string }

// Names and units of the values of ports without labels.
var (
	poseComponents     = []component{{"x", "m"}, {"y", "m"}, {"z", "m"}, {"qx", "1"}, {"qy", "1"}, {"qz", "1"}, {"qw", "1"}}
	twistComponents    = []component{{"vx", "m/s"}, {"vy", "m/s"}, {"vz", "m/s"}, {"wx", "rad/s"}, {"wy", "rad/s"}, {"wz", "rad/s"}}
	twistRates         = []component{{"ax", "m/s^2"}, {"ay", "m/s^2"}, {"az", "m/s^2"}, {"alpha_x", "rad/s^2"}, {"alpha_y", "rad/s^2"}, {"alpha_z", "rad/s^2"}}
	wrenchComponents   = []component{{"fx", "N"}, {"fy", "N"}, {"fz", "N"}, {"tx", "N m"}, {"ty", "N m"}, {"tz", "N m"}, {"frame", "1"}}
	fieldComponents    = []component{{"bx", "T"}, {"by", "T"}, {"bz", "T"}}
	gradientComponents = []component{{"gxx", "T/m"}, {"gxy", "T/m"}, {"gxz", "T/m"}, {"gyy", "T/m"}, {"gyz", "T/m"}}
	rotatingComponents = []component{{"axis_x", "1"}, {"axis_y", "1"}, {"axis_z", "1"}, {"amplitude", "T"}, {"frequency", "Hz"}, {"offset", "T"}}
	contactHead        = []component{{"count", "1"}, {"force", "N"}, {"depth", "m"}}
	contactComponents  = []component{
		{"wall", "1"}, {"arc_length", "m"}, {"gap", "m"}, {"normal_force", "N"}, {"x", "m"}, {"y", "m"}, {"z", "m"},
		{"normal_x", "1"}, {"normal_y", "1"}, {"normal_z", "1"}, {"friction_x", "N"}, {"friction_y", "N"}, {"friction_z", "N"},
	}
)

// components names the values of a port, in their order, with the units that the port says or that its kind has.
func (s *scales) components(p *sim.Port) []component {
	all := s.componentsOfKind(p)
	for i := range p.Units {
		all[i].unit = p.Units[i]
	}
	return all
}

func (s *scales) componentsOfKind(p *sim.Port) []component {
	switch p.Kind {
	case sim.Tension, sim.TendonLength, sim.Currents:
		return labelled(p.Labels, "", p.Unit)
	case sim.Pose, sim.Path:
		return poseComponents
	case sim.Twist:
		if strings.HasPrefix(p.Unit, twistRates[0].unit) {
			return twistRates
		}
		return twistComponents
	case sim.Wrench:
		return wrenchComponents[:p.Width()]
	case sim.JointState:
		return jointComponents(p, s.motors)
	case sim.PoseArray, sim.Transforms:
		return nested(p.Labels, poseComponents)
	case sim.Field:
		return fieldComponents
	case sim.FieldGradient:
		return slices.Concat(fieldComponents, gradientComponents)
	case sim.RotatingField:
		return rotatingComponents
	case sim.Contacts:
		return slices.Concat(contactHead, nested(numbers(sim.MostContacts), contactComponents))
	}
	return nil
}

// labelled has a component for each label, with a quantity before it.
func labelled(labels []string, quantity, unit string) (all []component) {
	for _, label := range labels {
		all = append(all, component{quantity + label, unit})
	}
	return all
}

// nested has all components of one for each label.
func nested(labels []string, one []component) (all []component) {
	for _, label := range labels {
		for _, c := range one {
			all = append(all, component{label + "." + c.name, c.unit})
		}
	}
	return all
}

// jointComponents are positions, velocities and efforts, each part with its unit among those of the port, or of motors
// with that of an angle.
func jointComponents(p *sim.Port, motors []string) (all []component) {
	units := strings.Split(p.Unit, ", ")
	for _, part := range []struct {
		has         sim.Parts
		name, angle string
	}{{sim.Position, "position.", "rad"}, {sim.Velocity, "velocity.", "rad/s"}, {sim.Effort, "effort.", "N m"}} {
		if p.Parts&part.has == 0 {
			continue
		}
		first := len(all)
		all = append(all, labelled(p.Labels, part.name, units[0])...)
		units = units[min(1, len(units)-1):]
		for i, label := range p.Labels {
			if slices.Contains(motors, label) {
				all[first+i].unit = part.angle
			}
		}
	}
	return all
}

func numbers(n int) (all []string) {
	for i := range n {
		all = append(all, fmt.Sprint(i))
	}
	return all
}

// scales are what quantities of a robot are of the order of.
type scales struct {
	length, force, field, gradient, frequency float64
	moment                                    float64  // 0: force times length
	motors                                    []string // joints with angles
}

// newScales takes the length of the robot (m), and the rest from the limits of its ports. Where there is no limit it is 1.
func newScales(length float64, ports []sim.Port) *scales {
	s := &scales{length: length, force: 1, field: 1, gradient: 1, frequency: 1}
	if !(length > 0) {
		s.length = 1
	}
	for i := range ports {
		switch p := &ports[i]; {
		case p.IsMotors():
			s.motors = p.Labels
		case p.Direction != sim.In || p.Max == nil:
		case p.Kind == sim.Tension:
			s.force = largestOf(p, "N", s.force)
			s.moment = largestOf(p, "N m", s.moment)
		case p.Kind == sim.FieldGradient:
			s.field, s.gradient = p.Max[0], p.Max[3]
		case p.Kind == sim.RotatingField:
			s.frequency = p.Max[4]
		}
	}
	return s
}

// largestOf returns the largest limit of the values of a port in a unit, or otherwise if none is in it.
func largestOf(p *sim.Port, unit string, otherwise float64) (most float64) {
	for i := range p.Max {
		if p.UnitOf(i) == unit {
			most = max(most, p.Max[i])
		}
	}
	if most == 0 {
		return otherwise
	}
	return most
}

// of is the scale of a component: the robot's length for a length, and a length in a second for a speed.
func (s *scales) of(c component) float64 {
	switch c.unit {
	case "m", "m/s", "m/s^2":
		return s.length
	case "N":
		return s.force
	case "N m":
		if s.moment > 0 {
			return s.moment
		}
		return s.force * s.length
	case "T":
		return s.field
	case "T/m":
		return s.gradient
	case "Hz":
		return s.frequency
	}
	return 1
}

// fieldShare is the share of the largest plausible field that a component of an action takes where the robot file has no
// limit: the field at a corner of the box, √3 times as large, leaves room for other sources.
const fieldShare = 0.5

// box returns the bounds of actions of an In port: no action within them is refused. A joint without stops turns by half a turn to
// either side, or slides by the length of the robot.
func (s *scales) box(p *sim.Port) (least, most []float64) {
	least, most = slices.Clone(p.Min), slices.Clone(p.Max)
	for i, c := range s.components(p) {
		switch {
		case p.Kind == sim.RotatingField && c.unit == "1": // an axis, of which only the direction counts
			least[i], most[i] = -1, 1
		case c.unit == "T" && p.Plausible != nil:
			b := fieldShare * p.Plausible[i]
			least[i], most[i] = max(least[i], -b), min(most[i], b)
		case p.Kind == sim.JointState && c.unit == "rad" && p.Max != nil && p.Min != nil:
			least[i], most[i] = bounded(least[i], most[i], math.Pi)
		case p.Kind == sim.JointState && c.unit == "m" && p.Max != nil && p.Min != nil:
			least[i], most[i] = bounded(least[i], most[i], s.length)
		}
	}
	return least, most
}

// bounded puts finite bounds by the given way to either side in place of infinite ones: about 0, or on from the finite one.
func bounded(least, most, way float64) (low, high float64) {
	switch {
	case math.IsInf(least, 0) && math.IsInf(most, 0):
		return -way, way
	case math.IsInf(least, 0):
		return most - 2*way, most
	case math.IsInf(most, 0):
		return least, least + 2*way
	}
	return least, most
}
