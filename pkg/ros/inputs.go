package ros

import (
	"fmt"

	"sinew/msgs"
	"sinew/msgs/std_msgs"
	"sinew/pkg/sim"
)

// openInlet subscribes to the topics of one In port.
func (b *Bridge) openInlet(index int, p *sim.Port) error {
	c := codecs[p.Kind]
	if c.decode == nil {
		return fmt.Errorf("port %q cannot be commanded: no message of kind %d is a command", p.Name, p.Kind)
	}
	in := newInlet(index, p, b.names)
	if err := b.subscribe("~"+p.Name, c.messageType, in, c.decode); err != nil {
		return err
	}
	if p.Plain == "" {
		return nil
	}
	return b.subscribe("~"+p.Plain, std_msgs.Float64MultiArrayType, in, decodePlain)
}

func (b *Bridge) subscribe(name string, t *msgs.Type, c *inlet, decode decoder) error {
	name, err := b.names.Resolve(name)
	if err != nil {
		return err
	}
	topic := Topic{Name: name, Type: t}
	for _, transport := range b.transports {
		// Each transport calls from a goroutine of its own: each has its own values.
		if err := transport.Subscribe(topic, b.receiver(topic.Name, c, decode)); err != nil {
			return fmt.Errorf("cannot subscribe to %s: %w", topic.Name, err)
		}
	}
	return nil
}

// receiver returns the handler of one subscription: it reads each message into
// values of its own and posts them to the simulator.
func (b *Bridge) receiver(topic string, c *inlet, decode decoder) func(msgs.Message) {
	v := make([]float64, c.port.Width())
	return func(m msgs.Message) {
		if r := decode(c, m, v); r.verdict != sim.Accepted {
			b.sim.Reject(r.verdict)
			b.complaints.add(topic, r)
			return
		}
		switch verdict := b.sim.Post(c.index, v); verdict {
		case sim.Accepted:
		case sim.NotEnabled:
			b.complaints.add(topic, refusal{verdict, b.sim.State().String() + ": enable first"})
		default:
			b.complaints.add(topic, refusal{verdict, c.explain(verdict, v)})
		}
	}
}
