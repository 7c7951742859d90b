package ros

import (
	"errors"
	"fmt"
	"strings"

	"go.uber.org/zap"

	"sinew/msgs"
	"sinew/msgs/sinew_msgs"
	"sinew/msgs/std_msgs"
	"sinew/msgs/std_srvs"
	"sinew/pkg/sim"
)

// service is a request to the simulator as a ROS service.
type service struct {
	name    string
	service *msgs.Service
	request func(m msgs.Message) sim.Request
	respond func(r sim.Reply) msgs.Message
}

// services lists the services that every robot has.
var services = []service{
	trigger("~reset", sim.Reset),
	trigger("~enable", sim.Enable),
	trigger("~disable", sim.Disable),
	trigger("~e_stop", sim.EStop),
	trigger("~save_state", sim.SaveState),
	trigger("~restore_state", sim.RestoreState),
	trigger("~take_command", sim.TakeCommand),
	{"~pause", std_srvs.SetBool, pauseRequest, func(r sim.Reply) msgs.Message {
		return &std_srvs.SetBoolResponse{Success: r.OK, Message: r.Message}
	}},
	{"~step", sinew_msgs.Step, func(m msgs.Message) sim.Request {
		return sim.Request{Verb: sim.Step, Steps: m.(*sinew_msgs.StepRequest).Steps}
	}, func(r sim.Reply) msgs.Message {
		return &sinew_msgs.StepResponse{Success: r.OK, Message: r.Message, SimTime: r.SimTime}
	}},
}

func trigger(name string, verb sim.Verb) service {
	return service{name, std_srvs.Trigger,
		func(msgs.Message) sim.Request { return sim.Request{Verb: verb} },
		func(r sim.Reply) msgs.Message {
			return &std_srvs.TriggerResponse{Success: r.OK, Message: r.Message}
		}}
}

func pauseRequest(m msgs.Message) sim.Request {
	if m.(*std_srvs.SetBoolRequest).Data {
		return sim.Request{Verb: sim.Pause}
	}
	return sim.Request{Verb: sim.Resume}
}

// serve offers the services, where a transport has any, and takes the same
// requests as text on the topic state_command.
func (b *Bridge) serve() error {
	err := b.subscribe(Topic{Name: "~state_command", Type: std_msgs.StringType, Ordered: true}, func(string) handler {
		return b.requestText
	})
	if err != nil {
		return err
	}
	for _, s := range services {
		if err := b.openService(s); err != nil {
			return err
		}
	}
	return nil
}

// openService opens one service on all transports that have services.
func (b *Bridge) openService(s service) error {
	name, err := b.names.Resolve(s.name)
	if err != nil {
		return err
	}
	handle := func(m msgs.Message) func() msgs.Message {
		done := b.ask(s.request(m))
		return func() msgs.Message { return s.respond(done()) }
	}
	for _, t := range b.transports {
		if err := OpenService(t, name, s.service, handle); err != nil {
			return err
		}
	}
	return nil
}

// textRequest is a request of state_command that waits.
type textRequest struct {
	sim.Request
	done func() sim.Reply
}

const (
	maxTexts = 64 // requests of state_command that may wait
	maxStops = 64 // of those that stop the robot, whose outcome is waited for
)

// requestText takes a request given as text, and reports whether a recording should hold it.
// Nobody waits for the answer: it is logged. Requests that stop the robot are asked for at
// once, and forget those that wait.
func (b *Bridge) requestText(got Received) (keep bool) {
	text := got.Message.(*std_msgs.String).Data
	if stale := b.stale(got); stale.verdict != sim.Accepted {
		b.log.Warn("state_command refused", zap.Error(fmt.Errorf("%.*q: %s", maxRefusedText, text, stale.detail)))
		return false
	}
	if strings.TrimSpace(text) == demoRequest {
		b.resumeDemo()
		return true
	}
	r, err := sim.ParseRequest(text)
	if err != nil {
		b.log.Warn("state_command refused", zap.Error(err))
		return true
	}
	switch r.Verb {
	case sim.EStop, sim.Disable, sim.Pause:
		done := b.ask(r)
		b.forgetTexts(r)
		b.await(r, done)
		return true
	}
	if len(b.texts) < cap(b.texts) {
		select {
		case b.texts <- textRequest{r, b.ask(r)}:
			return true
		default:
		}
	}
	b.log.Warn("state_command refused: too many wait", zap.Stringer("request", r), zap.Int("waiting", maxTexts))
	return false
}

// maxRefusedText is how much of a text that is refused is logged, in bytes.
const maxRefusedText = 64

// await waits elsewhere for the outcome of a request that stops the robot, which is thereby
// logged. A flood of them is not waited for.
func (b *Bridge) await(r sim.Request, done func() sim.Reply) {
	select {
	case b.stopping <- struct{}{}:
		go func() {
			defer func() { <-b.stopping }()
			done()
		}()
	default:
		b.log.Info("request taken, as many others before it", zap.Stringer("request", r))
	}
}

// forgetTexts drops the requests that wait, because of one that stops the robot.
func (b *Bridge) forgetTexts(because sim.Request) {
	for len(b.texts) > 0 {
		select {
		case waiting := <-b.texts:
			b.log.Warn("state_command forgotten", zap.Stringer("request", waiting.Request), zap.Stringer("because_of", because))
		default:
		}
	}
}

// textLoop does the requests of state_command one after the other.
func (b *Bridge) textLoop() {
	for {
		select {
		case <-b.stop:
			return
		case r := <-b.texts:
			r.done()
		}
	}
}

// demoRequest asks on state_command for the motion of a robot that nobody commands.
const demoRequest = "demo"

// resumeDemo lets the robot move by itself again.
func (b *Bridge) resumeDemo() {
	err := errors.New("this run has no demo")
	if b.demo != nil {
		err = b.demo()
	}
	if err != nil {
		b.log.Warn("demo refused", zap.Error(err))
	}
}

// Arrive takes the place of a request that arrives now in another way than by the bridge's
// services and texts. What it returns does what the request asks for, unless the robot is
// stopped by what has arrived since, and logs the outcome.
func (b *Bridge) Arrive() func(sim.Request) sim.Reply {
	at := b.sim.Arrival()
	return func(r sim.Request) sim.Reply { return b.told(r, b.sim.DoAt(at, r)) }
}

// ask asks the simulator for a request, in the order of arrival. What it returns waits for
// the outcome and logs it.
func (b *Bridge) ask(r sim.Request) func() sim.Reply {
	done := b.sim.Ask(r)
	return func() sim.Reply { return b.told(r, done()) }
}

// told logs what became of a request, and returns that.
func (b *Bridge) told(r sim.Request, reply sim.Reply) sim.Reply {
	fields := []zap.Field{zap.Stringer("request", r), zap.String("message", reply.Message)}
	switch {
	case !reply.OK:
		b.log.Warn("request refused", fields...)
	case r.Verb == sim.Step: // controllers may send hundreds a second
		b.log.Debug("request done", fields...)
	default:
		b.log.Info("request done", fields...)
	}
	return reply
}
