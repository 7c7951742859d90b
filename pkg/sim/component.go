package sim

import (
	"slices"
	"strconv"
	"strings"
)

// Component is a value of a port, with its name and SI unit.
type Component struct{ Name, Unit string }

// Names and units of the values of ports without labels.
var (
	poseComponents     = []Component{{"x", "m"}, {"y", "m"}, {"z", "m"}, {"qx", "1"}, {"qy", "1"}, {"qz", "1"}, {"qw", "1"}}
	twistComponents    = []Component{{"vx", "m/s"}, {"vy", "m/s"}, {"vz", "m/s"}, {"wx", "rad/s"}, {"wy", "rad/s"}, {"wz", "rad/s"}}
	twistRates         = []Component{{"ax", "m/s^2"}, {"ay", "m/s^2"}, {"az", "m/s^2"}, {"alpha_x", "rad/s^2"}, {"alpha_y", "rad/s^2"}, {"alpha_z", "rad/s^2"}}
	imuComponents      = []Component{{"wx", "rad/s"}, {"wy", "rad/s"}, {"wz", "rad/s"}, {"ax", "m/s^2"}, {"ay", "m/s^2"}, {"az", "m/s^2"}}
	wrenchComponents   = []Component{{"fx", "N"}, {"fy", "N"}, {"fz", "N"}, {"tx", "N m"}, {"ty", "N m"}, {"tz", "N m"}, {"frame", "1"}}
	fieldComponents    = []Component{{"bx", "T"}, {"by", "T"}, {"bz", "T"}}
	gradientComponents = []Component{{"gxx", "T/m"}, {"gxy", "T/m"}, {"gxz", "T/m"}, {"gyy", "T/m"}, {"gyz", "T/m"}}
	rotatingComponents = []Component{{"axis_x", "1"}, {"axis_y", "1"}, {"axis_z", "1"}, {"amplitude", "T"}, {"frequency", "Hz"}, {"offset", "T"}}
	imageComponents    = [...]Component{{"u", "px"}, {"v", "px"}, {"seen", "1"}}
	contactHead        = []Component{{"count", "1"}, {"force", "N"}, {"depth", "m"}}
	contactComponents  = []Component{
		{"wall", "1"}, {"arc_length", "m"}, {"gap", "m"}, {"normal_force", "N"}, {"x", "m"}, {"y", "m"}, {"z", "m"},
		{"normal_x", "1"}, {"normal_y", "1"}, {"normal_z", "1"}, {"friction_x", "N"}, {"friction_y", "N"}, {"friction_z", "N"},
	}
	sampleHead = []Component{{"count", "1"}, {"age", "s"}}
)

// Components names the values of the port in their order, with their units; of a port with Samples those of the newest measurement,
// behind the count and the age.
func (p *Port) Components() []Component {
	all := slices.Clone(p.ofKind())
	for i := range p.Units {
		all[i].Unit = p.Units[i]
	}
	if p.Samples > 0 {
		all = slices.Concat(sampleHead, all)
	}
	return all
}

func (p *Port) ofKind() []Component {
	switch p.Kind {
	case Tension, TendonLength, Currents, Named:
		return labelled(p.Labels, "", p.Unit)
	case Pose, Path:
		if p.Covariance {
			return slices.Concat(poseComponents, covarianceComponents())
		}
		return poseComponents
	case Twist:
		if strings.HasPrefix(p.Unit, twistRates[0].Unit) {
			return twistRates
		}
		return twistComponents
	case Imu:
		return imuComponents
	case Wrench:
		return wrenchComponents[:p.layout()]
	case JointState:
		return p.jointComponents()
	case PoseArray, Transforms:
		return nested(p.Labels, poseComponents)
	case ImagePoints:
		return nested(p.Labels, imageComponents[:])
	case Field:
		return fieldComponents
	case FieldGradient:
		return slices.Concat(fieldComponents, gradientComponents)
	case RotatingField:
		return rotatingComponents
	case Contacts:
		places := make([]string, MostContacts)
		for i := range places {
			places[i] = strconv.Itoa(i)
		}
		return slices.Concat(contactHead, nested(places, contactComponents))
	}
	return nil
}

// covarianceComponents are those of position and rotation, by row.
func covarianceComponents() (all []Component) {
	axes := [...]Component{{"x", "m"}, {"y", "m"}, {"z", "m"}, {"rx", "rad"}, {"ry", "rad"}, {"rz", "rad"}}
	for _, a := range axes {
		for _, b := range axes {
			unit := a.Unit + " " + b.Unit
			if a.Unit == b.Unit {
				unit = a.Unit + "^2"
			}
			all = append(all, Component{"covariance." + a.Name + "." + b.Name, unit})
		}
	}
	return all
}

// labelled has a component for each label, with a quantity before it.
func labelled(labels []string, quantity, unit string) (all []Component) {
	for _, label := range labels {
		all = append(all, Component{quantity + label, unit})
	}
	return all
}

// nested has all components of one for each label.
func nested(labels []string, one []Component) (all []Component) {
	for _, label := range labels {
		for _, c := range one {
			all = append(all, Component{label + "." + c.Name, c.Unit})
		}
	}
	return all
}

// jointComponents are positions, velocities and efforts, each part with its unit among those of the port.
func (p *Port) jointComponents() (all []Component) {
	units := strings.Split(p.Unit, ", ")
	for _, part := range []struct {
		has  Parts
		name string
	}{{Position, "position."}, {Velocity, "velocity."}, {Effort, "effort."}} {
		if p.Parts&part.has == 0 {
			continue
		}
		all = append(all, labelled(p.Labels, part.name, units[0])...)
		units = units[min(1, len(units)-1):]
	}
	return all
}
