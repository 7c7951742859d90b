package ros

import (
	"fmt"
	"time"

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
	err := b.subscribe(Topic{Name: "~" + p.Name, Type: c.messageType, Departures: true}, func(topic string) handler { return b.receiver(topic, in, c.decode) })
	if err != nil || p.Plain == "" {
		return err
	}
	return b.subscribe(Topic{Name: "~" + p.Plain, Type: std_msgs.Float64MultiArrayType, Departures: true},
		func(topic string) handler { return b.receiver(topic, in, decodePlain) })
}

// handler takes what arrives on a topic. It reports whether a recording should hold
// the message.
type handler func(Received) bool

// subscribe opens a topic, whose name it resolves, on all transports. Each calls from a goroutine of its
// own, so each has a handler of its own, made for the resolved name.
func (b *Bridge) subscribe(topic Topic, newHandler func(topic string) handler) (err error) {
	if topic.Name, err = b.names.Resolve(topic.Name); err != nil {
		return err
	}
	for _, transport := range b.transports {
		handle := newHandler(topic.Name)
		if err := transport.Subscribe(topic, func(got Received) {
			at := b.now()
			if handle(got) && !got.Gone {
				b.tellReceived(topic, got.Message, at)
			}
		}); err != nil {
			return fmt.Errorf("cannot subscribe to %s: %w", topic.Name, err)
		}
	}
	return nil
}

// tellReceived tells Options.Received of a message that has arrived.
func (b *Bridge) tellReceived(topic Topic, m msgs.Message, at time.Duration) {
	if b.received != nil {
		s := NewSample(m)
		s.Time = msgs.At(at)
		b.received(topic, s)
	}
}

// howToEnable says what makes a simulator in a state take commands.
func howToEnable(s sim.OperatingState) string {
	if s == sim.Paused {
		return ": commands act only while a step is at work; resume first"
	}
	return ": enable first"
}

// notInCommand says who commands instead.
func (b *Bridge) notInCommand(port int, from sim.Source) string {
	until := "it ends"
	if limit := b.sim.Options().CommandTimeoutS; limit > 0 {
		until = fmt.Sprintf("it is silent for %g s", limit)
		if b.sim.Options().Lockstep {
			until += " of simulated time"
		}
	}
	return fmt.Sprintf("%s refused, %s commands until %s; take_command hands over", nameOf(from.Name), nameOf(b.sim.Commander(port)), until)
}

// nameOf is the name of a source for people.
func nameOf(name string) string {
	if name == "" {
		return "a node without a name"
	}
	return name
}

// receiver returns the handler of one subscription: it reads each message into
// values of its own and posts them to the simulator.
func (b *Bridge) receiver(topic string, c *inputPort, decode decoder) handler {
	v := make([]float64, c.port.Width())
	return func(got Received) bool {
		from := got.Sender.source()
		from.Topic = topic
		if got.Gone {
			b.sim.Leave(from, c.index)
			return false
		}
		r := b.stale(got)
		if r.verdict == sim.Accepted {
			r = decode(c, got.Message, v)
		}
		if r.verdict != sim.Accepted {
			b.sim.Reject(r.verdict)
		} else {
			r = b.post(from, c, v)
		}
		if r.verdict != sim.Accepted {
			b.refusals.add(topic, r)
			if got.Refused != nil {
				got.Refused(r.verdict.String(), r.detail)
			}
		}
		switch r.verdict {
		case sim.Stale, sim.NotInCommand, sim.NotEnabled, sim.Overflow:
			return false // a replay could not judge it again
		}
		return true
	}
}

// post gives a command to the simulator and says what became of it.
func (b *Bridge) post(from sim.Source, c *inputPort, v []float64) refusal {
	switch verdict := b.sim.Post(from, c.index, v); verdict {
	case sim.Accepted:
		return refusal{}
	case sim.NotEnabled:
		return refusal{verdict, b.sim.State().String() + howToEnable(b.sim.State())}
	case sim.NotInCommand:
		return refusal{verdict, b.notInCommand(c.index, from)}
	default:
		current := *c
		current.port = &b.sim.Ports()[c.index] // the bounds may have been set since
		return refusal{verdict, current.explain(verdict, v)}
	}
}
