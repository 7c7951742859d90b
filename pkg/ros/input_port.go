package ros

import (
	"fmt"
	"strings"

	"sinew/pkg/ros/naming"
	"sinew/pkg/sim"
	"sinew/pkg/sim/spatial"
)

// inputPort turns the messages of one command topic into values for an In port.
type inputPort struct {
	port   *sim.Port
	index  int
	frames []string // ROS frame of each of port.Frames
	labels map[string]int
}

func newInputPort(index int, port *sim.Port, names *naming.Names) *inputPort {
	c := &inputPort{port: port, index: index, labels: make(map[string]int, len(port.Labels))}
	for _, f := range port.Frames {
		c.frames = append(c.frames, names.Frame(f))
	}
	for i, l := range port.Labels {
		c.labels[l] = i
	}
	return c
}

// frame finds the frame that a message is given in among the frames of the port: by
// its ROS name or by its name within the robot; empty means the first. A port
// without frames takes any.
func (c *inputPort) frame(id string) (int, refusal) {
	if id == "" || len(c.frames) == 0 {
		return 0, refusal{}
	}
	id = strings.TrimPrefix(id, "/") // as tf of the first generation wrote frames
	for i, f := range c.frames {
		if id == f || id == c.port.Frames[i] {
			return i, refusal{}
		}
	}
	return 0, refusal{sim.UnknownFrame, fmt.Sprintf("header.frame_id is %q, want one of %q", id, c.frames)}
}

// inFrame refuses messages in a frame that is not the port's.
func (c *inputPort) inFrame(id string) refusal {
	_, r := c.frame(id)
	return r
}

// explain says which of the values v brought about the status, and what would
// have been allowed.
func (c *inputPort) explain(status sim.CommandStatus, v []float64) string {
	p := c.port
	for i, x := range v {
		least, most := p.Accepted(i)
		switch {
		case sim.IsKeep(x):
		case status == sim.NotFinite && !spatial.IsFinite(x):
			return fmt.Sprintf("%s is %g", c.valueName(i), x)
		case status != sim.Clamped && status != sim.OutOfRange:
		case x < least:
			return fmt.Sprintf("%s = %g %s is below its limit %.4g%s", c.valueName(i), x, p.UnitOf(i), least, hint(p))
		case x > most:
			return fmt.Sprintf("%s = %g %s is above its limit %.4g%s", c.valueName(i), x, p.UnitOf(i), most, hint(p))
		case status == sim.OutOfRange: // another value is
		case p.Min != nil && x < p.Min[i]:
			return fmt.Sprintf("%s = %g %s is below its limit %g%s", c.valueName(i), x, p.UnitOf(i), p.Min[i], hint(p))
		case p.Max != nil && x > p.Max[i]:
			return fmt.Sprintf("%s = %g %s is above its limit %g%s", c.valueName(i), x, p.UnitOf(i), p.Max[i], hint(p))
		}
	}
	return status.Err().Error()
}

// hint returns the advice of the port about values beyond its limits.
func hint(p *sim.Port) string {
	if p.Hint == "" {
		return ""
	}
	return "; " + p.Hint
}

// valueName names value i of the port for people.
func (c *inputPort) valueName(i int) string {
	if n := len(c.port.Labels); n > 0 && c.port.Width() == n {
		return c.port.Labels[i]
	}
	return fmt.Sprintf("value %d", i)
}
