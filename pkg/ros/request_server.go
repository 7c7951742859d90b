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

// requestServer serves the requests to the simulator: as services, where a transport has any,
// and as text on the topic state_command.
type requestServer struct {
	sim      *sim.Simulator
	commands *commandReceiver // decides which stamps are too old
	demo     Demo             // nil without Options.Demo
	log      *zap.Logger
	queue    chan textRequest // of state_command, done one after the other
	stopping chan struct{}    // holds one for each urgent request whose outcome is awaited
}

func newRequestServer(s *sim.Simulator, c *commandReceiver, o Options) *requestServer {
	return &requestServer{
		sim: s, commands: c, demo: o.Demo, log: o.Log,
		queue: make(chan textRequest, maxTexts), stopping: make(chan struct{}, maxStops),
	}
}

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

// open opens the services and the topic state_command.
func (q *requestServer) open(e *endpoints) error {
	err := e.subscribe(Topic{Name: "~state_command", Type: std_msgs.StringType, Ordered: true}, func(string) handler {
		return q.takeText
	})
	if err != nil {
		return err
	}
	for _, s := range services {
		handle := func(m msgs.Message) func() msgs.Message {
			done := q.ask(s.request(m))
			return func() msgs.Message { return s.respond(done()) }
		}
		if err := e.serve(s.name, s.service, handle); err != nil {
			return err
		}
	}
	if q.demo == nil {
		return nil
	}
	return e.serve("~demo", std_srvs.SetBool, func(m msgs.Message) func() msgs.Message {
		err := q.demo.Stop
		if m.(*std_srvs.SetBoolRequest).Data {
			err = q.demo.Resume
		}
		answer := &std_srvs.SetBoolResponse{Success: true}
		if err := err(); err != nil {
			answer.Success, answer.Message = false, err.Error()
		}
		return func() msgs.Message { return answer }
	})
}

// textRequest is a request of state_command in the queue.
type textRequest struct {
	sim.Request
	done func() sim.Reply // waits for the outcome
}

const (
	maxTexts = 64 // requests of state_command in the queue
	maxStops = 64 // urgent requests of state_command whose outcome is awaited
)

// takeText handles a request given as text, and reports whether a recording should contain it.
// It has no answer: the outcome is logged. Urgent requests, which stop the robot, are asked for
// at once, and drop those in the queue.
func (q *requestServer) takeText(got Received) (keep bool) {
	text := got.Message.(*std_msgs.String).Data
	if stale := q.commands.stale(got); stale.status != sim.Accepted {
		q.log.Warn("state_command refused", zap.Error(fmt.Errorf("%.*q: %s", maxRefusedText, text, stale.detail)))
		return false
	}
	if strings.TrimSpace(text) == demoRequest {
		q.resumeDemo()
		return true
	}
	r, err := sim.ParseRequest(text)
	if err != nil {
		q.log.Warn("state_command refused", zap.Error(err))
		return true
	}
	switch r.Verb {
	case sim.EStop, sim.Disable, sim.Pause:
		done := q.ask(r)
		q.drop(r)
		q.await(r, done)
		return true
	}
	if len(q.queue) < cap(q.queue) {
		select {
		case q.queue <- textRequest{r, q.ask(r)}:
			return true
		default:
		}
	}
	q.log.Warn("state_command refused: the queue is full; call the services, which answer", zap.Stringer("request", r), zap.Int("waiting", maxTexts))
	return false
}

// maxRefusedText is how much of a text that is refused is logged, in bytes.
const maxRefusedText = 64

// await waits in a goroutine for the outcome of an urgent request, which logs it. During a
// flood of them it does not wait.
func (q *requestServer) await(r sim.Request, done func() sim.Reply) {
	select {
	case q.stopping <- struct{}{}:
		go func() {
			defer func() { <-q.stopping }()
			done()
		}()
	default:
		q.log.Info("request accepted; its outcome is not logged, because too many are pending", zap.Stringer("request", r))
	}
}

// drop empties the queue, because of an urgent request.
func (q *requestServer) drop(because sim.Request) {
	for len(q.queue) > 0 {
		select {
		case waiting := <-q.queue:
			q.log.Warn("state_command cancelled by a later e_stop, disable or pause", zap.Stringer("request", waiting.Request), zap.Stringer("because_of", because))
		default:
		}
	}
}

// run does the requests of the queue one after the other until stop is closed.
func (q *requestServer) run(stop <-chan struct{}) {
	for {
		select {
		case <-stop:
			return
		case r := <-q.queue:
			r.done()
		}
	}
}

// demoRequest is the text on state_command that starts the demo motion again.
const demoRequest = "demo"

// resumeDemo starts the demo motion again.
func (q *requestServer) resumeDemo() {
	err := errors.New("this run has no demo")
	if q.demo != nil {
		err = q.demo.Resume()
	}
	if err != nil {
		q.log.Warn("demo refused", zap.Error(err))
	}
}

// arrive implements Bridge.Arrive.
func (q *requestServer) arrive() func(sim.Request) sim.Reply {
	at := q.sim.Arrival()
	return func(r sim.Request) sim.Reply { return q.logged(r, q.sim.DoAt(at, r)) }
}

// ask asks the simulator for a request, in the order of arrival. The function that it returns
// waits for the outcome and logs it.
func (q *requestServer) ask(r sim.Request) func() sim.Reply {
	done := q.sim.Ask(r)
	return func() sim.Reply { return q.logged(r, done()) }
}

// logged logs the outcome of a request, and returns it.
func (q *requestServer) logged(r sim.Request, reply sim.Reply) sim.Reply {
	fields := []zap.Field{zap.Stringer("request", r), zap.String("message", reply.Message)}
	switch {
	case !reply.OK:
		q.log.Warn("request refused", fields...)
	case r.Verb == sim.Step: // controllers may send hundreds a second
		q.log.Debug("request done", fields...)
	default:
		q.log.Info("request done", fields...)
	}
	return reply
}
