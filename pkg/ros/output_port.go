package ros

import (
	"sinew/msgs"
	"sinew/pkg/sim"
)

// outputPort publishes the values of one Out port.
type outputPort struct {
	*topicPublisher
	codec
	port    *sim.Port
	index   int
	frames  []string     // ROS frame of each of port.Frames
	frame   string       // the first of them, or empty
	history *pathHistory // nil but for Path ports
}

// send publishes the port's values of a snapshot if they are due and wanted. A
// Path is recorded in any case.
func (o *outputPort) send(s *sim.Snapshot, stamp msgs.Time) {
	if o.port.Pace == sim.Slow && !s.Slow {
		return
	}
	v := s.Values[o.index]
	if o.history != nil {
		o.history.add(s.SimTime, stamp, v)
	}
	if o.wanted() {
		o.publish(stamp, o.encode(o, header(o.seq, stamp, o.frame), v))
	}
}
