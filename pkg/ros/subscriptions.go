package ros

import (
	"fmt"

	"sinew/msgs"
	"sinew/msgs/std_msgs"
	"sinew/pkg/sim"
)

// openInput subscribes to the topics of one In port.
func (b *Bridge) openInput(index int, p *sim.Port) error {
	c := codecs[p.Kind]
	if c.decode == nil {
		return fmt.Errorf("port %q cannot be commanded: no message of kind %d is a command", p.Name, p.Kind)
	}
	in := newInputPort(index, p, b.names)
	err := b.subscribe("~"+p.Name, c.messageType, func(topic string) func(msgs.Message) { return b.receiver(topic, in, c.decode) })
	if err != nil || p.Plain == "" {
		return err
	}
	return b.subscribe("~"+p.Plain, std_msgs.Float64MultiArrayType,
		func(topic string) func(msgs.Message) { return b.receiver(topic, in, decodePlain) })
}

// subscribe opens a topic on all transports. Each calls from a goroutine of its
// own, so each has a handler of its own, made by handler for the resolved name.
func (b *Bridge) subscribe(name string, t *msgs.Type, handler func(topic string) func(msgs.Message)) error {
	name, err := b.names.Resolve(name)
	if err != nil {
		return err
	}
	topic := Topic{Name: name, Type: t}
	for _, transport := range b.transports {
		handle := handler(name)
		if err := transport.Subscribe(topic, func(got Received) {
			b.tellReceived(topic, got.Message)
			handle(got.Message)
		}); err != nil {
			return fmt.Errorf("cannot subscribe to %s: %w", name, err)
		}
	}
	return nil
}

// tellReceived tells Options.Received of a message that has just arrived.
func (b *Bridge) tellReceived(topic Topic, m msgs.Message) {
	if b.received != nil {
		s := NewSample(m)
		s.Time = msgs.At(b.now())
		b.received(topic, s)
	}
}

// receiver returns the handler of one subscription: it reads each message into
// values of its own and posts them to the simulator.
func (b *Bridge) receiver(topic string, c *inputPort, decode decoder) func(msgs.Message) {
	v := make([]float64, c.port.Width())
	return func(m msgs.Message) {
		if r := decode(c, m, v); r.verdict != sim.Accepted {
			b.sim.Reject(r.verdict)
			b.refusals.add(topic, r)
			return
		}
		switch verdict := b.sim.Post(c.index, v); verdict {
		case sim.Accepted:
		case sim.NotEnabled:
			b.refusals.add(topic, refusal{verdict, b.sim.State().String() + ": enable first"})
		default:
			b.refusals.add(topic, refusal{verdict, c.explain(verdict, v)})
		}
	}
}
