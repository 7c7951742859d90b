package env

import (
	"math"
	"slices"
	"strings"

	"sinew/pkg/sim"
)

// components names the values of a port, in their order, with the units that the port says or that its kind has; of a motor that is
// an angle's.
func (s *scales) components(p *sim.Port) []sim.Component {
	all := p.Components()
	if p.Kind != sim.JointState || p.Units != nil {
		return all
	}
	for i := range all {
		quantity, label, _ := strings.Cut(all[i].Name, ".")
		if slices.Contains(s.motors, label) {
			all[i].Unit = map[string]string{"position": "rad", "velocity": "rad/s", "effort": "N m"}[quantity]
		}
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
func (s *scales) of(c sim.Component) float64 {
	switch c.Unit {
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
		case p.Kind == sim.RotatingField && c.Unit == "1": // an axis, of which only the direction counts
			least[i], most[i] = -1, 1
		case c.Unit == "T" && p.Plausible != nil:
			b := fieldShare * p.Plausible[i]
			least[i], most[i] = max(least[i], -b), min(most[i], b)
		case p.Kind == sim.JointState && c.Unit == "rad" && p.Max != nil && p.Min != nil:
			least[i], most[i] = bounded(least[i], most[i], math.Pi)
		case p.Kind == sim.JointState && c.Unit == "m" && p.Max != nil && p.Min != nil:
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
