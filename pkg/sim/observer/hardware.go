package observer

import (
	"slices"

	"sinew/pkg/sim"
)

// hardwareTopics is the beginning of the names of ports that take measurements of hardware.
const hardwareTopics = "hardware/"

// hardwareSamples is how many measurements of a sensor may arrive in a step without one being lost.
const hardwareSamples = 10

// addHardware adds In ports for what the sensors of hardware measure, from which measurements come then.
func (o *Model) addHardware() {
	for k := range o.sensors {
		s := &o.sensors[k]
		p := *s.port
		p.Name, p.Direction, p.Group, p.Measured = hardwareTopics+p.Name, sim.In, hardwareTopics+p.Name, true
		p.Samples, p.Noise = hardwareSamples, nil
		p.Safe = slices.Repeat([]float64{sim.Keep}, p.Width())
		s.port, s.input = &p, len(o.ports)
		s.read, s.given = make([]float64, p.Width()), make([]float64, p.Width())
		o.ports = append(o.ports, p)
		o.roles = append(o.roles, hardwareInput)
	}
}

// hardware returns the sensor whose measurements In port i takes; nil if it is a port of the robot.
func (o *Model) hardware(i int) *sensor {
	for k := range o.sensors {
		if s := &o.sensors[k]; s.given != nil && s.input == i {
			return s
		}
	}
	return nil
}

// hear reads the newest measurements of a sensor.
func (o *Model) hear(s *sensor) {
	if s.given != nil {
		copy(s.read, s.given)
	} else {
		o.Model.Value(s.index, s.read)
	}
}
