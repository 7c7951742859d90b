package ros

import (
	"sinew/msgs"
	"sinew/pkg/sim"
	"sinew/pkg/sim/spatial"
)

// SetpointTopic returns the topic of the applied command of an In port, private to the node, or ""
// for ports whose setpoint is not published by itself.
func SetpointTopic(p *sim.Port) string {
	if !p.HasSetpoint() {
		return ""
	}
	return "~setpoint/" + p.Name
}

// setpointPublisher publishes the applied command of one In port, at the marker rate. It belongs to
// publishLoop.
type setpointPublisher struct {
	*outputPort
}

// openSetpoints opens the topics of the ports whose setpoints are published.
func openSetpoints(e *endpoints, ports []sim.Port) (all []setpointPublisher, err error) {
	for i := range ports {
		p := &ports[i]
		name := SetpointTopic(p)
		if name == "" {
			continue
		}
		o := &outputPort{codec: codecs[p.Kind], port: p, index: i}
		for _, f := range p.Frames {
			o.frames = append(o.frames, e.names.Frame(f))
		}
		if len(o.frames) > 0 {
			o.frame = o.frames[0]
		}
		if o.topicPublisher, err = e.advertise(Topic{Name: name, Type: o.messageType}); err != nil {
			return nil, err
		}
		all = append(all, setpointPublisher{o})
	}
	return all, nil
}

// send publishes the setpoint of a snapshot if it is due, wanted and known.
func (p setpointPublisher) send(s *sim.Snapshot, stamp msgs.Time) {
	if v := s.Setpoints[p.index]; s.Slow && p.wanted() && spatial.AllFinite(v) {
		p.publish(stamp, p.encode(p.outputPort, header(p.seq, stamp, p.frame), v))
	}
}
