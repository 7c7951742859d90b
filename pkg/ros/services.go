package ros

import (
	"errors"
	"fmt"

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
	err := b.subscribe("~state_command", std_msgs.StringType, func(string) func(msgs.Message) {
		return func(m msgs.Message) { b.requestText(m.(*std_msgs.String).Data) }
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
		if err := t.Serve(name, s.service, handle); err != nil && !errors.Is(err, ErrNoServices) {
			return fmt.Errorf("cannot serve %s: %w", name, err)
		}
	}
	return nil
}

// requestText does a request given as text. Nobody waits for the answer: it is logged.
func (b *Bridge) requestText(text string) {
	r, err := sim.ParseRequest(text)
	if err != nil {
		b.log.Warn("state_command refused", zap.Error(err))
		return
	}
	b.request(r)
}

// request has the simulator do a request and logs the outcome.
func (b *Bridge) request(r sim.Request) sim.Reply {
	reply := b.sim.Do(r)
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
