package ros

import (
	"errors"
	"fmt"
	"strings"
	"sync/atomic"

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
	err := b.subscribe(Topic{Name: "~state_command", Type: std_msgs.StringType}, func(string) handler {
		return func(got Received) bool {
			b.requestText(got)
			return true
		}
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
	handle := func(m msgs.Message) msgs.Message { return s.respond(b.request(s.request(m))) }
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
	halts uint64 // requests that stop the robot which arrived before it
}

// halts counts the requests of state_command that stop the robot. What came before such a
// one and is on its way to the loop must not be done after it.
type halts struct {
	count  atomic.Uint64
	newest atomic.Uint32 // verb
}

func (h *halts) add(v sim.Verb) {
	h.newest.Store(uint32(v))
	h.count.Add(1)
}

// since returns the newest verb that was added after so many, 0 when none was.
func (h *halts) since(count uint64) sim.Verb {
	if h.count.Load() == count {
		return 0
	}
	return sim.Verb(h.newest.Load())
}

// maxTexts is how many requests of state_command may wait.
const maxTexts = 64

// requestText takes a request given as text. Nobody waits for the answer: it is
// logged. Requests that stop the robot are done at once, and forget those that wait.
func (b *Bridge) requestText(got Received) {
	text := got.Message.(*std_msgs.String).Data
	stale := b.stale(got)
	if strings.TrimSpace(text) == demoRequest && stale.verdict == sim.Accepted {
		b.resumeDemo()
		return
	}
	r, err := sim.ParseRequest(text)
	if err == nil && stale.verdict != sim.Accepted {
		err = fmt.Errorf("%s: %s", r, stale.detail)
	}
	if err != nil {
		b.log.Warn("state_command refused", zap.Error(err))
		return
	}
	switch r.Verb {
	case sim.EStop: // without waiting: a flood of them is done with when it ends
		b.halts.add(r.Verb)
		b.sim.EStop()
		b.forgetTexts(r)
		b.log.Info("request done", zap.Stringer("request", r), zap.String("message", sim.Fault.String()))
	case sim.Disable, sim.Pause:
		b.halts.add(r.Verb)
		b.forgetTexts(r)
		b.request(r)
	default:
		select {
		case b.texts <- textRequest{r, b.halts.count.Load()}:
		default:
			b.log.Warn("state_command refused: too many wait", zap.Stringer("request", r), zap.Int("waiting", maxTexts))
		}
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
			b.told(r.Request, b.sim.DoUnless(r.Request, func() sim.Verb { return b.halts.since(r.halts) }))
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

// Request does what was asked for in another way than by the bridge's services and texts,
// and logs the outcome.
func (b *Bridge) Request(r sim.Request) sim.Reply { return b.request(r) }

// request has the simulator do a request and logs the outcome.
func (b *Bridge) request(r sim.Request) sim.Reply {
	return b.told(r, b.sim.Do(r))
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
