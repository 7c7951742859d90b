package ros

import (
	"fmt"

	"sinew/msgs"
	"sinew/msgs/sensor_msgs"
	"sinew/pkg/ros/naming"
	"sinew/pkg/sim"
)

// NewCommand makes the message that commands In port p with the values v, as if it
// had been published at a time, and names its topic. Joints whose value is Keep
// are left out; in messages of other kinds no value may be Keep.
func NewCommand(names *naming.Names, p *sim.Port, v []float64, at msgs.Time) (Topic, *Sample, error) {
	c, known := codecs[p.Kind]
	if !known || c.decode == nil || len(v) != p.Width() || p.Samples > 0 {
		return Topic{}, nil, fmt.Errorf("port %q has no command of %d values", p.Name, len(v))
	}
	name, original, err := names.ResolveRemapped("~" + p.Name)
	if err != nil {
		return Topic{}, nil, err
	}
	o := &outputPort{codec: c, port: p}
	for _, f := range p.Frames {
		o.frames = append(o.frames, names.Frame(f))
	}
	if len(o.frames) > 0 {
		o.frame = o.frames[0]
	}
	m := c.encode(o, header(0, at, o.frame), v)
	if js, ok := m.(*sensor_msgs.JointState); ok {
		dropKept(js)
	} else {
		for i, x := range v {
			if sim.IsKeep(x) {
				return Topic{}, nil, fmt.Errorf("a message on %s cannot leave value %d as it is", name, i)
			}
		}
	}
	s := NewSample(m)
	s.Time = at
	return Topic{Name: name, Original: original, Type: c.messageType}, s, nil
}

// dropKept removes the joints that have a value to be kept.
func dropKept(js *sensor_msgs.JointState) {
	kept := func(i int) bool {
		for _, part := range [][]float64{js.Position, js.Velocity, js.Effort} {
			if i < len(part) && sim.IsKeep(part[i]) {
				return true
			}
		}
		return false
	}
	var names []string
	var parts [3][]float64
	for i, name := range js.Name {
		if kept(i) {
			continue
		}
		names = append(names, name)
		for k, part := range [][]float64{js.Position, js.Velocity, js.Effort} {
			if i < len(part) {
				parts[k] = append(parts[k], part[i])
			}
		}
	}
	js.Name, js.Position, js.Velocity, js.Effort = names, parts[0], parts[1], parts[2]
}
