package ros

import (
	"fmt"
	"sync/atomic"

	"go.uber.org/zap"

	"sinew/msgs/std_msgs"
	"sinew/pkg/sim"
)

// commandReceiver decodes the commands that arrive on the topics of In ports, refuses those
// that are late or whose stamp is too far from now, posts the others to the simulator and logs refusals.
type commandReceiver struct {
	sim       *sim.Simulator
	stamper   *stamper
	latest    *latest
	anyStamps atomic.Bool
	refusals  *refusalLog
	trips     tripLog // belongs to reportLoop
	log       *zap.Logger
}

func newCommandReceiver(s *sim.Simulator, t *stamper, l *latest, o Options) *commandReceiver {
	c := &commandReceiver{sim: s, stamper: t, latest: l, refusals: newRefusalLog("command", o.Log, o.Clock.Now), log: o.Log}
	c.anyStamps.Store(o.AnyStamps)
	return c
}

// open subscribes to the topics of one In port.
func (c *commandReceiver) open(e *endpoints, index int, p *sim.Port) error {
	codec := codecs[p.Kind]
	if codec.decode == nil {
		return fmt.Errorf("port %q cannot be commanded: no message of kind %d is a command", p.Name, p.Kind)
	}
	in := newInputPort(index, p, e.names)
	err := e.subscribe(Topic{Name: "~" + p.Name, Type: codec.messageType, ReportsSenderLeft: true},
		func(topic string) handler { return c.handler(topic, in, codec.decode) })
	if err != nil || p.Plain == "" {
		return err
	}
	return e.subscribe(Topic{Name: "~" + p.Plain, Type: std_msgs.Float64MultiArrayType, ReportsSenderLeft: true},
		func(topic string) handler { return c.handler(topic, in, decodePlain) })
}

// handler returns the handler of one subscription: it decodes each message into
// values of its own and posts them to the simulator.
func (c *commandReceiver) handler(topic string, p *inputPort, decode decoder) handler {
	v := make([]float64, p.port.Width())
	return func(got Received) bool {
		from := got.Sender.source()
		from.Topic = topic
		if got.SenderLeft {
			c.sim.ReleaseCommand(from, p.index)
			return false
		}
		r := c.late(got)
		if r.status == sim.Accepted {
			r = c.stale(got)
		}
		if r.status == sim.Accepted {
			r = decode(p, got.Message, v)
		}
		if r.status != sim.Accepted {
			c.sim.Reject(r.status)
		} else {
			r = c.post(from, p, v)
		}
		if r.status != sim.Accepted {
			c.refusals.add(topic, r)
			if got.Refused != nil {
				got.Refused(r.status.String(), r.detail)
			}
		}
		switch r.status {
		case sim.Stale, sim.NotInCommand, sim.NotEnabled, sim.Overflow:
			return false // a replay could not decide it again
		}
		return true
	}
}

// post posts a command to the simulator, and returns why it was refused or clamped.
func (c *commandReceiver) post(from sim.Source, p *inputPort, v []float64) refusal {
	switch status := c.sim.Post(from, p.index, v); status {
	case sim.Accepted:
		return refusal{}
	case sim.NotEnabled:
		return refusal{status, c.sim.State().String() + howToEnable(c.sim.State())}
	case sim.NotInCommand:
		return refusal{status, c.notInCommand(p.index, from)}
	default:
		current := *p
		current.port = &c.sim.Ports()[p.index] // the bounds may have been set since
		return refusal{status, current.explain(status, v)}
	}
}

// report logs, once a second, the refusals and the watchdog trips that were not logged when
// they happened.
func (c *commandReceiver) report(stats sim.Stats) {
	c.refusals.flush()
	c.trips.report(c.log, c.stamper.clock.Now(), c.sim.Options().CommandTimeoutS, c.sim.Ports(), stats.Groups)
}

// howToEnable returns what makes a simulator in a state accept commands.
func howToEnable(s sim.OperatingState) string {
	if s == sim.Paused {
		return ": commands act only while a step is at work; resume first"
	}
	return ": enable first"
}

// notInCommand returns which source commands instead.
func (c *commandReceiver) notInCommand(port int, from sim.Source) string {
	until := "it ends"
	if limit := c.sim.Options().CommandTimeoutS; limit > 0 {
		until = fmt.Sprintf("it is silent for %g s", limit)
		if c.sim.Options().Lockstep {
			until += " of simulated time"
		}
	}
	return fmt.Sprintf("commands of %s are refused: %s is in command until %s; call take_command to take over", nameOf(from.Name), nameOf(c.sim.Commander(port)), until)
}

// nameOf returns the name of a source for people.
func nameOf(name string) string {
	if name == "" {
		return "a node without a name"
	}
	return name
}
